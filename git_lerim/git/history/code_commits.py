"""Commits of the user's code: find those that changed a path, and list the files of a commit."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from git_lerim.errors import GitFailed
from git_lerim.git.commits.author_names import named
from git_lerim.git.history import dates
from git_lerim.git.repo import Place
from git_lerim.git.running.process import failure, run_git, start_git

MOST_PATHS = 200  # of one commit
_RECENT = 100  # commits
# keeps the repository's configuration from running, coloring or omitting anything
_SOBER = (
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
)
_FIELDS = ("\x01%H", "%P", "%at", "%ct", "%an", "%s", "%(trailers:only,unfold)")
_FORMAT = "--format=" + "%x00".join(_FIELDS).replace("\x01", "%x01")
_ID = re.compile(r"[0-9a-f]{4,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of the user's code; anybody may have written its texts."""

    id: str
    parents: tuple[str, ...] = ()
    authored: int  # seconds since the epoch; a rebase keeps it
    committed: int
    author: str
    subject: str
    trailers: tuple[tuple[str, str], ...] = ()
    # changed paths and old names of renamed files; a merge is compared with its first parent
    paths: tuple[str, ...] = ()
    copied: bool = False  # it created a file as a copy


@dataclass(frozen=True, slots=True, kw_only=True)
class GitObject:
    """The id and the kind of the git object at a path in a commit."""

    kind: str  # blob | tree | commit
    blob: str


def object_at(place: Place, commit: str, path: str) -> GitObject | None:
    """Return the object at a path in a commit, or None."""
    if not path:
        return GitObject(kind="tree", blob=commit)
    listed = run_git(place.git("ls-tree", "-z", commit, "--", path), cwd=place.git_dir, check=False)
    _, kind, blob = (listed.split(b"\t")[0].decode() or "  ").split(" ", 2)
    return GitObject(kind=kind, blob=blob) if kind else None


def content(place: Place, blob: str) -> bytes | None:
    """Return the bytes of a blob, or None if this clone lacks it."""
    try:
        return run_git(place.git("cat-file", "blob", blob), cwd=place.git_dir)
    except GitFailed:
        return None


def start_last_change(place: Place, commit: str, path: str) -> Callable[[], int | None]:
    """Start searching for the last change of a file up to a commit.

    Returns a function that waits for the search and returns the time of the change in seconds, or
    None. The function must be called.
    """
    args = [
        "--literal-pathspecs",
        *place.git("log", "-1", "--format=%at", *_SOBER, commit, "--", path),
    ]
    done = start_git(args, cwd=place.git_dir)

    def changed() -> int | None:
        return dates.of_commit(done().stdout.split(b"\n")[0].decode()) or None

    return changed


def paths_of(place: Place, commit: str) -> set[str]:
    """Return the paths of all files in a commit."""
    listed = run_git(place.git("ls-tree", "-r", "-z", "--name-only", commit), cwd=place.git_dir)
    return set(os.fsdecode(listed).split("\0")) - {""}


def files_of(place: Place, commit: str) -> dict[str, str]:
    """Map the path of each regular file in a commit to its blob, without links and submodules."""
    listed = run_git(place.git("ls-tree", "-r", "-z", "--full-tree", commit), cwd=place.git_dir)
    found = {}
    for row in os.fsdecode(listed).split("\0"):
        head, _, path = row.partition("\t")
        if head.startswith("100"):
            found[path] = head.split(" ")[2]
    return found


def changes(place: Place, path: str, tip: str, limit: int, *, folder: bool = False) -> list[Commit]:
    """Return the commits that changed a file or folder, newest first.

    Renames of a file are followed. The `paths` of a commit list only this file: its new name, then
    its old one if it was renamed.
    """
    return start_changes(place, path, tip, limit, folder=folder)()


def start_changes(
    place: Place, path: str, tip: str, limit: int, *, folder: bool = False
) -> Callable[[], list[Commit]]:
    """Start searching for the commits of `changes`; return a function that waits for them.

    The function must be called; it raises GitFailed.
    """
    follow = () if folder else ("--follow", "-M")
    wanted = [
        "--name-status",
        f"--max-count={limit}",
        *follow,
        tip,
        *(["--", path] if path else ["--"]),
    ]
    args = ["--literal-pathspecs", *place.git("log", "-z", _FORMAT, *_SOBER, *wanted)]
    done = start_git(args, cwd=place.git_dir)

    def changed() -> list[Commit]:
        log = done()
        if log.returncode:
            raise failure(args, log.stderr)
        found = []
        for commit in _commits(log.stdout):
            found.append(commit)
            # from here on git would follow the original of the copy
            if commit.copied and not folder:
                break
        return found

    return changed


