"""Stage and commit files as the user would: with their hooks, signature and terminal."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from git_lerim.errors import GitFailed
from git_lerim.git.repo import Place, head
from git_lerim.git.running.environment import POINTING
from git_lerim.git.running.process import git_line, git_version, not_run, require_git, run_git

# the first git whose `add` needs --sparse outside a sparse checkout
_KNOWS_SPARSE = (2, 34)
_FROM_STDIN = ("--pathspec-from-file=-", "--pathspec-file-nul")


def is_ignored(place: Place, worktree: Path, path: str) -> bool:
    """Return whether git's ignore rules match a file, so that git would not track it."""
    asked = [f"--work-tree={worktree}", *place.git("check-ignore", "-q", "--no-index", "--", path)]
    return git_line(asked, cwd=worktree) is not None


def untracked(place: Place, worktree: Path, paths: Sequence[str], then: str) -> list[str]:
    """Return those of `paths` that git does not track yet.

    These are not in the index or, if `then` is `commit`, not in HEAD.
    """
    known = (
        _in_head(place, worktree, head(place), paths)
        if then == "commit"
        else _in_index(place, worktree, paths)
    )
    return [path for path in paths if path not in known]


def changed_files(place: Place, worktree: Path, paths: Sequence[str], then: str) -> list[str]:
    """Return those of `paths` with changes that are not staged.

    If `then` is `commit`, return those with changes that are not committed.
    """
    args = (
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignored=no",
        "--",
    )
    found: list[str] = []
    for at in range(0, len(paths), 500):  # a command line has a maximum length
        asked = [
            f"--work-tree={worktree}",
            "--literal-pathspecs",
            *place.git(*args),
            *paths[at : at + 500],
        ]
        rows = (os.fsdecode(row) for row in run_git(asked, cwd=worktree).split(b"\0") if row)
        found += [row[3:] for row in rows if then == "commit" or row[1] != " "]
    return found


def stage(place: Place, worktree: Path, paths: Sequence[str]) -> list[str]:
    """Stage files, including deleted ones; return the paths staged. Raises GitFailed."""
    there = [path for path in paths if os.path.lexists(worktree / path)]
    gone = [path for path in paths if path not in set(there)]
    known = _in_index(place, worktree, gone) if gone else set()
    meant = [*there, *(path for path in gone if path in known)]
    if meant:
        beyond = (
            ["--sparse"]
            if (place.git_dir / "info" / "sparse-checkout").exists()
            and git_version() >= _KNOWS_SPARSE
            else []
        )
        _with_paths(place, worktree, ("add", "--all", *beyond), meant)
    return meant


def commit(place: Place, worktree: Path, paths: Sequence[str], message: bytes) -> str:
    """Commit only these files, and return the commit's id; other staged changes stay staged.

    Raises GitFailed.
    """
    before = head(place)
    in_head = _in_head(
        place, worktree, before, [path for path in paths if not os.path.lexists(worktree / path)]
    )
    stage(place, worktree, paths)
    # a file that is in HEAD but no longer on disk is committed as deleted
    meant = [path for path in paths if path in in_head or os.path.lexists(worktree / path)]
    if not meant:
        return before or ""
    with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
        said = Path(folder) / "message"
        said.write_bytes(message)
        args = [
            "--literal-pathspecs",
            "commit",
            "--quiet",
            "--only",
            "--cleanup=whitespace",
            f"--file={said}",
            *_FROM_STDIN,
        ]
        _by_the_user(place, worktree, args, _told(meant))
    return head(place) or ""


def _by_the_user(place: Place, worktree: Path, args: Sequence[str], given: bytes) -> None:
    """Run git as the user would at a prompt, with its stdout sent to stderr."""
    environment = {name: value for name, value in os.environ.items() if name not in POINTING} | {
        "LERIM_HOOKS": "0"
    }
    command = ["git", f"--git-dir={place.git_dir}", f"--work-tree={worktree}", *args]
    try:
        done = subprocess.run(
            command, cwd=worktree, env=environment, input=given, stdout=2, check=False
        )
    except OSError as error:
        require_git()
        raise not_run(error) from error
    if done.returncode:
        hint = "the files are written and staged; fix the problem and commit them"
        raise GitFailed(f"git commit failed with exit code {done.returncode}", hint=hint)


def _with_paths(place: Place, worktree: Path, args: Sequence[str], paths: Sequence[str]) -> None:
    asked = [f"--work-tree={worktree}", "--literal-pathspecs", *place.git(*args, *_FROM_STDIN)]
    try:
        run_git(asked, cwd=worktree, input=_told(paths))
    except GitFailed as error:
        raise GitFailed(
            f"the files are written but not staged: {error}",
            hint="to stage ignored files: git add -f",
        ) from error


def _in_index(place: Place, worktree: Path, paths: Sequence[str]) -> set[str]:
    return _listed(place, worktree, ("ls-files", "-z", "--full-name", "--"), paths)


def _in_head(place: Place, worktree: Path, commit: str | None, paths: Sequence[str]) -> set[str]:
    if commit is None or not paths:
        return set()
    return _listed(
        place, worktree, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--"), paths
    )


def _listed(place: Place, worktree: Path, args: Sequence[str], paths: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for at in range(0, len(paths), 500):  # a command line has a maximum length
        asked = [
            f"--work-tree={worktree}",
            "--literal-pathspecs",
            *place.git(*args),
            *paths[at : at + 500],
        ]
        found.update(
            os.fsdecode(name) for name in run_git(asked, cwd=worktree).split(b"\0") if name
        )
    return found


def _told(paths: Sequence[str]) -> bytes:
    return b"\0".join(os.fsencode(path) for path in paths)
