"""Find lines of text in a repository's files with `git grep`, which runs no filter or driver."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from git_lerim.errors import GitFailed
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_GREP = (
    "grep",
    "-F",
    "-o",
    "--text",  # attributes can call any file binary
    "--full-name",
    "--no-color",
    "--no-column",
    "--no-line-number",
    "--no-textconv",
    "--no-recurse-submodules",
)
_PATIENCE = 20.0  # seconds


def oldest_in_worktree(
    place: Place, root: Path, lines: Iterable[str], left_out: str
) -> dict[str, float]:
    """Map the lines in files below `root` to the time of the oldest one, in milliseconds.

    A file is tracked, or neither tracked nor ignored; the folder `left_out` is not searched.
    """
    top = f"--work-tree={root}"
    times: dict[str, float] = {}
    for path, text in _found(place, (top,), root, lines, ("--untracked", "-z"), left_out):
        changed = _changed(root / os.fsdecode(path))
        times[text] = min(changed, times.get(text, changed))
    return times


def in_commit(place: Place, commit: str, lines: Iterable[str], left_out: str) -> set[str]:
    """Return the lines that files of a commit contain; the folder `left_out` is not searched."""
    wanted = ("-h", "-z", commit)
    return {text for _, text in _found(place, (), place.git_dir, lines, wanted, left_out)}


def _found(  # noqa: PLR0913, PLR0917 the parts of one command
    place: Place,
    top: Sequence[str],
    folder: Path,
    lines: Iterable[str],
    wanted: Sequence[str],
    left_out: str,
) -> list[tuple[bytes, str]]:
    """Return each match as the path of its file, if that was asked for, and one of `lines`."""
    asked = {line.encode("utf-8", "replace"): line for line in lines if line}
    args = place.git(*top, *_GREP, "-f", "-", *wanted, "--", f":(top,exclude){left_out}")
    try:
        output = run_git(args, cwd=folder, input=b"\n".join(asked), check=False, patience=_PATIENCE)
    except GitFailed:  # too slow, or the folder is gone
        return []
    rows = {row.rpartition(b"\0")[::2] for row in output.split(b"\n") if row}
    return [(path, asked[line]) for path, match in rows for line in asked if line in match]


def _changed(path: Path) -> float:
    """Return when a file got its content; 0 if that is unknown.

    An archive can give a file a later time of change, but not of its creation here.
    """
    try:
        stood = path.lstat()
    except (OSError, ValueError):
        return 0
    seconds = stood.st_mtime if os.name == "nt" else min(stood.st_mtime, stood.st_ctime)
    return seconds * 1000
