"""One short status line, for agents that display one."""

from git_lerim.actions.code import freshness
from git_lerim.actions.listing import list_memories
from git_lerim.recall.brief.handoff import state
from git_lerim.recall.fast import statusline_cache
from git_lerim.sessions.entry import State
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


def statusline(ws: Workspace) -> str:
    """Return one line that counts memories and pending work; empty if there is no memory."""
    if not ws.has_memory():
        return ""
    snapshot = ws.store.served()
    seen = ws.store.seen  # what this read saw; later reads change it
    parts = [counted(len(list_memories(snapshot)), "memory")]
    if handoffs := sum(state(item.memory, ws.now) == "open" for item in snapshot.handoffs.values()):
        parts.append(f"{counted(handoffs, 'handoff')} open")
    if stale := sum(one.stale is True for one in freshness.of_all(ws).values()):
        parts.append(f"{stale} stale")
    if waiting := len(ws.store.waiting()):
        parts.append(f"{waiting} to accept")
    with ws.catalog_to_read() as catalog:
        if queued := catalog.counts().get(State.WAITING, 0):
            parts.append(f"{counted(queued, 'session')} queued")
    line = f"lerim: {', '.join(parts)}"
    if snapshot.commit is not None and not ws.personal and not ws.in_tree:
        places = str(ws.place.common_dir), str(ws.place.git_dir)
        store = ws.settings["branch"], ws.store.source
        statusline_cache.keep(places, store, seen, line)
    return line
