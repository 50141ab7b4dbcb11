"""Recall: how fast memories are given back, on made stores, whole processes beside the same
interpreter's `-I -c pass`.

usage: python benchmarks/recall.py [--sizes 100,10000,100000] [--runs N]

The stores are made through the product's own bulk path; their words follow Zipf's law, so that the
words that are looked for are as frequent as in real text. Whole processes: medians of pairs, a verb
and the floor in turn. In one process: the time of one query after the other, as CPU time, because
the machine may be shared.
"""

import argparse
import contextlib
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from ground import LERIM, prepared

from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive, Source
from git_lerim.recall.index.index import current
from git_lerim.recall.index.terms import STOP
from git_lerim.recall.search.search import search
from git_lerim.storage.base import Change
from git_lerim.storage.branch.branch_store import BranchStore

SYLLABLES = [
    a + b
    for a in "bdfgklmnprstvz"
    for b in ("a", "e", "i", "o", "u", "an", "er", "ol", "ist", "um")
]
VOCABULARY = 40_000
COMMON = sorted(STOP)
AT = datetime(2024, 1, 1, tzinfo=UTC)
RANKS = (30, 300, 3000)  # of the words that whole processes look for: frequent, common, rare
QUERIES = 300


class Words:
    """Made words, as frequent as Zipf says."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311
        self._rng = rng
        made: dict[str, None] = {}
        while len(made) < VOCABULARY:
            made["".join(rng.choices(SYLLABLES, k=rng.choice((2, 3, 3, 4))))] = None
        self.all = list(made)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))

    def some(self, count: int) -> list[str]:
        """Return so many words."""
        return self._rng.choices(self.all, cum_weights=self._weights, k=count)

    def prose(self, count: int) -> str:
        """Return a text of so many words, of which two in five are stop words, as in English."""
        stop = self._rng.choices(COMMON, k=count)
        return " ".join(
            stop[at] if at % 5 in {0, 3} else word for at, word in enumerate(self.some(count))
        )


def memory(number: int, words: Words) -> Memory:
    """Return a made memory: a title of nine words, a body of 65 in two lines, two tags, an anchor,
    a source.
    """
    at = AT + timedelta(minutes=7 * number)
    decision = number % 3 == 0
    primitive = Primitive.DECISION if decision else Primitive.LEARNING
    path = f"src/{words.all[number % 40]}/{words.all[number * 7919 % 3001]}.py"
    body = words.prose(40) + ".\n" + words.prose(25) + "."
    return Memory(
        id=naming.memory_id("made", str(number), primitive, 0),
        primitive=primitive,
        kind=None if decision else list(Kind)[number % len(Kind)],
        title=words.prose(9),
        body=body,
        created=at,
        updated=at,
        confidence=0.8,
        tags=tuple(sorted(set(words.some(2)))),
        sources=(
            Source(
                agent="claude",
                session=f"{number // 10:032x}",
                records=((number % 10 * 9, number % 10 * 9 + 3),),
                at=at,
            ),
        ),
        anchors=(Anchor(path=path, lines=(1, 9), symbol=words.some(1)[0], blob="0" * 40),),
    )


def main() -> None:
    """Make the stores one after the other, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="100,10000,100000")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--verbs", default="search,brief")
    args = parser.parse_args()
    ratios: dict[str, dict[int, float]] = {}
    for size in map(int, args.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            repository, env = prepared(Path(folder))
            os.environ.clear()
            os.environ.update(env)
            words = Words(1)
            filled(repository, range(size), words)
            measured(repository, size, words)
            for verb in args.verbs.split(","):
                ratios.setdefault(verb, {})[size] = whole(verb, repository, words, args.runs, size)
            if size > 100:
                updated(repository, size, words)
    for verb, by_size in ratios.items():
        sizes = sorted(by_size)
        if len(sizes) > 1:
            print(
                f"{verb}: from {sizes[-2]:,} to {sizes[-1]:,} memories ×"
                f" {by_size[sizes[-1]] / by_size[sizes[-2]]:.2f}"
            )
    print(
        "most memory in this process:"
        f" {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    )


def filled(repository: Path, numbers: range, words: Words) -> None:
    store = BranchStore(discover(repository, os.environ))
    made = [memory(number, words) for number in numbers]
    files = {naming.path_of(one): frontmatter.render(one) for one in made}
    store.commit(lambda _: Change(files=files, subject="fill"))


def measured(repository: Path, size: int, words: Words) -> None:
    """Make the index, and measure that and queries in one process."""
    own = repository / ".git" / "lerim"
    store = BranchStore(discover(repository, os.environ))
    begun, cpu = time.perf_counter(), sum(os.times()[:4])
    index = current(own, store)
    seconds, cpu_seconds = time.perf_counter() - begun, sum(os.times()[:4]) - cpu
    megabytes = (own / "index.sqlite3").stat().st_size / 1e6
    print(
        f"{size:,} memories: index made in {seconds:.2f} s (CPU {cpu_seconds:.2f} s),"
        f" {megabytes:.0f} MB"
    )
    spent = []
    for number in range(QUERIES):
        query = " ".join(words.some(1 + number % 6))
        cpu = time.process_time()
        search(index, query)
        spent.append(1000 * (time.process_time() - cpu))
    spent.sort()
    print(
        f"  {QUERIES} queries of 1 to 6 words in one process: median {statistics.median(spent):.1f}"
        f" ms, p95 {spent[int(0.95 * QUERIES)]:.1f} ms, longest {spent[-1]:.1f} ms"
    )
    index.close()


def whole(verb: str, repository: Path, words: Words, runs: int, size: int) -> float:
    """Measure whole processes of a verb, in turn with the floor, and return the ratio."""
    asked = {"search": [[words.all[rank]] for rank in RANKS], "brief": [[]]}[verb]
    ratios = []
    for arguments in asked:
        command = [LERIM, verb, *arguments]
        process(command, repository)  # brings what is kept up to date
        pairs = [
            (
                process(command, repository),
                process([sys.executable, "-I", "-c", "pass"], repository),
            )
            for _ in range(runs)
        ]
        ratio = statistics.median(a / b for a, b in pairs)
        ratios.append(ratio)
        own, floor = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
        print(
            f"  git-lerim {verb} {' '.join(arguments):<12} {own:6.1f} ms, floor {floor:5.1f} ms, ×"
            f" {ratio:.2f}  ({size:,})"
        )
    return statistics.median(ratios)


def process(command: list[str], repository: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(
        command, cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return time.perf_counter() - begun


def updated(repository: Path, size: int, words: Words) -> None:
    """Measure what one new memory costs, and 10,000."""
    own = repository / ".git" / "lerim"
    store = BranchStore(discover(repository, os.environ))
    spent = []
    for number in range(5):
        filled(repository, range(size + number, size + number + 1), words)
        begun = time.perf_counter()
        current(own, store).close()
        spent.append(1000 * (time.perf_counter() - begun))
    print(f"  index after one new memory: {statistics.median(spent):.1f} ms (median of 5)")
    with contextlib.suppress(OSError):
        shutil.rmtree(own / "cache")


if __name__ == "__main__":
    main()
