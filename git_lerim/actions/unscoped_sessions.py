"""List the sessions that match no repository; search for them if no sync has read any."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from git_lerim.actions.intake.discover import discover
from git_lerim.actions.intake.unscoped import Vetoed, folders, split_vetoed
from git_lerim.actions.sessions import Row, row_of
from git_lerim.actions.sync.sync_options import look_of
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import State
from git_lerim.workspace import Workspace


def unscoped_sessions(
    ws: Workspace, progress: Callable[[int, int, str], None]
) -> tuple[list[Row], list[str], list[Vetoed]]:
    """Return the unmatched sessions, newest first, and those that can be adopted.

    These are named by folders, and by the work trees of this repository in which they ran.
    """
    with ws.catalog_to_read() as catalog:
        if catalog.stamps():
            return _listed(ws, catalog)
    with (
        tempfile.TemporaryDirectory(prefix="git-lerim-") as folder,
        ws.catalog(Path(folder)) as catalog,
    ):
        found = discover(catalog, look_of(ws, queue.Window()), progress)
        for warning in found.warnings:
            ws.note(warning)
        return _listed(ws, catalog)


def _listed(ws: Workspace, catalog: Catalog) -> tuple[list[Row], list[str], list[Vetoed]]:
    entries = catalog.entries("state = ?", (State.UNSCOPED,))
    vetoed, rest = split_vetoed(entries, ws.territory.worktrees)
    rows = [row_of(ws, entry) for entry in entries]
    return rows, [] if ws.personal else folders(rest), vetoed
