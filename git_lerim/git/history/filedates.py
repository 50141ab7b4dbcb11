"""Find out when files were last committed, in any repository."""

import os
from datetime import UTC, datetime
from pathlib import Path

from git_lerim.git.history import dates
from git_lerim.git.running.process import git_line, run_git


def last_commits(folder: Path) -> dict[str, tuple[datetime, str]]:
    """Map each file below a folder to the time and id of the last commit that changed it.

    The paths are relative to the folder. Outside a repository the result is empty.
    """
    if git_line(["rev-parse", "--is-inside-work-tree"], cwd=folder) != "true":
        return {}
    asked = (
        "log",
        "--format=%x01%ct %H",
        "--name-only",
        "-z",
        "--no-renames",
        "--relative",
        "--no-ext-diff",
        "--no-show-signature",
        ".",
    )
    return _read(run_git(asked, cwd=folder, check=False))


def _read(answer: bytes) -> dict[str, tuple[datetime, str]]:
    found: dict[str, tuple[datetime, str]] = {}
    for block in answer.split(b"\x01")[1:]:
        head, *names = block.split(b"\0")
        seconds, _, commit = head.decode("ascii", "replace").partition(" ")
        at = datetime.fromtimestamp(dates.of_commit(seconds), UTC)
        for name in names:
            if shown := os.fsdecode(name.removeprefix(b"\n")):
                found.setdefault(shown, (at, commit.strip()))
    return found
