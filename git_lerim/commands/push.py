"""`git lerim push`: share the memory."""

import click

from git_lerim.actions.sharing import propose
from git_lerim.actions.sharing.autopush import run
from git_lerim.actions.sharing.connecting import agree_to_connect
from git_lerim.actions.sharing.push import push
from git_lerim.actions.sharing.push_preview import Preview, preview
from git_lerim.actions.sharing.sent import Item, notes
from git_lerim.commands.opening import opened
from git_lerim.commands.pull import tell, tell_deleted
from git_lerim.commands.pull import to_json as pulled_json
from git_lerim.commands.terminal import (
    confirm,
    data,
    data_json,
    json_option,
    personal_option,
    say,
    takes_no,
    verb,
    yes_option,
)
from git_lerim.errors import UsageError
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@click.argument("remote", required=False)
@personal_option
@yes_option
@click.option(
    "--dry-run", is_flag=True, help="Show what would be pushed and where; push and merge nothing."
)
@click.option(
    "--background",
    is_flag=True,
    help="Run silently; push only to lerim.remote, and only if that was approved before.",
)
@json_option
def command(
    *,
    remote: str | None,
    personal: bool,
    yes: bool,
    dry_run: bool,
    background: bool,
    as_json: bool,
) -> None:
    """Merge the memory of REMOTE (default: lerim.remote, or origin) into yours, then push.

    Asks before the first push to a remote. Scans everything to be pushed for secrets again, and
    stops if it finds one.
    """
    if background and remote is not None:
        raise UsageError(
            "a background push goes only to lerim.remote",
            hint="leave out --background to push to another remote",
        )
    if dry_run:
        takes_no("push --dry-run", background=background)
    ws = opened(personal=personal)
    if not background:  # which needs the consent to push
        agree_to_connect(ws, lambda question: confirm(question, yes=yes))
    if dry_run:
        _print_preview(preview(ws, remote), as_json=as_json)
        return
    if background:
        run(ws)
        return
    _push(ws, remote, yes=yes, as_json=as_json)


def _push(ws: Workspace, remote: str | None, *, yes: bool, as_json: bool) -> None:
    before = propose.fetched_proposals(ws, remote)
    pushed = push(ws, remote, lambda question: confirm(question, yes=yes))
    proposed, unread = propose.new_proposals(ws, remote, before)
    own, pending = propose.pending(ws)
    if as_json:
        data_json(
            {
                "remote": pushed.remote,
                "url": pushed.url,
                "commit": pushed.commit,
                "moved": pushed.moved,
                "proposal": own,
                "pending": pending,
                "pulled": pulled_json(pushed.pulled, proposed),
            }
        )
        return
    tell(pushed.pulled, proposed, unread)
    tell_deleted(ws, pushed.pulled)
    data(
        f"{'Pushed to' if pushed.moved else 'Nothing to push to'} {pushed.remote} ({pushed.url}),"
        f" at {pushed.commit[:10]}"
    )
    if own and pending:
        _say_pending(ws, own, counted(pending, "file"))


def _say_pending(ws: Workspace, own: str, files: str) -> None:
    """Say what waits for review in the user's own proposal, and whether it is published."""
    remote, is_current = propose.published(ws, own)
    if remote and is_current:
        say(f"your proposal {own}, with {files}, is published on {remote}, waiting to be accepted")
        return
    state = f"published on {remote} in an older version" if remote else "not published"
    what = "update" if remote else "publish"
    say(
        f"your proposal {own}, with {files} waiting for review, is {state}; to {what} it: git lerim"
        f" review --open; to accept it here: git lerim review accept {own}"
    )


def _print_preview(would: Preview, *, as_json: bool) -> None:
    if as_json:
        data_json(_as_json(would))
        return
    where = f"{would.remote} ({would.url})"
    if not would.commits:
        data(f"nothing to push to {where}")
    else:
        what = would.sent.counts or counted(0, "memory")
        data(f"would push {what} in {counted(would.commits, 'commit')} to {where}")
    for item in would.sent.items:
        data(f"  {item.id}  {item.title}{_apart(item)}")
    if told := notes(would.sent):
        data(told.rstrip("\n"))
    if would.joins:
        say("would first merge the remote's memory")
    if would.asks and would.commits:
        say("would ask for confirmation, because nothing was pushed there yet")
    if would.lost:
        say(f"would ask for confirmation, because {would.lost}")
    if would.restored:
        say(f"would ask for confirmation, because these memories are {would.listing}")


def _apart(item: Item) -> str:
    said = [
        *(["archived"] if item.is_archived else []),
        *(["with earlier versions"] if item.has_earlier else []),
    ]
    return f"  ({', '.join(said)})" if said else ""


def _as_json(would: Preview) -> dict[str, object]:
    listed = {
        key: [{"id": item.id, "title": item.title} for item in would.sent.of(noun)]
        for key, noun in (
            ("memories", "memory"),
            ("summaries", "session summary"),
            ("handoffs", "handoff"),
        )
    }
    return {
        "remote": would.remote,
        "url": would.url,
        "commits": would.commits,
        **listed,
        "quoting": [{"id": item.id, "quote": item.quote} for item in would.sent.quoting],
        "archived": [item.id for item in would.sent.archived],
        "earlier": [item.id for item in would.sent.earlier],
        "joins": would.joins,
        "asks": would.asks or bool(would.lost or would.restored),
        "lost": would.lost or None,
        "restored": list(would.restored),
    }
