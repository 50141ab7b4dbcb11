"""Write an index: documents, and for each term the keys of the documents that have it, in pieces that are cheap to rewrite.

Not FTS5's tables: its `bm25()` walks every document of every term with a fixed k1 and b, and knows no weight of a field by its
length; here a term's documents are two arrays, which a search reads as they are.
"""

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable

from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import short_session
from git_lerim.recall.reader import COLUMNS, KEY_BITS, Document, length_code
from git_lerim.recall.terms import fold, terms

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
    key INTEGER PRIMARY KEY, area INTEGER NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL UNIQUE, blob TEXT NOT NULL,
    primitive TEXT NOT NULL, kind TEXT, status TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,
    confidence REAL NOT NULL, agent TEXT, session TEXT, record INTEGER, source TEXT NOT NULL,
    title TEXT NOT NULL, tags TEXT NOT NULL, body TEXT NOT NULL, anchors TEXT NOT NULL
);
CREATE INDEX document_id ON document (id);
CREATE INDEX document_area ON document (area, key);
CREATE INDEX document_session ON document (session, record);
CREATE TABLE posting (
    area INTEGER NOT NULL, term TEXT NOT NULL, first INTEGER NOT NULL, keys BLOB NOT NULL, codes BLOB NOT NULL,
    PRIMARY KEY (area, term, first)
) WITHOUT ROWID
"""
HIDDEN = -1  # the area of a file whose id another file has
PIECE = 512  # documents of a term in one row
FLUSH = 20_000  # documents after which the terms are written, to bound the memory that takes

# What a word counts in each field, in halves.
TITLE, TAGS, PLACES, BODY = 6, 4, 3, 2
HIGHEST = (1 << 34) - 1  # seconds: the year 2514

_INSERT = f"INSERT INTO document (area, {COLUMNS}) VALUES ({', '.join('?' * 19)})"  # noqa: S608 the columns are ours


class Writer:
    """Changes to an index, written in one transaction of the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection within a transaction."""
        self._connection = connection
        self._ids: set[str] = set()  # whose files are to be chosen among
        self._added: dict[tuple[int, str], dict[int, int]] = {}
        self._dropped: dict[tuple[int, str], set[int]] = {}
        self._sizes: Counter[str] = Counter()
        self._waiting = 0

    def remove(self, path: str) -> None:
        """Take a file out, if it is in."""
        row = self._connection.execute(f"SELECT area, {COLUMNS} FROM document WHERE path = ?", (path,)).fetchone()  # noqa: S608
        if row is None:
            return
        area, *rest = row
        document = Document(rest)
        self._move(document, area, HIDDEN)
        self._connection.execute("DELETE FROM document WHERE key = ?", (document.key,))
        self._ids.add(document.id)

    def add(self, memory: Memory, path: str, blob: str) -> None:
        """Put a memory in."""
        key = self._free_key(memory)
        self._connection.execute(_INSERT, (HIDDEN, key, *_row(memory, path, blob)))
        self._ids.add(memory.id)
        self._waiting += 1
        if self._waiting % FLUSH == 0:
            self._settle()

    def finish(self, meta: dict[str, str]) -> None:
        """Write what is left, and what the index is now."""
        self._settle()
        old = dict(self._connection.execute("SELECT name, value FROM meta").fetchall())
        sizes = {name: str(int(old.get(name, 0)) + change) for name, change in self._sizes.items()}
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", (meta | sizes).items())

    def _free_key(self, memory: Memory) -> int:
        seconds = min(max(int(memory.created.timestamp()), 0), HIGHEST)
        key = seconds << KEY_BITS | int.from_bytes(memory.id.encode(), "big") % ((1 << KEY_BITS) - 3)
        while self._connection.execute("SELECT 1 FROM document WHERE key = ?", (key,)).fetchone():
            key += 1
        return key

    def _settle(self) -> None:
        """Show one file of each id: an archived one, else the first by path."""
        for id_ in self._ids:
            rows = self._connection.execute(f"SELECT area, {COLUMNS} FROM document WHERE id = ?", (id_,)).fetchall()  # noqa: S608
            shown: set[str] = set()
            for area, *rest in (
                sorted(rows, key=lambda row: (not row["path"].startswith("archived/"), row["path"])) if len(rows) > 1 else rows
            ):
                document = Document(rest)
                group = document.primitive if document.primitive in {Primitive.SUMMARY, Primitive.HANDOFF} else ""
                self._move(document, area, HIDDEN if group in shown else _area(document))
                shown.add(group)
        self._ids.clear()
        self._write_terms()

    def _move(self, document: Document, old: int, new: int) -> None:
        if old == new:
            return
        codes, words = coded(document)
        if old != HIDDEN:
            self._sizes.update({f"documents{old}": -1, f"words{old}": -words})
            for term in codes:
                self._dropped.setdefault((old, term), set()).add(document.key)
                self._added.get((old, term), {}).pop(document.key, None)
        if new != HIDDEN:
            self._sizes.update({f"documents{new}": 1, f"words{new}": words})
            for term, code in codes.items():
                self._added.setdefault((new, term), {})[document.key] = code
        self._connection.execute("UPDATE document SET area = ? WHERE key = ?", (new, document.key))

    def _write_terms(self) -> None:
        for area, term in sorted(self._added.keys() | self._dropped.keys()):
            self._merge(area, term, self._added.get((area, term), {}), self._dropped.get((area, term), set()))
        self._added.clear()
        self._dropped.clear()

    def _merge(self, area: int, term: str, added: dict[int, int], dropped: set[int]) -> None:
        """Rewrite the pieces that some of a term's documents stand in."""
        keys = sorted(added.keys() | dropped)
        while keys:
            first, until, entries = self._piece(area, term, keys[0])
            mine = [key for key in keys if key < until]
            keys = keys[len(mine) :]
            for key in mine:
                if key in dropped:
                    entries.pop(key, None)
                if key in added:
                    entries[key] = added[key]
            if first is not None:
                self._connection.execute("DELETE FROM posting WHERE area = ? AND term = ? AND first = ?", (area, term, first))
            self._connection.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", _pieces(area, term, entries))

    def _piece(self, area: int, term: str, key: int) -> tuple[int | None, float, dict[int, int]]:
        """Return the piece that a key belongs in: its first key, where the next one begins, and its entries."""
        ask = "SELECT first, keys, codes FROM posting WHERE area = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
        row = self._connection.execute(ask, (area, term, key)).fetchone()
        if row is None:
            ask = "SELECT first, keys, codes FROM posting WHERE area = ? AND term = ? ORDER BY first LIMIT 1"
            row = self._connection.execute(ask, (area, term)).fetchone()
        if row is None:
            return None, float("inf"), {}
        ask = "SELECT min(first) FROM posting WHERE area = ? AND term = ? AND first > ?"
        (until,) = self._connection.execute(ask, (area, term, row[0])).fetchone()
        entries = dict(zip(array("q", row[1]), array("H", row[2]), strict=True))
        return row[0], float("inf") if until is None else until, entries


