"""How confidence fades while nobody looks at a memory."""

from datetime import date, datetime

from git_lerim.memories.memory import Memory


def effective(memory: Memory, held_since: datetime | None, now: datetime, *, period_days: int, floor: float) -> float:
    """Return the confidence of today: `max(floor, confidence × (1 − min(days / period, 1)))`.

    The clock starts at the latest of the evidence, the commit that first held the memory, and the last access, so that
    old sessions that are imported today are as fresh as new ones.
    """
    starts = [memory.created, *([held_since] if held_since else [])]
    if memory.last_accessed:
        starts.append(datetime.combine(date.fromisoformat(memory.last_accessed), datetime.min.time(), memory.created.tzinfo))
    days = max((now - max(starts)).total_seconds() / 86400, 0.0)
    return round(max(floor, memory.confidence * (1 - min(days / period_days, 1))), 4)
