"""The decay of confidence; without imports, since fast paths use it."""

DAY = 86400  # seconds


def faded(confidence: float, since: float, now: float, *, period_days: int, floor: float) -> float:
    """Return the decayed confidence, from `floor` to 1, at a time after a start, in seconds."""
    days = max((now - since) / DAY, 0.0)
    return round(max(floor, confidence * (1 - min(days / period_days, 1))), 4)
