"""Open git-lerim's SQLite databases, and migrate their tables."""

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from git_lerim import private_files
from git_lerim.errors import MAKE_SPACE, Busy, NewerFormat, ReadOnly, Unreadable

_BUSY_SECONDS = 30.0
_IN_VAIN = 10.0  # seconds in which a reader that waited in vain does not wait again
_LONGEST_END = 1 << 13  # bytes at the end of a journal, enough for a path
# SQLite's names of errors, and what they mean
_WRITE_FAILED = "the disk is full or faulty, or a quota or the limit on file sizes was reached"
_FAILED_WRITES = {
    "SQLITE_FULL": "the disk is full",
    **dict.fromkeys(
        ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_TRUNCATE"), _WRITE_FAILED
    ),
}
_ANEW = "git lerim reset deletes it, and the next sync recreates it"


# A rollback journal ends with the name of a super-journal, its length, a checksum and this, if
# several databases were written at once; SQLite calls it DATABASE-mjHEX and deletes it. See
# https://www.sqlite.org/fileformat2.html and `readSuperJournal` in SQLite's pager.c.
_MAGIC = bytes.fromhex("d9d505f920a163d7")
_SUPER_JOURNAL = re.compile(rb"-mj[0-9A-Fa-f]{9}\Z")


_waited: dict[Path, float] = {}  # when a reader last waited in vain for a database


class Connection(sqlite3.Connection):
    """An SQLite connection whose errors are git-lerim's and name the database file."""

    path = Path()

    # simpler than sqlite3's, because all our cursors are of one class
    def cursor(self, factory: Any = None) -> "_Cursor":  # type: ignore[override]
        """Return a cursor that raises git-lerim's errors instead of SQLite's."""
        return super().cursor(factory or _Cursor)

    def execute(self, sql: str, parameters: Any = (), /) -> "_Cursor":
        """Run one SQL statement, and return the cursor with its rows."""
        return self.cursor().execute(sql, parameters)


class _Cursor(sqlite3.Cursor):
    connection: Connection

    def execute(self, sql: str, parameters: Any = (), /) -> "_Cursor":
        with translated(self.connection.path):
            super().execute(sql, parameters)
        return self

    def __next__(self) -> Any:
        with translated(self.connection.path):
            return super().__next__()

    def fetchone(self) -> Any:
        with translated(self.connection.path):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with translated(self.connection.path):
            return super().fetchall()


def copy(source: Path, target: Path) -> None:
    """Copy a database consistently, even while another process writes it."""
    private_files.make_folders(target.parent)
    with (
        translated(source),
        contextlib.closing(
            sqlite3.connect(source.absolute().as_uri() + "?mode=ro", uri=True)
        ) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)


def connect(
    path: Path,
    migrations: Sequence[str],
    *,
    patience: float = _BUSY_SECONDS,
    checked: bool = False,
) -> Connection:
    """Open or create a database, and run the missing migrations in one transaction.

    `patience` is how many seconds to wait for other writers. With `checked`, the whole file is read
    to find damage, which takes about a millisecond per MiB.

    The journal mode is TRUNCATE instead of WAL, because WAL fails on network file systems, and
    before 3.51.3 SQLite can corrupt a WAL database with two writers. A file, folder or link that is
    not a valid database is renamed to `<name>.broken` and replaced: all of git-lerim's databases
    can be rebuilt.
    """
    try:
        return _open(path, migrations, patience, checked=checked)
    except Unreadable:
        try:
            path.replace(path.with_name(path.name + ".broken"))
        except OSError as error:
            raise ReadOnly(f"cannot write {path.parent}: {error.strerror}") from error
        return _open(path, migrations, patience)


