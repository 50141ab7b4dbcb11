"""Accept purges that wait for the user's consent: only those that the user was shown."""

from collections.abc import Sequence

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.sharing.accept import shown_purges
from git_lerim.actions.sharing.pull import PULL_CODE, fetch_memory
from git_lerim.storage import open_store
from git_lerim.workspace import Workspace


def accept_purges(
    ws: Workspace, name: str | None = None
) -> tuple[Sequence[tuple[str, str]], Sequence[str]]:
    """Delete the memories that a remote has purged, if the user was shown that their purge waits.

    Return the id and title of each deleted memory, and the ids whose purge still waits, because it
    came after the user was shown the others. Raises GitFailed, UsageError.
    """
    refuse_agent(ws, "accepting a purge deletes memories for good")
    store = open_store.branch_only(ws, PULL_CODE)
    name = name or ws.settings["remote"]
    theirs, tip = fetch_memory(ws, name, alone=False), store.tip()
    ids = store.refused_purges(tip, theirs, name) if theirs and tip else frozenset()
    seen = ids & shown_purges(ws)
    if not seen:
        return (), sorted(ids)
    from git_lerim.actions import purge  # noqa: PLC0415 rarely needed

    planned = purge.plan(ws, sorted(seen))
    purge.purge(ws, planned)
    return planned.named, sorted(ids - seen)
