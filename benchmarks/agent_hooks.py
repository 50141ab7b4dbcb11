"""The hooks of agents: each event as a ratio to the same interpreter's `-I -c pass`, in
alternation, by the number of memories.

Each event is one of a new session, as nothing is said twice in one. `after a write` comes right
behind a commit to the memory, before any process has brought the index up to date.

usage: python benchmarks/agent_hooks.py [--runs N] [--memories N,N,…]
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ground import LERIM, prepared

FILES = 50
# Writes memories as one bulk commit: a program of its own, because it runs in the repository.
FILL = """
import random, sys
from datetime import UTC, datetime, timedelta
from git_lerim.memories.format import frontmatter; from git_lerim.memories import naming
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace

count, first, chance = int(sys.argv[1]), int(sys.argv[2]), random.Random(sys.argv[2])
syllables = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "ar", "en", "il", \
"on", "us")]
words = ["".join(chance.choices(syllables, k=chance.randint(2, 3))) for _ in range(4000)]
made = []
for n in range(first, first + count):
    at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=n)
    title = " ".join(chance.choices(words, k=8)).capitalize()
    body = ". ".join(" ".join(chance.choices(words, k=12)).capitalize() for _ in range(3)) + "."
    is_pitfall = n % 3 == 0
    if n == 0:
        title, body = "Titles are folded with unidecode", "Unicode titles are folded to ASCII \
with unidecode."
    if n == 3:
        title = "test_slug.py fails with AssertionError hello-- until empty words are dropped"
    primitive = Primitive.LEARNING if is_pitfall else Primitive.DECISION
    anchors = (Anchor(path=f"f{n % 50}.py"),) if n % 2 == 0 else ()
    id_ = naming.memory_id("person", str(n), str(primitive), 1)
    kind = Kind.PITFALL if is_pitfall else None
    made.append(Memory(id=id_, primitive=primitive, kind=kind, title=title, body=body, \
created=at, updated=at, anchors=anchors))
files = {naming.path_of(memory): frontmatter.render(memory) for memory in made}
open_workspace().store.commit(lambda snapshot: Change(files=files, subject="fill"))
"""
EVENTS = {
    "session start": ("SessionStart", {"source": "startup"}),
    "prompt, silent": ("UserPromptSubmit", {"prompt": "fix the typo in the readme, please"}),
    "prompt, answered": (
        "UserPromptSubmit",
        {"prompt": "How are unicode titles folded, by unidecode?"},
    ),
    "file, answered": ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "f0.py"}}),
    "file, silent": ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "other.py"}}),
    "error": (
        "PostToolUseFailure",
        {"tool_name": "Bash", "error": "Exit code 1\nAssertionError: hello-- test_slug.py\n"},
    ),
    "sub-agent": ("SubagentStart", {"agent_id": "a1", "agent_type": "general-purpose"}),
    "session end": ("SessionEnd", {"reason": "other"}),
}
AFTER_A_WRITE = ("session start", "prompt, answered", "file, answered")
FLOOR = [sys.executable, "-I", "-c", "pass"]


def main() -> None:
    """Make a repository for each number of memories, run each event in turn with the floor, and
    print a table.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--memories", default="20,1000,10000")
    args = parser.parse_args()
    sizes = [int(size) for size in args.memories.split(",")]
    found: dict[str, list[str]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for name, (ratio, milliseconds) in measured(Path(folder), size, args.runs).items():
                found.setdefault(name, []).append(f"{ratio:>7.2f} {milliseconds:>6.1f} ms")
    print(
        f"{'event':<34}"
        + "".join(f"{f'{size:,} memories':>17}" for size in sizes)
        + f"   (median ratio of {args.runs} pairs)"
    )
    for name, row in found.items():
        print(f"{name:<34}" + "".join(f"{cell:>17}" for cell in row))


def measured(folder: Path, size: int, runs: int) -> dict[str, tuple[float, float]]:
    """Return, by event, the median ratio to the interpreter and the median time in milliseconds."""
    repository, env = prepared(folder)
    for number in range(FILES):
        (repository / f"f{number}.py").write_text(f"VALUE = {number}\n")
    subprocess.run(["git", "add", "."], cwd=repository, env=env, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "files"], cwd=repository, env=env, check=True)
    fill(repository, env, size, 0)
    subprocess.run([LERIM, "brief"], cwd=repository, env=env, check=True, capture_output=True)
    found = {}
    for name in EVENTS:
        timed(
            repository, env, name
        )  # modules are compiled now, and what is found out once is known
        settle(repository)
        pairs = [(timed(repository, env, name), floor(repository, env)) for _ in range(runs)]
        found[name] = result(pairs)
        settle(repository)
    for place, name in enumerate(AFTER_A_WRITE):
        pairs = []
        for number in range(runs):
            fill(repository, env, 1, 100_000 + place * 1000 + number)
            pairs.append((timed(repository, env, name), floor(repository, env)))
            settle(repository)
        found[f"{name}, after a write"] = result(pairs)
    return found


def fill(repository: Path, env: dict[str, str], count: int, first: int) -> None:
    """Commit memories."""
    subprocess.run(
        [sys.executable, "-c", FILL, str(count), str(first)], cwd=repository, env=env, check=True
    )


def timed(repository: Path, env: dict[str, str], name: str) -> float:
    """Return the seconds that the hook of an event takes, in a session of its own."""
    event, payload = EVENTS[name]
    given = {"session_id": f"{random.getrandbits(64):x}", "cwd": str(repository), **payload}
    return seconds([LERIM, "hook", "claude", event], repository, env, json.dumps(given).encode())


def floor(repository: Path, env: dict[str, str]) -> float:
    """Return the seconds that the interpreter alone takes."""
    return seconds(FLOOR, repository, env, b"")


def seconds(command: list[str], folder: Path, env: dict[str, str], given: bytes) -> float:
    """Return the wall time of one run."""
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        env=env,
        input=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


def settle(repository: Path) -> None:
    """Wait until what hooks left to other processes is done: nothing below the repository's folder
    changes any more.
    """
    last: list[int] = []
    while True:
        time.sleep(1)
        now = [
            path.stat().st_mtime_ns
            for path in sorted((repository / ".git" / "lerim").rglob("*"))
            if path.exists()
        ]
        if now == last:
            return
        last = now


def result(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the median ratio, and the median of the first column in milliseconds."""
    return statistics.median(a / b for a, b in pairs), 1000 * statistics.median(a for a, _ in pairs)


if __name__ == "__main__":
    main()
