"""How confidence fades with time. Imports nothing: a search runs before anything else is loaded."""

DAY = 86400  # seconds


def faded(confidence: float, since: float, now: float, *, period_days: int, floor: float) -> float:
    """Return what is left of a confidence, from `floor` to 1, at a time and after a start, both in
    seconds.
    """
    days = max((now - since) / DAY, 0.0)
    return round(max(floor, confidence * (1 - min(days / period_days, 1))), 4)
