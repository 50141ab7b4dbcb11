"""Compare two states of the memory, memory by memory."""

import difflib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from git_lerim.actions.mistrust import Shown
from git_lerim.actions.mistrust import shown as shown_at
from git_lerim.actions.sharing.sent import history_line, sent_by
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.memories import naming
from git_lerim.memories.format.columns import Column
from git_lerim.memories.format.unshown import unknown_texts
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import COLUMNS, Memory, Primitive, Status
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.workspace import Workspace

_COMPARED = [each for each in COLUMNS if each.compared]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A change of one memory: what kind of change it is, and which fields and lines differ."""

    id: str
    change: str  # added | changed | archived | restored | superseded | removed | set aside
    title: str
    fields: tuple[tuple[str, str, str], ...] = ()  # name, before, after
    body: tuple[str, ...] = ()  # lines that begin with a space, + or -
    author: str = ""  # who shared it, "" for the user
    doubt: str = ""  # why the text is not trusted


def diff(ws: Workspace, revisions: str | None) -> list[Difference]:
    """Compare `A..B`, or A with the present state; by default, the last commit with its parent.

    In tree mode the default is to compare the work tree with the last commit.
    """
    old, dots, new = (revisions or "").partition("..")
    if not revisions and (tree := open_store.tree_of(ws)):
        return list(compare(*tree.last_change(), shown_at(ws), shown_at(ws)))
    if not revisions:
        last = list(ws.store.history(limit=2))
        if len(last) < 2:  # empty, or only the constant first commit
            return []
        old = f"{last[0].id}~1"
    before = ws.store.snapshot(old) if old else Snapshot(commit=None)
    after = ws.store.snapshot(new) if dots and new else ws.store.snapshot()
    return list(compare(before, after, shown_at(ws, old or None), shown_at(ws, new or None)))


def diff_unpushed(ws: Workspace) -> list[Difference]:
    """Compare the remote's memory, as last fetched or pushed, with the local one."""
    store = open_store.branch_only(ws, f"to compare, use git diff @{{upstream}} -- {layout.TREE}")
    ref = tracking_ref(ws.settings["remote"], ws.settings["branch"])
    theirs = refs.read_ref(ws.place.common_dir, ref)
    before = store.stood(theirs) if theirs else Snapshot(commit=None)
    return list(compare(before, store.snapshot(), shown_at(ws, theirs), shown_at(ws)))


def unpushed_history(ws: Workspace) -> str:
    """Return a line on old versions and archived memories that a push would also send, or ""."""
    ref = tracking_ref(ws.settings["remote"], ws.settings["branch"])
    theirs, tip = refs.read_ref(ws.place.common_dir, ref), ws.store.tip()
    return history_line(sent_by(ws, tip, theirs)) if tip else ""


def compare(before: Snapshot, after: Snapshot, old: Shown, new: Shown) -> Iterator[Difference]:
    """Yield a Difference for each memory that differs between two snapshots.

    `old` and `new` are functions that return what may be shown of each snapshot's memories.
    """
    left, right = _differing(before, after, old, new)
    aside = {naming.id_in(file.path) for file in after.quarantined}
    for id_ in sorted(left.keys() | right.keys()):
        if id_ not in left:
            item, doubt = right[id_]
            body = tuple(f"+{line}" for line in _lines(item))
            title = item.memory.title
            status = item.memory.status
            fields = () if status is Status.ACTIVE else (("status", "", status.value),)
            yield Difference(
                id=id_,
                change="added",
                title=title,
                fields=(*fields, *_unknown({}, unknown_texts(item.memory))),
                body=body,
                author=item.author,
                doubt=doubt,
            )
        elif id_ not in right:
            item, doubt = left[id_]
            change = "set aside" if id_ in aside else "removed"
            yield Difference(
                id=id_, change=change, title=item.memory.title, author=item.author, doubt=doubt
            )
        else:
            (item, _), (changed, doubt) = left[id_], right[id_]
            doubt = doubt or left[id_][1]
            if doubt or item.memory != changed.memory:
                yield replace(_changed(item, changed), doubt=doubt)


def _differing(
    before: Snapshot, after: Snapshot, old: Shown, new: Shown
) -> tuple[dict[str, tuple[Stored, str]], dict[str, tuple[Stored, str]]]:
    """Return what may be shown of each memory that differs, by id, before and after."""
    was = {**before.memories, **before.summaries, **before.handoffs}
    now = {**after.memories, **after.summaries, **after.handoffs}
    same = {id_ for id_ in was.keys() & now.keys() if was[id_].memory == now[id_].memory}
    left, right = (
        {pair[0].memory.id: pair for pair in shown(side[id_] for id_ in sorted(side.keys() - same))}
        for side, shown in ((was, old), (now, new))
    )
    return left, right


def _changed(old: Stored, new: Stored) -> Difference:
    lines = list(difflib.unified_diff(_lines(old), _lines(new), n=1, lineterm=""))[2:]
    return Difference(
        id=new.memory.id,
        change=_word(old.memory.status, new.memory.status),
        title=new.memory.title,
        author=new.author,
        fields=(
            *(
                (each.name, _text(old.memory, each), _text(new.memory, each))
                for each in _COMPARED
                if getattr(old.memory, each.name) != getattr(new.memory, each.name)
            ),
            *_claim(old.memory, new.memory),
            *_unknown(unknown_texts(old.memory), unknown_texts(new.memory)),
        ),
        body=tuple(line for line in lines if not line.startswith("@@")),
    )


def _claim(old: Memory, new: Memory) -> Iterator[tuple[str, str, str]]:
    """Yield the change of a handoff's claim, if it changed."""
    if new.primitive is Primitive.HANDOFF and details(old).claimed_by != details(new).claimed_by:
        before, after = (
            claim.who if (claim := details(memory).claimed_by) else "" for memory in (old, new)
        )
        yield "claimed_by", before, after


def _unknown(old: dict[str, str], new: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the changes of keys of a newer version: what they say may be accepted, too."""
    for key in sorted(old.keys() | new.keys()):
        if (before := old.get(key, "")) != (after := new.get(key, "")):
            yield key, before, after


def _word(old: Status, new: Status) -> str:
    if old is new:
        return "changed"
    return "restored" if new is Status.ACTIVE else new.value


def _lines(item: Stored) -> list[str]:
    return item.memory.body.splitlines()


def _text(memory: Memory, column: Column) -> str:
    return ", ".join(column.form.lines(getattr(memory, column.name)))


def as_json(difference: Difference) -> dict[str, Any]:
    """Return a difference in the format of `diff --json`; any reason for mistrust comes first."""
    row = asdict(difference)
    doubt = row.pop("doubt")
    return ({"not_trusted": doubt} if doubt else {}) | row
