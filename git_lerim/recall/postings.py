"""Write an index: documents, and for each term the keys of the documents that have it, in pieces that are cheap to rewrite.

Not FTS5's tables: `bm25()` visits every document of every term, with a fixed k1 and b. On 100,000 made memories 95 of 100 queries
took it up to 69 ms, and this index, whose terms are two arrays that a search reads as they are, 7 ms.
"""

import sqlite3
from array import array
from collections.abc import Iterable
from itertools import chain, starmap
from typing import TYPE_CHECKING

from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import short_session
from git_lerim.recall.inverted import Piece, Terms, pieces
from git_lerim.recall.reader import COLUMNS, KEY_BITS, Document

if TYPE_CHECKING:
    from git_lerim.recall.beside import Beside

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
    key INTEGER PRIMARY KEY, area INTEGER NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL UNIQUE, blob TEXT NOT NULL,
    primitive TEXT NOT NULL, kind TEXT, status TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,
    confidence REAL NOT NULL, agent TEXT, session TEXT, record INTEGER, author TEXT NOT NULL, source TEXT NOT NULL,
    title TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL, anchors TEXT NOT NULL
);
CREATE INDEX document_id ON document (id);
CREATE INDEX document_session ON document (session, record);
CREATE TABLE posting (
    area INTEGER NOT NULL, term TEXT NOT NULL, first INTEGER NOT NULL, keys BLOB NOT NULL, codes BLOB NOT NULL,
    PRIMARY KEY (area, term, first)
) WITHOUT ROWID;
CREATE TABLE code (path TEXT PRIMARY KEY, blob TEXT) WITHOUT ROWID
"""
HIDDEN = -1  # the area of a file whose id another file has
FLUSH = 50_000  # documents after which the terms are written, to bound the memory that takes

_NOTES = {Primitive.SUMMARY.value, Primitive.HANDOFF.value}
HIGHEST = (1 << 34) - 1  # seconds: the year 2514

_INSERT = f"INSERT INTO document (area, {COLUMNS}) VALUES ({', '.join('?' * 20)})"  # noqa: S608 the columns are ours
_INSERT_PIECE = "INSERT INTO posting VALUES (?, ?, ?, ?, ?)"


class Writer:
    """Changes to an index, written in one transaction of the caller's."""

    def __init__(self, connection: sqlite3.Connection, beside: "Beside | None" = None) -> None:
        """Take a connection within a transaction, and who sees to the terms of new documents, where the index is still empty."""
        self._run = connection.cursor(sqlite3.Cursor).execute  # the caller translates errors, for all of them at once
        self._run_many = connection.cursor(sqlite3.Cursor).executemany
        self._ids: set[str] = set()  # whose files are to be chosen among
        self._places: set[str] = set()  # paths of code that are to be known
        self._terms = Terms()
        self._beside = beside
        self._waiting = 0

    def remove(self, path: str) -> None:
        """Take a file out, if it is in."""
        row = self._run(f"SELECT area, {COLUMNS} FROM document WHERE path = ?", (path,)).fetchone()  # noqa: S608
        if row is None:
            return
        area, *rest = row
        document = Document(rest)
        self._move(document, area, HIDDEN)
        self._run("DELETE FROM document WHERE key = ?", (document.key,))
        self._ids.add(document.id)

    def add(self, memory: Memory, path: str, blob: str, author: str = "") -> None:
        """Put a memory in, and who shared it."""
        row = self._free_key(memory), *_row(memory, path, blob, author)
        document = Document(row)
        alone = self._run("SELECT 1 FROM document WHERE id = ?", (memory.id,)).fetchone() is None
        area = _area(document) if alone else HIDDEN
        self._run(_INSERT, (area, *row))
        self._places.update(anchor.path for anchor in memory.anchors)
        if alone:
            (self._beside or self._terms).add(document, area)
        else:
            self._ids.add(memory.id)
        self._waiting += 1
        if self._waiting % FLUSH == 0:
            self._settle()

    def finish(self, meta: dict[str, str]) -> None:
        """Write what is left, and what the index is now."""
        self._settle()
        old = dict(self._run("SELECT name, value FROM meta").fetchall())
        changes = self._terms.sizes + self._beside.sizes if self._beside else self._terms.sizes
        sizes = {name: str(int(old.get(name, 0)) + change) for name, change in changes.items()}
        self._run_many("INSERT OR REPLACE INTO meta VALUES (?, ?)", (meta | sizes).items())

    def _free_key(self, memory: Memory) -> int:
        seconds = min(max(int(memory.created.timestamp()), 0), HIGHEST)
        key = seconds << KEY_BITS | int.from_bytes(memory.id.encode(), "big") % ((1 << KEY_BITS) - 3)
        while self._run("SELECT 1 FROM document WHERE key = ?", (key,)).fetchone():
            key += 1
        return key

    def _settle(self) -> None:
        """Show one file of each id: an archived one, else the first by path."""
        self._run_many("INSERT OR IGNORE INTO code (path) VALUES (?)", ((path,) for path in sorted(self._places)))
        self._places.clear()
        if self._beside:  # these first: a document that moves now is moved from where it came in
            self._write(self._beside.rows())
        for id_ in self._ids:
            rows = self._run(f"SELECT area, {COLUMNS} FROM document WHERE id = ?", (id_,)).fetchall()  # noqa: S608
            found = [(area, Document(rest)) for area, *rest in rows]
            shown: set[str] = set()
            for area, document in sorted(found, key=lambda pair: (not pair[1].path.startswith("archived/"), pair[1].path)):
                group = document.primitive if document.primitive in _NOTES else ""
                self._move(document, area, HIDDEN if group in shown else _area(document))
                shown.add(group)
        self._ids.clear()
        self._write_terms()

    def _move(self, document: Document, old: int, new: int) -> None:
        if old == new:
            return
        if old != HIDDEN:
            self._terms.remove(document, old)
        if new != HIDDEN:
            self._terms.add(document, new)
        self._run("UPDATE document SET area = ? WHERE key = ?", (new, document.key))

    def _write(self, rows: Iterable[Piece]) -> None:
        """Write what is said of documents that are new."""
        if self._is_empty():
            self._run_many(_INSERT_PIECE, rows)
            return
        for area, term, _, keys, codes in rows:
            self._merge(area, term, dict(zip(array("q", keys), array("H", codes), strict=True)))

    def _write_terms(self) -> None:
        if self._is_empty():
            self._run_many(_INSERT_PIECE, chain.from_iterable(starmap(pieces, self._terms.taken())))
            return
        for area, term, entries in self._terms.taken():
            self._merge(area, term, dict(zip(entries[::2], entries[1::2], strict=True)))

    def _is_empty(self) -> bool:
        return self._run("SELECT 1 FROM posting").fetchone() is None

    def _merge(self, area: int, term: str, changes: dict[int, int]) -> None:
        """Rewrite the pieces that some of a term's documents stand in."""
        keys = sorted(changes)
        while keys:
            first, until, entries = self._piece(area, term, keys[0])
            mine = [key for key in keys if key < until]
            keys = keys[len(mine) :]
            entries |= {key: changes[key] for key in mine}
            if first is not None:
                self._run("DELETE FROM posting WHERE area = ? AND term = ? AND first = ?", (area, term, first))
            self._run_many(_INSERT_PIECE, pieces(area, term, array("q", chain.from_iterable(entries.items()))))

    def _piece(self, area: int, term: str, key: int) -> tuple[int | None, float, dict[int, int]]:
        """Return the piece that a key belongs in: its first key, where the next one begins, and its entries."""
        ask = "SELECT first, keys, codes FROM posting WHERE area = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
        row = self._run(ask, (area, term, key)).fetchone()
        if row is None:
            ask = "SELECT first, keys, codes FROM posting WHERE area = ? AND term = ? ORDER BY first LIMIT 1"
            row = self._run(ask, (area, term)).fetchone()
        if row is None:
            return None, float("inf"), {}
        ask = "SELECT min(first) FROM posting WHERE area = ? AND term = ? AND first > ?"
        (until,) = self._run(ask, (area, term, row[0])).fetchone()
        entries = dict(zip(array("q", row[1]), array("H", row[2]), strict=True))
        return row[0], float("inf") if until is None else until, entries


def _area(document: Document) -> int:
    """Return which part of the index a document is in: 0 active memories, 1 active summaries and handoffs, 2 and 3 the rest."""
    return (document.primitive in _NOTES) + 2 * (document.status != Status.ACTIVE)


def _row(memory: Memory, path: str, blob: str, author: str) -> tuple[object, ...]:
    source = memory.sources[0] if memory.sources else None
    anchors = (
        (a.path, a.blob or "", *(map(str, a.lines) if a.lines else ("", "")), (a.symbol or "").replace("\t", " "))
        for a in memory.anchors
    )
    return (
        memory.id,
        path,
        blob,
        memory.primitive.value,
        memory.kind.value if memory.kind else None,
        memory.status.value,
        _stamp(memory.created.isoformat()),
        _stamp(memory.updated.isoformat()),
        memory.confidence,
        "\n".join(sorted({source.agent for source in memory.sources})),
        source.session if source else None,
        source.records[0][0] if source and source.records else None,
        author,
        f"{source.agent} {short_session(source.session)}" if source else "",
        memory.title,
        "\n".join(memory.tags),
        memory.body,
        "\n".join("\t".join(anchor) for anchor in anchors),
    )


def _stamp(iso: str) -> str:
    return iso[:19] + "Z"
