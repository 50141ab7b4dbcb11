"""Find the lines of a prompt that their notation marks as copied: diffs, quotations, comments."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf

from git_lerim.extraction.transcript.shells import PROSE

_DIFF = re.compile(r"diff --git \S|@@+ -\d+(?:,\d+)? \+\d")
_PART = re.compile(r"@@+ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))?")
_OLD, _NEW = "--- ", "+++ "  # the heads of a diff's files
_IN_DIFF = re.compile(
    r"[-+ \t\\@]|$|diff --git |index [0-9a-f]|(?:new|deleted) file mode |(?:old|new) mode |"
    r"(?:similarity|dissimilarity) index |(?:rename|copy) (?:from|to) |Binary files "
)
_ITEM = re.compile(r"[-*+] \S")
_QUOTED = re.compile(r" {0,3}(?:[A-Z]{2}(?=>))?[>＞](?!=)")  # also `BM> ` with initials
_ENDED = (".", "!", "?", "。", "！", "？")
_COMMENT = re.compile(rf"\s*//[/!]?(?!{PROSE})(?:\s|$)")
_DASHES = re.compile(r"\s*--(?:\s|$)")  # of SQL or Lua; above other text, they may mean a list
_SPANS = tuple(
    (re.compile(begins), re.compile(ends))
    for begins, ends in (
        (r"\s*/\*+(?=\s|$)", r"\*/"),
        (r"\s*[bfru]{0,2}\"{3}", r"\"{3}"),
        (r"\s*[bfru]{0,2}'{3}", r"'{3}"),
    )
)
_BEGINS_BLOCK = re.compile(r"\s*(?:[-*+•#]|\d{1,2}[.)])\s|\s*$")


def without_copied(lines: Sequence[str]) -> list[str]:
    """Return lines, with those of diffs, quotations and comments replaced by empty lines."""
    copied = zip(_are_in_diff(lines), _are_quoted(lines), _are_comments(lines), strict=True)
    return ["" if any(where) else line for line, where in zip(lines, copied, strict=True)]


def _are_in_diff(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it is in a diff; a list after a complete diff is not."""
    inside, left, above = False, inf, ""
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        begins = _DIFF.match(line) or (line.startswith(_OLD) and below.startswith(_NEW))
        is_list = left <= 0 and not above.strip() and _ITEM.match(line)
        inside = bool(begins or (inside and _IN_DIFF.match(line) and not is_list))
        yield inside
        if part := _PART.match(line):
            left = sum(int(size or 1) for size in part.groups())
        else:
            left = inf if begins else left - (1 if line.startswith(("-", "+")) else 2)
        above = line


def _are_quoted(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it is in a quotation.

    As in Markdown, a quotation includes the lines that follow it, up to an empty line or a list.
    But lines after a quoted question or a single quoted line are the user's answer.
    """
    inside, size, above = False, 0, ""
    for line in lines:
        if _QUOTED.match(line):
            inside, size = not line.rstrip().endswith(("?", "？")), size + 1
            yield True
        else:
            continues = line.lstrip()[:1].islower() and not above.rstrip().endswith(_ENDED)
            inside = inside and not _BEGINS_BLOCK.match(line) and (size != 1 or continues)
            size = 0
            yield inside
        above = line


def _are_comments(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it is a comment or docstring of code, or in one."""
    dashes = _only_dashes(lines)
    last = [
        max((n for n, line in enumerate(lines) if e.search(line)), default=0) for _, e in _SPANS
    ]
    closes: re.Pattern[str] | None = None
    for place, line in enumerate(lines):
        inside, start = closes is not None, 0
        for (begins, ends), end in zip(_SPANS, last, strict=True):
            if not inside and place <= end and (opened := begins.match(line)):
                start = opened.end()
                if place < end or ends.search(line, start):
                    closes = ends
        yield closes is not None or place in dashes or _COMMENT.match(line) is not None
        if closes is not None and closes.search(line, start):
            closes = None


def _only_dashes(lines: Sequence[str]) -> set[int]:
    """Return the places of the lines in paragraphs of which all lines begin with `--`."""
    found: set[int] = set()
    for filled, block in groupby(range(len(lines)), key=lambda place: bool(lines[place].strip())):
        places = list(block)
        if filled and all(_DASHES.match(lines[place]) for place in places):
            found.update(places)
    return found
