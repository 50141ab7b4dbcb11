"""Find what others changed in the user's own pending proposal, as far as a pull fetched it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.actions import mistrust
from git_lerim.actions.judged import shown_title
from git_lerim.errors import LerimError
from git_lerim.storage import open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.branch.lazy_snapshot import look_up, look_up_in
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.sharing.pull import Pulled


def put_here(ws: Workspace) -> Mapping[str, Stored]:
    """Map ids to the memories on the local branch that the user put into their proposal."""
    with suppress(LerimError):
        return {} if ws.personal or ws.in_tree else open_store.reviewing(ws).put_here()
    return {}


def with_changes(ws: Workspace, pulled: "Pulled", before: Mapping[str, Stored]) -> "Pulled":
    """Add to a pull's result what others changed or deleted in the user's own proposal."""
    if not before:
        return pulled
    store = open_store.reviewing(ws)
    with suppress(LerimError):
        store.renew()
    snapshot = store.snapshot()
    now = {**look_up(snapshot, before), **look_up_in(snapshot.handoffs, before)}
    known = {*pulled.changed, *pulled.merged, *pulled.withdrawn}
    changed = {
        id_: item
        for id_, item in now.items()
        if id_ not in known and item.memory.text != before[id_].memory.text
    }
    gone = {
        id_: item for id_, item in snapshot.withdrawn.items() if id_ in before and id_ not in known
    }
    if not changed and not gone:
        return pulled
    mine = {**before, **store.rewritten()}  # for a restore, even if theirs is merged
    store.keep_versions(mine[id_] for id_ in changed)
    held = {each.path for each in store.waiting()}
    items = [item for item in (*changed.values(), *gone.values()) if item.path not in held]
    titles = {item.memory.id: shown_title(item, why) for item, why in mistrust.shown(ws)(items)}
    return replace(
        pulled,
        moved=True,
        added=tuple(id_ for id_ in pulled.added if id_ not in changed),
        handoffs=tuple(memory for memory in pulled.handoffs if memory.id not in changed),
        changed=(*pulled.changed, *changed),
        withdrawn=(*pulled.withdrawn, *gone),
        titles={**pulled.titles, **titles},
    )
