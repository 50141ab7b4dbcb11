"""The sessions that were seen: what of them was read, where they belong, and their compacted transcripts."""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec

from git_lerim import database
from git_lerim.sessions.session import Header, Record, Role, Session

_CATALOG = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (path TEXT PRIMARY KEY, agent TEXT NOT NULL, stamp TEXT NOT NULL, bookmark BLOB);
CREATE TABLE sessions (
    agent TEXT NOT NULL, id TEXT NOT NULL, header BLOB NOT NULL, started INTEGER, ended INTEGER, stored INTEGER NOT NULL,
    prompts INTEGER NOT NULL, kept INTEGER NOT NULL, places TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
    generation INTEGER NOT NULL, extracted INTEGER NOT NULL, tried INTEGER NOT NULL, journal BLOB,
    PRIMARY KEY (agent, id));
CREATE INDEX sessions_by_state ON sessions (state, ended);
CREATE TABLE held (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL, stored INTEGER NOT NULL,
    prompts INTEGER NOT NULL, kept INTEGER NOT NULL, started INTEGER, ended INTEGER,
    PRIMARY KEY (agent, session, part, source))
""",
)
_TRANSCRIPTS = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL, records BLOB NOT NULL);
CREATE INDEX chunks_by_session ON chunks (agent, session, part, source)
""",
)
_BATCH_SECONDS = 1.0

_records = msgspec.json.Decoder(tuple[Record, ...])
_header = msgspec.json.Decoder(Header)


class State(StrEnum):
    """Where a session stands on its way to memories."""

    WAITING = "waiting"  # to be extracted
    EXTRACTED = "extracted"  # gave memories, or a summary
    NOTHING = "nothing"  # has no signal: nothing is kept of it
    EMPTY = "empty"  # nobody said anything in it
    ELSEWHERE = "elsewhere"  # belongs to another repository
    OUTSIDE = "outside"  # ran in no repository: the personal store's
    UNSCOPED = "unscoped"  # its folder is gone, and nothing else says whose it is
    FAILED = "failed"  # could not be extracted; rests after three tries
    SKIPPED = "skipped"  # the user said so


class Origin(NamedTuple):
    """What was read from where: a session, or a part of one, in a source."""

    agent: str
    session: str
    part: str  # empty for the session's own records
    source: str  # path


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What one reading gave."""

    stored: int  # stored records, of whatever kind
    prompts: int
    started: int | None
    ended: int | None
    kept: tuple[Record, ...]  # those that belong here, compacted and redacted


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One session as the catalog knows it."""

    agent: str
    id: str
    header: Header
    started: int | None  # milliseconds since the epoch
    ended: int | None
    stored: int  # stored records read
    prompts: int  # prompts of the human
    kept: int  # compacted records that belong to this repository
    places: tuple[str, ...]  # the folders it ran in
    state: State
    reason: str
    generation: int  # grows with everything read of it
    extracted: int  # the generation that was extracted last
    tried: int

    @property
    def name(self) -> str:
        """`<agent>/<session id>`."""
        return f"{self.agent}/{self.id}"


