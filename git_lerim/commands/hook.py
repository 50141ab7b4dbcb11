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
    help="Run the background part of a hook.",
)
@click.option("--ended", is_flag=True, hidden=True)
def command(*, agent: str | None, event: str | None, session: str | None, ended: bool) -> None:
    """Answer a coding agent's hook: read its JSON from stdin, print matching context.

    Set up by git lerim install. The output has the format that the agent expects. Given AGENT and
    EVENT, it always exits with 0, and prints nothing if nothing matches. It does nothing in
    repositories without git-lerim.
    """
    if session is None:
        if agent is None or event is None:
            raise click.UsageError("hook takes AGENT and EVENT")
        return
    try:
        ws = opened()
    except NotARepository:
        return
    work(ws, "" if session == "-" else session, ended=ended)
