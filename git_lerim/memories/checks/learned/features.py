"""Take a sentence apart into the features that `weights.py` weighs."""

import re
from itertools import pairwise

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
    """Return the features of a sentence, such as `use`, `use tabs`, `^use`, `-ing` and `5x2`.

    These are a word, two words in a row, the first word, a suffix, and the length (in steps of five
    words; the longest sentences count as one length).
    """
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
