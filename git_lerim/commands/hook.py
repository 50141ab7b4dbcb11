"""`git lerim hook AGENT EVENT`: the command that agents' hooks run.

The fast path in `__main__` answers the call before click is loaded.
"""

import click

from git_lerim.actions.hooks.hook_work import work
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import verb
from git_lerim.errors import NotARepository


@verb()
@click.argument("agent", required=False)
@click.argument("event", required=False)
@click.option(
    "--work",
    "session",
    hidden=True,
    metavar="AGENT/SESSION",
    help="Do what a hook leaves to the background.",
)
@click.option("--ended", is_flag=True, hidden=True)
def command(*, agent: str | None, event: str | None, session: str | None, ended: bool) -> None:
    """Answer a coding agent's hook: read its JSON on stdin, print the context that fits.

    The output is in that agent's form. Installed by git lerim install. Given AGENT and EVENT, it
    always exits 0, and prints nothing where there is nothing to say. In a repository that never
    used git-lerim it does nothing.
    """
    if session is None:
        if agent is None or event is None:
            raise click.UsageError("it takes AGENT and EVENT")
        return
    try:
        ws = opened()
    except NotARepository:
        return
    work(ws, "" if session == "-" else session, ended=ended)
