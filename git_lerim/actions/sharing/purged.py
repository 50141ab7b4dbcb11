"""Name the memories that somebody else purged or deleted: title, and who did it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from git_lerim.actions import authorship, mistrust
from git_lerim.actions.judged import shown_title
from git_lerim.git import own_refs, refs
from git_lerim.git.commits.author_names import named
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.git.running.process import plain
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history import past
from git_lerim.storage.sharing import purged_here
from git_lerim.storage.sharing.purged_here import Authors
from git_lerim.storage.trust.provenance.introduced import put_by
from git_lerim.workspace import Workspace

Told: TypeAlias = tuple[Stored, str]  # a memory as its reader may get it, and why it is withheld


def waiting_titles(ws: Workspace) -> dict[str, str]:
    """Map the ids whose purge on the remote waits to be accepted to what `purged_titles` says."""
    store, branch = open_store.branch_only(ws, ""), ws.settings["branch"]
    ids, ours = store.waiting_purges(), store.tip()
    theirs = refs.read_ref(ws.place.common_dir, tracking_ref(ws.settings["remote"], branch))
    named = purged_titles(ws, ours, theirs) if ids and ours and theirs else {}
    return {id_: named.get(id_, "") for id_ in sorted(ids)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A memory that is no longer here because somebody else purged it."""

    id: str
    title: str  # with who purged it, as in `purged_titles`
    tip: str  # a commit that still has it


def untold(ws: Workspace) -> list[Deleted]:
    """Return the memories that others' purges deleted here before the user was told so."""
    if ws.in_tree or not (noted := purged_here.untold(ws.place)):
        return []
    objects, tip = open_objects(ws.place), open_store.branch_only(ws, "").tip()
    if tip is None:
        return []
    found: dict[str, Deleted] = {}
    for old, authors in noted.items():
        if own_refs.readable(objects, old):
            items = _purged_since(ws, old, tip, authors)
            titles = _titles(ws, items, _shown_then(ws, items, authors), tip)
            found |= {id_: Deleted(id=id_, title=title, tip=old) for id_, title in titles.items()}
    return list(found.values())


def _shown_then(ws: Workspace, items: Sequence[Stored], authors: Authors) -> list[Told]:
    """Return memories as their reader may get them, as they were shown before their purge."""
    by = {each.path: authors[each.memory.id] for each in items}
    named = [replace(each, author=plain(by[each.path] or "")) for each in ws.store.gate(items)]
    why = mistrust.suspicions(named)
    why |= {path: "it was withheld" for path, author in by.items() if author is None}
    return [(each, why.get(each.path, "")) for each in mistrust.for_reader(ws, named, why)]


def note_told(ws: Workspace, told: Iterable[Deleted]) -> None:
    """Record that the reader was told of these memories, unless it is an agent."""
    tips = {each.tip for each in told}
    if tips and not authorship.by_agent(ws):
        purged_here.note_told(ws.place, sorted(tips))


def purged_titles(ws: Workspace, ours: str, theirs: str) -> dict[str, str]:
    """Map the ids that a remote purged, and we did not, to the title here and who purged it.

    `ours` and `theirs` are the tips before a merge. A title that is withheld stays so.
    """
    items = _purged_since(ws, ours, theirs)
    return _titles(ws, items, mistrust.shown(ws, ours)(items) if items else [], theirs)


def _purged_since(
    ws: Workspace, ours: str, theirs: str, among: Collection[str] | None = None
) -> list[Stored]:
    store = open_store.branch_only(ws, "")
    here, there = store.stood(ours), store.stood(theirs)
    ids = sorted(there.purged - here.purged)
    found = (_find(here, id_) for id_ in ids if among is None or id_ in among)
    return [item for item in found if item]


def _titles(
    ws: Workspace, items: Sequence[Stored], shown: Iterable[Told], theirs: str
) -> dict[str, str]:
    titles = {item.memory.id: shown_title(item, "") for item, why in shown if not why}
    named = ((item.memory.id, _by(ws, item.memory.id, theirs)) for item in items)
    return {id_: "  ".join(filter(None, (titles.get(id_), by))) for id_, by in named}


def withdrawn_titles(
    ws: Workspace, tip: str, items: Collection[Stored], titles: Mapping[str, str]
) -> dict[str, str]:
    """Return the titles of withdrawn memories by id, with who deleted them before `tip`.

    If a newer version of a memory waits to be accepted, its title says so instead.
    """
    objects, waiting = open_objects(ws.place), {each.id for each in ws.store.waiting()}
    gone = {
        past.key(item.path): item.memory.id
        for item in items
        if not any(objects.entry_at(tip, each) for each in _both(item.path))
    }
    said = {id_: "its newer version waits" for id_ in titles if id_ in waiting}
    for each in put_by(ws.place, tip, [item.path for item in items]) if gone else ():
        id_ = gone.get(past.key(each.path))
        if id_ and not each.new:  # the newest commit comes first
            said.setdefault(id_, f"deleted by {named(each.author)}")
    return {
        id_: f"{titles[id_].removesuffix('  (archived)')}  ({said[id_]})"
        for item in items
        if (id_ := item.memory.id) in said and id_ in titles
    }


def _both(path: str) -> tuple[str, str]:
    plain = path.removeprefix("archived/")
    return plain, f"archived/{plain}"


def _find(here: Snapshot, id_: str) -> Stored | None:
    sorts = (here.memories, here.summaries, here.handoffs)
    return next((item for sort in sorts if (item := sort.get(id_))), None)


def _by(ws: Workspace, id_: str, theirs: str) -> str:
    """Return who first added a tombstone, as `(purged by NAME)`, or "" if no commit here did.

    Others who accept the purge may add the tombstone again.
    """
    first = past.first_writer(ws.place, theirs, f"{layout.PURGED}/{id_}")
    return f"(purged by {first})" if first else ""
