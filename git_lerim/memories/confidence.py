"""How far a memory can be believed: by its origin, and by what is known of it when it is read."""

import math
from collections.abc import Iterable
from datetime import date, datetime

from git_lerim.memories.decay import faded
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.memory import Memory, Origin

# How often readers found memories of an origin true; what a file holds. Of a model, an agent and an
# import these are estimates.
OF_ORIGIN = {
    Origin.HUMAN: 0.9,
    Origin.ANSWER: 0.85,
    Origin.AGENT: 0.75,
    Origin.MODEL: 0.7,
    Origin.REPAIR: 0.7,
    Origin.RULES: 0.5,
    Origin.IMPORT: 0.9,
}
_CONFIRMED, _DOUBTED = 1.1, 0.8


def effective(
    memory: Memory, held_since: datetime | None, now: datetime, *, period_days: int, floor: float
) -> float:
    """Return the confidence of today, from `floor` to 1: that of the origin, with what sessions and
    readers add, faded by time.

    The clock starts at the latest of the evidence, the commit that first held the memory, and the
    last access, so that old sessions that are imported today are as fresh as new ones.
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
    """Return the confidence without regard to time, at most 1: more for each independent session,
    and as readers have found.
    """
    sessions = len({(source.agent, source.session) for source in memory.sources}) or 1
    agreed = 1 - math.pow(1 - memory.confidence, math.sqrt(sessions))
    return min(agreed * _found(memory.feedback), 1.0)


def _found(rows: Iterable[Feedback]) -> float:
    """Return by how much readers raise or lower it; each counts once for each verdict, however
    often they repeat it.
    """
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
