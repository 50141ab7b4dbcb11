"""Find the user's own memories that somebody else archived or superseded."""

from collections.abc import Iterator
from dataclasses import dataclass

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories.memory import Status
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot
from git_lerim.storage.own_feedback import accepted_version
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A memory of the user that somebody else archived or superseded."""

    id: str
    status: Status
    author: str  # safe to print


def retired(ws: Workspace, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield the user's memories that were active until somebody else retired them."""
    if ws.in_tree or ws.personal:
        return
    store, objects = open_store.branch_only(ws, ""), open_objects(ws.place)
    ours = own_by_reflog(ws.place, store.ref)
    theirs = {
        id_: item
        for id_, item in snapshot.memories.items()
        if item.memory.status in {Status.ARCHIVED, Status.SUPERSEDED}
        and store.trust.is_shared(item.path, item.blob)
    }
    for id_ in sorted(store.trust.written_here(theirs.keys()) if theirs else ()):
        item = theirs[id_]
        own = accepted_version(ws.place, objects, item.path.removeprefix("archived/"))
        last = next(iter(store.history(limit=1, path=item.path)), None)
        if last and last.id not in ours and any(each.status is Status.ACTIVE for each in own):
            yield Retired(id=id_, status=item.memory.status, author=last.author)
