"""Judge by its words whether an English sentence says how to do things from now on.

Each mark of a sentence (a word, two in a row, how it begins and ends) has a weight, learned by
`benchmarks/wishes.py` from sentences that were written and labelled for that purpose (logistic
regression).
"""

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise

_WEIGHTS = "english_marks.tsv"
_PART = re.compile(
    r"(?P<code>`[^`]{0,300}`)|(?P<quote>\"[^\"]{0,300}\"|“[^”]{0,300}”)|"
    r"(?P<file>(?<![\w./-])[\w./-]{0,200}\w\.(?:py|tsx?|jsx?|go|rs|md|sh|java|c|h|cs|css|sql|"
    r"ya?ml|json|toml)\b)|"
    r"(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)|(?P<number>\d+)|(?P<sign>[^\w\s])"
)
_ENDING = 3  # letters of a word's ending, for words of more than 4
_LENGTH_STEP, _LONGEST = 5, 6


def marks_of(sentence: str) -> set[str]:
    """Return the marks of a sentence: `use`, `use tabs`, `^use`, `-ing`, `5x2`."""
    parts = [_named(found) for found in _PART.finditer(sentence.lower().rstrip(" .!"))]
    if not parts:
        return set()
    pairs = [" ".join(pair) for pair in pairwise(parts)]
    return {
        *parts,
        *pairs,
        f"^{parts[0]}",
        *(f"^{pair}" for pair in pairs[:1]),
        f"{parts[-1]}$",
        *(f"-{part[-_ENDING:]}" for part in parts if part.isalpha() and len(part) > 4),
        f"{_LENGTH_STEP}x{min(_LONGEST, len(parts) // _LENGTH_STEP)}",
    }


def _named(found: re.Match[str]) -> str:
    kind = found.lastgroup
    return found[0].replace("’", "'") if kind in {"word", "sign"} else f"<{kind}>"


def weight_of(sentence: str) -> float:
    """Return the sum of the weights of a sentence's marks, positive if it is likely a wish."""
    weights = _weights()
    return weights[""] + sum(weights.get(mark, 0.0) for mark in marks_of(sentence))


@cache
def _weights() -> dict[str, float]:
    table = files(__package__).joinpath(_WEIGHTS).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines())
    return {mark: float(weight) for weight, mark in rows}
