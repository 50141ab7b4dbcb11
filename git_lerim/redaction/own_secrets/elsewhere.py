"""Redact secrets that were found in a text and that recur, in names or in other texts."""

import re
from collections.abc import Iterable

from git_lerim.redaction.finding import MARKER, Finding
from git_lerim.redaction.value_shape import has_digit, is_numbered
from git_lerim.redaction.views.plain_view import without_invisible

SHORTEST = 6  # characters of the shortest value blanked in names
_IN_TEXT = 8  # the same, in texts
_MOST = 100  # values that are looked for in texts; real sessions have far fewer

Values = dict[str, str]  # rules by value in lower case


def values_of(text: str, findings: Iterable[Finding]) -> Values:
    """Map each secret value found in a text, unless it is short, to the rule that found it."""
    found = {
        without_invisible(text[each.start : each.end]).strip("\"'`").casefold(): each.rule
        for each in findings
    }
    return {value: rule for value, rule in found.items() if len(value) >= SHORTEST}


def certain(values: Values) -> Values:
    """Return the values that are no words, so that they can be redacted in any text.

    The longest come first. If there are very many, only the first of these are returned.
    """
    long = (v for v in values if len(v) >= _IN_TEXT and has_digit(v) and not is_numbered(v))
    return {value: values[value] for value in sorted(long, key=len, reverse=True)[:_MOST]}


def without_known(text: str, values: Values) -> tuple[str, int]:
    """Return a text with the `certain` values redacted, except inside longer words."""
    count, folded = 0, text.casefold()
    for value, rule in values.items():
        if value in folded:
            whole = rf"(?<!\w){re.escape(value)}(?!\w)"
            text, times = re.subn(whole, f"{MARKER}{rule}]", text, flags=re.IGNORECASE)
            count += times
    return text, count


def without(name: str, values: Values) -> tuple[str, int]:
    """Return a name with secret values redacted, and how often they occurred in it."""
    count = 0
    for value in sorted(values, key=len, reverse=True):
        if value in name.casefold():
            name, times = re.subn(
                re.escape(value), f"{MARKER}{values[value]}]", name, flags=re.IGNORECASE
            )
            count += times
    return name, count
