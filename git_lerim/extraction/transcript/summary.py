"""Summarize a session: what the user wanted, and the outcome."""

import re
from itertools import islice

from git_lerim.extraction.base import Brief
from git_lerim.extraction.transcript.text import blocks, finished, sentences
from git_lerim.extraction.transcript.turns import live_records, turns
from git_lerim.extraction.transcript.user_text import typed
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.checks.noise import noise
from git_lerim.sessions.session import Record, Role, Session

_INTENT = 300  # characters
_OUTCOME = 480
_ENOUGH = 150  # characters of a reply that is enough as the outcome
_LOOKED = 6  # replies to look at
_SAYS_NOTHING = re.compile(
    r"(?:thanks?|thank you|cheers|hi|hello)\b[\w ]{0,12}\W*$|implement the following plan",
    re.IGNORECASE,
)
_PROSE = {"paragraph", "item", "quote"}


def summarise(session: Session) -> Brief | None:
    """Return a session's summary, or None if the session has no request or no answer."""
    records = live_records(session)
    intent = _intent(records)
    outcome = _outcome(records)
    return Brief(intent=intent, outcome=outcome) if intent and outcome else None


def _intent(records: list[Record]) -> str:
    for record in records:
        asks = record.role in {Role.PROMPT, Role.APPROVAL} and len(terms(record.text)) >= 2
        if asks and (said := _said(record)):
            return _first(said, _INTENT)
    return ""


def _said(record: Record) -> list[str]:
    found: list[str] = []
    for block in blocks(typed(record.text[:6000])):
        if block.kind != "quote":
            found += sentences(block.text) if block.kind != "heading" else [block.text]
    return [one for one in found if not _SAYS_NOTHING.match(one)]


def _outcome(records: list[Record]) -> str:
    """Return the last reply that says enough or, failing that, the last that says anything."""
    last = (index for turn in reversed(turns(records)) for index in reversed(turn.replies[-3:]))
    told = list(islice((found for index in last if (found := _told(records[index]))), _LOOKED))
    best = next((found for found in told if sum(map(len, found)) >= _ENOUGH), None)
    return _first(best or told[0], _OUTCOME) if told else ""


def _told(record: Record) -> list[str]:
    prose = (
        one
        for block in blocks(record.text)
        if block.kind in _PROSE
        for one in sentences(block.text)
    )
    kept = [
        one
        for one in prose
        if len(one.split()) >= 4 and not one.endswith(("?", ":")) and not noise(one)
    ]
    return kept if sum(map(len, kept)) >= 40 else []


def _first(found: list[str], room: int) -> str:
    kept: list[str] = []
    for sentence in found:
        if len(kept) == 3 or sum(map(len, kept)) + len(sentence) > room:
            break
        kept.append(finished(sentence))
    return (
        " ".join(kept) if kept else (found[0][: room - 1].rsplit(" ", 1)[0] + "…" if found else "")
    )
