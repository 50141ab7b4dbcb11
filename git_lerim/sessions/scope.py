"""Decide which repository a session belongs to: by paths, folder, remote and commits."""

import hashlib
import ntpath
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from git_lerim.sessions.session import (
        Header,
    )  # importing this takes longer than most verbs take to run


class Verdict(StrEnum):
    """Which repository a record belongs to: this one, another, none, or unknown."""

    OURS = "ours"
    ELSEWHERE = "elsewhere"  # another repository, which exists
    OUTSIDE = "outside"  # a folder that exists, in no repository: for the personal store
    UNSCOPED = "unscoped"  # the folder is gone, and nothing else matches
    VETOED = (  # the folder is ours, or gone, but the recorded remote is another repository's
        "vetoed"
    )


class Ground(StrEnum):
    """What is at a path today: this repository, another one, another folder, or nothing."""

    OURS = "ours"
    OTHER = "other"
    NONE = "none"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Territory:
    """The paths and remotes by which sessions can refer to a repository."""

    worktrees: tuple[str, ...] = ()  # of the main and every linked work tree, existing or gone
    extra: tuple[str, ...] = ()  # lerim.repositoryPath
    remotes: tuple[str, ...] = ()
    personal: bool = False  # whether it is the personal store, for sessions in no repository

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders in which the repository is or was."""
        return (*self.extra, *self.worktrees)

    def fingerprint(self) -> str:
        """Return a text that changes whenever sessions may have to be assigned anew."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


