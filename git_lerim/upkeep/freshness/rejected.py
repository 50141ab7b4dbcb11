"""Find the words that a memory rejects, as in `Never call getpid`. Pure functions.

If such words disappear from the code, the memory is being followed; it is not outdated. It is
outdated if words come back that it wants replaced, as `A` in `Switch from A to B`.
"""

import re
from collections.abc import Iterable, Sequence

from git_lerim.upkeep.freshness.claims import Word, named_words

_CODE = re.compile(r"``[^\n]+?``|`[^`\n]+`")
_NOT = (
    r"\b(?:(?:must|should|shall|may|can|could|do|does|did|will|would|needs?|is|are|was|were|has|"
    r"have|had)(?: not|n['’]t)|cannot|dont|not|never|no longer|nor|avoid(?:s|ing)?)\b"
)
_STOP = "g[eo]t rid of|stop(?:ped)? (?:using|calling)|phase[sd]? out|deprecated?"
_REMOVE = r"(?:remov|delet|dropp?|eliminat|retir|purg)"
_ORDER = (
    r"(?:^|[.;:,!?(“\"—-]\s*|\b(?:should|must|shall|now|please|we|let['’]?s|(?:need|wants?|has|"
    r"have|going|decided|asked) to)\s+)"
)
# Where the rejected part ends. `Do not call A without B` does not reject B.
_END = (
    r"(?=[.;:!?)”\"](?:\s|\Z|”)|,\s|\n|\Z|\b(?:before|after|unless|until|without|except|when|if|"
    r"because|since|so|but|instead|rather|while|where|which|only|as|like|for|in|on|from|within|"
    r"inside|and(?! \0))\b)"
)
_ANY = r"[^\n]{0,200}?"
_FLAGS = re.IGNORECASE | re.MULTILINE
_DENIED = re.compile(rf"{_NOT}(?P<rejected>{_ANY}){_END}", _FLAGS)
_REPLACED = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        rf"\b(?:instead of|rather than|in place of)\b(?P<rejected>{_ANY}){_END}",
        rf"{_ORDER}(?:{_REMOVE}(?:e|ed)?|{_STOP})\b(?P<rejected>{_ANY}){_END}",
        (
            r"(?P<rejected>\0+(?: \w+)?|\S+) (?:(?:was|were|been|(?:should|must) be) (?:now )?"
            rf"{_REMOVE}ed|(?:is|are) (?:gone|(?:not|never|no longer) (?:used|needed|called)))\b"
        ),
        rf"\b(?:replac|renam)(?:e|ed|ing)\b(?P<rejected>{_ANY})\b(?:with|by|to)\b",
        rf"\b(?:swap(?:ped|ping)?|exchang(?:e|ed|ing))\b(?P<rejected>{_ANY})\bfor\b",
        rf"\bsubstitut(?:e|ed|ing)\b{_ANY}\bfor\b(?P<rejected>{_ANY}){_END}",
        (
            rf"\b(?:mov|switch|migrat)(?:e|ed|ing)?\b{_ANY}\baway from\b(?P<rejected>{_ANY})"
            rf"(?:(?=\bto\b)|{_END})"
        ),
        (
            r"\b(?:mov|switch|migrat|chang|bump|rais|lower|increas|reduc|decreas|convert)(?:e|ed|"
            rf"ing)?\b{_ANY}\bfrom (?P<rejected>{_ANY}) to\b"
        ),
    )
)
_REPAIRED = re.compile(r"; a change of `[^`\n]+`(?:, `[^`\n]+`)* made it pass\.")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_REASON = re.compile(r"\b(?:because|since|so that|in order to)\b.*", re.IGNORECASE | re.DOTALL)


def without_rejected(text: str) -> str:
    """Return a text with spaces in place of what it rejects, such as `A` in `Use B, not A`."""
    kept = list(text)
    for first, last in _spans(text, (_DENIED, *_REPLACED)):
        kept[first:last] = " " * (last - first)
    return "".join(kept)


def claimed_words(title: str, body: str, rows: Sequence[str] = ()) -> tuple[Word, ...]:
    """Return the identifiers and literals that a memory expects in the code, like `named_words`.

    What it wants replaced is left out wherever it stands, as `A` in `Replace A, because A is slow`.
    A memory of a failure that a change repaired expects nothing: it tells what the code was like
    before, and the commit of that change may come after the memory.
    """
    if _REPAIRED.search(body):
        return ()
    unwanted = replaced_words(title, body, rows)
    words = named_words(without_rejected(title), without_rejected(body), rows)
    return tuple(word for word in words if word not in unwanted)


def replaced_words(title: str, body: str, rows: Sequence[str] = ()) -> frozenset[Word]:
    """Return the identifiers and literals that a memory wants replaced by others, or removed.

    Those that the sentence names apart from that are left out, as `Row` in `Rename Row.a to Row.b`.
    """
    found: set[Word] = set()
    for sentence in _SENTENCE.split(f"{title}\n{body}"):
        if spans := list(_spans(sentence, _REPLACED)):
            stays = named_words(_REASON.sub("", without_rejected(sentence)), "", rows)
            goes = " ; ".join(sentence[first:last] for first, last in spans)
            found |= {*named_words(goes, "", rows)} - {*stays}
    return frozenset(found)


def _spans(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterable[tuple[int, int]]:
    masked = _CODE.sub(lambda found: "\0" * len(found[0]), text)  # code is not prose
    for pattern in patterns:
        yield from (found.span("rejected") for found in pattern.finditer(masked))
