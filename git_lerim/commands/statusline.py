"""`git lerim statusline`: one short line for an agent's status bar."""

from git_lerim.actions.statusline import statusline
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, verb


@verb()
def command() -> None:
    """Print one short line: how many memories there are, and what waits. Nothing where there is no memory."""
    if line := statusline(opened()):
        data(line)
