"""Name the memories that somebody else purged: title, and who purged them."""

from git_lerim.actions import mistrust
from git_lerim.actions.judged import shown_title
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history import past
from git_lerim.workspace import Workspace


def waiting_titles(ws: Workspace) -> dict[str, str]:
    """Map the ids whose purge on the remote waits to be accepted to what `purged_titles` says."""
    store, branch = open_store.branch_only(ws, ""), ws.settings["branch"]
    ids, ours = store.waiting_purges(), store.tip()
    theirs = refs.read_ref(ws.place.common_dir, tracking_ref(ws.settings["remote"], branch))
    named = purged_titles(ws, ours, theirs) if ids and ours and theirs else {}
    return {id_: named.get(id_, "") for id_ in sorted(ids)}


def purged_titles(ws: Workspace, ours: str, theirs: str) -> dict[str, str]:
    """Map the ids that a remote purged, and we did not, to the title here and who purged it.

    `ours` and `theirs` are the tips before a merge. A title that is withheld stays so.
    """
    store = open_store.branch_only(ws, "")
    here, there = store.stood(ours), store.stood(theirs)
    ids = sorted(there.purged - here.purged)
    items = [item for id_ in ids if (item := _find(here, id_))]
    shown = mistrust.shown(ws, ours)(items) if items else []
    titles = {item.memory.id: shown_title(item, "") for item, why in shown if not why}
    named = ((item.memory.id, _by(ws, item.memory.id, theirs)) for item in items)
    return {id_: "  ".join(filter(None, (titles.get(id_), by))) for id_, by in named}


def _find(here: Snapshot, id_: str) -> Stored | None:
    sorts = (here.memories, here.summaries, here.handoffs)
    return next((item for sort in sorts if (item := sort.get(id_))), None)


def _by(ws: Workspace, id_: str, theirs: str) -> str:
    """Return who added a tombstone, as `(purged by NAME)`, or "" if its commit is not here."""
    log = past.read_log(ws.place, theirs, limit=1, path=f"{layout.PURGED}/{id_}", check=False)
    last = next(log, None)
    return f"(purged by {last.author})" if last else ""
