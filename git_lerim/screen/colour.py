"""Decide whether output is coloured: by `--color`, then `NO_COLOR`, then `color.ui`."""

import os

from git_lerim.screen import display_settings, terminal_size

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import TextIO

WHEN = ("auto", "always", "never")
_OFF = frozenset({"never", "false", "no", "off", "0"})


def is_coloured(stream: "TextIO", when: str | None = None) -> bool:
    """Return whether to colour output; `when` is the value of `--color`, if it was given."""
    if when in {"always", "never"}:
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    is_shown = terminal_size.is_terminal(stream) and os.environ.get("TERM") != "dumb"
    if when == "auto":
        return is_shown
    if not is_shown and not display_settings.may_force_colours():
        return False  # without running git, because most output is read by programs
    settings = display_settings.read()
    ui = settings.get("color.ui", "auto").casefold()
    if terminal_size.in_pager_of_git() and settings.get("color.pager", "").casefold() in _OFF:
        return False
    return ui == "always" or (is_shown and ui not in _OFF)
