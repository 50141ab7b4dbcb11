"""Find the user's old versions that somebody else restored after the user replaced them."""

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
    """Return the path and blob of each file in which a commit restored an old version.

    `files` maps paths to present blobs. A version that the user restores is not returned, since it
    is recorded as the newest one. Nor is an old version that no commit in HEAD's history replaced:
    then HEAD is merely an older commit.
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
