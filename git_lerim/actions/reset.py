"""Begin anew: delete the local state, and the branch if that is wanted."""

import shutil

from git_lerim.errors import ReadOnly
from git_lerim.storage import choosing
from git_lerim.workspace import Workspace

_LOCAL = (
    *("catalog.sqlite3", "catalog.sqlite3-journal", "catalog.sqlite3.broken", "index.sqlite3", "index.sqlite3-journal"),
    *("vectors.sqlite3", "vectors.sqlite3-journal", "vectors.sqlite3.broken"),
    *("cache", "runs", "activity.log", "listing", "unchanged", "accesses", "accesses.1", "briefs", "fence.key", "trees"),
)
_INSTEAD = "git rm takes files out of your own branch, as of the next commit"


def reset(ws: Workspace, *, branch: bool) -> str | None:
    """Delete catalog, cache, runs and log; with `branch` also the branch. Return the ref that keeps its memories.

    The caller holds the lock.
    """
    if branch:
        choosing.branch_only(ws, _INSTEAD)
    for name in _LOCAL:
        path = ws.folder / name
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise ReadOnly(f"{path} could not be deleted: {error.strerror}") from error
    return choosing.branch_only(ws, _INSTEAD).delete() if branch else None
