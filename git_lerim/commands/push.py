"""`git lerim push`: share the memory."""

import click

from git_lerim.actions.sharing import propose
from git_lerim.actions.sharing.autopush import run
from git_lerim.actions.sharing.push import push
from git_lerim.commands.opening import opened
from git_lerim.commands.pull import tell
from git_lerim.commands.pull import to_json as pulled_json
from git_lerim.commands.terminal import (
    confirm,
    data,
    data_json,
    json_option,
    personal_option,
    say,
    verb,
    yes_option,
)
from git_lerim.errors import UsageError
from git_lerim.tokens import counted


@verb()
@click.argument("remote", required=False)
@personal_option
@yes_option
@click.option(
    "--background",
    is_flag=True,
    help="Ask and say nothing, and go only to lerim.remote, if that was agreed to before.",
)
@json_option
def command(
    *, remote: str | None, personal: bool, yes: bool, background: bool, as_json: bool
) -> None:
    """Join the memory of a REMOTE (lerim.remote, origin by default) with yours and push it.

    It asks before the first time. All that would leave is scanned for secrets once more; one that
    is found stops the push.
    """
    if background and remote is not None:
        raise UsageError(
            "a background push goes only to lerim.remote",
            hint="git lerim push REMOTE waits for it",
        )
    ws = opened(personal=personal)
    if background:
        run(ws)
        return
    before = propose.fetched_proposals(ws, remote)
    pushed = push(ws, remote, lambda question: confirm(question, yes=yes))
    proposed = propose.new_proposals(ws, remote, before)
    own, pending = propose.pending(ws)
    if as_json:
        told = {
            "remote": pushed.remote,
            "url": pushed.url,
            "commit": pushed.commit,
            "moved": pushed.moved,
        }
        data_json(
            told
            | {
                "proposal": own,
                "pending": pending,
                "pulled": pulled_json(pushed.pulled, proposed),
            }
        )
        return
    tell(pushed.pulled, proposed)
    data(
        f"{'pushed to' if pushed.moved else 'nothing to push to'} {pushed.remote} ({pushed.url}),"
        f" at {pushed.commit[:10]}"
    )
    if pending:
        ways = (
            f"git lerim review --open publishes that, git lerim review accept {own} takes it into"
            " the memory here"
        )
        say(f"not pushed, because it waits for review: {counted(pending, 'file')} on {own}; {ways}")
