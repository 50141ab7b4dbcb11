"""Find the user's own memories and handoffs that somebody else took out of use or reworded."""

from collections.abc import Iterator
from dataclasses import dataclass

from git_lerim.actions.author_of import author_of
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.writers import takes_others_words
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.storage.own_feedback import accepted_version
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A memory or handoff of the user that somebody else took out of use or reworded."""

    id: str
    status: str  # archived, superseded, suspect or reworded
    author: str  # safe to print
    accept: str  # id of the memory to accept, to keep it so


def _last_change(store: BranchStore, path: str, mine: str) -> LoggedCommit | None:
    """Return the last commit that changed a file, preferably not one of the user's merges."""
    last = next(store.history(limit=1, path=path), None)
    if last is None or not last.is_merge:
        return last
    changed = (commit for commit in store.history(path=path) if commit.files)
    return next((each for each in changed if not (each.is_merge and each.mail == mine)), last)


def retired(ws: Workspace, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield the user's memories and handoffs that others took out of use or reworded."""
    if ws.in_tree or ws.personal:
        return
    store = open_store.branch_only(ws, "")
    found = [*_by_others(ws, store, snapshot), *_for_others(ws, store, snapshot)]
    yield from {each.id: each for each in sorted(found, key=lambda each: each.id)}.values()


def _by_others(ws: Workspace, store: BranchStore, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield the user's memories and handoffs that a commit of somebody else retired."""
    objects, ours = open_objects(ws.place), own_by_reflog(ws.place, store.ref)
    waiting = {each.path for each in store.waiting()}  # named elsewhere
    theirs = {
        id_: item
        for id_, item in {**snapshot.handoffs, **snapshot.memories}.items()
        if store.trust.is_shared(item.path, item.blob)
        and (item.memory.status is not Status.ACTIVE or item.path not in waiting)
    }
    for id_ in store.trust.written_here(theirs.keys()) if theirs else ():
        item = theirs[id_]
        own = list(accepted_version(ws.place, objects, item.path.removeprefix("archived/")))
        if not any(each.status is Status.ACTIVE for each in own):
            continue
        is_reworded = all(_words(each) != _words(item.memory) for each in own)
        if item.memory.status is Status.ACTIVE and not is_reworded:
            continue
        last = _last_change(store, item.path, author_mail(ws.place))
        if last and last.id not in ours:
            how = "reworded" if item.memory.status is Status.ACTIVE else item.memory.status.value
            yield Retired(id=id_, status=how, author=last.author, accept=id_)


def _words(memory: Memory) -> tuple[object, ...]:
    return (memory.title, memory.body, memory.kind)


def _for_others(ws: Workspace, store: BranchStore, snapshot: Snapshot) -> Iterator[Retired]:
    """Yield the user's memories that this clone superseded with somebody else's memory.

    Those superseded by a memory that the user accepted are left out.
    """
    memories, author = snapshot.memories, author_of(ws, snapshot)
    takers = {id_: item for item in memories.values() for id_ in item.memory.supersedes}
    mine = (
        item
        for item in memories.values()
        if item.memory.status is Status.SUPERSEDED
        and not store.trust.is_shared(item.path, item.blob)
    )
    for item in mine:
        id_ = item.memory.id
        for later in (takers.get(id_), *map(memories.get, item.memory.related)):
            if (
                later is not None
                and not store.trust.is_accepted(later.path, later.blob)
                and takes_others_words(later.memory, item.memory, author)
            ):
                yield Retired(
                    id=id_,
                    status=Status.SUPERSEDED.value,
                    author=author(later.memory.id),
                    accept=later.memory.id,
                )