def _pieces(area: int, term: str, entries: dict[int, int]) -> Iterable[tuple[int, str, int, bytes, bytes]]:
    keys = sorted(entries)
    count = max(round(len(keys) / PIECE), 1)
    step = -(-len(keys) // count) or 1
    for start in range(0, len(keys), step):
        part = keys[start : start + step]
        yield area, term, part[0], array("q", part).tobytes(), array("H", [entries[key] for key in part]).tobytes()


def _area(document: Document) -> int:
    """Return which part of the index a document is in: 0 active memories, 1 active summaries and handoffs, 2 and 3 the rest."""
    return (document.primitive in {Primitive.SUMMARY, Primitive.HANDOFF}) + 2 * (document.status != Status.ACTIVE)


def coded(document: Document) -> tuple[dict[str, int], int]:
    """Return a document's terms, each with what its weight follows from, and how many words the document has."""
    counts: dict[str, int] = {}
    words = 0
    places = " ".join(f"{path} {symbol}" for path, _, _, _, symbol in places_of(document))
    fields = ((document.title, TITLE), (document.tags, TAGS), (places, PLACES), (document.body, BODY))
    for text, weight in fields:
        found = terms(text)
        words += len(found)
        for term in found:
            counts[term] = counts.get(term, 0) + weight
    length = length_code(words)
    codes = {term: min(count, 255) << 8 | length for term, count in counts.items()}
    for mark in _marks(document):
        codes[mark] = 0
    return codes, words


def places_of(document: Document) -> list[list[str]]:
    """Return the anchors of a document: path, blob, first line, last line, symbol."""
    return [line.split("\t") for line in document.anchors.split("\n") if line]


def _marks(document: Document) -> Iterable[str]:
    """Return what a document is found by where a query narrows: `=kind:pitfall`, `=path:src`."""
    yield f"=primitive:{document.primitive}"
    if document.kind:
        yield f"=kind:{document.kind}"
    yield from (f"=tag:{fold(tag)}" for tag in document.tags.split("\n") if tag)
    yield from (f"=agent:{fold(agent)}" for agent in (document.agent or "").split("\n") if agent)
    for path, *_ in places_of(document):
        steps = path.split("/")
        yield f"=path:{steps[-1]}"
        yield from ("=path:" + "/".join(steps[:end]) for end in range(1, len(steps) + 1))


def _row(memory: Memory, path: str, blob: str) -> tuple[object, ...]:
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
        f"{source.agent} {short_session(source.session)}" if source else "",
        memory.title,
        "\n".join(memory.tags),
        memory.body,
        "\n".join("\t".join(anchor) for anchor in anchors),
    )


def _stamp(iso: str) -> str:
    return iso[:19] + "Z"
