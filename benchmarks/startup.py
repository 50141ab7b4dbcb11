"""Start-up: each verb's wall time as a ratio to the same interpreter's `-I -c pass`, whole
processes, medians.

Each verb runs twice before it is measured, as it does for a user: compiled modules and kept answers
are there.

usage: python benchmarks/startup.py [--runs N] [--memories N]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ground import LERIM, prepared

VERBS = {
    "--version": ["--version"], "-h": ["-h"], "sync -h": ["sync", "-h"], "list": ["list"],
    "list --all": ["list", "--all"],
    "list --json": ["list", "--json"], "show": ["show", "{id}"], "log": ["log"],
    "status": ["status"], "config": ["config"],
    # with -v it looks itself
    "sync": ["sync", "--window", "all"], "sync -v": ["sync", "--window", "all", "-v"],
}  # fmt: skip

# Writes memories as one bulk commit: a program of its own, because it runs in the repository.
FILL = """
import sys
from datetime import UTC, datetime
from git_lerim.memories.format import frontmatter; from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Primitive
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace

at = datetime(2026, 2, 20, tzinfo=UTC)
made = [
    Memory(id=naming.memory_id("person", str(n), "decision", 1), primitive=Primitive.DECISION, \
title=f"Decision number {n}",
           body=f"Number {n} was decided, because somebody had to.", created=at, updated=at)
    for n in range(int(sys.argv[1]))
]
files = {naming.path_of(memory): frontmatter.render(memory) for memory in made}
open_workspace().store.commit(lambda snapshot: Change(files=files, subject="fill"))
"""


def main() -> None:
    """Make a repository with memories, run each verb in turn with the floor, and print the
    table.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--memories", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        repository, env = prepared(Path(folder))
        subprocess.run(
            [sys.executable, "-c", FILL, str(args.memories)], cwd=repository, env=env, check=True
        )
        first = subprocess.run(
            [LERIM, "list"], cwd=repository, env=env, capture_output=True, text=True, check=True
        ).stdout[:13]
        print(
            f"{'verb':<14}{'ms':>8}{'floor ms':>10}{'ratio':>8}   ({args.memories} memories, median"
            f" of {args.runs} pairs)"
        )
        for name, words in VERBS.items():
            command = [LERIM, *(word.format(id=first) for word in words)]
            for _ in range(2):
                seconds(command, repository, env)
                time.sleep(0.1)  # what changed within this tick of the clock is not kept
            pairs = [
                (
                    seconds(command, repository, env),
                    seconds([sys.executable, "-I", "-c", "pass"], repository, env),
                )
                for _ in range(args.runs)
            ]
            verb, floor = (statistics.median(column) for column in zip(*pairs, strict=True))
            ratio = statistics.median(a / b for a, b in pairs)
            print(f"{name:<14}{verb * 1000:>8.1f}{floor * 1000:>10.1f}{ratio:>8.2f}")


def seconds(command: list[str], folder: Path, env: dict[str, str]) -> float:
    """Return the wall time of one run."""
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