class Scope:
    """The rules that decide which records of sessions belong to a repository."""

    def __init__(
        self,
        territory: Territory,
        ground: Callable[[str], Ground],
        has_commit: Callable[[str], bool],
        has_root: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Initialize with the paths and remotes that sessions are compared with.

        `ground` looks at the disk, `has_commit` and `has_root` at the repository's history.
        """
        self._extra = _forms(territory.extra)
        self._worktrees = set(_forms(territory.worktrees))
        self._remotes = {normal_remote(r) for r in territory.remotes}
        self._personal = territory.personal
        self._ground, self._has_commit, self._has_root = ground, has_commit, has_root
        self._known: dict[tuple[str | None, str, str, str], Verdict] = {}

    def judge(self, cwd: str | None, header: "Header") -> Verdict:
        """Return which repository a record belongs to, from its folder `cwd` and session header."""
        key = (cwd, header.remote, header.root_commit, header.commit)
        if key not in self._known:
            self._known[key] = self._judge(cwd, header)
        return self._known[key]

    def below(self, cwd: str) -> str:
        """Return a folder's path below the innermost work tree around it, or "" if none is."""
        place = comparable(_without_steps_up(_path_of(cwd)))
        roots = [root for root in (*self._worktrees, *self._extra) if is_below(place, root)]
        return place[len(max(roots, key=len)) :].lstrip("/") if roots else ""

    def _judge(self, cwd: str | None, header: "Header") -> Verdict:
        place = _without_steps_up(_path_of(cwd)) if cwd else ""
        ground, owner = self._look(place), self._owner(place)
        if self._personal:
            return {Ground.NONE: Verdict.OURS, Ground.GONE: Verdict.UNSCOPED}.get(
                owner, Verdict.ELSEWHERE
            )
        if place and any(
            is_below(comparable(place), p) and not self._is_nested(owner, p) for p in self._extra
        ):
            return Verdict.OURS
        vetoed = bool(header.remote) and normal_remote(header.remote) not in self._remotes
        if not vetoed and (
            owner is Ground.OURS or (ground is not Ground.OTHER and self._by_history(header))
        ):
            return Verdict.OURS
        other = Verdict.VETOED if vetoed else Verdict.UNSCOPED
        return {Ground.OTHER: Verdict.ELSEWHERE, Ground.NONE: Verdict.OUTSIDE}.get(owner, other)

    def _owner(self, place: str) -> Ground:
        """Return which repository a folder belongs or belonged to."""
        ground = self._look(place)
        return self._around(place) if ground is Ground.GONE else ground

    def _is_nested(self, owner: Ground, extra: str) -> bool:
        """Return whether a folder below a configured path is in a repository nested there."""
        return owner is Ground.OTHER and self._owner(extra) is not Ground.OTHER

    def _look(self, place: str) -> Ground:
        """Return what exists at a path; unreadable paths and those of other users count as gone."""
        try:
            return self._ground(place) if Path(place).is_absolute() else Ground.GONE
        except OSError:
            return Ground.GONE

    def _around(self, place: str) -> Ground:
        """Return the owner of a deleted folder: the innermost repository around it."""
        for folder in _upwards(place):
            if comparable(folder) in self._worktrees:
                return Ground.OURS
            ground = self._look(folder)
            if ground is not Ground.GONE:
                return Ground.GONE if ground is Ground.NONE else ground
        return Ground.GONE

    def _by_history(self, header: "Header") -> bool:
        if header.remote:
            return True  # it is ours: `_judge` has vetoed all others
        if header.commit and self._has_commit(header.commit):
            return True
        return bool(header.root_commit) and self._has_root(header.root_commit)


_LONG = re.compile(
    r"^\\\\[?.]\\(?:UNC(?=\\))?", re.IGNORECASE
)  # what Rust and .NET put before a long path
_IN_WSL = re.compile(
    r"^[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/]+(?=[\\/]|$)", re.IGNORECASE
)  # a WSL distribution, as seen from Windows
_WINDOWS = re.compile(r"^[A-Za-z]:(?:[\\/]|$)|^\\\\|^//(?=[^/])")
_WSL = re.compile(r"^/mnt/([a-zA-Z])(?=/|$)")
_PRIVATE = re.compile(r"^/private(?=/(?:tmp|var|etc)(?:/|$))")
_LONGEST = 4096  # bytes of a path; no system accepts a longer one


def comparable(path: str) -> str:
    """Return a path in normal form, so that URL, Windows, WSL and macOS spellings compare equal."""
    path = _LONG.sub(lambda m: "\\" if len(m[0]) > 4 else "", _path_of(path))
    if match := _IN_WSL.match(path):
        path = path[match.end() :].replace("\\", "/") or "/"
    if match := _WSL.match(path):
        path = f"{match[1]}:{path[6:] or '/'}"
    if _WINDOWS.match(path):
        path = path.replace("\\", "/").casefold()
    path = _PRIVATE.sub("", path)
    return path.rstrip("/") or "/"


def plausible_folder(cwd: str | None) -> str | None:
    """Return a folder from a session's record, or None if no system would accept its path."""
    if not cwd or "\0" in cwd or len(cwd.encode("utf-8", "surrogatepass")) > _LONGEST:
        return None
    return cwd


class Roots:
    """The present and former folders of a repository's work trees."""

    def __init__(self, roots: Iterable[str]) -> None:
        """Initialize with the paths of all work trees, and former paths of the repository."""
        self._roots = [comparable(root).rstrip("/") + "/" for root in roots]

    def relative(self, named: str) -> str | None:
        """Return a file's path below the repository's root, or None if it is outside."""
        path = comparable(named).replace("\\", "/")
        if path.startswith("/") or path[1:2] == ":":
            below = [path[len(root) :] for root in self._roots if path.startswith(root)]
            path = _as_written(min(below, key=len, default=""), named)
        parts = [part for part in path.split("/") if part != "."]
        return "/".join(parts) if parts and ".." not in parts and all(parts) else None


def _as_written(below: str, named: str) -> str:
    """Return the end of a path in its original case.

    Windows paths are compared in lower case, but paths in git's trees are case-sensitive.
    """
    parts = below.split("/")
    written = named.replace("\\", "/").rstrip("/").split("/")[-len(parts) :]
    return "/".join(written) if [part.casefold() for part in written] == parts else below


def normal_remote(url: str) -> str:
    """Return `host/owner/name` of a remote's URL, without user, port and `.git`."""
    text = url.strip().casefold().replace("\\", "/")
    _, scheme, rest = text.partition("://")
    if scheme:
        text = re.sub(r"^([^/]*?)(?::\d*)?(?=/|$)", r"\1", re.sub(r"^[^/]*@", "", rest))
    else:
        text = re.sub(r"^([^/:]+):/*", r"\1/", re.sub(r"^[^@/]*@", "", text))
    return text.rstrip("/").removesuffix(".git").rstrip("/")


def _path_of(text: str) -> str:
    """Return the path in a file URL, or the path itself."""
    if not text.startswith("file://"):
        return text
    path = unquote(text[7:]).removeprefix("localhost")
    if re.match(r"^/[A-Za-z]:", path):
        return path[1:]
    return path if path.startswith("/") else f"//{path}"


def _without_steps_up(path: str) -> str:
    """Return a path with each `..` resolved, so that none can lead out of a folder unnoticed."""
    if ".." not in re.split(r"[/\\]", path):
        return path
    return ntpath.normpath(path) if _WINDOWS.match(path) else posixpath.normpath(path)


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder or below it; both must be in `comparable` form."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _upwards(path: str) -> Iterator[str]:
    """Yield a path and its parents, innermost first."""
    yield path
    while (cut := max(path.rfind("/"), path.rfind("\\"))) >= 0:
        path = path[:cut]
        yield path or "/"


def _forms(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the forms in which agents record paths: as they are, or as a hash."""
    return (*map(comparable, paths), *map(digest_of, paths))


def digest_of(path: str) -> str:
    """Return the hash by which older Gemini CLIs record a path."""
    return f"sha256:{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()}"
