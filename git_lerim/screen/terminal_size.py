"""Find out whether a stream is a terminal, and how large the terminal is."""

import os

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import TextIO

COLUMNS, ROWS = 80, 24  # assumed if the size of the terminal is unknown


def is_terminal(stream: "TextIO") -> bool:
    """Return whether a person reads a stream: on a terminal, or in a pager that git started."""
    return stream.isatty() or in_pager_of_git()


def in_pager_of_git() -> bool:
    """Return whether git itself pages this program's output, as `git -p lerim list` does."""
    return os.environ.get("GIT_PAGER_IN_USE", "") in {"1", "true"}


def columns(stream: "TextIO") -> int:
    """Return the width of the terminal behind a stream, in columns."""
    told = os.environ.get("COLUMNS", "")  # git sets it for commands whose output it pages
    if told.isascii() and told.isdecimal() and int(told[:6]):
        return int(told[:6])
    return _size(stream)[0] or COLUMNS


def rows(stream: "TextIO") -> int:
    """Return the height of the terminal behind a stream, in rows."""
    return _size(stream)[1] or ROWS


def _size(stream: "TextIO") -> tuple[int, int]:
    try:
        return tuple(os.get_terminal_size(stream.fileno()))  # type: ignore[return-value]  # two
    except (OSError, ValueError):  # no terminal, or no file at all
        return 0, 0
