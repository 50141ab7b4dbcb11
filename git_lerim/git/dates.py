"""What a person means who names a time: ISO 8601, how long ago, or git's own words; the same wherever one is asked for.

Imports almost nothing: a search takes times, too.
"""

from git_lerim.errors import UsageError

TAKES = "a date or a time such as 2026-02-20 or 2026-02-20T09:30:00Z, how long ago such as 7d or 24h, or '2 weeks ago'"
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_LAST = 253_402_300_799  # of the year 9999, where datetime ends
_LONGEST = 100  # characters
# What git's dates are made of. What holds anything else git would read as "now", or as a part of what was meant.
_WORD = (
    r"(?:ago|yesterday|today|noon|midnight|last|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?"
    r"|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|(?:second|minute|hour|day|week|month|year)s?)"
)
_BESIDE = (
    r"(?:[+-]?\d{1,8}(?::\d\d)*(?:st|nd|rd|th|am|pm)?|am|pm|utc|gmt|z|at|the|and|mon|tue|wed|thu|fri|sat|sun"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_SPACE = r"(?:[\s,.]+|-)"


def asked(option: str, text: str, *, whole: bool = False, now: float | None = None) -> float:
    """Return the time that the value of an option means, as `moment` does. Raises UsageError."""
    try:
        return moment(text, whole=whole, now=now)
    except ValueError as error:
        raise UsageError(f"{option} {text!a} makes no sense", hint=f"it takes {error}") from None


def duration(text: str) -> int | None:
    """Return how many seconds `7d`, `24h`, `30m`, `30s` or `2w` are; None for anything else."""
    number, unit = text[:-1], UNITS.get(text[-1:])
    return int(number) * unit if unit and len(number) <= 6 and number.isascii() and number.isdecimal() else None


def moment(text: str, *, whole: bool = False, now: float | None = None) -> float:
    """Return the time that a text means, in seconds since 1970; of a day or a month its begin, or its end if it is `whole`.

    Raises ValueError. A time without a zone is local. What lies before 1970 means its beginning.
    """
    import time  # noqa: PLC0415 few searches need it

    value = text.strip()
    span = duration(value.lower())
    if span is not None:
        found = (time.time() if now is None else now) - span
    else:
        spelled = _in_iso(value.upper(), whole=whole)
        found = _in_words(value) if spelled is None else spelled
    if found > _LAST:
        raise ValueError(TAKES)
    return max(found, 0)


def _in_iso(value: str, *, whole: bool) -> float | None:
    """Return the time that ISO 8601 means; None for what it is not."""
    from datetime import datetime, timedelta  # noqa: PLC0415 few searches need it

    month = len(value) == len("2026-02")
    try:
        found = datetime.fromisoformat(value + "-01" if month else value)
        if whole and month:
            found = (found + timedelta(days=31)).replace(day=1) - timedelta(milliseconds=1)
        elif whole and len(value) <= len("2026-02-20"):
            found += timedelta(days=1, milliseconds=-1)
    except (ValueError, OverflowError):
        return None
    try:
        return found.timestamp()
    except (ValueError, OverflowError, OSError):  # the year 1 in a zone east of Greenwich; on Windows, all before 1970
        return 0.0


def _in_words(value: str) -> int:
    """Return the time that git's own words mean, as git itself tells."""
    import re  # noqa: PLC0415 few searches need it

    words = rf"{_SPACE}?(?:(?:{_WORD}|{_BESIDE})(?:{_SPACE}|\Z))+"
    plain = len(value) <= _LONGEST and value.isascii() and value.isprintable()
    if not plain or not re.fullmatch(words, value, re.IGNORECASE) or not re.search(rf"\b{_WORD}\b", value, re.IGNORECASE):
        raise ValueError(TAKES)
    import os  # noqa: PLC0415 it is loaded by now

    from git_lerim.git.process import git_line  # noqa: PLC0415 it loads much

    # a setting is the one place that has git read a date wherever it stands, and say so where it is none
    said = git_line([f"--git-dir={os.devnull}", "config", "--type=expiry-date", f"--default={value}", "--get", "no.such.key"])
    if said is None or not said.isdecimal():
        raise ValueError(TAKES)
    return int(said)
