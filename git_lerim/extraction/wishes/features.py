"""Judge by its words whether a sentence says how to do things from now on.

A logistic regression. Each feature of a sentence (word, two or, in Chinese and Japanese, up to
three in a row, beginning and end, suffix, length) has a weight that `benchmarks/wishes.py` learned
from sentences in eleven languages, written and labelled for that purpose.
"""

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise

_WEIGHTS = "weights.tsv"
_EAST_ASIAN = r"\u3040-\u30ff\u3400-\u9fff"
_LETTER = rf"(?:(?![{_EAST_ASIAN}])[^\W\d_])"
_PART = re.compile(
    r"(?P<code>`[^`]{0,300}`)|(?P<quote>\"[^\"]{0,300}\"|“[^”]{0,300}”|「[^」]{0,300}」)|"
    r"(?P<file>(?<![\w./-])[\w./-]{0,200}\w\.(?:py|tsx?|jsx?|go|rs|md|sh|java|c|h|cs|css|sql|"
    r"ya?ml|json|toml)\b)|"
    rf"(?P<word>{_LETTER}(?:{_LETTER}|\d)*(?:['’]{_LETTER}+)?|[{_EAST_ASIAN}])|(?P<number>\d+)|"
    r"(?P<sign>[^\w\s])"
)
_IS_EAST_ASIAN = re.compile(f"[{_EAST_ASIAN}]")
_SUFFIX = 3  # letters of a word's suffix, for words of more than 4
_LENGTH_STEP, _LONGEST = 5, 6


def features_of(sentence: str) -> set[str]:
    """Return the features of a sentence: `use`, `use tabs`, `^use`, `-ing`, `5x2`."""
    parts = [_named(found) for found in _PART.finditer(sentence.lower().rstrip(" .!。！"))]
    if not parts:
        return set()
    pairs = [" ".join(pair) for pair in pairwise(parts)]
    features = {
        *parts,
        *pairs,
        f"^{parts[0]}",
        *(f"^{pair}" for pair in pairs[:1]),
        f"{parts[-1]}$",
        *(f"-{part[-_SUFFIX:]}" for part in parts if part.isalpha() and len(part) > 4),
        f"{_LENGTH_STEP}x{min(_LONGEST, len(parts) // _LENGTH_STEP)}",
    }
    if _IS_EAST_ASIAN.search(sentence):  # each character is a part
        features |= {*map(" ".join, zip(parts, parts[1:], parts[2:], strict=False))}
        features |= {" ".join(parts[-2:]) + "$", " ".join(parts[-3:]) + "$"}
    return features


def _named(found: re.Match[str]) -> str:
    kind = found.lastgroup
    return found[0].replace("’", "'") if kind in {"word", "sign"} else f"<{kind}>"


def score(sentence: str) -> float:
    """Return the logarithm of the odds that a sentence is a wish."""
    weights = _weights()
    return weights[""] + sum(weights.get(feature, 0.0) for feature in features_of(sentence))


@cache
def _weights() -> dict[str, float]:
    table = files(__package__).joinpath(_WEIGHTS).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines())
    return {feature: float(weight) for weight, feature in rows}
