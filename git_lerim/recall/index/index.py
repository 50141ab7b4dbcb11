"""Open the search index of a store, updating it or, if it is unusable, rebuilding it."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path

from git_lerim import private_files
from git_lerim.bulk import uncollected
from git_lerim.database import Connection, connect, connect_reader, transaction, translated
from git_lerim.errors import Busy, GitFailed, LerimError, NewerFormat, ReadOnly, Unreadable
from git_lerim.git.refs import is_running
from git_lerim.memories.authors import SOMEBODY, told_by
from git_lerim.recall.index.index_reader import FORMAT, Reader
from git_lerim.recall.index.index_writer import HIDDEN, SCHEMA, Writer, form_in
from git_lerim.recall.index.indexed import Changes, Store

NAME = "index.sqlite3"
# If more files changed, a copy of the index is updated and swapped in, so that no reader must wait.
BULK = 500
SWAP_WAITS = 5000  # milliseconds to wait for another writer, once a copy is ready
LEFT_OVER = 3600  # seconds after which an unfinished copy is deleted


class Index(Reader):
    """A search index that can be rebuilt from its store."""

    def __init__(self, connection: Connection, folder: Path, store: Store, at: str | None) -> None:
        """Initialize with an up-to-date database, and with what is needed to rebuild it."""
        super().__init__(connection)
        self._origin = folder, store, at

    def heal(self) -> bool:
        """Replace the damaged index with a new one, built from the store, and return True."""
        folder, store, at = self._origin
        with contextlib.suppress(OSError):
            (folder / NAME).unlink(missing_ok=True)
        self.close()
        anew = current(folder, store, at=at)
        self.connection, self.meta = anew.connection, anew.meta
        return True

    def keep_meta(self, meta: dict[str, str]) -> None:
        """Store values that the fast paths check before they trust the index.

        If the index cannot be written now, nothing is stored.
        """
        if meta.items() <= self.meta.items():
            return
        with (
            contextlib.suppress(Busy, ReadOnly),
            transaction(self.connection),
            translated(self._origin[0] / NAME),
        ):
            self.connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())
            self.meta |= meta

    def keep_first_commits(self, held: Mapping[str, tuple[float, str | None]]) -> None:
        """Store the time, in seconds, and the author of each memory's first commit.

        The keys of `held` are the ids of memories and the paths of summaries. The facts are valid
        for the commit that is indexed.
        """
        with (
            contextlib.suppress(Busy, ReadOnly),
            transaction(self.connection),
            translated(self._origin[0] / NAME),
        ):
            self.connection.execute("DELETE FROM held")
            self.connection.executemany(
                "INSERT INTO held VALUES (?, ?, ?)",
                ((name, at, author) for name, (at, author) in held.items()),
            )
            self.meta["held"] = self.meta.get("commit", "")
            self.connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('held', ?)", (self.meta["held"],)
            )

    def files(self) -> tuple[dict[str, str], dict[tuple[str, str], int], int]:
        """Return the blobs of the indexed files by path, and two counts.

        The first is the number of files for each pair of primitive and status. The second is how
        many files are not searchable, because another file with the same id is.
        """
        with translated(self._origin[0] / NAME):
            files = dict(self._ask("SELECT path, blob FROM document"))
            rows = self._ask(
                "SELECT primitive, status, count(*), total(area = ?) FROM document GROUP BY 1, 2",
                (HIDDEN,),
            ).fetchall()
        return (
            files,
            {(primitive, status): number for primitive, status, number, _ in rows},
            sum(int(row[3]) for row in rows),
        )

    def close(self) -> None:
        """Close the database."""
        self.connection.close()


def current(ws_folder: Path, store: Store, *, at: str | None = None) -> Index:
    """Return an up-to-date index of the store as it is now, or as of a revision or date."""
    if at is None:
        with contextlib.suppress(ReadOnly, Busy):
            return Index(_open_current(ws_folder / NAME, store), ws_folder, store, None)
    return Index(_in_memory(ws_folder / NAME, store, at), ws_folder, store, at)


def _open_current(path: Path, store: Store) -> Connection:
    kept = _open_existing(path, store.rules)
    since = _tree(kept)
    try:
        changes = store.changes(since, seen=_seen(kept))
    except GitFailed:  # the indexed tree was pruned
        if kept is None or since is None:
            raise
        kept.close()
        return _rebuild(path, None, store)
    if kept is None and changes.tree is None:
        return empty()
    if kept is None or changes.count > BULK:
        return _rebuild(path, kept, store)
    if (changes.commit, changes.seen) != (Reader(kept).commit, Reader(kept).meta.get("seen")):
        with transaction(kept):
            if (newer := _tree(kept)) != since:  # another process was faster
                changes = store.changes(newer, seen=_seen(kept))
            _apply(kept, changes, form_in(path.parent), store.rules)
    return kept


def _open_existing(path: Path, rules: str | None = None) -> Connection | None:
    """Open the index; return None if it is missing, unusable or redacted by other rules."""
    if not path.exists():
        return None
    try:
        connection = connect_reader(path, (SCHEMA,))
    except (Unreadable, NewerFormat):
        return None
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        with translated(path):
            if Reader(connection).fits(str(path.parent), rules):
                return connection
    except Unreadable:
        pass
    connection.close()
    return None


def _rebuild(path: Path, kept: Connection | None, store: Store) -> Connection:
    """Update a copy of the index, or build one if `kept` is None; swap it in and open it."""
    _sweep(path)
    copy = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(3).hex()}")
    try:
        with contextlib.closing(connect(copy, (SCHEMA,))) as made:
            made.execute("PRAGMA synchronous = OFF")
            if kept is not None:
                with translated(path):
                    kept.backup(made)
                kept.close()
            changes = store.changes(_tree(made), seen=_seen(made))
            with transaction(made), uncollected():
                _apply(made, changes, form_in(path.parent), store.rules)
        with copy.open("rb+") as file:
            os.fsync(file.fileno())
        _swap_in(copy, path)
    except OSError as error:
        raise ReadOnly(f"cannot write {path}: {error.strerror}") from error
    finally:
        for left in (copy, copy.with_name(copy.name + "-journal")):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
    found = _open_existing(path, store.rules)
    if found is None:
        raise ReadOnly(f"{path} cannot be read back")
    return found


def _swap_in(copy: Path, path: Path) -> None:
    """Replace the index with a copy while nobody writes to it.

    Another writer's journal would otherwise be applied to the copy.
    """
    existing = _open_existing(path)
    try:
        if existing is not None:
            existing.execute(f"PRAGMA busy_timeout = {SWAP_WAITS}")
            existing.execute("BEGIN IMMEDIATE")
        else:
            path.with_name(path.name + "-journal").unlink(missing_ok=True)
        copy.replace(path)
    finally:
        if existing is not None:
            existing.close()


def _sweep(path: Path) -> None:
    with contextlib.suppress(OSError):
        for copy in path.parent.glob(f"{path.name}.*"):
            writer = copy.name.removeprefix(f"{path.name}.").partition("-")[0]
            is_left = writer.isdecimal() and not is_running(int(writer))
            if is_left or time.time() - copy.stat().st_mtime > LEFT_OVER:
                copy.unlink()


def _in_memory(path: Path, store: Store, at: str | None) -> Connection:
    """Build an index in memory, starting from the existing one if that can be read."""
    made = empty()
    with contextlib.suppress(sqlite3.Error, LerimError):
        uri, waits = path.absolute().as_uri() + "?mode=ro", private_files.READER_WAITS
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=waits)) as kept:
            if Reader(kept).fits(str(path.parent), store.rules):
                kept.backup(made)
    try:
        changes = store.changes(_tree(made), at, _seen(made))
    except GitFailed:
        made = empty()
        changes = store.changes(None, at)
    with transaction(made):
        _apply(made, changes, FORMAT, store.rules)
    return made


def empty() -> Connection:
    """Return an empty index in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
    connection.path = Path(":memory:")
    connection.executescript(SCHEMA)
    return connection


def _tree(connection: Connection | None) -> str | None:
    return Reader(connection).tree if connection is not None else None


def _seen(connection: Connection | None) -> str:
    return Reader(connection).meta.get("seen", "") if connection is not None else ""


def _apply(connection: Connection, changes: Changes, form: str, rules: str) -> None:
    with translated(connection.path):
        writer = Writer(connection, changes.first)
        for path in changes.gone:
            writer.remove(path)
        for stored in changes.found:
            memory = told_by(stored.memory, SOMEBODY) if stored.is_joint else stored.memory
            writer.add(memory, stored.path, stored.blob, stored.author)
        meta = {"commit": changes.commit or "", "tree": changes.tree or "", "seen": changes.seen}
        writer.finish({"format": form, "rules": rules} | meta)
