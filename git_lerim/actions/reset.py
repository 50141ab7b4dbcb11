"""Delete the local state, and the branch too if asked."""

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from git_lerim import private_files
from git_lerim.actions.authorship import refuse_agent
from git_lerim.errors import ReadOnly
from git_lerim.git.repo import private_folder
from git_lerim.storage import layout, open_store
from git_lerim.workspace import Workspace

# file patterns of what is derived from the memories and rebuilt when needed
DERIVED = (
    "index.sqlite3*",
    "vectors.sqlite3*",
    "verdicts.sqlite3*",
    "listing*",
    "unchanged*",
    "briefs",
    "runs",
    "trees",
)
_LOCAL = (
    *DERIVED,
    "catalog.sqlite3*",
    "cache",
    "activity.log",
    "accesses*",
    "fence.key",
    "verified*",
    "unsigned*",
    # but not hook-ran, without which doctor would say that no hook ever ran
    *("hook-again*", "hook-notice*", "hook-running*", "hook-sta*"),
    "model-*",
)
_LET_GO = "let-go"  # file: the tip of the branch that the user deleted
_INSTEAD = "to remove the files from your own branch: git rm"


def reset(ws: Workspace, *, branch: bool) -> dict[str, str]:
    """Delete the local state: catalog, caches, saved runs and log.

    With `branch`, also delete the memory branch and the user's proposals. Returns the backup ref of
    each branch that was deleted. The caller must hold the lock. Raises Declined if an agent runs
    the command: of some queued sessions, only the cached copy is left.
    """
    refuse_agent(ws, "this deletes queued sessions that may be stored nowhere else")
    if branch:
        open_store.branch_only(ws, _INSTEAD)
    delete(ws.folder, _LOCAL)
    if not branch:
        return {}
    proposals = [] if ws.personal else open_store.reviewing(ws).withdraw()
    store = open_store.branch_only(ws, _INSTEAD)
    tip, kept = store.tip(), store.delete()
    if tip is not None:
        with contextlib.suppress(OSError):  # without the file, a needless hint appears
            private_files.write(private_folder(ws.folder) / _LET_GO, f"{tip}\n")
    return {
        **({ws.settings["branch"]: kept} if kept else {}),
        **{name: layout.backup_ref(name) for name in proposals},
    }


def deleted_tip(ws: Workspace) -> set[str]:
    """Return a set with the tip of the memory branch that the user deleted on purpose, if any."""
    try:
        return set(private_files.read_text(ws.folder / _LET_GO).split())
    except OSError:
        return set()


def delete(folder: Path, patterns: Iterable[str], how: str = "could not be deleted") -> None:
    """Delete the files and folders in `folder` that match one of the patterns.

    Links are not followed. Raises ReadOnly, with `how` in its message.
    """
    path = folder
    try:
        for path in sorted(folder.iterdir()) if folder.exists() else ():
            if not any(path.match(pattern) for pattern in patterns):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise ReadOnly(
            f"{path} {how}: {error.strerror}", hint="check its permissions, and try again"
        ) from error
