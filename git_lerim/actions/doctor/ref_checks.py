"""Repair git-lerim's own refs, and report objects that are missing from their history."""

from collections.abc import Iterator

from git_lerim.actions.doctor.check import Check
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.storage.branch import mend_refs
from git_lerim.storage.history import gaps
from git_lerim.workspace import Workspace


def mended(ws: Workspace) -> list[str]:
    """Repair damaged refs as far as possible, and return what was done.

    The caller must hold the lock.
    """
    return mend_refs.mend(ws.place, open_objects(ws.place), ws.settings["branch"], thorough=True)


def gaps_in(ws: Workspace) -> Iterator[Check]:
    """Report refs whose history lacks objects; only a remote or a backup can supply these."""
    for name, said in gaps.gaps(ws.place, open_objects(ws.place), ws.settings["branch"]):
        how = (
            "git fetch --refetch brings what a remote has; git lerim backup restore reads a backup"
        )
        yield Check("branch", "problem", f"the history of {name} has a gap: {said}", how)
