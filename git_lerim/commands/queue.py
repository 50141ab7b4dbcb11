"""`git lerim queue`: show and change the queue of sessions."""

import click

from git_lerim.actions import sessions as action
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.errors import UsageError
from git_lerim.tokens import clip


@verb(paged=True)
@click.argument("words", nargs=-1, metavar="[list|retry [ID...]|skip ID...]")
@personal_option
@json_option
def command(*, words: tuple[str, ...], personal: bool, as_json: bool) -> None:
    """Show the sessions that are queued or failed.

    retry: put failed sessions back into the queue. skip: leave sessions out for good.
    """
    ws = opened(personal=personal, fallback=True)
    match words:
        case () | ("list",):
            rows = action.list_queue(ws)
        case ("retry", *ids):
            rows = action.retry(ws, ids)
        case ("skip", _, *_):
            rows = action.skip(ws, words[1:])
        case _:
            raise UsageError(
                "queue takes list, retry [ID...] or skip ID...", hint="see git lerim queue -h"
            )
    if as_json:
        data_json([row.as_dict() for row in rows])
        return
    for row in rows:
        tried, told = f"tried {row.tried}" if row.tried else "", row.reason or clip(row.title, 60)
        data(f"{row.state:<8} {tried:<8} {row.name}  {told}".rstrip())
    if not rows:
        say("no queued or failed sessions" if words[:1] in ((), ("list",)) else "nothing to do")
