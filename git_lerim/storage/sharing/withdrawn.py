"""Keep the last versions of memories that others deleted, on a ref that is never pushed.

If others rewrote a memory so that it is now withheld, the version handed out last is kept, too.

`refs/lerim/withdrawn` points to a commit with these files at their paths. Its folder `rewritten`
has the user's versions of proposed memories that were accepted with changes.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

from git_lerim.git import own_refs
from git_lerim.git.commits.identity import stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.memories.memory import Status
from git_lerim.storage import layout
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.branch.tree_builder import beginning, written
from git_lerim.storage.reading import read_blob
from git_lerim.storage.sharing import tombstones
from git_lerim.storage.sharing.tree_diff import TreeChange, differing
from git_lerim.storage.trust import accepted
from git_lerim.storage.trust.validate import place_file
from git_lerim.storage.writing.message import commit_bytes

WITHDRAWN = layout.WITHDRAWN
_REWRITTEN = "rewritten"

# returns the commit with the memories handed out at a commit
Served: TypeAlias = Callable[[str], str]


def gone(objects: Objects, old: str, new: str) -> dict[str, TreeEntry]:
    """Return the memories of an old state that a later state lacks, except purged memories.

    Files that are no longer readable as memories count as gone.
    """
    before, after = objects.tree_of(old), objects.tree_of(new)
    lost: dict[str, TreeEntry] = {}
    came: dict[tuple[str, str | None], list[TreeChange]] = defaultdict(list)
    for each in differing(objects, before, after, layout.is_folder):
        if layout.primitive_at(each.path) is None:
            continue
        if each.new is not None and (each.old is None or _is_there(objects, each)):
            came[_sort_of(each.path)].append(each)
        elif each.old is not None and (not each.new or _is_read(objects, each.path, each.old)):
            lost |= {each.path: each.old} if each.old.mode == FILE else {}
    purged = tombstones.ids_in(objects, after) if lost else frozenset[str]()
    # of the new files, which may be many, only those with the key of a lost one are read
    return {
        path: entry
        for path, entry in lost.items()
        if accepted.key_of(path) not in purged
        and not any(_is_there(objects, each) for each in came.get(_sort_of(path), ()))
    }


def keep_withdrawn(place: Place, objects: Objects, move: tuple[str, str], served: Served) -> None:
    """Save the memories that a move of a branch removes, as the user wrote or accepted them.

    Others are saved as they were handed out; a version that was withheld does not replace a saved
    one.
    """
    old, new = move
    lost = gone(objects, old, new)
    kept = _kept(place, objects)
    known = set(map(_sort_of, _files(objects, kept))) if kept is not None else set()
    if not known.isdisjoint(map(_sort_of, lost)):
        shown = served(old)
        lost = {
            path: entry
            for path, entry in lost.items()
            if _sort_of(path) not in known or objects.entry_at(shown, path)
        }
    if lost:
        _move(place, objects, kept, _in_own_words(place, objects, lost))


def _in_own_words(
    place: Place, objects: Objects, lost: Mapping[str, TreeEntry]
) -> dict[str, TreeEntry | None]:
    """Map the plain paths of lost memories to the versions that the user wrote or accepted, if any.

    A handoff or summary stays as it was, since the user may have claimed or cancelled it.
    """
    mine = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    found: dict[str, TreeEntry | None] = {}
    for path, entry in lost.items():
        plain = path.removeprefix("archived/")
        found[plain] = entry
        if mine and layout.is_memory(path):
            own = (objects.entry_at(mine, each) for each in (path, plain))
            found[plain] = next(filter(None, own), entry)
    return found


def keep_deleted(
    place: Place, objects: Objects, move: tuple[str, str], keys: Collection[str]
) -> None:
    """Save those memories with one of the keys that a move removes, unless they are saved.

    A file that is only unreadable still exists, and is named elsewhere.
    """
    kept = _kept(place, objects)
    known = {accepted.key_of(path) for path in _files(objects, kept)} if kept is not None else set()
    lost = {
        path: entry
        for path, entry in gone(objects, *move).items()
        if (key := accepted.key_of(path)) in keys and key not in known
        if objects.entry_at(move[1], path) is None
    }
    if lost:
        _move(place, objects, kept, _in_own_words(place, objects, lost))


def drop_restored(place: Place, objects: Objects, memory: str, served: Served) -> None:
    """Delete the saved memories that were restored or purged.

    A memory is restored if it is handed out again at `memory`, the commit of the memory branch; a
    proposal does not restore it. Call this only after the branch has moved there: if the move
    fails, the memory is nowhere else.
    """
    kept = _kept(place, objects)
    if kept is None:
        return
    files = _files(objects, kept)
    if there := _among(objects, memory, set(map(_sort_of, files))):
        there = _among(objects, served(memory), there)
    purged = tombstones.ids_in(objects, objects.tree_of(memory))
    gone = [path for path in files if _sort_of(path) in there or naming.id_in(path) in purged]
    if gone:
        _move(place, objects, kept, dict.fromkeys(gone))


def keep_taken_away(place: Place, objects: Objects, lost: Mapping[str, TreeEntry]) -> None:
    """Save the last shown versions of memories that others rewrote and that are now withheld."""
    if lost:
        changed = {path.removeprefix("archived/"): entry for path, entry in lost.items()}
        _move(place, objects, _kept(place, objects), changed)


def keep_rewritten(place: Place, objects: Objects, items: Iterable[Stored]) -> None:
    """Save the user's versions of proposed memories that were accepted with changes."""
    changed = {
        f"{_REWRITTEN}/{each.path}": TreeEntry(
            each.path.rpartition("/")[2].encode(), FILE, each.blob
        )
        for each in items
    }
    if changed:
        _move(place, objects, _kept(place, objects), changed)