def connect_reader(path: Path, migrations: Sequence[str], *, checked: bool = False) -> Connection:
    """Open a database like `connect`, for a caller that can do without it.

    Raises Busy after `READER_WAITS` seconds, and for a while at once, so that a process that opens
    a locked database several times waits only once.
    """
    is_again = time.monotonic() - _waited.get(path, -_IN_VAIN) < _IN_VAIN
    patience = 0 if is_again else private_files.READER_WAITS
    try:
        return connect(path, migrations, patience=patience, checked=checked)
    except Busy:
        _waited[path] = time.monotonic()
        raise


def in_memory(migrations: Sequence[str]) -> Connection:
    """Open an empty database that nobody keeps, in place of one that is locked."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
    connection.path = Path(":memory:")
    connection.row_factory = sqlite3.Row
    _migrate(connection, migrations)
    return connection


def _open(
    path: Path,
    migrations: Sequence[str],
    patience: float = _BUSY_SECONDS,
    *,
    checked: bool = False,
) -> Connection:
    if path.is_symlink() or path.is_dir():
        raise Unreadable(f"{path} is not a database of git-lerim")
    try:
        private_files.make_folders(path.parent)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _refuse_foreign_journal(path.with_name(path.name + "-journal"))
    except OSError as error:
        raise ReadOnly(f"cannot write {path}: {error.strerror}") from error
    with translated(path):
        connection = sqlite3.connect(
            path, timeout=patience, isolation_level=None, factory=Connection
        )
    connection.path = path
    connection.row_factory = sqlite3.Row
    try:
        if checked:
            _refuse_damage(connection)
        _refuse_foreign_parts(connection)
        connection.execute("PRAGMA journal_mode = TRUNCATE")
        _migrate(connection, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_foreign_journal(journal: Path) -> None:
    """Rename a journal that would make SQLite delete another file, and raise Unreadable.

    Only a repository that was received as files can contain such a journal.
    """
    try:
        with journal.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _LONGEST_END))
            end = file.read()
    except FileNotFoundError:
        return
    name = end[-16 - int.from_bytes(end[-16:-12]) : -16]
    if end.endswith(_MAGIC) and (b"\0" in name or not _SUPER_JOURNAL.search(name)):
        journal.replace(journal.with_name(journal.name + ".broken"))
        raise Unreadable(f"{journal} names a file that is not SQLite's")


def _refuse_damage(connection: Connection) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise Unreadable(f"{connection.path}: {found}")


def _refuse_foreign_parts(connection: Connection) -> None:
    if connection.execute(private_files.FOREIGN_PARTS).fetchone():
        raise Unreadable(f"{connection.path} has parts that git-lerim never makes, such as views")


def _migrate(connection: Connection, migrations: Sequence[str]) -> None:
    if _version(connection) == len(migrations):
        return
    if _version(connection) > len(migrations):
        raise NewerFormat(
            f"{connection.path} was written by a newer git-lerim", hint="update git-lerim"
        )
    with transaction(connection):
        for number, script in enumerate(
            migrations[_version(connection) :], _version(connection) + 1
        ):
            for statement in script.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Context manager: commit all changes of the `with` block, or none if it fails.

    The database is locked at once, so that a second writer waits.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # on a full disk, SQLite ends it
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Context manager: turn SQLite's errors about a database file into git-lerim's errors."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise Busy(
                f"another process is writing {path}", hint="try again in a moment"
            ) from error
        if why := _FAILED_WRITES.get(getattr(error, "sqlite_errorname", "")):
            raise ReadOnly(f"cannot write {path}: {why}", hint=MAKE_SPACE) from error
        if "readonly" in text or "disk" in text or "unable to open" in text:
            hint = "check the path and its permissions; git lerim reset deletes the database"
            raise ReadOnly(f"cannot write {path}: {text}", hint=hint) from error
        raise Unreadable(f"{path}: {text}", hint=_ANEW) from error
    except (
        sqlite3.DatabaseError,
        UnicodeDecodeError,
    ) as error:  # SQLite's message can quote bytes that are not UTF-8
        raise Unreadable(f"{path}: {error}", hint=_ANEW) from error
