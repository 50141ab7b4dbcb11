"""Find private keys, whole or cut off at either end."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import is_random

_BEGIN = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:"
)
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+")
_BODY = re.compile(
    r"(?:\s|\\+[nrt]|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\\"]{0,100}|"
    r"[A-Za-z0-9+/=]{8,}+)*+"
)
_MATERIAL = re.compile(r"[A-Za-z0-9+/]{16}")
# Key material, read backwards from its end: a line of any length, long lines, and one that may be
# cut off.
_MARGIN = r"[\s\\\"',#|]|//(?=\s|\Z)"  # quotes, and marks of a comment
_BODY_REVERSED = re.compile(
    rf"(?:{_MARGIN})*+[A-Za-z0-9+/=]*+(?:{_MARGIN}|[A-Za-z0-9+/=]{{16,}}+)*+"
    r"(?:[A-Za-z0-9+/=]++(?=\n|\Z))?"
)
_RUN = re.compile(r"[A-Za-z0-9+/]+")
_LONGEST_KEY = 20_000


def find_keys(text: str) -> Iterator[Finding]:
    """Find private keys; if one end is cut off, find as much as looks like key material."""
    if not any(mark in text for mark in ("PRIVATE KEY", "PuTTY-User", "Private-MAC")):
        return
    closings = [found.span() for found in _END.finditer(text)]
    whole = list(_from_beginnings(text, [end for _, end in closings]))
    yield from whole
    starts = [key.start for key in whole]
    end = 0
    for closing, closed in closings:
        before = bisect_right(starts, closing) - 1
        end = max(end, whole[before].end if before >= 0 else 0)
        if end <= closing and (start := _material_before(text, end, closing)) is not None:
            yield Finding(start, closed, "private-key")
        end = max(end, closed)


def _material_before(text: str, first: int, closing: int) -> int | None:
    """Return where the key material before the last line of a key starts, or None."""
    first = max(first, closing - _LONGEST_KEY)
    body = _BODY_REVERSED.match(text[first:closing][::-1])
    runs = list(_RUN.finditer(text, closing - len(body[0]), closing)) if body else []
    longest = max(runs, key=lambda run: len(run[0]), default=None)
    return runs[0].start() if longest and len(longest[0]) >= 16 and is_random(longest[0]) else None


def _from_beginnings(text: str, ends: list[int]) -> Iterator[Finding]:
    """Find private keys by their first lines; `ends` lists where the last lines of keys end."""
    end = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < end:
            continue
        after = bisect_right(ends, begin.end())
        if after < len(ends) and ends[after] - begin.end() <= _LONGEST_KEY:
            end = ends[after]
        else:
            body = _BODY.match(text, begin.end())
            end = body.end() if body else begin.end()
        if _MATERIAL.search(text, begin.end(), end):
            yield Finding(begin.start(), end, "private-key")
