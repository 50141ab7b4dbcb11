"""Delete the local state, and the branch too if asked."""

import contextlib
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from git_lerim import private_files
from git_lerim.actions.authorship import refuse_agent
from git_lerim.errors import ReadOnly
from git_lerim.git.repo import private_folder
from git_lerim.storage import layout, open_store
from git_lerim.storage.branch.lost_commits import Lost
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
    "authors.json",
    "worded.json",
    "claims.json",
    "judged",
    "maintained.json",
    "brief.md",
)
_LOCAL = (
    *DERIVED,
    "catalog.sqlite3*",
    "cache",
    "activity.log",
    "accesses*",
    "fence.key",
    "known-secrets",
    "verified*",
    "unsigned*",
    # but not hook-ran, without which doctor would say that no hook ever ran
    *("hook-again*", "hook-notice*", "hook-running*", "hook-sta*"),
    "model-*",
)
_LET_GO = "let-go"  # file: the tips of the branch that the user deleted
PROPOSALS = "let-go-proposals"  # the same of proposals
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
    proposals = {} if ws.personal else open_store.reviewing(ws).withdraw()
    if proposals:
        _note_deleted(ws, {*_deleted_tips(ws, PROPOSALS), *proposals.values()}, PROPOSALS)
    store = open_store.branch_only(ws, _INSTEAD)
    tip, kept = store.tip(), store.delete()
    if tip is not None:
        _note_deleted(ws, {*_deleted_tips(ws, _LET_GO), tip}, _LET_GO)
    return {
        **({ws.settings["branch"]: kept} if kept else {}),
        **{name: layout.backup_ref(name) for name in proposals},
    }


def unintended(ws: Workspace, lost: Collection[Lost], noted: str = _LET_GO) -> list[Lost]:
    """Return the lost states of the branch but for those that the user deleted on purpose.

    A state that the branch has again is no longer known as deleted: its next loss is not meant.
    For lost proposals, `noted` is PROPOSALS.
    """
    tips = _deleted_tips(ws, noted)
    if tips - (gone := tips & {state.commit for state in lost}):
        _note_deleted(ws, gone, noted)
    return [state for state in lost if state.commit not in gone]


def _deleted_tips(ws: Workspace, noted: str) -> set[str]:
    """Return the tips of the memory branch, or of proposals, that the user deleted on purpose."""
    try:
        return set(private_files.read_text(ws.folder / noted).split())
    except OSError:
        return set()


def _note_deleted(ws: Workspace, tips: Iterable[str], noted: str) -> None:
    with contextlib.suppress(OSError):  # without the file, a needless hint appears
        text = "".join(f"{tip}\n" for tip in sorted(tips))
        private_files.replace(private_folder(ws.folder) / noted, text)


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
