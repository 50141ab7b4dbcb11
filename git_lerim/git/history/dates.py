"""Parse a time given by the user: ISO 8601, an age such as 7d, or git's own date words.

This module imports almost nothing, because the fast path of `git lerim search` uses it, too.
"""

from git_lerim.errors import UsageError

TAKES = (
    "a date or time such as 2026-02-20 or 2026-02-20T09:30:00Z, an age such as 7d or 24h, or '2"
    " weeks ago'"
)
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_SPANS = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 7 * 86400,
    "month": 30 * 86400,
    "year": 365 * 86400,
}
_LAST = 253_402_300_799  # the last second of the year 9999, where datetime ends
_LONGEST = 100  # characters
# The words of git's dates: at any other word, git would ignore part of the text or return the
# current time.
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WORD = rf"(?:ago|yesterday|today|noon|midnight|last|{_WEEKDAY}|{_MONTH}|(?:{'|'.join(_SPANS)})s?)"
_BESIDE = (
    r"(?:[+-]?\d{1,8}(?::\d\d)*(?:st|nd|rd|th|am|pm)?|am|pm|utc|gmt|z|at|the|and|mon|tue|wed|thu|"
    r"fri|sat|sun|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_SPACE = r"(?:[\s,.]+|-)"
_DAY = (
    rf"(?:(?:yesterday|today|last|{_WEEKDAY}|{_MONTH}|the|mon|tue|wed|thu|fri|sat|sun|\d+(?:st|nd|"
    rf"rd|th)?)(?:{_SPACE}|\Z))+"
)


def of_commit(seconds: str | None) -> int:
    """Return a commit's time in seconds, limited to the years 1970 to 9999.

    `seconds` is git's output; git accepts any number.
    """
    return min(max(int(seconds or 0), 0), _LAST)


def parse_option(option: str, text: str, *, whole: bool = False, now: float | None = None) -> float:
    """Return the time that an option's value means; see `parse_time`. Raises UsageError."""
    try:
        return parse_time(text, whole=whole, now=now)
    except ValueError as error:
        raise UsageError(f"invalid {option} {text!a}", hint=f"expected {error}") from None


def parse_duration(text: str) -> int | None:
    """Return the seconds in a duration such as `7d`, `24h`, `30m`, `30s` or `2w`, else None."""
    number, unit = text[:-1], _UNITS.get(text[-1:])
    return (
        int(number) * unit
        if unit and len(number) <= 6 and number.isascii() and number.isdecimal()
        else None
    )


def parse_time(text: str, *, whole: bool = False, now: float | None = None) -> float:
    """Return the time that a text means, in seconds since 1970.

    It is limited to the years 1970 to 9999. A day, week, month or year means its start, or with
    `whole` its end. A time without a zone is local. Raises ValueError.
    """
    import time  # noqa: PLC0415 few searches need it

    value = text.strip()
    span = parse_duration(value.lower())
    if span is not None:
        found = (time.time() if now is None else now) - span
    else:
        spelled = _in_iso(value.upper(), whole=whole)
        found = _in_words(value, whole=whole) if spelled is None else spelled
    return min(max(found, 0), _LAST)


def _in_iso(value: str, *, whole: bool) -> float | None:
    """Return the time of an ISO 8601 text, or None if it is not one."""
    from datetime import datetime, timedelta  # noqa: PLC0415 few searches need it

    week, year = value[-3:-2] == "W", len(value) == len("2026")
    month = len(value) == len("2026-02") and not week
    try:
        found = datetime.fromisoformat(f"{value}{'-01-01' if year else '-01' if month else ''}")
    except ValueError:
        return None
    longest = 366 if year else 31 if month else 7 if week else 1
    days = longest if whole and len(value) <= len("2026-02-20") else 0
    try:
        end = found + timedelta(days)
        if month or year:
            end = end.replace(day=1)
        return end.timestamp() - (0.001 if days else 0)
    # outside the years 1 to 9999, locally or in UTC; on Windows, before 1970
    except (
        ValueError,
        OverflowError,
        OSError,
    ):
        return 0 if found.year <= 1970 else _LAST


def _in_words(value: str, *, whole: bool) -> float:
    """Return the time that git's date words mean. Raises ValueError.

    Words that name a day mean its start, or with `whole` its end.
    """
    import re  # noqa: PLC0415 few searches need it

    def has(words: str) -> bool:
        return bool(re.search(rf"\b(?:{words})\b", value, re.IGNORECASE))

    words = rf"{_SPACE}?(?:(?:{_WORD}|{_BESIDE})(?:{_SPACE}|\Z))+"
    plain = len(value) <= _LONGEST and value.isascii() and value.isprintable()
    alone = has(_WEEKDAY) and not has(f"last|{_MONTH}")  # git ignores a lone weekday
    if not plain or not re.fullmatch(words, value, re.IGNORECASE) or not has(_WORD) or alone:
        raise ValueError(TAKES)
    import time  # noqa: PLC0415 few searches need it

    # not every git knows `today` without a time
    seconds = _as_git_reads(re.sub("^today$", "0 days ago", value, flags=re.IGNORECASE))
    counted = re.findall(rf"(\d+){_SPACE}({'|'.join(_SPANS)})", value.lower())
    span = sum(int(number) * _SPANS[unit] for number, unit in counted)
    if seconds > _LAST or span > time.time():
        return 0  # git wraps around before 1970
    if not re.fullmatch(_DAY, value, re.IGNORECASE):
        return seconds
    return _in_iso(time.strftime("%Y-%m-%d", time.localtime(seconds)), whole=whole) or 0


def _as_git_reads(value: str) -> int:
    """Return the time that git reads from a text. Raises ValueError."""
    import os  # noqa: PLC0415 it is loaded by now

    from git_lerim.git.running.process import git_line  # noqa: PLC0415 it loads much

    # config is git's only command that parses a date in any folder, and rejects other text
    config = ("config", "--type=expiry-date", f"--default={value}", "--get", "no.such.key")
    seconds = git_line([f"--git-dir={os.devnull}", *config])
    if seconds is None or not seconds.isdecimal():
        raise ValueError(TAKES)
    return int(seconds)
