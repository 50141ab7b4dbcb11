"""The decay of confidence with age; this module has no imports, since fast paths use it."""

DAY = 86400  # seconds


def faded(confidence: float, since: float, now: float, *, period_days: int, floor: float) -> float:
    """Return the confidence at `now`, faded since `since` (in seconds), but not below `floor`."""
    days = max((now - since) / DAY, 0.0)
    return round(max(floor, confidence * (1 - min(days / period_days, 1))), 4)
