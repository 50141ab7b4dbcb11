"""Findings of secrets, and the markers that replace them."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

MARKER = "[REDACTED:"
PLACED = re.compile(r"\[REDACTED:[\w.-]{1,80}\]")
_JSON_KEY = re.compile(r'(\\*")\s*:\s*(?:\[\s*)?\Z')
_AFTER_JSON = frozenset(",}] \t\r\n")
_JSON_NEXT = re.compile(r"\s*[,}\]]")


class Finding(NamedTuple):
    """The span of a secret, and the rule that matched; never the secret itself."""

    start: int
    end: int
    rule: str


def union(findings: Iterable[Finding]) -> list[Finding]:
    """Join overlapping findings, with the rule of the longest, and sort them by position."""
    joined: list[Finding] = []
    for found in sorted(findings):
        last = joined[-1] if joined else None
        if last is None or found.start >= last.end:
            joined.append(found)
            continue
        longer = found if found.end - found.start > last.end - last.start else last
        joined[-1] = Finding(last.start, max(last.end, found.end), longer.rule)
    return joined


def _marker(text: str, found: Finding) -> str:
    marker = f"{MARKER}{found.rule}]"
    if text[found.end : found.end + 1] not in _AFTER_JSON:
        return marker
    # a bare value in JSON becomes a string
    key = _JSON_KEY.search(text, max(0, found.start - 16), found.start)
    return f"{key[1]}{marker}{key[1]}" if key and _JSON_NEXT.match(text, found.end) else marker


def blank(text: str, findings: list[Finding]) -> tuple[str, list[tuple[int, int]]]:
    """Replace findings with markers; return the new text and the spans of the markers."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    at = length = 0
    for found in findings:
        marker = _marker(text, found)
        length += found.start - at
        places.append((length, length + len(marker)))
        parts += (text[at : found.start], marker)
        at, length = found.end, length + len(marker)
    return "".join((*parts, text[at:])), places


def trace_back(found: Finding, findings: list[Finding], places: list[tuple[int, int]]) -> Finding:
    """Map a finding in a blanked text back to the original text.

    A finding that touches a marker is extended to cover the whole secret that the marker replaced.
    """
    ends = [0, 0]
    for side, position in enumerate((found.start, found.end)):
        index = bisect_right(places, (position - side, 1 << 62)) - 1
        if index < 0:
            ends[side] = position
        elif position - side < places[index][1]:
            ends[side] = findings[index].end if side else findings[index].start
        else:
            ends[side] = position - places[index][1] + findings[index].end
    return Finding(ends[0], ends[1], found.rule)
