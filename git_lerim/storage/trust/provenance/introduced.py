"""Find which commits introduced which versions of a store's files.

A merge introduces only versions that none of its parents has.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.tree_diffs import PathChange
from git_lerim.git.engines.trees import FILE, FOLDER
from git_lerim.git.repo import Place
from git_lerim.git.running.environment import PLAIN_LOG
from git_lerim.git.running.process import run_git
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.private_files import LARGE, read_small
from git_lerim.storage.commit_files import HEADER, CommitFiles, commit_of
from git_lerim.storage.history import past
from git_lerim.storage.trust.provenance.authors import author_mail

_FORM = f"{HEADER}%x00%an%x00%ae%x00%ce"
_ID = rb"[0-9a-f]{40,64}"
_FETCHED = re.compile(rb"^(%s)\t" % _ID, re.MULTILINE)
_LOGGED = re.compile(rb"^%s (%s) " % (_ID, _ID), re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Introduced:
    """A version of a file that a commit has and none of the commit's parents has."""

    commit: str
    path: str
    old: tuple[str, ...]  # the file's blob in each parent, empty where there is none
    new: str  # the file's blob in the commit, empty if it was deleted
    mode: int = FILE
    author: str = ""  # the author's name in the commit
    is_copied: bool = False  # whether its author is neither the committer nor the user


def introduced(place: Place, tip: str, since: str | None) -> Iterator[Introduced]:
    """Yield the versions of memory files that a history's commits introduced, oldest first."""
    few = [f"^{since}"] if since else []
    return logged(place, ("--topo-order", "--reverse", tip, *few, "--"))


def anywhere(place: Place, paths: Iterable[str], below: str = "") -> Iterator[Introduced]:
    """Yield the versions of some files introduced by any commit that this clone has seen.

    Archived paths are included. The commits are those of all refs and fetches, except the stash,
    which contains states of the work tree, and refs that only git-lerim writes.
    """
    refs = ("--exclude=refs/stash", "--exclude=refs/lerim/*", "--all", "--glob=refs/lerim/theirs/*")
    asked = [*sorted(_seen(place)), *_chosen(paths, below)]
    return logged(place, ("--full-history", "--ignore-missing", *refs, "--stdin"), asked, below)


def put_by(place: Place, tip: str, paths: Iterable[str], below: str = "") -> Iterator[Introduced]:
    """Yield the versions of some files that the commits of a history introduced, newest first."""
    return logged(place, ("--full-history", "--stdin"), [tip, *_chosen(paths, below)], below)


def has_had(place: Place, tip: str, key: str) -> bool:
    """Return whether a commit of a history changed the memory with a key, whatever its path."""
    spec = f":(top,glob)**/*{key.removesuffix('.md').rpartition('/')[2]}.md"
    changed = logged(place, ("--full-history", "--stdin"), [tip, "--", spec])
    return any(past.key(each.path) == key for each in changed)


def _chosen(paths: Iterable[str], below: str) -> list[str]:
    plain = sorted({path.removeprefix("archived/") for path in paths})
    return [
        "--",
        *(f":(literal,top){below}{path}" for each in plain for path in (each, f"archived/{each}")),
    ]


def is_of(objects: Objects, new: str, old: Iterable[str], other: str) -> bool:
    """Return whether the version `new` equals `other`, or shares lines with it.

    Lines that are also in one of the preceding versions `old` do not count.
    """
    before = [blob for blob in old if blob]
    if new == other or any(objects.size(blob) > FILE_LIMIT for blob in (new, *before, other)):
        return True
    lines, known, others = (
        {line for blob in blobs for line in objects.blob(blob).split(b"\n")}
        for blobs in ([new], before, [other])
    )
    return bool((lines - known) & others)


def is_taken(objects: Objects, made: Introduced, elsewhere: Iterable[Introduced]) -> bool:
    """Return whether a change that was committed by hand was also made by somebody else."""
    return made.is_copied or any(
        (
            is_of(objects, made.new, made.old, other.new)
            if made.new and other.new
            else (made.path, made.new) == (other.path, other.new)
        )
        for other in elsewhere
    )


def logged(
    place: Place,
    which: Iterable[str],
    asked: Iterable[str] = (),
    below: str = "",
    beside: Mapping[str, str] | None = None,
) -> Iterator[Introduced]:
    """Yield the versions that the commits of a log introduced, in the order of the log.

    `which` are arguments for `git log`, and `asked` are lines for its standard input; `below` is
    the store's folder, ending in a slash; `beside` maps some commits to an additional parent.
    """
    log = place.git("log", "-z", f"--format={_FORM}", *PLAIN_LOG, *which)
    told = run_git(log, cwd=place.git_dir, input="".join(f"{line}\n" for line in asked).encode())
    tokens = iter(told.decode("utf-8", "replace").split("\0"))
    mine = author_mail(place) or None
    entries = [
        (commit_of(each[:3]), each[3], each[4] not in {each[5], mine})
        for each in zip(*[tokens] * 6, strict=False)
    ]
    more = beside or {}
    commits = [
        commit._replace(parents=(*commit.parents, more[commit.id])) if commit.id in more else commit
        for commit, *_ in entries
    ]
    files = CommitFiles(place, commits, below)
    for commit, (_, author, is_copied) in zip(commits, entries, strict=True):
        for path, old, new, mode in _put_where(files.against_parents(commit)):
            yield Introduced(commit.id, path, old, new, mode, author, is_copied)


def _put_where(sides: list[list[PathChange]]) -> Iterator[tuple[str, tuple[str, ...], str, int]]:
    others = [
        {change.path: change.ids[0] for change in side if change.modes[0] != FOLDER}
        for side in sides
    ]
    for path, change in {
        change.path: change for change in sides[0] if change.modes[1] != FOLDER
    }.items():
        if naming.valid_path(path) and all(path in other for other in others):
            yield (
                path,
                tuple(other[path] for other in others),
                change.ids[1],
                change.modes[1] or FILE,
            )


def _seen(place: Place) -> set[str]:
    """Return the commits of the last fetch and those in the reflogs."""
    found: set[str] = set()
    for folder in {place.git_dir, place.common_dir, *place.common_dir.glob("worktrees/*")}:
        found.update(_named(folder / "FETCH_HEAD", _FETCHED))
        for file in (folder / "logs").rglob("*"):
            if not file.is_relative_to(folder / "logs/refs/stash") and not file.is_relative_to(
                folder / "logs/refs/lerim"
            ):
                found.update(_named(file, _LOGGED))
    return found


def _named(file: Path, form: re.Pattern[bytes]) -> Iterator[str]:
    with suppress(OSError):
        yield from (
            id_.decode("ascii") for id_ in form.findall(read_small(file, LARGE)) if id_.strip(b"0")
        )
