"""Find the words that a memory rejects, as in `Never call getpid`. Pure functions.

If such words disappear from the code, the memory is being followed; it is not outdated.
"""

import re

_CODE = re.compile(r"``[^\n]+?``|`[^`\n]+`")
_NOT = (
    r"\b(?:(?:must|should|shall|may|can|could|do|does|did|will|would|needs?|is|are|was|were|has|"
    r"have|had)(?: not|n['’]t)|cannot|dont|not|never|no longer|nor|avoid(?:s|ing)?|"
    r"instead of|rather than|in place of)\b"
)
_REMOVE = r"(?:remov|delet|dropp?|eliminat|retir|purg)"
_ORDER = (
    r"(?:^|[.;:,!?(“\"—-]\s*|\b(?:should|must|shall|now|please|we|let['’]?s|(?:need|want|has|have|"
    r"going|decided|asked) to)\s+)"
)
# Where the rejected part ends. `Do not call A without B` does not reject B.
_END = (
    r"(?=[.;:!?)”\"](?:\s|\Z|”)|,\s|\n|\Z|\b(?:before|after|unless|until|without|except|when|if|"
    r"because|since|so|but|instead|rather|while|where|which|only|as|like|for|in|on|from|within|"
    r"inside|and(?! \0))\b)"
)
_ANY = r"[^\n]{0,200}?"
_REJECTING = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"{_NOT}(?P<rejected>{_ANY}){_END}",
        rf"{_ORDER}(?:{_REMOVE}(?:e|ed)?|g[eo]t rid of)\b(?P<rejected>{_ANY}){_END}",
        (
            r"(?P<rejected>\0+(?: \w+)?|\S+) (?:(?:was|were|been|(?:should|must) be) (?:now )?"
            rf"{_REMOVE}ed|(?:is|are) (?:gone|(?:not|never|no longer) (?:used|needed|called)))\b"
        ),
        rf"\b(?:replac|renam)(?:e|ed|ing)\b(?P<rejected>{_ANY})\b(?:with|by|to)\b",
        (
            r"\b(?:mov|switch|migrat|chang|bump|rais|lower|increas|reduc|decreas|convert)(?:e|ed|"
            rf"ing)?\b{_ANY}\bfrom (?P<rejected>{_ANY}) to\b"
        ),
    )
)


def without_rejected(text: str) -> str:
    """Return a text with spaces in place of what it rejects, such as `A` in `Use B, not A`."""
    masked = _CODE.sub(lambda found: "\0" * len(found[0]), text)  # code is not prose
    kept = list(text)
    for pattern in _REJECTING:
        for found in pattern.finditer(masked):
            first, last = found.span("rejected")
            kept[first:last] = " " * (last - first)
    return "".join(kept)