def rewritten_memories(place: Place, objects: Objects) -> Mapping[str, Stored]:
    """Map ids to the user's versions of proposed memories that were accepted with changes."""
    kept = _own(place, objects)
    entry = objects.entry_at(kept, _REWRITTEN) if kept is not None else None
    changes = differing(objects, None, entry.id, layout.is_folder) if entry else ()
    files = (
        place_file(each.path, each.new.id, read_blob(objects, each.new.id))
        for each in changes
        if each.new is not None and layout.primitive_at(each.path)
    )
    return {file.memory.id: file for file in files if isinstance(file, Stored)}


def _move(
    place: Place, objects: Objects, kept: str | None, changed: Mapping[str, TreeEntry | None]
) -> None:
    base = objects.tree_of(kept or beginning(objects))
    tree = written(objects, base, changed) or base
    who = accepted.WHO.committer + b" " + stamp(0)
    commit = objects.write_commit(commit_bytes(tree, [], who, who, b"git-lerim: withdrawn\n"))
    own_refs.note(place, WITHDRAWN, commit)
    objects.move_ref(
        WITHDRAWN,
        commit,
        old=kept or objects.ref(WITHDRAWN),
        message="git-lerim: withdrawn",
        who=accepted.WHO,
    )
    objects.settle()


def withdrawn_memories(
    place: Place, objects: Objects, tips: Iterable[str], view: str, taken: Mapping[str, TreeEntry]
) -> Mapping[str, Stored]:
    """Map the id of each withdrawn memory to the memory, marked as archived.

    These include the memories that the fetched history `view` has deleted, and the files in
    `taken`, which are withheld there.
    """
    kept = _kept(place, objects)
    saved = dict(_files(objects, kept)) if kept is not None else {}
    if kept is not None and not own_refs.is_noted(place, WITHDRAWN, kept):
        there = _among(objects, view, map(_sort_of, saved))
        saved = {path: blob for path, blob in saved.items() if _sort_of(path) not in there}
    files = {
        path.removeprefix("archived/"): entry.id
        for tip in tips
        if tip != view
        for path, entry in gone(objects, tip, view).items()
    } | saved
    files |= {path.removeprefix("archived/"): entry.id for path, entry in taken.items()}
    stored: dict[str, Stored] = {}
    for path, blob in files.items():
        file = place_file(path, blob, read_blob(objects, blob))
        if isinstance(file, Stored):
            memory = file.memory.having(status=Status.ARCHIVED)
            stored[memory.id] = Stored(memory=memory, path=f"archived/{path}", blob=blob)
    return stored


def without_standing(
    objects: Objects, found: Mapping[str, Stored], read: Snapshot, served: Callable[[], str]
) -> Mapping[str, Stored]:
    """Return the withdrawn memories whose version in a snapshot is missing or withheld."""
    standing = {id_: now.path for id_, item in found.items() if (now := read.standing(item))}
    shown = served() if standing else ""
    return {
        id_: item
        for id_, item in found.items()
        if id_ not in standing or objects.entry_at(shown, standing[id_]) is None
    }


def stood(place: Place, objects: Objects) -> Mapping[str, str]:
    """Return the blobs of the withdrawn files, by former path, for a restore."""
    kept = _own(place, objects)
    return _files(objects, kept) if kept is not None else {}


def is_unknown(place: Place, objects: Objects) -> bool:
    """Return whether `refs/lerim/withdrawn` exists, but was not written in this clone."""
    return objects.ref(WITHDRAWN) is not None and _own(place, objects) is None


def ids(place: Place, objects: Objects) -> set[str]:
    """Return the ids of the withdrawn memories."""
    return {id_ for path in stood(place, objects) if (id_ := naming.id_in(path))}


def _own(place: Place, objects: Objects) -> str | None:
    return own_refs.kept(place, objects, WITHDRAWN, accepted.WHO)


def _kept(place: Place, objects: Objects) -> str | None:
    """Return the commit with the withdrawn files, even if this clone did not record it."""
    return _own(place, objects) or own_refs.readable(objects, objects.ref(WITHDRAWN))


def _files(objects: Objects, commit: str) -> dict[str, str]:
    entries = differing(objects, None, objects.tree_of(commit), layout.is_folder)
    return {
        each.path: each.new.id
        for each in entries
        if each.new is not None and layout.primitive_at(each.path)
    }


def _sort_of(path: str) -> tuple[str, str | None]:
    """Return a memory's key and type; the type is None for both decisions and learnings."""
    return accepted.key_of(path), None if layout.is_memory(path) else layout.primitive_at(path)


def _among(
    objects: Objects, commit: str, wanted: Iterable[tuple[str, str | None]]
) -> set[tuple[str, str | None]]:
    """Return those of the `wanted` pairs (see `_sort_of`) with a readable file in a commit."""
    asked = set(wanted)
    entries = differing(objects, None, objects.tree_of(commit), layout.is_folder)
    return {
        sort
        for each in entries
        if layout.primitive_at(each.path) and (sort := _sort_of(each.path)) in asked
        if each.new and _is_read(objects, each.path, each.new)
    }


def _is_there(objects: Objects, change: TreeChange) -> bool:
    """Return whether a change wrote a file that can be read as a memory."""
    return change.new is not None and _is_read(objects, change.path, change.new)


def _is_read(objects: Objects, path: str, entry: TreeEntry) -> bool:
    return entry.mode == FILE and isinstance(
        place_file(path, entry.id, read_blob(objects, entry.id)), Stored
    )
