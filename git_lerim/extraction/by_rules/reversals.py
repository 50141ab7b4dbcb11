"""Discard findings that the user withdrew or decided otherwise later in the session."""

import re
from collections.abc import Iterable, Sequence

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Origin
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.similarity import replaces
from git_lerim.sessions.session import Record, Role

_TAKES_BACK = re.compile(
    r"\b(?:revert|undo|undid|roll (?:it |this |that )?back|let[’']?s go back|go back to|"
    r"changed my mind|never ?mind|scratch that|forget (?:it|that|about)|no longer (?:want|need)|"
    r"remove (?:it|this|that) again|put (?:it|that|this) back|bring (?:it|that|this) back|"
    r"i concede|on second thou?ghts?|actually,? (?:let[’']?s|can|could|no|i|don[’']t|keep|leave|"
    r"use)|drop (?:it|this|that)|not (?:that|this),|you can undo|wrong direction|"
    r"don[’']t need both|only (?:have|need|want) one)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:revert (?:that|this|it|everything|all)|undo (?:that|this|it|everything)|"
    r"let[’']?s go back|i concede|changed my mind|scratch that|never ?mind|roll (?:it |this |"
    r"that )?back|wrong direction)\b",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"\b(?:instead|rather|no longer|not|remove|drop|get rid of|without|actually|should|must|only|"
    r"replaced?|don[’']t)\b",
    re.IGNORECASE,
)
_ALIKE = 0.34
_SAME_QUESTION = 0.6  # an agent asks several questions on one subject; each answer is valid
_REVERTED = re.compile(r"^git (?:revert|reset\s+--hard)\b|\bgh pr close\b")


def not_withdrawn(
    findings: Iterable[Finding], records: Sequence[Record], turns: Sequence[Turn]
) -> list[Finding]:
    """Return the findings that nothing later in the session withdrew."""
    kept = [one for one in findings if not _taken_back(one, turns)]
    return [
        one
        for one in kept
        if not any(_settled_otherwise(one, other) for other in kept)
        and not _reverted(one, records, turns)
    ]


def _taken_back(one: Finding, turns: Sequence[Turn]) -> bool:
    about = set(terms(one.said))
    for number, turn in enumerate(turns[one.turn + 1 :], one.turn + 1):
        if turn.automated or turn.said.role not in {Role.PROMPT, Role.REJECTION}:
            continue
        text = turn.said.text[:600]
        if not _TAKES_BACK.search(text):
            continue
        shared = len(about & set(terms(text)))
        if (number == one.turn + 1 and (_WHOLE.search(text) or shared)) or shared >= 2:
            return True
    return False


def _settled_otherwise(one: Finding, other: Finding) -> bool:
    """Return whether a later finding on the same subject replaces or repeats this one."""
    if other.turn <= one.turn or other is one or not _SETTLES.search(other.said):
        return False
    if replaces(claim(other.title), claim(one.title)):
        return True
    mine, theirs = set(terms(one.title)), set(terms(other.title))
    both_answers = one.origin is other.origin is Origin.ANSWER
    return (
        bool(mine and theirs)
        and len(mine & theirs) / min(len(mine), len(theirs))
        > (_SAME_QUESTION if both_answers else _ALIKE)
        and len(mine & theirs) >= 3
    )


def _reverted(one: Finding, records: Sequence[Record], turns: Sequence[Turn]) -> bool:
    """Return whether the user's next turn led to a git revert or a closed pull request."""
    following = turns[one.turn + 1] if one.turn + 1 < len(turns) else None
    return following is not None and any(
        _REVERTED.search(records[index].command or "") for index in following.body
    )
