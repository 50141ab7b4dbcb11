"""List the handoffs between agents, and describe their state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from git_lerim.actions.edit_memory import edit_time
from git_lerim.actions.handoffs.handoff_view import Row, first_versions, row_of
from git_lerim.actions.judged import fit_to_hand_out
from git_lerim.actions.mistrust import for_reader, suspicions
from git_lerim.errors import UnknownMemory
from git_lerim.memories import naming
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.recall.brief.handoff import State
from git_lerim.storage.base import Stored
from git_lerim.tokens import local_times
from git_lerim.workspace import Workspace

LIST_HINT = "git lerim handoff list --all lists all handoffs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The result of an action on a handoff."""

    row: Row
    commit: str | None  # None: nothing changed
    redactions: int = 0
    taken_from: str = ""  # the session that questions and steps come from


def list_handoffs(ws: Workspace, *, everything: bool, at: str | None = None) -> list[Row]:
    """Return the open handoffs, or with `everything` those in any state.

    The open ones that the user wrote come first, before their agents' and others'; otherwise, the
    newest come first.
    """
    rows = rows_of(ws, [*fit_to_hand_out(ws.store.handoffs(at)).values()])
    wanted = [row for row in rows if everything or row.state is State.OPEN]
    return sorted(wanted, key=_order, reverse=True)


def _order(row: Row) -> tuple[object, ...]:
    is_users = row.state is State.OPEN and row.memory.origin is Origin.HUMAN and not row.other
    return is_users, row.memory.created, row.memory.id


def get_handoff(ws: Workspace, prefix: str, at: str | None = None) -> Row:
    """Return the handoff whose id begins with `prefix`. Raises UnknownMemory."""
    [row] = rows_of(ws, [by_prefix(fit_to_hand_out(ws.store.handoffs(at)), prefix)])
    return row


def rows_of(ws: Workspace, items: Sequence[Stored]) -> list[Row]:
    """Return handoffs for output; agents do not get the text of untrusted ones."""
    known, why = first_versions(ws) if items else {}, suspicions(items)
    return [row_of(ws, item, known, why.get(item.path, "")) for item in for_reader(ws, items, why)]


def describe_state(memory: Memory) -> str:
    """Return a handoff's state as the end of a sentence, such as "was cancelled", safe to print."""
    held = details(memory).claimed_by
    if held:
        return (
            f"was claimed by {held.who}{f' for {held.agent}' if held.agent else ''} at"
            f" {local_times(held.at)}"
        )
    return {Status.ACTIVE: "is open", Status.ARCHIVED: "was cancelled"}.get(
        memory.status, f"is {memory.status}"
    )


def edit_fields(ws: Workspace, memory: Memory, **changes: Any) -> Memory:
    """Return the memory with the given fields changed, and with the time of this change."""
    return memory.having(
        updated=edit_time(memory.updated, ws.now.replace(microsecond=0)), **changes
    )


def by_prefix(handoffs: Mapping[str, Stored], prefix: str) -> Stored:
    """Return the handoff whose id begins with `prefix`. Raises UnknownMemory."""
    try:
        return handoffs[naming.find_id(handoffs, prefix)]
    except UnknownMemory as error:
        raise UnknownMemory(
            str(error).replace("memory", "handoff").replace("memories", "handoffs"), hint=LIST_HINT
        ) from error
