"""Find own versions that somebody else put back after the user had replaced them."""

from collections.abc import Mapping

from git_lerim.git import repo
from git_lerim.git.repo import Place
from git_lerim.storage import layout
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.provenance.introduced import put_by
from git_lerim.storage.worktree.ownership.tree_record import TreeRecord


def put_back(
    place: Place, record: TreeRecord, files: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """Return path and blob of files that a commit put back (`files`: blobs by path).

    What the user puts back is recorded as the newest version. An older one that the history of HEAD
    never replaced is merely from an older commit.
    """
    older = {
        path: blob
        for path, blob in files.items()
        if blob in record.own
        and (record.newest[key_of(path)] != blob or key_of(path) in record.gone)
    }
    head = repo.head(place) if older else None
    return frozenset(
        (each.path, older[each.path])
        for each in (put_by(place, head, older, f"{layout.TREE}/") if head else ())
        if each.path in older and each.new != older[each.path] in each.old
    )
