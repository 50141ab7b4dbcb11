"""Learn the weights of `git_lerim/extraction/wishes/features.py`, and measure them.

usage: wishes.py [--write]    five-fold cross-validation on wishes/LANGUAGE.tsv; --write writes the
                              weights
       wishes.py FILE...      measure the weights that are in use on other sentences

Each line of a file is `yes` or `no`, a tab and a sentence. Logistic regression by stochastic
gradient descent with an L2 penalty; only features that several sentences have get a weight. All
languages share one table: it does as well as one for each, and none has to be recognized.
"""

import math
import random
import sys
from collections import Counter
from pathlib import Path

from git_lerim.extraction.wishes.features import features_of, score

HERE = Path(__file__).parent
TABLE = HERE.parent / "git_lerim/extraction/wishes/weights.tsv"
SENTENCES = sorted((HERE / "wishes").glob("*.tsv"))
LEAST = 2  # sentences with a feature
ROUNDS = 15
PENALTY = 0.002
STEP = 0.1
SMALLEST = 0.3  # weights below it are dropped
FOLDS = 5


def labelled(path: Path) -> list[tuple[bool, str]]:
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return [(label == "yes", sentence) for label, sentence in lines]


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


def written() -> str:
    """Return the table of the weights that the labelled sentences give."""
    rows = sorted(learn([each for path in SENTENCES for each in labelled(path)]).items())
    return "".join(f"{weight:.1f}\t{feature}\n" for feature, weight in rows)


def validated() -> dict[str, list[tuple[bool, float]]]:
    """Return the weight of each sentence as learned from the other folds, by language."""
    known = {path.stem: labelled(path) for path in SENTENCES}
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


def report(name: str, weighed: list[tuple[bool, float]]) -> None:
    wishes, others = (sum(label is each for label, _ in weighed) for each in (True, False))
    for bar in (-0.7, -0.1, 0.5):  # the first two are in use
        found = [label for label, weight in weighed if weight > bar]
        print(
            f"{name} above {bar}: {sum(found)} of {wishes} wishes, "
            f"{len(found) - sum(found)} of {others} others"
        )


def main() -> None:
    match sys.argv[1:]:
        case ["--write"]:
            TABLE.write_text(written(), "utf-8")
        case []:
            for language, weighed in validated().items():
                report(language, weighed)
        case files:
            for file in files:
                known = labelled(Path(file))
                report(file, [(label, score(sentence)) for label, sentence in known])


if __name__ == "__main__":
    main()
