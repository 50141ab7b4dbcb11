"""Read hastily typed English as if it were written out: `dont` as `don't`, `bc` as `because`."""

import re

_SPELLED = tuple(
    (re.compile(pattern, re.IGNORECASE), spelled)
    for pattern, spelled in (
        (
            r"\b(do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|must)nt\b",
            r"\1n't",
        ),
        (r"\b(that|there|what)s\b", r"\1's"),
        (r"\b(they|you)(re|ve)\b", r"\1'\2"),
        (r"^(no,? |ok,? |so )?(let)s\b", r"\1\2's"),
        (r"\bim(?= (?:just |still )?\w+ing\b)", "i'm"),
        (r"\b(?:bc|b/c|cuz|coz)\b", "because"),
        (r"\b(?:pls|plz)\b", "please"),
    )
)


def spelled_out(text: str) -> str:
    """Return a text with the apostrophes and short forms of hasty typing written out."""
    for pattern, spelled in _SPELLED:
        text = pattern.sub(spelled, text)
    return text
