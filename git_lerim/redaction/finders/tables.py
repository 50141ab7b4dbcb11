"""Find values in the column below a name, in Markdown tables, CSV and the like."""

import re
from collections.abc import Iterator

from git_lerim.redaction.secret_names import is_secret

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_DELIMITERS = "|,;\t"
_AROUND = " *_`\"'\\"  # decoration around the text of a cell
_IN_NAME = re.compile(r"[\w *`\"'\\./-]*")
_WIDEST = 40
_RULE = re.compile(r"[ \t|:+-]{3,400}\Z")
_CODE = re.compile(r"[<>(){}]")
_QUOTE = re.compile(r"[\"\\]")
_ROWS = 50
_LONGEST_ROW = 1000


def _line(text: str, at: int) -> tuple[int, int]:
    start = text.rfind("\n", max(0, at - _LONGEST_ROW), at) + 1
    end = text.find("\n", at, start + 2 * _LONGEST_ROW)
    return start, end if end >= 0 else min(len(text), start + 2 * _LONGEST_ROW)


def _in_name(text: str) -> int:
    """Return the length of the name that a text begins with."""
    name = _IN_NAME.match(text)
    return name.end() if name else 0


def _delimiter(text: str, start: int, end: int, floor: int) -> str | None:
    """Return the delimiter on both sides of a name, or None if the name does not fill a cell."""
    left, right = text[max(floor, start - _WIDEST) : start], text[end : end + _WIDEST]
    start -= _in_name(left[::-1])
    end += _in_name(right)
    before, after = text[start - 1 : start] if start > floor else "\n", text[end : end + 1] or "\n"
    sides = {side for side in (before, after) if side != "\n"}
    return sides.pop() if len(sides) == 1 and sides <= set(_DELIMITERS) else None


def find_below(text: str, name: str, start: int, end: int) -> Iterator[Judged]:
    """Yield the values below a name that is the head of a column."""
    first, last = _line(text, start)
    delimiter = _delimiter(text, start, end, first)
    if (
        delimiter is None
        or last - first > _LONGEST_ROW
        or delimiter not in text[first:last].strip().rstrip(delimiter)
    ):
        return
    column, columns = text.count(delimiter, first, start), text.count(delimiter, first, last)
    for _ in range(_ROWS):
        first, last = last + 1, text.find("\n", last + 1, last + 1 + _LONGEST_ROW)
        last = last if last >= 0 else len(text)
        if (
            first >= len(text)
            or last - first > _LONGEST_ROW
            or text.count(delimiter, first, last) != columns
        ):
            return
        if not _RULE.match(text, first, last):
            yield from _cell(text, name, (first, last), delimiter, column)


def _cell(
    text: str, name: str, row: tuple[int, int], delimiter: str, column: int
) -> Iterator[Judged]:
    first, last = row
    for _ in range(column):
        first = text.index(delimiter, first, last) + 1
    end = text.find(delimiter, first, last)
    end = end if end >= 0 else last
    while first < end and text[first] in _AROUND:
        first += 1
    while end > first and text[end - 1] in _AROUND + "\r":
        end -= 1
    if quote := _QUOTE.search(text, first, end):  # the table is inside a string
        end = quote.start()
    if end > first and not _CODE.search(text, first, end):
        yield first, end, is_secret(name, text[first:end], quoted=False)
