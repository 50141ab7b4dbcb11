"""Learn by what words a prompt ends what the same person wished or chose before; measure it.

usage: changes_of_mind.py             five-fold cross-validation
       changes_of_mind.py --write     write the weights, and how telling the frequent words are
       changes_of_mind.py FILE...     measure the weights that are in use on other pairs

Each line of `changes/LANGUAGE.tsv` is `yes` or `no`, a tab, a prompt, a tab and an earlier prompt
of the same person: `yes` if the later one ends a wish or choice of the earlier one, `no` if it is
on the same subject and ends none. Learned from as well, as `no`: pairs of prompts that have nothing
to do with each other; the prompts of `changes/ordinary/`, sentences of `typed/` and the earlier
prompts themselves, each beside a wish with similar words. Logistic regression by stochastic
gradient descent with an L2 penalty.
"""

import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.wishes.patterns import TYPED
from git_lerim.memories.checks.learned.features import features_of
from git_lerim.memories.similarity.likely_changes import WEIGHTS, ends, overlap, stems

HERE = Path(__file__).parent
TABLES = HERE.parent / "git_lerim/memories/similarity"
FREQUENT = 12  # least sentences with a word that is listed
LEAST = 3  # texts with a feature
ROUNDS, STEP, PENALTY, SMALLEST = 15, 0.1, 0.005, 0.15
BESIDE = 200  # wishes, the most similar of which stands beside an ordinary text
TYPED_OF = {"en": 3000}  # sentences of a language, if not 500
FOLDS = 5
BARS = (0.0, 0.6, 1.0)
MEASURED = overlap("", "").keys()
LENGTH = re.compile(r"5x\d")


class Pair(NamedTuple):
    """A later text, the wish in an earlier one, and whether the later one ends it."""

    later: str
    earlier: str
    ends: bool = False


def wish_of(prompt: str) -> str:
    """Return the sentence of a prompt that is most likely its wish."""
    sentences = [one for paragraph in paragraphs(prompt) for one in paragraph]
    return max(sentences or [prompt], key=TYPED.score)


def pairs_in(path: Path) -> list[tuple[Pair, str]]:
    """Return the pairs of a file, each with the whole earlier prompt."""
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return [(Pair(later, wish_of(first), label == "yes"), first) for label, later, first in rows]


def typed(language: str) -> list[str]:
    path = HERE / "typed" / f"{language}.tsv"
    return [line.split("\t")[-1] for line in path.read_text("utf-8").splitlines()]


def frequent_words() -> dict[str, float]:
    every = [text for path in sorted((HERE / "typed").glob("*.tsv")) for text in typed(path.stem)]
    seen = Counter(stem for text in every for stem in stems(text))
    return {
        stem: round(math.log((len(every) + 1) / (count + 1)), 1)
        for stem, count in seen.items()
        if count >= FREQUENT
    }


def ordinary(language: str, known: Sequence[tuple[Pair, str]]) -> Iterable[Pair]:
    """Yield pairs whose later text ends nothing."""
    chance = random.Random(language)  # noqa: S311 reproducible
    wishes = [(pair.earlier, stems(pair.earlier), first) for pair, first in known]
    for pair, _ in known:
        for other, _ in chance.sample(known, min(2, len(known))):
            if other.earlier != pair.earlier:
                yield Pair(other.later, pair.earlier)
    said = typed(language)
    chance.shuffle(said)
    prompts = (HERE / "changes/ordinary" / f"{language}.txt").read_text("utf-8").splitlines()
    firsts = [first for _, first in known]
    for text in [*firsts, *prompts, *said[: TYPED_OF.get(language, 500)]]:
        words = stems(text)
        beside = chance.sample(wishes, min(BESIDE, len(wishes)))
        near = max(beside, key=lambda one: len(one[1] & words) / (1 + len(one[1])))
        if near[2] != text:
            yield Pair(text, near[0])


