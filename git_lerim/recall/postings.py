"""Write an index: documents, and for each term the keys of the documents that have it, in pieces that are cheap to rewrite.

Not FTS5's tables: `bm25()` visits every document of every term, with a fixed k1 and b. On 100,000 made memories 95 of 100 queries
took it up to 69 ms, and this index, whose terms are two arrays that a search reads as they are, 7 ms.
"""

import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import chain
from operator import itemgetter, lt
from sys import byteorder
from typing import TypeAlias

from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import short_session
from git_lerim.recall.reader import ALL, COLUMNS, KEY_BITS, Document, length_code
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
CREATE INDEX document_session ON document (session, record);
CREATE TABLE posting (
    area INTEGER NOT NULL, term TEXT NOT NULL, first INTEGER NOT NULL, keys BLOB NOT NULL, codes BLOB NOT NULL,
    PRIMARY KEY (area, term, first)
) WITHOUT ROWID;
CREATE TABLE code (path TEXT PRIMARY KEY, blob TEXT) WITHOUT ROWID
"""
Entries: TypeAlias = "array[int]"  # a document's key, and what its weight follows from; then those of the next
GONE = -1  # in place of that: it has the term no more
HIDDEN = -1  # the area of a file whose id another file has
PIECE = 512  # documents of a term in one row
FLUSH = 20_000  # documents after which the terms are written, to bound the memory that takes

# What a word counts in each field; one in the body counts 1.
TITLE = 3
ASIDE = 2  # in tags, and in the paths and symbols of anchors
_NOTES = {Primitive.SUMMARY.value, Primitive.HANDOFF.value}
HIGHEST = (1 << 34) - 1  # seconds: the year 2514

_INSERT = f"INSERT INTO document (area, {COLUMNS}) VALUES ({', '.join('?' * 19)})"  # noqa: S608 the columns are ours
_INSERT_PIECE = "INSERT INTO posting VALUES (?, ?, ?, ?, ?)"


class Writer:
    """Changes to an index, written in one transaction of the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection within a transaction."""
        self._run = connection.cursor(sqlite3.Cursor).execute  # the caller translates errors, for all of them at once
        self._run_many = connection.cursor(sqlite3.Cursor).executemany
        self._ids: set[str] = set()  # whose files are to be chosen among
        self._log: defaultdict[int, defaultdict[str, Entries]] = defaultdict(_by_term)  # by area and term, in order
        self._sizes: Counter[str] = Counter()
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

    def add(self, memory: Memory, path: str, blob: str) -> None:
        """Put a memory in."""
        row = self._free_key(memory), *_row(memory, path, blob)
        document = Document(row)
        alone = self._run("SELECT 1 FROM document WHERE id = ?", (memory.id,)).fetchone() is None
        area = _area(document) if alone else HIDDEN
        self._run(_INSERT, (area, *row))
        self._run_many("INSERT OR IGNORE INTO code (path) VALUES (?)", ((path,) for path, _ in document.places))
        if alone:
            self._index(document, area)
        else:
            self._ids.add(memory.id)
        self._waiting += 1
        if self._waiting % FLUSH == 0:
            self._settle()

    def finish(self, meta: dict[str, str]) -> None:
        """Write what is left, and what the index is now."""
        self._settle()
        old = dict(self._run("SELECT name, value FROM meta").fetchall())
        sizes = {name: str(int(old.get(name, 0)) + change) for name, change in self._sizes.items()}
        self._run_many("INSERT OR REPLACE INTO meta VALUES (?, ?)", (meta | sizes).items())

    def _free_key(self, memory: Memory) -> int:
        seconds = min(max(int(memory.created.timestamp()), 0), HIGHEST)
        key = seconds << KEY_BITS | int.from_bytes(memory.id.encode(), "big") % ((1 << KEY_BITS) - 3)
        while self._run("SELECT 1 FROM document WHERE key = ?", (key,)).fetchone():
            key += 1
        return key

    def _settle(self) -> None:
        """Show one file of each id: an archived one, else the first by path."""
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
            codes, words = coded(document)
            self._sizes.update({f"documents{old}": -1, f"words{old}": -words})
            for term in codes:
                self._log[old][term].extend((document.key, GONE))
        if new != HIDDEN:
            self._index(document, new)
        self._run("UPDATE document SET area = ? WHERE key = ?", (new, document.key))

    def _index(self, document: Document, area: int) -> None:
        codes, words = coded(document)
        self._sizes[f"documents{area}"] += 1
        self._sizes[f"words{area}"] += words
        log, key = self._log[area], document.key
        for term, code in codes.items():
            entries = log[term]
            entries.append(key)
            entries.append(code)

    def _write_terms(self) -> None:
        anew = self._run("SELECT 1 FROM posting").fetchone() is None
        for area in sorted(self._log):
            log = sorted(self._log[area].items(), key=itemgetter(0))
            if anew:
                self._run_many(_INSERT_PIECE, chain.from_iterable(_pieces(area, term, entries) for term, entries in log))
            else:
                for term, entries in log:
                    self._merge(area, term, dict(zip(entries[::2], entries[1::2], strict=True)))
        self._log.clear()

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
            self._run_many(_INSERT_PIECE, _pieces(area, term, array("q", chain.from_iterable(entries.items()))))

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


def _pieces(area: int, term: str, entries: Entries) -> Iterable[tuple[int, str, int, bytes, bytes]]:
    if len(entries) == 2 and entries[1] != GONE:  # most terms are rare
        key, code = entries
        return ((area, term, key, key.to_bytes(8, byteorder), code.to_bytes(2, byteorder)),)
    keys, codes = entries[::2], entries[1::2]
    if GONE in codes or not all(map(lt, keys, keys[1:])):
        last = dict(zip(keys, codes, strict=True))
        keys = array("q", sorted(key for key in last if last[key] != GONE))
        codes = array("q", map(last.__getitem__, keys))
    count = max(round(len(keys) / PIECE), 1)
    step = -(-len(keys) // count) or 1
    return [
        (area, term, keys[start], keys[start : start + step].tobytes(), array("H", codes[start : start + step]).tobytes())
        for start in range(0, len(keys), step)
    ]


def _by_term() -> defaultdict[str, Entries]:
    return defaultdict(partial(array, "q"))


def _area(document: Document) -> int:
    """Return which part of the index a document is in: 0 active memories, 1 active summaries and handoffs, 2 and 3 the rest."""
    return (document.primitive in _NOTES) + 2 * (document.status != Status.ACTIVE)


def coded(document: Document) -> tuple[dict[str, int], int]:
    """Return a document's terms, each with what its weight follows from, and how many words the document has."""
    body = terms(document.body)
    words = len(body)
    counts: dict[str, int] = Counter(body)
    places = " ".join(f"{path} {symbol}" for path, _, _, _, symbol in places_of(document))
    for text, weight in ((document.title, TITLE), (f"{document.tags}\n{places}", ASIDE)):
        found = terms(text)
        words += len(found)
        for term in found:
            counts[term] = counts.get(term, 0) + weight
    length = length_code(words)
    codes = {term: (count if count < 256 else 255) << 8 | length for term, count in counts.items()}
    codes |= dict.fromkeys(_marks(document), 0)
    return codes, words


def places_of(document: Document) -> list[list[str]]:
    """Return the anchors of a document: path, blob, first line, last line, symbol."""
    return [line.split("\t") for line in document.anchors.split("\n") if line]


def _marks(document: Document) -> list[str]:
    """Return what a document is found by where a query narrows: `=kind:pitfall`, `=path:src`; and `=`, which all have."""
    marks = [ALL, f"=primitive:{document.primitive}", f"=kind:{document.kind}"]
    marks += [f"=tag:{fold(tag)}" for tag in document.tags.split("\n") if tag]
    marks += [f"=agent:{fold(agent)}" for agent in (document.agent or "").split("\n") if agent]
    for path, *_ in places_of(document):
        marks += _marks_of(path)
    return marks


@lru_cache(1 << 14)
def _marks_of(path: str) -> list[str]:
    steps = path.split("/")
    return [f"=path:{steps[-1]}", *("=path:" + "/".join(steps[:end]) for end in range(1, len(steps) + 1))]


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
