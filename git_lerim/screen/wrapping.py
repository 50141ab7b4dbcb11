"""Wrap lines at the width of a terminal, between words."""

import re
import unicodedata
from collections.abc import Iterator

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_RESET = "\x1b[0m"
_RESETS = {_RESET, "\x1b[m"}
_FENCE = "```"
# continuation lines are indented past this: spaces, a list's mark, a time, or a label in its own
# column, such as a setting or an id with its mark
_HANGING = re.compile(
    r"\s*(?:[>~+-] [a-z2-7]{13}  +|[-*+] +|\d{1,3}[.)] +|\d{4}-\d\d-\d\d \d\d:\d\d +|\S{1,26}  +)?"
)


def wrap(text: str, columns: int, hang: int = 0) -> str:
    """Wrap a text so that its lines fit into `columns` columns; code in fences stays as it is.

    `hang` is the width of the label that each line starts with; if it is 0, the label is detected.
    """
    lines, is_code = [], False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith(_FENCE)
        is_code ^= is_fence
        fits = is_code or is_fence or cells(line) <= columns
        lines.append(line if fits else "\n".join(_broken(line, columns, hang)))
    return "\n".join(lines)


def height(text: str, columns: int) -> int:
    """Return how many rows of a terminal a text takes."""
    return sum(max(1, -(-cells(line) // columns)) for line in text.splitlines())


def cells(text: str) -> int:
    """Return how many columns of a terminal a line takes.

    Styles take none, and East Asian characters two.
    """
    bare = _STYLE.sub("", text)
    if bare.isascii():
        return len(bare)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in bare
    )


def _broken(line: str, columns: int, hang: int) -> Iterator[str]:
    """Yield the parts of a wrapped line, each starting and ending the styles in effect."""
    found = _HANGING.match(_STYLE.sub("", line))
    indent = " " * min(hang or (cells(found[0]) if found else 0), columns // 3)
    part, width, style, has_word = "", 0, "", False
    for piece in re.split(r"( +)", line):
        if has_word and piece.strip() and width + cells(piece) > columns:
            yield part.rstrip() + (_RESET if style else "")
            part, width = indent + style, len(indent)
        part, width = part + piece, width + cells(piece)
        has_word = has_word or bool(piece.strip())
        for mark in _STYLE.findall(piece):
            style = "" if mark in _RESETS else style + mark
    yield part.rstrip(" ") if width > columns else part
