"""Open the workspace of a verb, and tell at its end what was repaired on the way."""

import click

from git_lerim.commands.terminal import say
from git_lerim.workspace import Workspace, open_workspace


def opened(*, personal: bool = False, fallback: bool = False, making: bool = False) -> Workspace:
    """Open the repository that we stand in, or the personal store (see `open_workspace`)."""
    ws = open_workspace(personal=personal, fallback=fallback, making=making)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(lambda: _tell(ws))
    return ws


def _tell(ws: Workspace) -> None:
    for warning in (*ws.settings.refused, *ws.warnings()):
        say(f"warning: {warning}")
