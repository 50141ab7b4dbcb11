"""`git lerim purge`: delete memories from the whole history."""

import click

from git_lerim.actions import purge as action
from git_lerim.actions.sharing.push import Pushed
from git_lerim.commands.ids import any_id_argument
from git_lerim.commands.opening import opened
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
from git_lerim.workspace import Workspace


@verb()
@any_id_argument("ids", "[ID...]", nargs=-1)
@click.option(
    "--push",
    "remote",
    metavar="[REMOTE]",
    is_flag=False,
    flag_value="",
    help="Also replace the branch on the remote; asks again. IDs go before this option.",
)
@personal_option
@yes_option
@json_option
def command(
    *, ids: tuple[str, ...], remote: str | None, personal: bool, yes: bool, as_json: bool
) -> None:
    """Delete memories, in all versions, from the whole history, permanently.

    To archive memories instead, use forget. Sync never adds purged memories again, and clones drop
    them when they merge this history. Other copies of the data are out of reach.
    """
    if not ids and remote is None:
        raise UsageError("purge needs memory IDs", hint="to see all IDs: git lerim list --all")
    ws = opened(personal=personal)
    told: dict[str, object] = {}
    if ids:
        planned = action.plan(ws, ids)
        confirm(_question(ws, planned), yes=yes)
        with ws.locked(10):
            done = action.purge(ws, planned)
        told = action.as_dict(done)
        if not as_json:
            pushed_to = None if remote is None else remote or ws.settings["remote"]
            _tell(ws, done, pushed_to)
    if remote is not None:
        pushed = _pushed(ws, remote, is_alone=not ids, yes=yes)
        told |= {
            "remote": pushed.remote,
            "url": pushed.url,
            "commit": pushed.commit,
            "moved": pushed.moved,
        }
        if not as_json:
            what = "Replaced the history on" if pushed.moved else "Nothing to replace on"
            data(f"{what} {pushed.remote} ({pushed.url}), at {pushed.commit[:10]}")
    if as_json:
        data_json(told)
    else:
        say(
            "not deleted: others' clones, forks and bundles, and old commits and pull requests"
            " cached by your git host. If a secret leaked, revoke it and ask your git host's"
            " support to clear its caches"
        )


def _pushed(ws: Workspace, remote: str, *, is_alone: bool, yes: bool) -> Pushed:
    """Replace the history on a remote. Raises UsageError if there is no remote of that name."""
    try:
        return action.push(ws, remote or None, lambda question: confirm(question, yes=yes))
    except UsageError as error:
        if remote and is_alone:
            hint = f"to purge a memory, too, put its ID before --push; {error.hint}"
            raise UsageError(str(error), hint=hint) from error
        raise


def _question(ws: Workspace, planned: action.Plan) -> str:
    named = "; ".join(f"{id_} {title}".rstrip() for id_, title in planned.named)
    commits = counted(planned.commits, "commit")
    return (
        f"permanently delete {named} from the whole history of {ws.settings['branch']}, rewriting"
        f" {commits}?"
    )


def _tell(ws: Workspace, done: action.Done, pushed_to: str | None) -> None:
    for id_, title in done.plan.named:
        data(f"{id_}  {title}".rstrip())
    say(
        f"Rewrote {counted(done.rewritten, 'commit')} of {ws.settings['branch']}, now at"
        f" {done.commit[:10]}"
    )
    holding = [
        name
        for name in done.holding
        if not (pushed_to and action.is_replaced_by_push(ws, name, pushed_to))
    ]
    if done.kept:
        other = " and those named below" if holding else ""
        say(
            f"{done.kept} still has the old history, with what you deleted; once all is well,"
            f" delete that ref{other}, and git gc will remove the data in time"
        )
    for name in holding:
        way = action.removal_hint(ws, name)
        say(f"{name} still contains the purged text" + (f"; {way}" if way else ""))
    if done.sessions:
        say(
            f"deleted the cached copy of {', '.join(done.sessions)}; the agent's own session file"
            " still contains the text"
        )
    if done.plan.repeating:
        say(
            "these memories may repeat what you purged; check them with git lerim show:"
            f" {', '.join(done.plan.repeating)}"
        )
