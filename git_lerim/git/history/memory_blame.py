"""`git blame` for a memory's file, following its move into the archive."""

import re
from dataclasses import dataclass
from pathlib import Path

from git_lerim.errors import GitFailed
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import run_git

_BLAME = ("blame", "--porcelain", "--no-progress", "--no-textconv")
_HEAD = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, and the commit that wrote it."""

    commit: str
    text: str


def blame_commit(place: Place, commit: str, path: str) -> list[Line]:
    """Return the lines of a file as of a commit, each with the commit that wrote it."""
    return _read(
        run_git(
            [*disable_drivers(place), *place.git(*_BLAME, commit, "--", path)],
            cwd=place.worktree or place.git_dir,  # blame.ignoreRevsFile can be relative
        )
    )


def blame_worktree(place: Place, worktree: Path, path: str) -> list[Line]:
    """Return the lines of a file in the work tree, each with the commit that wrote it.

    For an uncommitted line, the commit id consists of zeros.
    """
    try:
        return _read(
            run_git(
                [
                    *disable_drivers(place),
                    f"--work-tree={worktree}",
                    *place.git(*_BLAME, "--", path),
                ],
                cwd=worktree,
            )
        )
    except GitFailed:  # it is in no commit yet
        none = "0" * (64 if place.object_format == "sha256" else 40)
        text = (worktree / path).read_text(encoding="utf-8", errors="replace")
        return [Line(none, line) for line in text.removesuffix("\n").split("\n")]


def _read(told: bytes) -> list[Line]:
    lines: list[Line] = []
    by = ""
    for row in told.decode("utf-8", "replace").split("\n"):
        if row.startswith("\t"):
            lines.append(Line(by, row[1:]))
        elif head := _HEAD.fullmatch(row):
            by = head[1]
    return lines
