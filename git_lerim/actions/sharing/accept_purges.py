"""Accept purges that wait for the user's consent: only those that the user was shown."""

from collections.abc import Sequence
from typing import NamedTuple

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.sharing.accept import shown_purges
from git_lerim.actions.sharing.pull import PULL_CODE, fetch_memory
from git_lerim.storage import open_store
from git_lerim.workspace import Workspace


class Accepted(NamedTuple):
    """The result of accepting purges."""

    deleted: Sequence[tuple[str, str]]  # id and title
    left: Sequence[str]  # ids whose purge came after the user was shown the others
    holding: Sequence[tuple[str, str]]  # refs on remotes that still have the text, and what to do


def accept_purges(ws: Workspace, name: str | None = None) -> Accepted:
    """Delete the memories that a remote has purged, if the user was shown that their purge waits.

    Raises GitFailed, UsageError.
    """
    refuse_agent(ws, "accepting a purge deletes memories for good")
    store = open_store.branch_only(ws, PULL_CODE)
    name = name or ws.settings["remote"]
    theirs, tip = fetch_memory(ws, name, alone=False), store.tip()
    ids = store.refused_purges(tip, theirs, name) if theirs and tip else frozenset()
    seen = ids & shown_purges(ws)
    if not seen:
        return Accepted((), sorted(ids), ())
    from git_lerim.actions import purge  # noqa: PLC0415 rarely needed

    planned = purge.plan(ws, sorted(seen))
    done = purge.purge(ws, planned)
    open_store.reviewing(ws).renew()  # drops a proposal of which nothing is left
    hints = ((ref, purge.removal_hint(ws, ref)) for ref in done.holding)
    holding = [(ref, how) for ref, how in hints if how and not purge.is_replaced_by_push(ws, ref)]
    return Accepted(planned.named, sorted(ids - seen), holding)
