"""Speed and memory of reading and of the whole offline sync, whole processes.

usage: python benchmarks/sync.py [FOLDER …] [--sessions N] [--megabytes N] [--runs N]

Each FOLDER is laid out like an agent's home (one that holds `projects/` serves as
CLAUDE_CONFIG_DIR, `sessions/` as CODEX_HOME). Without one, a corpus is made: N sessions of Claude
Code, together so many megabytes, with the mixture that real ones have: a few prompts and replies,
many tool calls, and tool results that make up most of the bytes. Printed are: reading alone
(`--no-extract`), the whole sync, and a sync with nothing new, as a ratio to `find` over the same
files and the start of the interpreter: as it is told from what the last sync kept, and when it
looks itself. Reading and the whole sync are medians of N runs, each into a new repository, of a
compiled package, as an installed one is.
"""

import argparse
import compileall
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import ground

import git_lerim

HOMES = {"projects": "CLAUDE_CONFIG_DIR", "sessions": "CODEX_HOME", "session-state": "COPILOT_HOME"}
FLOOR = [sys.executable, "-I", "-c", "pass"]


def main() -> None:
    """Measure each folder, or the made corpus."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    compileall.compile_dir(Path(git_lerim.__file__).parent, quiet=1)
    print(
        f"{'corpus':<26}{'MB':>7}{'files':>7}{'reading':>22}{'whole sync':>24}{'nothing new':>26}{'peak MiB':>10}"  # noqa: E501
    )
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        for folder in args.folders or [made(base / "made", args.sessions, args.megabytes)]:
            measure(folder.resolve(), base / f"run-{folder.name}", args.runs)


def measure(folder: Path, base: Path, runs: int) -> None:
    """Sync a corpus into new repositories, and print a row."""
    files = [path for path in folder.rglob("*.jsonl") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    cwds = {cwd for path in files for cwd in places(path)}
    reads = [
        lerim(repository(base / f"read-{number}", cwds), folder, "--no-extract")
        for number in range(runs)
    ]
    there = [repository(base / f"whole-{number}", cwds) for number in range(runs)]
    wholes = [lerim(one, folder) for one in there]
    read, whole = (statistics.median(run[0] for run in found) for found in (reads, wholes))
    peak = max(run[1] for run in (*reads, *wholes))
    again = min(lerim(there[0], folder)[0] for _ in range(4))
    looking = min(
        lerim(there[0], folder, "-v")[0] for _ in range(3)
    )  # not told from what the last sync kept
    find = min(seconds(["find", str(folder), "-name", "*.jsonl", "-size", "+0"]) for _ in range(3))
    start = min(seconds(FLOOR) for _ in range(3))
    count = wholes[0][2]["sessions_extracted"]
    reading = f"{read:.1f} s {size / read:.0f} MB/s"
    syncing = f"{whole:.1f} s {size / whole:.0f} MB/s {count / whole:.0f}/s"
    nothing = f"{again:.3f} s {again / (find + start):.1f} × {looking / (find + start):.1f} ×"
    print(
        f"{folder.name[:24]:<26}{size:>7.0f}{len(files):>7}{reading:>22}{syncing:>24}{nothing:>26}{peak:>10.0f}"
    )


def lerim(repository: Path, folder: Path, *words: str) -> tuple[float, float, dict[str, int]]:
    """Run sync; return its seconds, its peak memory in MiB, and its report."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "LERIM_", "PYTHON", *HOMES.values()))
    }
    env |= {"HOME": str(repository.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {variable: str(folder) for below, variable in HOMES.items() if (folder / below).is_dir()}
    command = [
        ground.LERIM,
        "sync",
        "--window",
        "all",
        "--max-sessions",
        "1000000",
        "--json",
        *words,
    ]
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=repository, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        output = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        sys.exit(f"sync ended with {process.returncode}")
    return (
        time.perf_counter() - began,
        usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20),
        json.loads(output),
    )


def repository(base: Path, cwds: set[str]) -> Path:
    """Make a repository that the sessions belong to."""
    path = ground.repository(base / "repository")
    settings = "".join(f"\trepositoryPath = {json.dumps(cwd)}\n" for cwd in sorted(cwds))
    (base / ".gitconfig").write_text(
        f"[lerim]\n{settings}", encoding="utf-8"
    )  # of the user: the home of `lerim` below
    return path


def places(path: Path) -> Iterator[str]:
    """Yield the folders that the records of a session name."""
    with path.open("rb") as file:
        for line in file:
            start = line.find(b'"cwd":"')
            if start >= 0:
                yield json.loads(line[start + 6 : line.index(b'"', start + 7) + 1])


def seconds(command: list[str]) -> float:
    """Return the wall time of one run."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


# -- the made corpus

WORDS = [
    "the", "a", "catalog", "price", "order", "index", "query", "table", "session", "branch",
    "commit", "error",
    "because", "instead", "should", "keep", "store", "read", "write", "value", "field", "parser",
    "token", "cache",
    "server", "client", "test", "fixture", "lock", "path", "config", "option", "default", "empty",
    "missing", "late",
    "early", "slow", "fast",
]  # fmt: skip


def made(folder: Path, sessions: int, megabytes: int) -> Path:
    """Write sessions of Claude Code whose sizes are spread as real ones are: many small,
    few large.
    """
    chance = random.Random(7)  # noqa: S311 the same corpus every time
    shares = [chance.paretovariate(1.3) for _ in range(sessions)]
    for number, share in enumerate(shares):
        path = (
            folder
            / "projects"
            / f"-work-shop-{number % 20}"
            / f"{number:08x}-0000-4000-8000-000000000000.jsonl"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            write_session(file, path.stem, int(share / sum(shares) * megabytes * 1e6), chance)
    return folder


def write_session(file: TextIO, name: str, size: int, chance: random.Random) -> None:
    """Write one session of about so many bytes."""
    written = number = 0
    while written < size or number < 4:
        for record in turn(name, number, chance):
            line = json.dumps(record, separators=(",", ":")) + "\n"
            written += file.write(line)
        number += 1


def turn(name: str, number: int, chance: random.Random) -> Iterator[dict[str, object]]:
    """Yield a prompt, some tool calls with their results, and a reply."""

    def record(part: int, kind: str, content: object, **extra: object) -> dict[str, object]:
        clock = f"2026-03-{1 + number % 28:02d}T{part // 60 % 24:02d}:{part % 60:02d}:00.000Z"
        message = {
            "role": kind,
            "content": content,
            "id": f"msg_{number}_{part}",
            "model": "claude-opus-4-6",
        }
        where = {"sessionId": name, "cwd": "/work/shop", "gitBranch": "main", "version": "2.1.119"}
        return where | {
            "type": kind,
            "message": message,
            "uuid": f"{name}-{number}-{part}",
            "timestamp": clock,
            **extra,
        }

    yield record(0, "user", f"Please {sentence(chance, 12)}.")
    for part in range(1, 7):
        call = f"toolu_{number}_{part}"
        yield record(
            2 * part,
            "assistant",
            [
                {
                    "type": "tool_use",
                    "id": call,
                    "name": "Read",
                    "input": {"file_path": f"/work/shop/{chance.choice(WORDS)}.py"},
                }
            ],
        )
        text = "\n".join(sentence(chance, 9) for _ in range(chance.randrange(10, 160)))
        yield record(
            2 * part + 1,
            "user",
            [{"type": "tool_result", "tool_use_id": call, "content": text}],
            toolUseResult={"type": "text", "file": {"content": text}},
        )
    yield record(
        20,
        "assistant",
        [
            {
                "type": "text",
                "text": ". ".join(sentence(chance, 14).capitalize() for _ in range(4)) + ".",
            }
        ],
    )


def sentence(chance: random.Random, length: int) -> str:
    """Return some words."""
    return " ".join(chance.choices(WORDS, k=length))


if __name__ == "__main__":
    main()
