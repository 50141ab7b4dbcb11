"""`git lerim forget`: archive memories; nothing is deleted."""

from collections.abc import Sequence

import click

from git_lerim.actions import edit_memory
from git_lerim.actions.edit_memory import Changed
from git_lerim.actions.forget_many import Selection, Selector, forget, select
from git_lerim.commands.ids import id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    DATE,
    confirm,
    data_json,
    json_option,
    personal_option,
    say,
    takes_no,
    verb,
    yes_option,
)
from git_lerim.commands.written import print_changed, propose_option, written_options
from git_lerim.errors import UsageError
from git_lerim.memories.memory import Memory
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@id_argument("ids", "[ID...]", nargs=-1)
@click.option("--session", metavar="ID", help="Archive one session's memories and summary.")
@click.option("--run", metavar="ID", help="Archive all memories added by one run.")
@click.option("--agent", metavar="AGENT", help="Archive all memories from this agent's sessions.")
@click.option("--before", metavar="DATE", help=f"Archive only memories from before DATE: {DATE}.")
@click.option("--reason", metavar="TEXT", help="The reason, for the commit message.")
@click.option("--dry-run", is_flag=True, help="Show what would be archived, without archiving it.")
@yes_option
@propose_option
@written_options
@personal_option
@json_option
def command(
    *,
    ids: tuple[str, ...],
    session: str | None,
    run: str | None,
    agent: str | None,
    before: str | None,
    reason: str | None,
    dry_run: bool,
    yes: bool,
    personal: bool,
    as_json: bool,
) -> None:
    """Archive memories, by ID or many at once.

    They stay in git; git lerim restore brings them back. Sync does not add them again.
    """
    by_selector = any(value is not None for value in (session, run, agent))
    if ids:
        takes_no("forget ID", session=session, run=run, agent=agent, before=before)
    elif not by_selector:
        hint = "give IDs, or --session, --run or --agent (with --before to narrow them)"
        raise UsageError("no memories selected", hint=hint)
    ws = opened(personal=personal)
    if ids:
        _forget(ws, ids, reason or "", dry_run=dry_run, as_json=as_json)
        return
    selection = select(ws, Selector(session=session, run=run, agent=agent, before=before))
    _forget_all(ws, selection, reason or "", dry_run=dry_run, yes=yes, as_json=as_json)


def _forget_all(
    ws: Workspace, selection: Selection, reason: str, *, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Archive the selected memories, after asking the user, and report the result."""
    if not as_json:
        _list(ws, selection)
    nothing = not (selection.memories or selection.summaries)
    if not (dry_run or nothing):
        confirm(_question(selection), yes=yes)
    commit = None if dry_run or nothing else forget(ws, selection, reason).commit
    if as_json:
        data_json(
            {
                "ids": [memory.id for memory in selection.memories],
                "summaries": [summary.id for summary in selection.summaries],
                "commit": commit,
            }
        )
    elif nothing:
        say("no matching memories")
    elif dry_run:
        say(f"{_counts(selection)} would be archived")
    else:
        back = f"; to bring them back: git lerim undo {commit[:12]}" if commit else ""
        say(f"Archived {_counts(selection)}{back}")
        if selection.summaries:
            say(
                "git lerim list leaves out summaries; git lerim show ID shows one, and git lerim"
                " restore ID brings it back"
            )


def _forget(
    ws: Workspace, ids: Sequence[str], reason: str, *, dry_run: bool, as_json: bool
) -> None:
    if not dry_run:
        _tell(ws, edit_memory.forget(ws, ids, reason), as_json=as_json)
        return
    memories = edit_memory.would_forget(ws, ids)
    if not as_json:
        print_changed(ws, memories)
    _tell_nothing(memories, dry_run=True, as_json=as_json)


def _list(ws: Workspace, selection: Selection) -> None:
    print_changed(ws, selection.memories)
    print_changed(ws, selection.summaries, "session summary: ")
    for id_, why in selection.left:
        say(f"skipped {id_}: it {why}")


def _question(selection: Selection) -> str:
    edited = sum(memory.edited is not None for memory in selection.memories)
    more = f" ({edited} of them edited or restored by a person)" if edited else ""
    return f"archive {_counts(selection)}{more}?"


def _counts(selection: Selection) -> str:
    sorts = ((selection.memories, "memory"), (selection.summaries, "session summary"))
    return " and ".join(counted(len(found), noun) for found, noun in sorts if found)


def _tell_nothing(memories: Sequence[Memory], *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        data_json({"ids": [memory.id for memory in memories], "commit": None})
    elif not memories:
        say("no matching memories")
    elif dry_run:
        say(f"{counted(len(memories), 'memory')} would be archived")


def _tell(ws: Workspace, changed: Changed, *, as_json: bool) -> None:
    if as_json:
        data_json({"ids": [memory.id for memory in changed.memories], "commit": changed.commit})
        return
    print_changed(ws, changed.memories)
    if changed.commit is None:
        say("nothing changed: already archived")
    if changed.redactions:
        say(f"redacted {counted(changed.redactions, 'secret')} in the reason")
