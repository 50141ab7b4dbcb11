"""Many processes of `git lerim` in one repository at once, and what stands there afterwards."""

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support import forks
from support.forks import Running
from support.repos import Repo

NEVER_FULL = ("--window", "all", "--max-sessions", "100000")


@dataclass(frozen=True)
class Standing:
    """What a store holds."""

    active: frozenset[tuple[str, str]]  # id and title
    duplicates: int  # files beyond the first of one id
    tree: str
    linear: bool
    sound: bool  # says `git fsck`


def start(
    folder: Path, *words: str, home: Path | None = None, starts_python: bool = False
) -> Running:
    """Start a verb, in the home of somebody else where one is given, and with what Python does when
    it starts only where that is asked for.
    """
    env = os.environ | {"PYTHONSAFEPATH": "1"} | ({"HOME": str(home)} if home else {})
    return forks.start(folder, words, env, starts_python=starts_python)


def finish(running: Sequence[Running], seconds: float = 900) -> list[str]:
    """Wait for all of them, and return what those said that failed."""
    said = [
        (process.communicate(timeout=seconds)[1].decode(errors="replace"), process.returncode)
        for process in running
    ]
    return [f"exit {code}: {text}" for text, code in said if code]


def run(folder: Path, *words: str, home: Path | None = None) -> str:
    """Run a verb that has to succeed, and return what it printed."""
    process = start(folder, *words, home=home)
    out, err = process.communicate(timeout=3600)
    if process.returncode:
        raise AssertionError(f"{' '.join(words)}: {err.decode(errors='replace')}")
    return out.decode()


def standing(repo: Repo) -> Standing:
    """Look at a store as git sees it."""
    files = [
        line
        for line in repo.git("ls-tree", "-r", "--name-only", "lerim/memory").splitlines()
        if line.count("/") > 1
    ]
    ids = Counter(
        path.removesuffix(".md").rpartition("-")[2] for path in files if "summaries" not in path
    )
    active = (line.split(None, 3) for line in run(repo.path, "list").splitlines())
    return Standing(
        active=frozenset((row[0], row[3]) for row in active),
        duplicates=sum(ids.values()) - len(ids),
        tree=repo.git("rev-parse", "lerim/memory^{tree}"),
        linear=not repo.git("rev-list", "--merges", "lerim/memory"),
        sound=subprocess.run(
            ["git", "fsck", "--full", "--strict"], cwd=repo.path, capture_output=True, check=False
        ).returncode
        == 0,
    )


def free_locks(repo: Repo) -> int:
    """Make the locks that a killed process left look old, so that nobody has to wait half a minute;
    return how many.
    """
    locks = list((repo.path / ".git" / "refs").rglob("*.lock"))
    for lock in locks:
        os.utime(lock, (1, 1))
    return len(locks)
