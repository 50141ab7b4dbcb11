"""Learn by what words a sentence is a standing wish, or asks for harm, and measure it.

usage: sentences.py TASK [--write]    five-fold cross-validation on TASK/LANGUAGE.tsv; --write
                                      writes the weights
       sentences.py TASK FILE...      measure the weights that are in use on other sentences

TASK is `wishes` or `harm`. Each line of a file is `yes` or `no`, a tab and a sentence. Logistic
regression by stochastic gradient descent with an L2 penalty; only features that several sentences
have get a weight. All languages share one table: it does as well as one for each, and none has to
be recognized.
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
        ("harm", "memories/checks/learned/harm.tsv"),
    )
}
BARS = {"wishes": (-0.7, -0.1, 0.5), "harm": (-0.5, 0.0, 0.5)}
LEAST = 2  # sentences with a feature
ROUNDS = 15
PENALTY = 0.002
STEP = 0.1
SMALLEST = 0.3  # weights below it are dropped
FOLDS = 5


def labelled(path: Path) -> list[tuple[bool, str]]:
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    # in orders for harm, the words of a command count, too
    apart = {"`": " "} if path.parent.name == "harm" else {}
    return [(label == "yes", sentence.translate(str.maketrans(apart))) for label, sentence in lines]


def files_of(task: str) -> list[Path]:
    return sorted((HERE / task).glob("*.tsv"))


def learn(sentences: list[tuple[bool, str]]) -> dict[str, float]:
    rows = [(label, sorted(features_of(sentence))) for label, sentence in sentences]
    seen = Counter(feature for _, features in rows for feature in features)
    rows = [
        (label, ["", *(feature for feature in features if seen[feature] >= LEAST)])
        for label, features in rows
    ]
    weights: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    chance = random.Random(0)  # noqa: S311 reproducible
    for _ in range(ROUNDS):
        chance.shuffle(rows)
        for label, features in rows:
            error = 1 / (1 + math.exp(-sum(weights[feature] for feature in features))) - label
            for feature in features:
                slope = error + (PENALTY * weights[feature] if feature else 0)
                squares[feature] += slope * slope
                weights[feature] -= STEP * slope / math.sqrt(squares[feature] + 1e-8)
    return {feature: w for feature, w in weights.items() if abs(w) >= SMALLEST or not feature}


def written(task: str) -> str:
    """Return the table of the weights that the labelled sentences give."""
    rows = sorted(learn([each for path in files_of(task) for each in labelled(path)]).items())
    return "".join(f"{weight:.1f}\t{feature}\n" for feature, weight in rows)


def validated(task: str) -> dict[str, list[tuple[bool, float]]]:
    """Return the weight of each sentence as learned from the other folds, by language."""
    known = {path.stem: labelled(path) for path in files_of(task)}
    for sentences in known.values():
        random.Random(1).shuffle(sentences)  # noqa: S311 reproducible
    weighed: dict[str, list[tuple[bool, float]]] = {language: [] for language in known}
    for fold in range(FOLDS):
        others = [
            each
            for sentences in known.values()
            for n, each in enumerate(sentences)
            if n % FOLDS != fold
        ]
        weights = learn(others)
        for language, sentences in known.items():
            weighed[language] += [
                (label, weights[""] + sum(weights.get(feature, 0) for feature in features_of(text)))
                for label, text in sentences[fold::FOLDS]
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
        case [("wishes" | "harm") as task, "--write"]:
            TABLES[task].write_text(written(task), "utf-8")
        case [("wishes" | "harm") as task]:
            for language, weighed in validated(task).items():
                report(language, task, weighed)
        case [("wishes" | "harm") as task, *names]:
            weights = Weights(TABLES[task])
            for name in names:
                known = labelled(Path(name))
                report(name, task, [(label, weights.score(text)) for label, text in known])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
