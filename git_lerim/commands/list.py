"""`git lerim list`: list memories, newest first."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from git_lerim.actions.code.visibility import check_branch, filter_visible, hidden_ids
from git_lerim.actions.judged import MARK, marked, sharer
from git_lerim.actions.listing import as_json as to_json
from git_lerim.actions.listing import (
    cache_plain_list,
    check_agent,
    dropped_memories,
    filter_memories,
    kind_column,
    list_memories,
    redact_memories,
    state_marks,
    too_early,
    waiting_ids,
)
from git_lerim.actions.mistrust import doubts, for_reader
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
from git_lerim.memories.authors import agents_note
from git_lerim.memories.memory import Kind, Memory, Primitive, Status
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options of `git lerim list`."""

    everything: bool
    dropped: bool
    primitives: tuple[str, ...]
    kind: str | None
    tag: str | None
    agent: str | None
    branch: str | None
    limit: int | None
    at: str | None

    def is_narrow(self) -> bool:
        """Return whether the options select only some of the memories."""
        filters = (self.kind, self.tag, self.agent, self.branch, self.at)
        return bool(self.primitives) or any(value is not None for value in filters)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """The memories to list, redacted, with the reasons why some are not in use."""

    snapshot: Any
    items: Sequence[Any]
    away: Mapping[str, str]  # the branch each hidden memory was learned on, by id
    waiting: Mapping[str, str]  # why memories are withheld, by path
    doubts: Mapping[str, str]  # why their text is not trusted, by path


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
    "--decisions",
    "primitives",
    flag_value=Primitive.DECISION.value,
    multiple=True,
    help="List only decisions.",
)
@click.option(
    "--learnings",
    "primitives",
    flag_value=Primitive.LEARNING.value,
    multiple=True,
    help="List only learnings.",
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
def command(*, template: str | None, personal: bool, as_json: bool, **options: Any) -> None:
    """List memories, newest first."""
    asked = _Asked(**options)
    if asked.dropped:
        takes_no("list --dropped", all=asked.everything, at=asked.at)
    if template is not None:
        takes_no("list --format", json=as_json)
    ws = opened(personal=personal, fallback=True)
    check_agent(ws, asked.agent, asked.at)
    listed = _listed(ws, asked)
    if as_json:
        warned_of_files(listed.snapshot)
        _print_json(ws, listed)
    elif template is not None:
        _print_filled(template, to_json(ws, listed.items), listed.snapshot)
    else:
        _print_lines(ws, asked, listed)


def _listed(ws: Workspace, asked: _Asked) -> _Listed:
    """Return the memories that the options select, as the reader may see them."""
    snapshot = _snapshot(ws, asked)
    with_waiting = asked.everything and asked.at is None
    waiting = {each.path: each.reason for each in ws.store.waiting()} if with_waiting else {}
    if asked.branch is not None:
        check_branch(ws, asked.branch, ws.store.snapshot(asked.at).memories.values())
    chosen = filter_memories(
        list_memories(snapshot, everything=asked.everything or asked.dropped),
        primitives=[*map(Primitive, asked.primitives)],
        kind=Kind(asked.kind) if asked.kind else None,
        tag=asked.tag,
        agent=asked.agent,
    )
    away = {} if asked.dropped or asked.at is not None else hidden_ids(ws)
    chosen = filter_visible(chosen, away, branch=asked.branch, everything=asked.everything)
    shown = chosen[: asked.limit]
    items = redact_memories(ws, ws.store.named(shown, asked.at) if asked.everything else shown)
    why = doubts(ws, items, asked.at) if asked.everything or asked.dropped else {}
    items = for_reader(ws, items, why)
    return _Listed(snapshot=snapshot, items=items, away=away, waiting=waiting, doubts=why)


def _snapshot(ws: Workspace, asked: _Asked) -> Any:
    if asked.dropped:
        return dropped_memories(ws)
    return ws.store.snapshot(asked.at) if asked.everything else ws.store.served(asked.at)


def _print_filled(template: str, rows: Iterable[Mapping[str, Any]], snapshot: Any) -> None:
    for row in rows:
        as_is(fill(template, of_memory(row, snapshot.memories), coloured=is_coloured()))


def _print_json(ws: Workspace, listed: _Listed) -> None:
    rows = zip(to_json(ws, listed.items), listed.items, strict=True)
    data_json(
        [
            marked(ws, listed.doubts.get(item.path), row)
            | ({"hidden": True} if item.memory.id in listed.away else {})
            | ({"waiting": listed.waiting[item.path]} if item.path in listed.waiting else {})
            for row, item in rows
        ]
    )


def _print_lines(ws: Workspace, asked: _Asked, listed: _Listed) -> None:
    """Print one line for each memory, or a message if there are none."""
    marks = {} if asked.dropped else state_marks(ws, listed.items)
    aside = _warned_of_repairs(ws) | warned_of_files(listed.snapshot)
    if not (asked.everything or asked.dropped or asked.is_narrow() or asked.limit or aside):
        cache_plain_list(ws, listed.snapshot, listed.items, marks)
    _print(listed, marks, waiting_ids(ws, listed.items))
    if not listed.items:
        _say_none(ws, asked)


def _warned_of_repairs(ws: Workspace) -> bool:
    """Warn about old history that a repair has put aside; return whether there is any."""
    aside = ws.store.set_aside()
    for path in aside:
        say(
            f"warning: {ws.store_name} was recreated without its old history, which is in {path};"
            " run git lerim doctor"
        )
    return bool(aside)


def warned_of_files(snapshot: Any) -> bool:
    """Warn about files that cannot be read as memories; return whether there are any."""
    if aside := len(snapshot.quarantined):
        say(f"warning: {counted(aside, 'file')} set aside; git lerim lint says which and why")
    return aside > 0


def _print(listed: _Listed, marks: Mapping[str, str], pending: Collection[str]) -> None:
    for item in listed.items:
        memory = item.memory
        state = _state(
            memory,
            listed.away,
            mark=marks.get(item.blob, ""),
            is_pending=memory.id in pending,
            waits=listed.waiting.get(item.path, ""),
        )
        id_, title = heading(memory.id, fg="yellow"), heading(memory.title, bold=True)
        mark = (MARK if item.path in listed.doubts else "") + sharer(item)
        styled(f"{id_}  {memory.created:%Y-%m-%d}  {kind_column(memory)}  {mark}{title}{state}")


def _state(
    memory: Memory, away: Mapping[str, str], *, mark: str, is_pending: bool, waits: str
) -> str:
    """Return remarks in parentheses about a memory's state, such as why it is not in use."""
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
    states += agents_note(memory.origin)
    return "".join(f"  ({state})" for state in states)


def _say_none(ws: Workspace, asked: _Asked) -> None:
    from git_lerim.actions.setup import is_only_fetched  # noqa: PLC0415 it loads the agents

    narrowed, everything = asked.is_narrow(), asked.everything
    if asked.dropped:
        say("no matching memories" if narrowed else "no dropped memories")
        return
    if early := too_early(ws, asked.at):
        say(early)
        return
    if held_back := 0 if everything or narrowed else len(ws.store.waiting()):
        say(
            f"all memories are withheld: lerim.trust holds back {counted(held_back, 'file')}; git"
            " lerim status lists them"
        )
        return
    what = "no matching memories" if narrowed else "no memories"
    what += f" at {asked.at}" if asked.at is not None else ""
    other = "" if everything else "; --all includes archived ones"
    if narrowed or everything or is_only_fetched(ws):  # a hint on what was fetched follows
        say(what + other)
    else:
        say(f"{what}{other}; git lerim sync looks for new ones")
