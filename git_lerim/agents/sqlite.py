"""Read-only access to an agent's SQLite database while the agent may be using it."""

import contextlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from git_lerim.errors import Unreadable

_BUSY_SECONDS = 5.0
_STEPS = 100_000  # SQLite VM instructions between two checks of the time limit
# seconds for all queries of a connection
_LONGEST = 60.0
_LARGEST = 4 << 30  # bytes (apparent size) to copy: a sparse file would fill the disk


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Context manager: open a database with its write-ahead log.

    If the database cannot be read in place, a copy of it and of its log is opened. No file is left
    beside the database. Raises Unreadable, also for errors while the database is used.
    """
    try:
        with contextlib.ExitStack() as stack:
            connection = _in_place(path)
            if connection is None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="git-lerim-"))
                connection = _connected(_copied(path, Path(folder)), "mode=ro")
            stack.enter_context(contextlib.closing(connection))
            yield connection
    except sqlite3.Error as error:
        raise Unreadable(f"{path} cannot be read as a database: {error}") from error
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error


def _in_place(path: Path) -> sqlite3.Connection | None:
    """Open a database in place; return None if that is not possible without side effects.

    It is not possible if the database is locked, or if SQLite would create files beside it.
    """
    with path.open("rb") as file:
        logged = file.read(20)[18:20] == b"\x02\x02"
    wal, shm = (path.with_name(path.name + ending).exists() for ending in ("-wal", "-shm"))
    if logged and wal and not shm:
        return None
    try:
        # Without a log, no program is using the database; `immutable` keeps SQLite from adding one.
        return _connected(path, "immutable=1" if logged and not wal else "mode=ro")
    except sqlite3.OperationalError:
        return None


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of a table's columns; an empty set if the table does not exist."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(row[0] for row in rows)


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_BUSY_SECONDS
    )
    try:
        connection.row_factory = sqlite3.Row
        _limited(connection)
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _limited(connection: sqlite3.Connection) -> None:
    """Make a connection abort slow queries and refuse views, which can be endless."""
    deadline = time.monotonic() + _LONGEST
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    connection.set_authorizer(_allowed)


def _allowed(
    _action: int, _first: str | None, _second: str | None, _database: str | None, view: str | None
) -> int:
    return sqlite3.SQLITE_OK if view is None else sqlite3.SQLITE_DENY


def _copied(path: Path, folder: Path) -> Path:
    files = [path.with_name(path.name + ending) for ending in ("", "-wal", "-shm")]
    if sum(file.stat().st_size for file in files if file.exists()) > _LARGEST:
        raise Unreadable(
            f"{path} cannot be opened in place, and is too large to copy: with its log, more than"
            f" {_LARGEST >> 30} GB"
        )
    for ending in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if not ending or beside.exists():
            shutil.copyfile(beside, folder / beside.name)
    return folder / path.name