def recent_changes(place: Place, tip: str, since: int) -> dict[str, int]:
    """Map each path changed since a time to the time of its last change.

    Times are in seconds. Only the latest hundred commits are searched.
    """
    wanted = [
        "--name-status",
        "--no-renames",
        f"--max-count={_RECENT}",
        f"--since=@{since} +0000",
        tip,
        "--",
    ]
    log = run_git(place.git("log", "-z", _FORMAT, *_SOBER, *wanted), cwd=place.git_dir, check=False)
    return {
        path: commit.authored for commit in reversed(list(_commits(log))) for path in commit.paths
    }


def commits(place: Place, ids: Sequence[str]) -> dict[str, Commit]:
    """Return commits, by full id, with all paths that they changed; leave out missing ones."""
    ids = [each for each in ids if _ID.fullmatch(each)]  # git would take options from stdin, too
    if not ids:
        return {}
    wanted = [
        "--name-status",
        "--no-walk=unsorted",
        "-m",
        "--first-parent",
        "--no-renames",
        "--ignore-missing",
        "--stdin",
    ]
    log = run_git(
        place.git("log", "-z", _FORMAT, *_SOBER, *wanted),
        cwd=place.git_dir,
        input="\n".join(ids).encode(),
    )
    return {commit.id: commit for commit in _commits(log)}


def last_change_elsewhere(place: Place, path: str, apart: str) -> str | None:
    """Return the last commit that changed a path on a branch or tag other than `apart`."""
    ours = [f"--exclude={prefix}{apart}" for prefix in ("", "*/")]
    refs = [ours[0], "--branches", ours[1], "--remotes", "--tags"]
    args = ["--literal-pathspecs", *place.git("rev-list", "-1", *refs, "--", path)]
    return run_git(args, cwd=place.git_dir, check=False).decode().strip() or None


def renamed_to(place: Place, commit: str, path: str) -> str | None:
    """Return the new name of a file that a commit renamed, or None."""
    wanted = [
        "-z",
        "-r",
        "-M",
        "--root",
        "--diff-filter=R",
        "--name-status",
        "--no-commit-id",
        commit,
    ]
    names = os.fsdecode(
        run_git(place.git("diff-tree", *wanted), cwd=place.git_dir, check=False)
    ).split("\0")
    return next(
        (new for old, new in zip(names[1::3], names[2::3], strict=False) if old == path), None
    )


def patch_ids(place: Place, ids: Sequence[str]) -> dict[str, str]:
    """Map each commit to git's patch id for it; equal patch ids mean equal changes."""
    wanted = "".join(f"{each}\n" for each in ids).encode()
    patches = run_git(
        place.git("diff-tree", "--stdin", "-p"), cwd=place.git_dir, input=wanted, check=False
    )
    output = run_git(
        place.git("patch-id", "--stable"), cwd=place.git_dir, input=patches, check=False
    )
    return {
        commit: patch for patch, commit in (line.split() for line in output.decode().splitlines())
    }


def _commits(log: bytes) -> Iterator[Commit]:
    tokens = os.fsdecode(log).split("\0")
    at = 0
    while at + len(_FIELDS) <= len(tokens):
        if not tokens[at].startswith("\x01"):  # the end
            break
        fields = tokens[at : at + len(_FIELDS)]
        at += len(_FIELDS)
        paths: dict[str, None] = {}
        copied = False
        while at < len(tokens) and not tokens[at].startswith("\x01"):
            status = tokens[at].strip("\n")
            names = 2 if status[:1] in {"R", "C"} else 1 if status else 0
            named = tokens[at + 1 : at + 1 + names]
            copied = copied or status.startswith("C")
            paths |= dict.fromkeys(
                named[1:] if status.startswith("C") else reversed(named)
            )  # the new name first
            at += 1 + names
        yield _commit(fields, tuple(paths)[:MOST_PATHS], copied=copied)


def _commit(fields: Sequence[str], paths: tuple[str, ...], *, copied: bool) -> Commit:
    commit, parents, authored, committed, author, subject, trailers = fields
    pairs = (line.partition(":") for line in trailers.splitlines())
    return Commit(
        id=commit[1:],
        parents=tuple(parents.split()),
        authored=dates.of_commit(authored),
        committed=dates.of_commit(committed),
        author=named(author),
        subject=subject,
        trailers=tuple((key.strip(), value.strip()) for key, colon, value in pairs if colon),
        paths=paths,
        copied=copied,
    )
