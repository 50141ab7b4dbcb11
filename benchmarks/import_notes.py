"""Import many notes: CPU seconds of the first import, and of the same again, of the program and of
every process that it starts.

Each note has front matter and some sentences of English about code: statements, reasons, and now
and then a rule, a command, a path or an address. Their nouns follow Zipf's law. The notes are the
same every time.

usage: python benchmarks/import_notes.py [--notes N]
"""

import argparse
import random
import resource
import subprocess
import tempfile
from itertools import product
from pathlib import Path

from ground import LERIM, prepared

SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "ha", "je", "lan", "mer", "tis", "rok", "vad", "nel",
)  # fmt: skip
NOUNS = list(map("".join, product(SYLLABLES, repeat=3)))
WEIGHTS = [1 / (rank + 20) for rank in range(len(NOUNS))]
SENTENCES = (
    "The {a} keeps its {b} in memory because reading it again took {n} ms.",
    "We chose a {a} over a {b}: the latter lost writes when two readers met.",
    "When the {a} is full, the {b} drops the oldest entry and counts it in `{c}_dropped`.",
    "A {a} that fails is tried {n} times, each time after twice as long.",
    "Tests of the {a} live in `tests/{c}/test_{d}.py` and need a database.",
    "The {b} was rewritten in 2024, since nobody could read the old one.",
    "Always run `make {c}` before changing the {a}, otherwise the {b} is stale.",
    "The {a} must not call the {b} from inside a transaction.",
    "Number {n} of the {a} is reserved for the {b}; see docs/{c}.md.",
    "If the {a} reports an error, look at the {b} first: it was the cause {n} times out of ten.",
    "Use `git log -- src/{c}` to find who added the {a}.",
    "The vendor's notes are at https://docs.example.com/{c}/{n} and describe the {b}.",
    "Every {a} gets an owner, and the owner reviews changes of its {b}.",
    "It is measured in seconds, not in ticks, which confused the {a} for {n} days.",
)


def main() -> None:
    """Write the notes, import them twice, and print both times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--notes", type=int, default=10_000)
    count = parser.parse_args().notes
    with tempfile.TemporaryDirectory() as folder:
        repository, env = prepared(Path(folder))
        notes = Path(folder) / "notes"
        notes.mkdir()
        for number in range(count):
            (notes / f"note-{number:05}.md").write_text(note(number), "utf-8")
        for name in ("first import", "the same again"):
            before = used()
            subprocess.run(
                [LERIM, "import", str(notes), "--as", "notes"],
                cwd=repository,
                env=env,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            print(f"{name:<16}{used() - before:>8.1f} s of CPU for {count:,} notes", flush=True)


def note(number: int) -> str:
    """Return one note."""
    chance = random.Random(number)  # noqa: S311 the same note every time
    a, b, c, d, e = chance.choices(NOUNS, WEIGHTS, k=5)
    body = " ".join(sentence(chance) for _ in range(chance.randrange(3, 7)))
    return (
        f"---\ntitle: The {a} {b} keeps its {c} apart from the {d} {e}\n"
        f"type: {chance.choice(('decision', 'fact', 'pitfall'))}\n"
        f"created: 2025-0{chance.randrange(1, 10)}-1{chance.randrange(10)}\n"
        f"tags: [{a}, {b}]\n---\n\n{body}\n"
    )


def sentence(chance: random.Random) -> str:
    """Return one sentence of a note."""
    a, b, c, d = chance.choices(NOUNS, WEIGHTS, k=4)
    return chance.choice(SENTENCES).format(a=a, b=b, c=c, d=d, n=chance.randrange(2, 900))


def used() -> float:
    """Return the CPU seconds of all processes that have been waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()
