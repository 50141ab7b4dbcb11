"""Find the lines of a prompt that their notation marks as copied: a diff, a quotation."""

import re
from collections.abc import Sequence

_DIFF = re.compile(r"diff --git \S|@@+ -\d+(?:,\d+)? \+\d")
_OLD, _NEW = "--- ", "+++ "  # the heads of a diff's files
_IN_DIFF = re.compile(
    r"[-+ \t\\@]|$|diff --git |index [0-9a-f]|(?:new|deleted) file mode |(?:old|new) mode |"
    r"(?:similarity|dissimilarity) index |(?:rename|copy) (?:from|to) |Binary files "
)
_QUOTED = re.compile(r" {0,3}>(?![=\d])")  # `>= 3.11` is no quotation
_BEGINS_BLOCK = re.compile(r"\s*(?:[-*+•#]|\d{1,2}[.)])\s|\s*$")


def without_copied(lines: Sequence[str]) -> list[str]:
    """Return lines with those of diffs and quotations empty.

    As in Markdown, a quotation goes on in the lines below it, up to an empty line or a list; but
    below a quoted question stands the user's answer.
    """
    kept: list[str] = []
    in_diff = in_quotation = False
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        begins = _DIFF.match(line) or (line.startswith(_OLD) and below.startswith(_NEW))
        in_diff = bool(begins or (in_diff and _IN_DIFF.match(line)))
        is_quoted = _QUOTED.match(line) is not None
        goes_on = is_quoted or (in_quotation and not _BEGINS_BLOCK.match(line))
        in_quotation = goes_on and not (is_quoted and line.rstrip().endswith(("?", "？")))
        kept.append("" if in_diff or goes_on else line)
    return kept
