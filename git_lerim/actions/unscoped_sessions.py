"""List the sessions that match no repository; search for them if no sync has read any."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from git_lerim.actions.intake.discover import discover
from git_lerim.actions.intake.unscoped import Mismatch, folders, names_of_digests, split_mismatches
from git_lerim.actions.sessions import Row, row_of
from git_lerim.actions.sync.sync_options import look_of
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import State
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The sessions that match no repository, and how they can be adopted."""

    rows: list[Row]  # newest first
    folders: list[str]  # whose sessions can be adopted
    names: dict[str, str]  # folders by their digests, where known
    mismatches: list[Mismatch]  # in work trees of this repository


def unscoped_sessions(ws: Workspace, progress: Callable[[int, int, str], None]) -> Found:
    """Return the unmatched sessions, and how to adopt them."""
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


def _listed(ws: Workspace, catalog: Catalog) -> Found:
    entries = catalog.entries("state = ?", (State.UNSCOPED,))
    mismatches, rest = split_mismatches(entries, ws.territory.worktrees)
    names = names_of_digests(catalog, entries)
    return Found(
        rows=[row_of(ws, entry) for entry in entries],
        folders=[] if ws.personal else folders(rest, names),
        names=names,
        mismatches=mismatches,
    )
