"""`git lerim list`: list memories, newest first."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import click

from git_lerim.actions.code.visibility import check_branch, filter_visible, hidden_ids
from git_lerim.actions.listing import as_json as to_json
from git_lerim.actions.listing import (
    cache_plain_list,
    check_agent,
    dropped_memories,
    filter_memories,
    kind_column,
    list_memories,
    redact_memories,
    stale_marks,
    waiting_ids,
)
from git_lerim.actions.placeholders import fill, of_memory
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    as_is,
    at_option,
    data_json,
    format_option,
    heading,
    is_coloured,
    json_option,
    limit_option,
    personal_option,
    say,
    styled,
    takes_no,
    verb,
)
from git_lerim.memories.memory import Kind, Memory, Primitive, Status
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb(paged=True)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include suspect, superseded, archived and hidden memories, and those lerim.trust"
    " withholds.",
)
@click.option(
    "--dropped",
    is_flag=True,
    help="List memories dropped in sync -i; git lerim restore brings one back.",
)
@click.option(
    "--decisions", "primitive", flag_value=Primitive.DECISION.value, help="List only decisions."
)
@click.option(
    "--learnings", "primitive", flag_value=Primitive.LEARNING.value, help="List only learnings."
)
@click.option(
    "--kind", type=click.Choice([k.value for k in Kind]), help="List only learnings of this kind."
)
@click.option("--tag", metavar="TAG", help="List only memories with this tag.")
@click.option("--agent", metavar="AGENT", help="List only memories from this agent's sessions.")
@click.option(
    "--branch",
    metavar="NAME",
    help="List only memories learned on this branch, even if they are hidden on the current one.",
)
@limit_option()
@format_option
@at_option
@personal_option
@json_option
def command(
    *,
    everything: bool,
    dropped: bool,
    primitive: str | None,
    kind: str | None,
    tag: str | None,
    agent: str | None,
    branch: str | None,
    limit: int | None,
    template: str | None,
    at: str | None,
    personal: bool,
    as_json: bool,
) -> None:
    """List memories, newest first."""
    if dropped:
        takes_no("list --dropped", all=everything, at=at)
    if template is not None:
        takes_no("list --format", json=as_json)
    ws = opened(personal=personal)
    check_agent(ws, agent, at)
    snapshot = _snapshot(ws, at, dropped=dropped, everything=everything)
    waiting = (
        {each.path: each.reason for each in ws.store.waiting()} if everything and at is None else {}
    )
    if branch is not None:
        check_branch(ws, branch, ws.store.snapshot(at).memories.values())
    chosen = filter_memories(
        list_memories(snapshot, everything=everything),
        primitive=Primitive(primitive) if primitive else None,
        kind=Kind(kind) if kind else None,
        tag=tag,
        agent=agent,
    )
    away = {} if dropped or at is not None else hidden_ids(ws)
    chosen = filter_visible(chosen, away, branch=branch, everything=everything)
    shown = chosen[:limit]
    items = redact_memories(ws, ws.store.named(shown, at) if everything else shown)
    if as_json:
        _print_json(ws, items, away, waiting)
        return
    if template is not None:
        _print_filled(template, to_json(ws, items), snapshot)
        return
    marks = {} if dropped else stale_marks(ws, items)
    narrowed = any(value is not None for value in (primitive, kind, tag, agent, branch, at))
    aside = _warned_of_repairs(ws)
    if not (everything or dropped or narrowed or limit or aside):
        cache_plain_list(ws, snapshot, items, marks)
    pending = waiting_ids(ws, items)
    _print(items, marks, away, pending, waiting)
    if not items and dropped:
        say("no matching memories" if narrowed else "no dropped memories")
    elif not items:
        held_back = 0 if everything or narrowed else len(ws.store.waiting())
        _say_none(everything=everything, narrowed=narrowed, held_back=held_back)


def _snapshot(ws: Workspace, at: str | None, *, dropped: bool, everything: bool) -> Any:
    if dropped:
        return dropped_memories(ws)
    return ws.store.snapshot(at) if everything else ws.store.served(at)


def _print_filled(template: str, rows: Iterable[Mapping[str, Any]], snapshot: Any) -> None:
    for row in rows:
        as_is(fill(template, of_memory(row, snapshot.memories), coloured=is_coloured()))


def _print_json(
    ws: Workspace, items: Sequence[Any], away: Mapping[str, str], waiting: Mapping[str, str]
) -> None:
    rows = zip(to_json(ws, items), items, strict=True)
    data_json(
        [
            row
            | ({"hidden": True} if item.memory.id in away else {})
            | ({"waiting": waiting[item.path]} if item.path in waiting else {})
            for row, item in rows
        ]
    )


def _warned_of_repairs(ws: Workspace) -> bool:
    """Warn of files that a repair set aside; return whether there are any."""
    aside = ws.store.set_aside()
    for path in aside:
        say(
            f"warning: {ws.store_name} was recreated without its old history, which is in {path};"
            " run git lerim doctor"
        )
    return bool(aside)


def _print(
    items: Sequence[Any],
    marks: Mapping[str, str],
    away: Mapping[str, str],
    pending: Collection[str],
    waiting: Mapping[str, str],
) -> None:
    for item in items:
        memory = item.memory
        state = _state(
            memory,
            away,
            mark=marks.get(item.blob, ""),
            is_pending=memory.id in pending,
            waits=waiting.get(item.path, ""),
        )
        id_, title = heading(memory.id, fg="yellow"), heading(memory.title, bold=True)
        styled(f"{id_}  {memory.created:%Y-%m-%d}  {kind_column(memory)}  {title}{state}")


def _state(
    memory: Memory, away: Mapping[str, str], *, mark: str, is_pending: bool, waits: str
) -> str:
    """Return why a memory is not simply in use, in parentheses."""
    states = []
    if memory.status is not Status.ACTIVE:
        states.append(str(memory.status))
    if memory.id in away:
        states.append(f"hidden: learned on {away[memory.id] or 'a commit that is not in HEAD'}")
    elif mark:
        states.append(mark)
    if is_pending:
        states.append("pending")
    if waits:
        states.append(f"withheld: {waits}")
    return "".join(f"  ({state})" for state in states)


def _say_none(*, everything: bool, narrowed: bool, held_back: int) -> None:
    if held_back:
        say(
            f"all memories are withheld: lerim.trust holds back {counted(held_back, 'file')}; git"
            " lerim status lists them"
        )
        return
    what = "no matching memories" if narrowed else "no memories"
    other = "" if everything else "; --all includes archived ones"
    say(what + other + ("" if narrowed or everything else "; git lerim sync looks for new ones"))