def features(pair: Pair) -> Mapping[str, float]:
    words = (one for one in features_of(pair.later) if not LENGTH.match(one))
    return {"": 1.0, **dict.fromkeys(sorted(words), 1.0), **overlap(pair.later, pair.earlier)}


def learn(pairs: Iterable[Pair]) -> dict[str, float]:
    rows = [(pair.ends, features(pair)) for pair in pairs]
    seen = Counter(name for _, values in rows for name in values)
    rows = [
        (label, {n: v for n, v in values.items() if seen[n] >= LEAST}) for label, values in rows
    ]
    weights: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    chance = random.Random(0)  # noqa: S311 reproducible
    for _ in range(ROUNDS):
        chance.shuffle(rows)
        for label, values in rows:
            error = 1 / (1 + math.exp(-sum(weights[n] * v for n, v in values.items()))) - label
            for name, value in values.items():
                measured = not name or name in MEASURED
                slope = error * value + (0 if measured else PENALTY * weights[name])
                squares[name] += slope * slope
                weights[name] -= STEP * slope / math.sqrt(squares[name] + 1e-8)
    return {name: w for name, w in weights.items() if abs(w) >= SMALLEST or not name}


def known() -> dict[str, list[tuple[Pair, str]]]:
    return {path.stem: pairs_in(path) for path in sorted((HERE / "changes").glob("*.tsv"))}


def write() -> None:
    rows = sorted(frequent_words().items())
    (TABLES / "frequent_words.tsv").write_text("".join(f"{v:.1f}\t{n}\n" for n, v in rows), "utf-8")
    pairs = [
        each
        for language, of_language in known().items()
        for each in (*(pair for pair, _ in of_language), *ordinary(language, of_language))
    ]
    rows = sorted(learn(pairs).items())
    (TABLES / "changes.tsv").write_text("".join(f"{v:.1f}\t{n}\n" for n, v in rows), "utf-8")


def validate() -> None:
    """Print how many pairs are judged right by what was learned from the other folds."""
    found: Counter[tuple[str, float, bool]] = Counter()
    total: Counter[tuple[str, bool]] = Counter()
    every = [(n, each) for n, of in known().items() for each in of]
    random.Random(1).shuffle(every)  # noqa: S311 reproducible
    for fold in range(FOLDS):
        out = every[fold::FOLDS]
        hidden = {first for _, (_, first) in out}
        left = [(n, each) for n, each in every if each[1] not in hidden]
        pairs = [pair for _, (pair, _) in left]
        for name in dict.fromkeys(n for n, _ in left):
            pairs += ordinary(name, [each for n, each in left if n == name])
        weights = learn(pairs)
        for name, (pair, _) in out:
            score = sum(weights.get(n, 0) * v for n, v in features(pair).items())
            total[name, pair.ends] += 1
            found.update((name, bar, pair.ends) for bar in BARS if score > bar)
    for name in dict.fromkeys(n for n, _ in every):
        for bar in BARS:
            yes, no = (f"{found[name, bar, e]} of {total[name, e]}" for e in (True, False))
            print(f"{name} above {bar}: {yes} that end a wish, {no} that do not")


def measure(path: Path) -> None:
    pairs = [pair for pair, _ in pairs_in(path)]
    for label in (True, False):
        of_label = [pair for pair in pairs if pair.ends is label]
        count = sum(ends(pair.later, pair.earlier) for pair in of_label)
        print(f"{path.name}: {count} of {len(of_label)} with {'yes' if label else 'no'}")
        missed = [pair for pair in of_label if ends(pair.later, pair.earlier) is not label]
        for pair in missed:
            print(f"    {WEIGHTS.total(features(pair)):5.1f} {pair.earlier} / {pair.later}")


def main() -> None:
    match sys.argv[1:]:
        case []:
            validate()
        case ["--write"]:
            write()
        case names:
            for name in names:
                measure(Path(name))


if __name__ == "__main__":
    main()
