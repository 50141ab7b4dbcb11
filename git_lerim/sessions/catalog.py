"""The catalog of sessions: how far each source was read, and what was read from it."""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from git_lerim import database
from git_lerim.sessions import tables, touched
from git_lerim.sessions.entry import Entry, Held, Origin, State, entry_in
from git_lerim.sessions.session import Header, Record, Session

_BATCH_SECONDS = 1.0
_OF_ORIGIN = "agent = ? AND session = ? AND part = ? AND source = ?"
_PLACES = 50  # the most recent folders that are kept for a session

_records = msgspec.json.Decoder(tuple[Record, ...])


class Catalog:
    """The database `catalog.sqlite3` and the cache of transcripts, used as one database."""

    def __init__(self, folder: Path) -> None:
        """Open or create both databases in a repository's `lerim` folder."""
        self._path = folder / "catalog.sqlite3"
        cache = folder / "cache" / "transcripts.sqlite3"
        self._db = database.connect(self._path, tables.CATALOG)
        self._began = 0.0
        try:
            database.connect(cache, tables.TRANSCRIPTS).close()
            self._db.execute("ATTACH DATABASE ? AS cache", (os.fsencode(cache),))
            self._db.execute("PRAGMA cache.journal_mode = TRUNCATE")
            self._pair()
            touched.fill(self._db)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Commit the last changes and close the databases."""
        try:
            self.flush()
        finally:
            self._db.close()

    def _pair(self) -> None:
        """Check that both databases belong together; if one is new, have all sources read again."""
        if self._paired():
            return
        with database.transaction(self._db):
            if self._paired():  # by another process, meanwhile
                return
            pair = os.urandom(8).hex()
            for schema in ("main", "cache"):
                self._db.execute(
                    f"INSERT OR REPLACE INTO {schema}.meta VALUES ('pair', ?)",  # noqa: S608
                    (pair,),
                )
            self._db.execute("DELETE FROM cache.chunks")
            for table in ("sources", "held", *touched.TABLES):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 constants
            self._db.execute(
                "UPDATE sessions SET kept = 0, journal = NULL"
            )  # no text, nothing to extract

    def _paired(self) -> bool:
        asked = (
            "SELECT (SELECT value FROM main.meta WHERE key = 'pair') = (SELECT value FROM"
            " cache.meta WHERE key = 'pair')"
        )
        return bool(self._db.execute(asked).fetchone()[0])

    # -- writing in batches: a transaction per source would cost more than reading the source

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write the changes of a `with` block atomically.

        Blocks in quick succession share a commit.
        """
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")
            self._began = time.monotonic()
        self._db.execute("SAVEPOINT block")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # a full disk may have ended it
                self._db.execute("ROLLBACK TO block")
                self._db.execute("RELEASE block")
            raise
        self._db.execute("RELEASE block")
        if time.monotonic() - self._began > _BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Commit the changes of the `writing` blocks that are not committed yet."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    # -- sources

    def stamps(self) -> dict[str, str]:
        """Map the path of each source to the stamp that the source had when last read."""
        return dict(self._db.execute("SELECT path, stamp FROM sources").fetchall())

    def bookmark(self, path: str) -> bytes | None:
        """Return the saved position up to which a source was read, or None if it has none."""
        row = self._db.execute("SELECT bookmark FROM sources WHERE path = ?", (path,)).fetchone()
        return row[0] if row else None

    def save_source(self, path: str, agent: str, stamp: str, bookmark: bytes | None) -> None:
        """Save a source's stamp and the position up to which it was read."""
        self._db.execute(
            "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", (path, agent, stamp, bookmark)
        )

    def judge_anew(self, fingerprint: str) -> None:
        """Have sources read again if the paths and remotes of this repository have changed.

        This concerns only sources with records of other repositories. The fingerprint covers the
        paths and remotes by which sessions are assigned to this repository.
        """
        if self._changed("territory", fingerprint):
            with self.writing():
                self._db.execute(
                    "DELETE FROM sources WHERE path IN (SELECT source FROM held WHERE others > 0)"
                )

    def gate_anew(self, fingerprint: str) -> None:
        """Have all sources read again if the rules about what to keep of a session have changed."""
        if self._changed("gate", fingerprint):
            with self.writing():
                self._db.execute("DELETE FROM sources")

    def is_news(self, key: str, value: str) -> bool:
        """Store a value under a key; return whether it is the first or differs from the old one."""
        is_first = not self._db.execute("SELECT 1 FROM main.meta WHERE key = ?", (key,)).fetchone()
        return self._changed(key, value) or is_first

    def _changed(self, key: str, value: str) -> bool:
        row = self._db.execute("SELECT value FROM main.meta WHERE key = ?", (key,)).fetchone()
        if row and row[0] == value:
            return False
        with self.writing():
            self._db.execute("INSERT OR REPLACE INTO main.meta VALUES (?, ?)", (key, value))
        return row is not None

    # -- what was read

    def forget(self, origin: Origin) -> None:
        """Drop the stored records of a session or a part of it, before the source is read again."""
        for table in ("cache.chunks", "held", *touched.TABLES):
            self._db.execute(
                f"DELETE FROM {table} WHERE {_OF_ORIGIN}",  # noqa: S608 constants
                origin,
            )

    def hold(self, origin: Origin, held: Held) -> None:
        """Store the records that one reading of a source found for a session."""
        self._db.execute(
            "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " stored = stored + excluded.stored, prompts = prompts + excluded.prompts, kept = kept"
            " + excluded.kept, others = others + excluded.others, started = min(coalesce(started,"
            " excluded.started), coalesce(excluded.started, started)), ended = max(coalesce(ended,"
            " excluded.ended), coalesce(excluded.ended, ended))",
            (
                *origin,
                held.stored,
                held.prompts,
                len(held.kept),
                held.started,
                held.ended,
                held.others,
            ),
        )
        if held.kept:
            self._db.execute(
                "INSERT INTO cache.chunks VALUES (?, ?, ?, ?, ?)",
                (*origin, msgspec.json.encode(held.kept)),
            )
            touched.note(self._db.execute, origin, held.kept)

    def settle(
        self,
        agent: str,
        session: str,
        header: Header,
        places: Iterable[str],
        otherwise: tuple[State, str],
    ) -> None:
        """Update a session's entry after some of the session was read.

        The session is queued if any of its records belong to this repository; otherwise its state
        and the reason are those in `otherwise`. A session that the user skipped stays skipped.
        """
        known = self.entry(agent, session)
        sums = self._sums(agent, session)
        state, why = (State.WAITING, "") if sums["kept"] else otherwise
        if known and known.state is State.SKIPPED:
            state, why = State.SKIPPED, known.reason
        new = tuple(dict.fromkeys(places))
        old = [place for place in (known.places if known else ()) if place not in new]
        self._db.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0,"
            " NULL, ?)",
            (
                agent,
                session,
                msgspec.json.encode(header),
                sums["started"],
                sums["ended"],
                sums["stored"] or 0,
                sums["prompts"] or 0,
                sums["kept"] or 0,
                json.dumps([*old, *new][-_PLACES:]),
                state,
                why,
                known.generation + 1 if known else 1,
                known.extracted if known else 0,
                known.rules if known else 0,
            ),
        )

    def _sums(self, agent: str, session: str) -> sqlite3.Row:
        """Return totals of a session's stored records, over all its sources."""
        found: sqlite3.Row = self._db.execute(
            "SELECT sum(stored) AS stored, sum(prompts) AS prompts, sum(kept) AS kept, min(started)"
            " AS started, max(ended) AS ended FROM held WHERE agent = ? AND session = ?",
            (agent, session),
        ).fetchone()
        return found

    # -- sessions

    def entries(self, where: str = "1", arguments: tuple[object, ...] = ()) -> list[Entry]:
        """Return the entries of the sessions that match an SQL condition, newest first."""
        rows = self._db.execute(
            f"SELECT * FROM sessions WHERE {where} ORDER BY ended DESC, agent, id",  # noqa: S608
            arguments,
        )
        return [entry for row in rows.fetchall() if (entry := self._entry(row))]

    def entry(self, agent: str, session: str) -> Entry | None:
        """Return the entry of a session, or None if the session was never seen."""
        row = self._db.execute(
            "SELECT * FROM sessions WHERE agent = ? AND id = ?", (agent, session)
        ).fetchone()
        return self._entry(row) if row else None

    def _entry(self, row: sqlite3.Row) -> Entry | None:
        """Return the entry in a row; delete a damaged one, and have its sources read again."""
        found = entry_in(row)
        if found is None:
            named = (row["agent"], row["id"])
            with self.writing():
                self._db.execute(
                    "DELETE FROM sources WHERE path IN (SELECT source FROM held WHERE agent = ? AND"
                    " session = ?)",
                    named,
                )
                self._db.execute("DELETE FROM sessions WHERE agent = ? AND id = ?", named)
        return found

    def session(self, entry: Entry) -> Session:
        """Return a session with its stored records: its own, then those of its parts.

        A record that was stored twice is returned once.
        """
        rows = self._db.execute(
            "SELECT part, records FROM cache.chunks WHERE agent = ? AND session = ? ORDER BY part,"
            " source, rowid",
            (entry.agent, entry.id),
        )
        seen: set[tuple[object, ...]] = set()
        records = []
        for _, blob in rows:
            for record in _records.decode(blob):
                key = (record.uuid or record.n, record.part, record.role, record.text, record.call)
                if key not in seen:
                    seen.add(key)
                    records.append(record)
        return Session(agent=entry.agent, id=entry.id, header=entry.header, records=tuple(records))

    def counts(self) -> dict[str, int]:
        """Return the number of sessions in each state."""
        return dict(
            self._db.execute("SELECT state, count(*) FROM sessions GROUP BY state").fetchall()
        )

    def execute(self, sql: str, arguments: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Run one SQL statement; the queue and similar modules use this."""
        return self._db.execute(sql, arguments)
