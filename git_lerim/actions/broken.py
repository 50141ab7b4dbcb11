"""Find the last readable versions of memories whose files a commit made unreadable."""

from collections.abc import Iterator, Mapping

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories import naming
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history.past import LoggedCommit, Touched
from git_lerim.storage.layout import primitive_at
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.validate import place_file
from git_lerim.workspace import Workspace


def broken_ids(ws: Workspace, snapshot: Snapshot) -> frozenset[str]:
    """Return the ids of the memories whose files on the branch cannot be read.

    In tree mode, return none: the user has to repair a broken file, because git may not have an
    older version.
    """
    if ws.in_tree:
        return frozenset()
    named = {naming.id_in(file.path) for file in snapshot.quarantined} - {None}
    kinds = (snapshot.memories, snapshot.handoffs) if named else ()
    return frozenset(id_ for id_ in named if id_ and not any(id_ in kind for kind in kinds))


def last_readable(ws: Workspace, snapshot: Snapshot) -> Mapping[str, tuple[Stored, str]]:
    """Map the id of each memory whose file is broken to the last readable version.

    Each version comes with the commit that wrote it.
    """
    missing = broken_ids(ws, snapshot) - snapshot.purged
    found: dict[str, tuple[Stored, str]] = {}
    for commit, file in _changes(ws) if missing else ():
        if file.id in missing and file.id not in found and (item := _read(ws, file)):
            found[file.id] = item, commit.id
    return found


def _changes(ws: Workspace) -> Iterator[tuple[LoggedCommit, Touched]]:
    return ((commit, file) for commit in ws.store.history() for file in commit.files)


def _read(ws: Workspace, file: Touched) -> Stored | None:
    if not file.blob or primitive_at(file.path) is None:
        return None
    read = place_file(file.path, file.blob, read_blob(open_objects(ws.place), file.blob))
    return read if isinstance(read, Stored) else None