class Catalog:
    """`catalog.sqlite3` and the cache of transcripts beside it, written together or not at all."""

    def __init__(self, folder: Path) -> None:
        """Open both below a repository's `lerim` folder, making what is not there."""
        self._path = folder / "catalog.sqlite3"
        cache = folder / "cache" / "transcripts.sqlite3"
        self._db = database.connect(self._path, _CATALOG)
        database.connect(cache, _TRANSCRIPTS).close()
        self._db.execute("ATTACH DATABASE ? AS cache", (str(cache),))
        self._db.execute("PRAGMA cache.journal_mode = TRUNCATE")
        self._pair()
        self._began = 0.0

    def close(self) -> None:
        """Write what is not yet written, and close."""
        self.flush()
        self._db.close()

    def _pair(self) -> None:
        """Forget how far everything was read when the catalog or the cache was deleted alone."""
        mine = self._db.execute("SELECT value FROM main.meta WHERE key = 'pair'").fetchone()
        theirs = self._db.execute("SELECT value FROM cache.meta WHERE key = 'pair'").fetchone()
        if mine and theirs and mine[0] == theirs[0]:
            return
        with database.transaction(self._db):
            pair = secrets.token_hex(8)
            for schema in ("main", "cache"):
                self._db.execute(f"INSERT OR REPLACE INTO {schema}.meta VALUES ('pair', ?)", (pair,))  # noqa: S608 two constants
            self._db.execute("DELETE FROM cache.chunks")
            self._db.execute("DELETE FROM sources")
            self._db.execute("DELETE FROM held")

    # -- writing in batches: a transaction a source would cost more than reading it

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all of the block or nothing of it; blocks that follow soon share one commit."""
        if not self._db.in_transaction:
            with database.translated(self._path):
                self._db.execute("BEGIN IMMEDIATE")
            self._began = time.monotonic()
        self._db.execute("SAVEPOINT block")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK TO block")
            raise
        finally:
            self._db.execute("RELEASE block")
        if time.monotonic() - self._began > _BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what the blocks so far hold."""
        if self._db.in_transaction:
            with database.translated(self._path):
                self._db.execute("COMMIT")

    # -- sources

    def stamps(self) -> dict[str, str]:
        """Return the stamp of every source as it was when it was read."""
        return dict(self._db.execute("SELECT path, stamp FROM sources").fetchall())

    def bookmark(self, path: str) -> bytes | None:
        """Return how far a source was read, as it was saved."""
        row = self._db.execute("SELECT bookmark FROM sources WHERE path = ?", (path,)).fetchone()
        return row[0] if row else None

    def save_source(self, path: str, agent: str, stamp: str, bookmark: bytes | None) -> None:
        """Note how far a source was read."""
        self._db.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", (path, agent, stamp, bookmark))

    def judge_anew(self, fingerprint: str) -> None:
        """Read again, from the start, what was found to belong elsewhere, if the ground of that judgement changed."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'territory'").fetchone()
        if row and row[0] == fingerprint:
            return
        with self.writing():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('territory', ?)", (fingerprint,))
            if row:
                self._db.execute("DELETE FROM sources WHERE path IN (SELECT source FROM held WHERE kept < stored)")

    # -- what was read

    def forget(self, origin: Origin) -> None:
        """Drop what was read of a session from a source: it is about to be read from the start."""
        for table in ("cache.chunks", "held"):
            self._db.execute(f"DELETE FROM {table} WHERE agent = ? AND session = ? AND part = ? AND source = ?", origin)  # noqa: S608 two constants

    def hold(self, origin: Origin, held: Held) -> None:
        """Add what was read of a session from a source."""
        self._db.execute(
            "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET stored = stored + excluded.stored,"
            " prompts = prompts + excluded.prompts, kept = kept + excluded.kept,"
            " started = min(coalesce(started, excluded.started), coalesce(excluded.started, started)),"
            " ended = max(coalesce(ended, excluded.ended), coalesce(excluded.ended, ended))",
            (*origin, held.stored, held.prompts, len(held.kept), held.started, held.ended),
        )
        if held.kept:
            self._db.execute("INSERT INTO cache.chunks VALUES (?, ?, ?, ?, ?)", (*origin, msgspec.json.encode(held.kept)))

    def settle(self, agent: str, session: str, header: Header, places: Iterable[str], otherwise: tuple[State, str]) -> None:
        """Bring a session's entry up to date after something of it was read.

        It waits for extraction if any of its records belong here; else its state and the reason for it are `otherwise`.
        """
        known = self.entry(agent, session)
        sums = self._db.execute(
            "SELECT sum(stored) AS stored, sum(prompts) AS prompts, sum(kept) AS kept, min(started) AS started,"
            " max(ended) AS ended FROM held WHERE agent = ? AND session = ?",
            (agent, session),
        ).fetchone()
        state, why = (State.WAITING, "") if sums["kept"] else otherwise
        if known and known.state is State.SKIPPED:
            state, why = State.SKIPPED, known.reason
        all_places = dict.fromkeys([*(known.places if known else ()), *places])
        self._db.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL)",
            (
                agent,
                session,
                msgspec.json.encode(header),
                sums["started"],
                sums["ended"],
                sums["stored"] or 0,
                sums["prompts"] or 0,
                sums["kept"] or 0,
                json.dumps(list(all_places)[:50]),
                state,
                why,
                known.generation + 1 if known else 1,
                known.extracted if known else 0,
            ),
        )

    # -- sessions

    def entries(self, where: str = "1", arguments: tuple[object, ...] = ()) -> list[Entry]:
        """Return the sessions for which an SQL condition holds, newest first."""
        rows = self._db.execute(f"SELECT * FROM sessions WHERE {where} ORDER BY ended DESC, agent, id", arguments)  # noqa: S608 callers' constants
        return [_entry(row) for row in rows]

    def entry(self, agent: str, session: str) -> Entry | None:
        """Return one session, if it was ever seen."""
        row = self._db.execute("SELECT * FROM sessions WHERE agent = ? AND id = ?", (agent, session)).fetchone()
        return _entry(row) if row else None

    def session(self, entry: Entry) -> Session:
        """Return what is kept of a session: its own records first, then those of each part, each once."""
        rows = self._db.execute(
            "SELECT part, records FROM cache.chunks WHERE agent = ? AND session = ? ORDER BY part, source, rowid",
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
        """Return how many sessions stand in each state."""
        return dict(self._db.execute("SELECT state, count(*) FROM sessions GROUP BY state").fetchall())

    # -- the queue's side of an entry (see queue.py)

    def execute(self, sql: str, arguments: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Run one statement of the queue."""
        return self._db.execute(sql, arguments)


def prompts_in(records: Iterable[Record]) -> int:
    """Count the prompts of the human in the main conversation."""
    return sum(1 for r in records if r.role is Role.PROMPT and r.part is None)


def _entry(row: sqlite3.Row) -> Entry:
    return Entry(
        agent=row["agent"],
        id=row["id"],
        header=_header.decode(row["header"]),
        started=row["started"],
        ended=row["ended"],
        stored=row["stored"],
        prompts=row["prompts"],
        kept=row["kept"],
        places=tuple(json.loads(row["places"])),
        state=State(row["state"]),
        reason=row["reason"],
        generation=row["generation"],
        extracted=row["extracted"],
        tried=row["tried"],
    )
