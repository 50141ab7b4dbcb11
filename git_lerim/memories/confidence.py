"""The confidence in a memory, based on its origin, evidence and age."""

import math
from collections.abc import Iterable
from datetime import date, datetime

from git_lerim.memories.decay import faded
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.memory import Memory, Origin

# The confidence that files store, by origin: how often readers found such memories true. For MODEL,
# AGENT, RULES and IMPORT these are estimates.
OF_ORIGIN = {
    Origin.HUMAN: 0.9,
    Origin.ANSWER: 0.85,
    Origin.AGENT: 0.75,
    Origin.MODEL: 0.7,
    Origin.REPAIR: 0.7,
    Origin.RULES: 0.65,
    Origin.IMPORT: 0.9,
}
_CONFIRMED, _DOUBTED = 1.1, 0.8


def effective(
    memory: Memory, held_since: datetime | None, now: datetime, *, period_days: int, floor: float
) -> float:
    """Return a memory's confidence at `now`, after fading with age.

    The confidence from `reckoned` fades, but not below `floor`, from the latest of three times:
    when the evidence was written, when the memory was first committed (`held_since`), and when it
    was last used. So a memory of an old session that is imported today starts as fresh as a new
    one.
    """
    starts = [memory.created, *([held_since] if held_since else [])]
    if memory.last_accessed:
        starts.append(
            datetime.combine(
                date.fromisoformat(memory.last_accessed), datetime.min.time(), memory.created.tzinfo
            )
        )
    since = max(starts).timestamp()
    return faded(reckoned(memory), since, now.timestamp(), period_days=period_days, floor=floor)


def reckoned(memory: Memory) -> float:
    """Return a memory's confidence before it fades with age, at most 1.

    It is the stored confidence, changed by the number of sessions and by readers' feedback.
    """
    sessions = len({source.reading for source in memory.sources}) or 1
    agreed = 1 - math.pow(1 - memory.confidence, math.sqrt(sessions))
    return min(agreed * _found(memory.feedback), 1.0)


def _found(rows: Iterable[Feedback]) -> float:
    """Return the factor by which readers' feedback raises or lowers the confidence."""
    factor = 1.0
    rows = tuple(rows)
    if any(row.verdict == "confirmed" for row in rows):
        factor *= _CONFIRMED
    doubts = [
        row
        for row in rows
        if row.verdict == "stale" or (row.verdict == "wrong" and row.by is Voice.AGENT)
    ]
    return factor * math.pow(_DOUBTED, len(doubts))
