"""Learn by what words a sentence is a standing wish, settles a design or asks for harm; measure it.

usage: sentences.py TASK [--write]    five-fold cross-validation on TASK/LANGUAGE.tsv; --write
                                      writes the weights
       sentences.py TASK FILE...      measure the weights that are in use on other sentences

TASK is `wishes` (sentences with a word or form of a wish, and look-alikes), `typed` (all sentences
of prompts as people type them, and those of `wishes`, which count less), `decisions` (which of the
typed ones are orders that settle a question of design with its reason) or `harm`. Each line of a
file is `yes`, `no` or, for such an order, `why`, a tab and a sentence. Logistic regression by
stochastic gradient descent with an L2 penalty; only features that several sentences have get a
weight. All languages share one table: it does as well as one for each, and none has to be
recognized.
"""

import math
import random
import sys
from collections import Counter
from pathlib import Path

from git_lerim.memories.checks.learned.features import features_of
from git_lerim.memories.checks.learned.weights import Weights

HERE = Path(__file__).parent
TABLES = {
    task: HERE.parent / "git_lerim" / table
    for task, table in (
        ("wishes", "extraction/wishes/weights.tsv"),
        ("typed", "extraction/wishes/typed.tsv"),
        ("decisions", "extraction/by_rules/sentences/decisions.tsv"),
        ("harm", "memories/checks/learned/harm.tsv"),
    )
}
BARS = {
    "wishes": (-1.8, 0.0, 0.5),
    "typed": (-3.2, -1.2, 0.0),
    "decisions": (-3.0, -0.7),
    "harm": (-0.5, 0.0, 0.5),
}
COUNTS = {  # how much a sentence of a folder counts
    "wishes": {"wishes": 1},
    "typed": {"wishes": 1, "typed": 3},
    "decisions": {"typed": 1},
    "harm": {"harm": 1},
}
SOUGHT = {"decisions": "why"}  # the label of what a task finds, unless it is `yes`
LEAST = 2  # sentences with a feature
ROUNDS = 15
PENALTY = 0.002
STEP = 0.1
SMALLEST = 0.3  # weights below it are dropped
FOLDS = 5


def labelled(path: Path, sought: str = "yes") -> list[tuple[bool, str]]:
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    # in orders for harm, the words of a command count, too
    apart = {"`": " "} if path.parent.name == "harm" else {}
    return [(label == sought, text.translate(str.maketrans(apart))) for label, text in lines]


def known_of(task: str) -> dict[str, list[tuple[bool, str, int]]]:
    """Return a task's labelled sentences by file, with how much each of them counts."""
    return {
        f"{folder}/{path.stem}": [
            (*each, count) for each in labelled(path, SOUGHT.get(task, "yes"))
        ]
        for folder, count in COUNTS[task].items()
        for path in sorted((HERE / folder).glob("*.tsv"))
    }


def learn(sentences: list[tuple[bool, str, int]]) -> dict[str, float]:
    rows = [(label, sorted(features_of(sentence)), count) for label, sentence, count in sentences]
    seen = Counter(feature for _, features, _ in rows for feature in features)
    names = ["", *(feature for feature, times in seen.items() if times >= LEAST)]
    numbers = {feature: n for n, feature in enumerate(names)}  # lists are quicker than tables
    numbered = [
        (label, [0, *(numbers[feature] for feature in features if feature in numbers)], count)
        for label, features, count in rows
    ]
    weights, squares = [0.0] * len(names), [0.0] * len(names)
    chance = random.Random(0)  # noqa: S311 reproducible
    for _ in range(ROUNDS):
        chance.shuffle(numbered)
        for label, features, count in numbered:
            logit = sum([weights[n] for n in features])
            error = count * (1 / (1 + math.exp(-logit)) - label)
            for n in features:
                slope = error + (PENALTY * weights[n] if n else 0)
                square = squares[n] = squares[n] + slope * slope
                weights[n] -= STEP * slope / math.sqrt(square + 1e-8)
    found = zip(names, weights, strict=True)
    return {feature: w for feature, w in found if abs(w) >= SMALLEST or not feature}


def written(task: str) -> str:
    """Return the table of the weights that the labelled sentences give."""
    known = [each for sentences in known_of(task).values() for each in sentences]
    return "".join(f"{weight:.1f}\t{feature}\n" for feature, weight in sorted(learn(known).items()))


def validated(task: str) -> dict[str, list[tuple[bool, float]]]:
    """Return the weight of each sentence as learned from the other folds, by file."""
    known = known_of(task)
    for sentences in known.values():
        random.Random(1).shuffle(sentences)  # noqa: S311 reproducible
    weighed: dict[str, list[tuple[bool, float]]] = {name: [] for name in known}
    for fold in range(FOLDS):
        others = [
            each
            for sentences in known.values()
            for n, each in enumerate(sentences)
            if n % FOLDS != fold
        ]
        weights = learn(others)
        for name, sentences in known.items():
            weighed[name] += [
                (label, weights[""] + sum(weights.get(feature, 0) for feature in features_of(text)))
                for label, text, _ in sentences[fold::FOLDS]
            ]
    return weighed


def report(name: str, task: str, weighed: list[tuple[bool, float]]) -> None:
    yes, no = (sum(label is each for label, _ in weighed) for each in (True, False))
    for bar in BARS[task]:
        found = [label for label, weight in weighed if weight > bar]
        print(
            f"{name} above {bar}: {sum(found)} of {yes} with yes, "
            f"{len(found) - sum(found)} of {no} with no"
        )


def main() -> None:
    match sys.argv[1:]:
        case [("wishes" | "typed" | "decisions" | "harm") as task, "--write"]:
            TABLES[task].write_text(written(task), "utf-8")
        case [("wishes" | "typed" | "decisions" | "harm") as task]:
            for name, weighed in validated(task).items():
                report(name, task, weighed)
        case [("wishes" | "typed" | "decisions" | "harm") as task, *names]:
            weights = Weights(TABLES[task])
            for name in names:
                known = labelled(Path(name), SOUGHT.get(task, "yes"))
                report(name, task, [(label, weights.score(text)) for label, text in known])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
