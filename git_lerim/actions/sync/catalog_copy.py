"""Copy the catalog of sessions, for a run that changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from git_lerim import database
from git_lerim.workspace import Workspace


@contextmanager
def copy_of_catalog(ws: Workspace) -> Iterator[Path]:
    """Copy the catalog to a temporary folder, which is deleted after the `with` block."""
    import tempfile  # noqa: PLC0415 slow to load

    with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
        for name in ("catalog.sqlite3", "cache/transcripts.sqlite3"):
            if (ws.folder / name).exists():
                database.copy(ws.folder / name, Path(folder) / name)
        yield Path(folder)
