"""Learn the weights of `git_lerim/extraction/wishes/marks.py`, and measure them.

usage: wishes.py [--write]    five-fold cross-validation on wishes/*.tsv; --write writes the weights
       wishes.py FILE...      measure the weights that are in use on other sentences

Each line of a file is `yes` or `no`, a tab and a sentence. Logistic regression by stochastic
gradient descent with an L2 penalty; only marks that several sentences have get a weight.
"""

import math
import random
import sys
from collections import Counter
from pathlib import Path

from git_lerim.extraction.wishes.marks import marks_of, weight_of

HERE = Path(__file__).parent
TABLE = HERE.parent / "git_lerim/extraction/wishes/english_marks.tsv"
LEAST = 2  # sentences with a mark
ROUNDS = 15
PENALTY = 0.002
STEP = 0.1
SMALLEST = 0.2  # weights below it are dropped


def labelled(paths: list[Path]) -> list[tuple[bool, str]]:
    lines = [line for path in sorted(paths) for line in path.read_text("utf-8").splitlines()]
    return [(label == "yes", sentence) for label, sentence in (line.split("\t") for line in lines)]


def learn(sentences: list[tuple[bool, str]]) -> dict[str, float]:
    rows = [(label, sorted(marks_of(sentence))) for label, sentence in sentences]
    seen = Counter(mark for _, marks in rows for mark in marks)
    rows = [
        (label, ["", *(mark for mark in marks if seen[mark] >= LEAST)]) for label, marks in rows
    ]
    weights: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    chance = random.Random(0)  # noqa: S311 reproducible
    for _ in range(ROUNDS):
        chance.shuffle(rows)
        for label, marks in rows:
            error = 1 / (1 + math.exp(-sum(weights[mark] for mark in marks))) - label
            for mark in marks:
                slope = error + (PENALTY * weights[mark] if mark else 0)
                squares[mark] += slope * slope
                weights[mark] -= STEP * slope / math.sqrt(squares[mark] + 1e-8)
    return {mark: w for mark, w in weights.items() if abs(w) >= SMALLEST or not mark}


def written() -> str:
    """Return the table of the weights that the labelled sentences give."""
    rows = sorted(learn(sentences()).items())
    return "".join(f"{weight:.1f}\t{mark}\n" for mark, weight in rows)


def sentences() -> list[tuple[bool, str]]:
    return labelled(list((HERE / "wishes").glob("*.tsv")))


def weigh(weights: dict[str, float], sentence: str) -> float:
    return weights[""] + sum(weights.get(mark, 0) for mark in marks_of(sentence))


def report(weighed: list[tuple[bool, float]]) -> None:
    wishes, others = (sum(label is each for label, _ in weighed) for each in (True, False))
    for bar in (0.0, 0.5, 1.0):
        found = [label for label, weight in weighed if weight > bar]
        print(
            f"above {bar}: {sum(found)} of {wishes} wishes, "
            f"{len(found) - sum(found)} of {others} others"
        )


def main() -> None:
    paths = [Path(each) for each in sys.argv[1:] if each != "--write"]
    if paths:
        report([(label, weight_of(sentence)) for label, sentence in labelled(paths)])
        return
    if "--write" in sys.argv:
        TABLE.write_text(written(), "utf-8")
        return
    known = sentences()
    random.Random(1).shuffle(known)  # noqa: S311 reproducible
    weighed = []
    for fold in range(5):
        weights = learn([each for n, each in enumerate(known) if n % 5 != fold])
        weighed += [(label, weigh(weights, text)) for label, text in known[fold::5]]
    report(weighed)


if __name__ == "__main__":
    main()
