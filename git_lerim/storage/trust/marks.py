"""Mark which accepted memories others wrote, and which both others and the user wrote.

The marks are files in the tree of accepted memories. They are needed because others may not purge,
without consent, what the user wrote or changed.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import Trees
from git_lerim.memories import naming
from git_lerim.memories.memory import Edited, Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.reading import read_blob
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust.provenance.introduced import Introduced

SHARED = "shared"  # folder: what others wrote and the user accepted
# folder: what others wrote and the user changed, or the reverse; a file holds the user's last edit
MIXED = "mixed"
NAMES = "names"  # folder: a version that the user imported, and who wrote it


def changed_ids(objects: Trees, files: Iterable[Introduced]) -> Iterator[str]:
    """Yield the ids of the memories that a commit changed in substance.

    A new date of last access or a move to the archive does not count.
    """
    groups: dict[str, list[Introduced]] = {}
    for each in files:
        groups.setdefault(naming.id_in(each.path) or "", []).append(each)
    groups.pop("", None)
    for id_, group in groups.items():
        before = [_substance(objects, blob) for each in group for blob in each.old if blob]
        after = [_substance(objects, each.new) for each in group if each.new]
        if any(found not in before for found in after):
            yield id_


def edit_in(objects: Trees, files: Collection[Introduced]) -> bytes:
    """Return who made the edit that these changes record, and when; empty if they record none."""
    old, new = (
        {memory.edited for blob in blobs if isinstance(memory := read_blob(objects, blob), Memory)}
        for blobs in (
            [blob for each in files for blob in each.old if blob],
            [each.new for each in files if each.new],
        )
    )
    edited = next(iter(new - old), None)
    return f"{edited.by}\n{edited.at.isoformat()}".encode() if edited else b""


def edit_at(objects: Objects, kept: str, id_: str) -> Edited | None:
    """Return the user's last edit of a memory that others wrote, if it is marked."""
    entry = objects.entry_at(kept, f"{MIXED}/{id_}")
    by, _, at = objects.blob(entry.id).decode().partition("\n") if entry else ("", "", "")
    return Edited(by=by, at=datetime.fromisoformat(at)) if at else None


def written_here(objects: Objects, kept: str, ids: Collection[str]) -> frozenset[str]:
    """Return which of the memories `ids` the user wrote or changed, according to the marks."""
    files = ids_at(objects, kept) & frozenset(ids)
    own = {id_ for id_ in files if objects.entry_at(kept, f"{SHARED}/{id_}") is None}
    return frozenset(own | {id_ for id_ in ids if objects.entry_at(kept, f"{MIXED}/{id_}")})


def only_own(objects: Objects, kept: str, ids: Collection[str]) -> bool:
    """Return whether the user alone wrote all the memories `ids`, according to the marks."""
    is_mixed = (objects.entry_at(kept, f"{MIXED}/{id_}") is not None for id_ in ids)
    return written_here(objects, kept, ids) == frozenset(ids) and not any(is_mixed)


def ids_at(objects: Objects, commit: str) -> frozenset[str]:
    """Return the ids in the file names of a store at a commit."""
    found = differing(objects, None, objects.tree_of(commit), layout.is_folder)
    return frozenset(id_ for each in found if (id_ := naming.id_in(each.path)))


def _substance(objects: Trees, blob: str) -> object:
    """Return a memory without the fields that change when it is shown or archived."""
    memory = read_blob(objects, blob)
    if not isinstance(memory, Memory):
        return blob
    status = Status.ACTIVE if memory.status is Status.ARCHIVED else memory.status
    return memory.having(last_accessed=None, updated=memory.created, status=status)
