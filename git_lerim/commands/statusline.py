"""`git lerim statusline`: print one short line for an agent's status bar."""

from contextlib import suppress

from git_lerim.actions.statusline import statusline
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, verb
from git_lerim.errors import NotARepository


@verb()
def command() -> None:
    """Print one short line: the number of memories, and what needs attention.

    Prints nothing if there is no memory.
    """
    with suppress(NotARepository):  # a status bar has no room for an error
        if line := statusline(opened()):
            data(line)
