"""Which commit wrote each line of one file of the memory: `git blame`, through the move into the archive."""

import re
from dataclasses import dataclass

from git_lerim.git.process import run_git
from git_lerim.git.repo import Place

_HEAD = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line and the commit that wrote it."""

    commit: str
    text: str


def written(place: Place, commit: str, path: str) -> list[Line]:
    """Return the lines of a file as it stands in a commit."""
    told = run_git(place.git("blame", "--porcelain", "--no-progress", commit, "--", path), cwd=place.git_dir)
    lines: list[Line] = []
    by = ""
    for row in told.decode("utf-8", "replace").split("\n"):
        if row.startswith("\t"):
            lines.append(Line(by, row[1:]))
        elif head := _HEAD.fullmatch(row):
            by = head[1]
    return lines
