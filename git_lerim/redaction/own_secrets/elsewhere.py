"""Redact secrets that were found in a text and that recur in names, such as branch names."""

import re
from collections.abc import Iterable

from git_lerim.redaction.finding import MARKER, Finding
from git_lerim.redaction.views.plain_view import without_invisible

SHORTEST = 6  # characters of the shortest value blanked in names

Values = dict[str, str]  # rules by value in lower case


def values_of(text: str, findings: Iterable[Finding]) -> Values:
    """Map each secret value found in a text, unless it is short, to the rule that found it."""
    found = {
        without_invisible(text[each.start : each.end]).strip("\"'`").casefold(): each.rule
        for each in findings
    }
    return {value: rule for value, rule in found.items() if len(value) >= SHORTEST}


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
