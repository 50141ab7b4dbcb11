"""Find the correction that follows an objection: `no, not 10 retries. The provider …`."""

import re

from git_lerim.extraction.by_rules.sentences.imperatives import is_order
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE, RULE
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.transcript.words import identifiers
from git_lerim.extraction.wishes.says import looks_like_one
from git_lerim.memories.memory import Kind

_NO = r"(?:no|nope|nah|wrong|(?:that|this)(?:[’']s| is) (?:wrong|not (?:right|correct|true|it)))"
_LEAD = re.compile(
    rf"(?:(?:actually|hm+|oh|well|but|ok),? )?{_NO}[,;:]? +(?:not [^,;:.?]{{1,40}}\. +)?",
    re.IGNORECASE,
)
# a sentence that only objects, also to one thing: `no, not 10 retries`
OBJECTS = re.compile(
    rf"(?:{_NO}|(?:{_NO},? )?not (?!(?:now|yet|sure|really|quite|again|like|in|on|here|that|this|"
    r"it)\b)[^,;:?]{2,40})[.!]*",
    re.IGNORECASE,
)
# what is told only of the work at hand, or by the user of themselves
_AT_HAND = r"(?:i|you|it|this|that|these|those|they|he|she|there|my|your|the (?:other|rest))\b"
_STATE = re.compile(
    r"\b(?:is|are) (?:broken|fine|ok|okay|wrong|right|correct|missing|empty|green|red|failing|gone|"
    r"closed|open)\b|\bthe (?:bug|error|problem|issue)\b|\bbe able to\b|"
    r",? so \w+ (?:it|them|this|that|these|those)\b",
    re.IGNORECASE,
)
_HENCE = re.compile(
    rf"(?!{_AT_HAND})[^,;:?]{{8,160}},? so (?:please )?(?P<order>\S.+)", re.IGNORECASE
)
_DEFINITE = re.compile(r"(?:the|my|your|its|his|her|their)\b", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:all|every|each|any|always|never|only)\b", re.IGNORECASE)
_IS = rf"(?!{_AT_HAND})[^,;:?]{{2,60}} (?:is|are) (?!(?:still|now|already|not)\b)[^,;:?]{{2,80}}"
_IS_NOT = re.compile(rf"{_IS}, not \w", re.IGNORECASE)  # `prices are in cents, not in euros`
# `the table is called customer_orders, orders is the legacy table`
_IS_AND_IS = re.compile(
    rf"{_IS}[,;] (?:and |but )?(?!{_AT_HAND})[^,;:?]{{2,40}} (?:is|are|was|were) \w",
    re.IGNORECASE,
)


def objection(sentence: str, before: str) -> tuple[str, Kind | None]:
    """Return the title of what a sentence says is right, and its kind (None for a decision).

    The title is "" unless the sentence, or `before`, the one before it, objects to something.
    """
    lead = _LEAD.match(sentence)
    if not lead and not OBJECTS.fullmatch(before):
        return "", None
    said = sentence[lead.end() :] if lead else sentence
    if _STATE.search(said) or looks_like_one(said) or is_one_off(said, said):
        return "", None
    if _orders(said) or _rules(said):
        return title_of(said), None
    return (title_of(said), Kind.FACT) if _tells(said) else ("", None)


def _orders(said: str) -> bool:
    """Return whether a statement is the reason for the order at its end: `…, so keep it at 3`."""
    hence = _HENCE.match(spelled_out(said))
    order = hence["order"] if hence else ""
    return is_order(order, done=True) and not CHORE.match(order)


def _rules(said: str) -> bool:
    """Return whether a statement says how things have to be, not only one thing at hand."""
    return bool(RULE.match(said)) and bool(_EVERY.search(said) or not _DEFINITE.match(said))


def _tells(said: str) -> bool:
    """Return whether a statement says what a thing is, and what it or another is not."""
    named = bool(identifiers(said))
    is_not = _IS_NOT.match(said) and (named or not _DEFINITE.match(said))
    return bool(is_not or (named and _IS_AND_IS.match(said)))
