"""Find the lines of a prompt that their notation marks as copied: a diff, a quotation."""

import re
from collections.abc import Iterator, Sequence
from math import inf

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
_BEGINS_BLOCK = re.compile(r"\s*(?:[-*+•#]|\d{1,2}[.)])\s|\s*$")


def without_copied(lines: Sequence[str]) -> list[str]:
    """Return lines, with those of diffs and quotations replaced by empty lines."""
    copied = zip(_are_in_diff(lines), _are_quoted(lines), strict=True)
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
