"""Which repository a session belongs to: by paths the user gave, by where it ran, by remote and commit, by root commit."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

from git_lerim.sessions.session import Header


class Verdict(StrEnum):
    """Where a record belongs."""

    OURS = "ours"
    ELSEWHERE = "elsewhere"  # another repository, which exists
    OUTSIDE = "outside"  # a folder that exists, in no repository: the personal store's
    UNSCOPED = "unscoped"  # the folder is gone, and nothing else matches


class Ground(StrEnum):
    """What stands at a path today."""

    OURS = "ours"
    OTHER = "other"
    NONE = "none"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Territory:
    """What is known of a repository that sessions could name."""

    worktrees: tuple[str, ...] = ()  # of the main and every linked work tree, existing or gone
    extra: tuple[str, ...] = ()  # lerim.repositoryPath
    remotes: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()  # root commits
    personal: bool = False  # the personal store takes what lies outside every repository

    def fingerprint(self) -> str:
        """Return what changes whenever a session could be judged differently."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


class Scope:
    """Judges where the records of sessions belong."""

    def __init__(self, territory: Territory, ground: Callable[[str], Ground], has_commit: Callable[[str], bool]) -> None:
        """Take what to compare with; `ground` looks at the disk, `has_commit` at the repository's objects."""
        self._extra = tuple(comparable(p) for p in territory.extra)
        self._worktrees = tuple(comparable(p) for p in territory.worktrees)
        self._hashes = {_project_hash(p) for p in (*territory.extra, *territory.worktrees)}
        self._remotes = {normal_remote(r) for r in territory.remotes}
        self._roots = set(territory.roots)
        self._personal = territory.personal
        self._ground, self._has_commit = ground, has_commit
        self._known: dict[tuple[str | None, str, str, str], Verdict] = {}

    def judge(self, cwd: str | None, header: Header) -> Verdict:
        """Return where a record belongs that was made in `cwd` by a session with this header."""
        key = (cwd, header.remote, header.root_commit, header.commit)
        if key not in self._known:
            self._known[key] = self._judge(cwd, header)
        return self._known[key]

    def _judge(self, cwd: str | None, header: Header) -> Verdict:
        if self._personal:
            return self._judge_personal(cwd)
        place = comparable(cwd) if cwd else ""
        if any(_below(place, p) for p in self._extra):
            return Verdict.OURS
        vetoed = bool(header.remote) and normal_remote(header.remote) not in self._remotes
        ground = self._ground(cwd) if cwd else Ground.GONE
        if ground is Ground.OTHER:
            return Verdict.ELSEWHERE
        if not vetoed and (ground is Ground.OURS or self._was_here(cwd, place, ground) or self._by_history(header)):
            return Verdict.OURS
        return Verdict.OUTSIDE if ground is Ground.NONE else Verdict.UNSCOPED

    def _judge_personal(self, cwd: str | None) -> Verdict:
        ground = self._ground(cwd) if cwd else Ground.GONE
        return {Ground.NONE: Verdict.OURS, Ground.GONE: Verdict.UNSCOPED}.get(ground, Verdict.ELSEWHERE)

    def _was_here(self, cwd: str | None, place: str, ground: Ground) -> bool:
        if ground is not Ground.GONE or not cwd:
            return False
        return cwd in self._hashes or any(_below(place, p) for p in self._worktrees)

    def _by_history(self, header: Header) -> bool:
        if header.remote:
            return True  # it is ours: another one was vetoed before
        if header.commit and self._has_commit(header.commit):
            return True
        return bool(header.root_commit) and header.root_commit in self._roots


_WINDOWS = re.compile(r"^[A-Za-z]:(?:[\\/]|$)|^\\\\")
_WSL = re.compile(r"^/mnt/([a-zA-Z])(?=/|$)")
_PRIVATE = re.compile(r"^/private(?=/(?:tmp|var)(?:/|$))")


def comparable(path: str) -> str:
    """Return a path in the form in which paths of one place are equal: file URLs, Windows, WSL and macOS spellings."""
    if path.startswith("file://"):
        path = unquote(path[7:])
        path = path[1:] if re.match(r"^/[A-Za-z]:", path) else path
    if match := _WSL.match(path):
        path = f"{match[1]}:{path[6:] or '/'}"
    if _WINDOWS.match(path):
        path = path.replace("\\", "/").casefold()
    path = _PRIVATE.sub("", path)
    return path.rstrip("/") or "/"


def normal_remote(url: str) -> str:
    """Return `host/owner/name` of a remote's URL in any of its spellings, without user, port and `.git`."""
    text = url.strip().casefold()
    text = re.sub(r"^[a-z+]+://", "", text)
    text = re.sub(r"^[^@/]*@", "", text)
    text = re.sub(r"^([^/:]+):(?:\d+/)?/*", r"\1/", text)
    return text.rstrip("/").removesuffix(".git").rstrip("/")


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _project_hash(path: str) -> str:
    """Return how Gemini's older versions name a project: by the hash of its path."""
    return "sha256:" + hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()
