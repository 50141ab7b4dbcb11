"""Read hastily typed English as if it were written out: `dont` as `don't`, `bc` as `because`."""

import re

# where an apostrophe is missing; `its`, `lets` and `were` are words of their own
_UNMARKED = re.compile(
    r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|ca|wo)n(?=t\b)|"
    r"(?:that|there|what|here)(?=s\b)|(?:you|they)(?=re\b)|(?:i|we|you|they)(?=ve\b)|i(?=m\b))",
    re.IGNORECASE,
)
_SHORT = tuple(
    (re.compile(pattern, re.IGNORECASE), spelled)
    for pattern, spelled in (
        (r"^(no,? |ok,? |so )?(let)s\b", r"\1\2's"),
        (r"\b(?:bc|b/c|cuz|coz)\b", "because"),
        (r"\b(?:pls|plz)\b", "please"),
    )
)


def with_apostrophes(text: str) -> str:
    """Return a text with the apostrophes that hasty typing omits."""
    return _UNMARKED.sub(r"\g<0>'", text)


def spelled_out(text: str) -> str:
    """Return a text with omitted apostrophes and short forms written out."""
    text = with_apostrophes(text)
    for pattern, spelled in _SHORT:
        text = pattern.sub(spelled, text)
    return text
