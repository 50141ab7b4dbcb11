"""Write the search index: a table of documents, and one FTS5 table of terms per area."""

# ruff: noqa: S608 the names of tables and columns are ours

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from git_lerim.memories import confidence
from git_lerim.memories.feedback import doubt, doubts
from git_lerim.memories.format.body import body_itself
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import COLUMNS as FIELDS
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import short_source
from git_lerim.recall.brief.prompt_fence import local_key
from git_lerim.recall.index.index_reader import (
    ALL,
    AREAS,
    COLUMNS,
    FORMAT,
    HIGHEST,
    KEY_BITS,
    OF_OTHERS,
    OWN,
    Document,
    mark,
)
from git_lerim.recall.index.terms import fold, terms
from git_lerim.recall.local import cache_files

# FTS5 gets text that is already split into terms, so its tokenizer only has to split at spaces.
_TEXT = (  # hashsize: bytes kept in memory; more means fewer segments
    'CREATE VIRTUAL TABLE text{area} USING fts5(title, aside, body, marks, tokenize = "ascii'
    " tokenchars '=%._-/:@#+\\$~'\");\nCREATE VIRTUAL TABLE vocabulary{area} USING"
    " fts5vocab(text{area}, row);\nINSERT INTO text{area} (text{area}, rank) VALUES ('hashsize',"
    " 33554432);\n"
)
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
    key INTEGER PRIMARY KEY, area INTEGER NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
    blob TEXT NOT NULL,
    primitive TEXT NOT NULL, kind TEXT, status TEXT NOT NULL, created TEXT NOT NULL,
    updated TEXT NOT NULL,
    confidence REAL NOT NULL, reckoned REAL NOT NULL, origin TEXT NOT NULL, agent TEXT,
    session TEXT, record INTEGER,
    author TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL,
    body TEXT NOT NULL,
    anchors TEXT NOT NULL, row TEXT NOT NULL
);
CREATE INDEX document_id ON document (id);
CREATE INDEX document_area ON document (area);
CREATE INDEX document_session ON document (session, record);
CREATE TABLE held (name TEXT PRIMARY KEY, at REAL NOT NULL, author TEXT) WITHOUT ROWID;
""" + "".join(_TEXT.format(area=area) for area in AREAS)
FLUSH = 20_000  # documents buffered in memory
HIDDEN = -1  # the area of files whose id is taken by another file; in no FTS5 table

_NOTES = {Primitive.SUMMARY.value, Primitive.HANDOFF.value}

_INSERT = f"INSERT INTO document (area, {COLUMNS}) VALUES ({', '.join('?' * 23)})"


_Terms = tuple[int, str, str, str, str]  # key, title, aside, body and marks, as terms


def form_in(folder: Path) -> str:
    """Return the value of `format` for an index in this folder; no other folder has the same."""
    local_key(str(folder))  # creates the file to which caches are tied
    return f"{FORMAT} {cache_files.place(str(folder))}"


class Writer:
    """A writer of changes to an index, within a transaction that the caller opened."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        first: Callable[[Collection[str]], Sequence[str]] = sorted,
    ) -> None:
        """Initialize with a connection that is inside a transaction.

        `first` sorts the paths of files that have the same id: the first file becomes searchable.
        """
        self._first = first
        # plain cursors: the caller translates the errors
        self._run = connection.cursor(sqlite3.Cursor).execute
        self._run_many = connection.cursor(sqlite3.Cursor).executemany
        self._ids: set[str] = set()  # ids that may have several files, of which one must be chosen
        self._texts: dict[int, list[_Terms]] = {area: [] for area in AREAS}  # not yet written
        self._sizes: Counter[str] = Counter()  # documents and words added or removed, by area

    def remove(self, path: str) -> None:
        """Remove a file from the index, if it is indexed."""
        row = self._run(f"SELECT area, {COLUMNS} FROM document WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        area, *rest = row
        document = Document(rest)
        self._move(document, area, HIDDEN)
        self._run("DELETE FROM document WHERE key = ?", (document.key,))
        self._ids.add(document.id)

    def add(self, memory: Memory, path: str, blob: str, author: str = "") -> None:
        """Add a memory; if its id is indexed already, hide it until `finish` chooses one file."""
        row = self._free_key(memory), *_row(memory, path, blob, author)
        document = Document(row)
        alone = self._run("SELECT 1 FROM document WHERE id = ?", (memory.id,)).fetchone() is None
        area = _area(document) if alone else HIDDEN
        self._run(_INSERT, (area, *row))
        if alone:
            self._insert_text(document, area)
        else:
            self._ids.add(memory.id)

    def finish(self, meta: dict[str, str]) -> None:
        """Complete the changes: choose one file per id, write pending terms, and store `meta`."""
        self._choose_files()
        self._flush()
        old = dict(self._run("SELECT name, value FROM meta").fetchall())
        sizes = {name: str(int(old.get(name, 0)) + change) for name, change in self._sizes.items()}
        self._run_many("INSERT OR REPLACE INTO meta VALUES (?, ?)", (meta | sizes).items())

    def _free_key(self, memory: Memory) -> int:
        seconds = min(max(int(memory.created.timestamp()), 0), HIGHEST)
        key = seconds << KEY_BITS | int.from_bytes(memory.id.encode(), "big") % (
            (1 << KEY_BITS) - 3
        )
        while self._run("SELECT 1 FROM document WHERE key = ?", (key,)).fetchone():
            key += 1
        return key

    def _choose_files(self) -> None:
        """Make one file of each id searchable: an archived one if there is one, else the first."""
        groups = [group for id_ in self._ids for group in self._files_of(id_)]
        rivals = [document.path for group in groups if len(group) > 1 for _, document in group]
        places = {path: n for n, path in enumerate(self._first(rivals) if rivals else ())}
        for group in groups:
            group.sort(
                key=lambda row: (
                    not row[1].path.startswith("archived/"),
                    places.get(row[1].path, 0),
                )
            )
            for n, (area, document) in enumerate(group):
                self._move(document, area, HIDDEN if n else _area(document))
        self._ids.clear()

    def _files_of(self, id_: str) -> Iterable[list[tuple[int, Document]]]:
        """Return the files with an id, each with its area: one list for each type of document."""
        groups: dict[str, list[tuple[int, Document]]] = {}
        rows = self._run(f"SELECT area, {COLUMNS} FROM document WHERE id = ?", (id_,))
        for area, *rest in rows.fetchall():
            document = Document(rest)
            group = document.primitive if document.primitive in _NOTES else ""
            groups.setdefault(group, []).append((area, document))
        return groups.values()

    def _move(self, document: Document, old: int, new: int) -> None:
        if old == new:
            return
        if old != HIDDEN:
            self._delete_text(document, old)
        if new != HIDDEN:
            self._insert_text(document, new)
        self._run("UPDATE document SET area = ? WHERE key = ?", (new, document.key))

    def _insert_text(self, document: Document, area: int) -> None:
        title, aside = terms(document.title), terms(f"{document.tags}\n{_places(document)}")
        body = list(map(terms, body_itself(document.body).split("\n")))
        self._sizes.update({f"documents{area}": 1, f"words{area}": sum(map(len, body))})
        text = "\n".join(map(" ".join, body))
        self._texts[area].append(
            (document.key, " ".join(title), " ".join(aside), text, " ".join(_marks(document)))
        )
        if len(self._texts[area]) >= FLUSH:
            self._flush()

    def _flush(self) -> None:
        """Write pending terms in the order of their keys.

        FTS5 starts a new segment whenever a key is lower than the one before.
        """
        for area, texts in self._texts.items():
            texts.sort()
            self._run_many(
                f"INSERT INTO text{area} (rowid, title, aside, body, marks) VALUES (?, ?, ?, ?, ?)",
                texts,
            )
            texts.clear()

    def _delete_text(self, document: Document, area: int) -> None:
        self._flush()
        find = f"SELECT body FROM text{area} WHERE rowid = ?"
        (body,) = self._run(find, (document.key,)).fetchone()
        self._sizes.update({f"documents{area}": -1, f"words{area}": -len(body.split())})
        self._run(f"DELETE FROM text{area} WHERE rowid = ?", (document.key,))


def _places(document: Document) -> str:
    return " ".join(f"{path} {symbol}" for path, _, _, _, symbol in _anchors(document))


def _anchors(document: Document) -> list[list[str]]:
    """Return the anchors of a document: path, blob, first line, last line, symbol."""
    return [line.split("\t") for line in document.anchors.split("\n") if line]


def _marks(document: Document) -> Iterator[str]:
    """Yield the terms for filters, such as `=kind:pitfall`, and `=`, which every document has."""
    yield from (ALL, OF_OTHERS if document.author else OWN)
    yield from (_mark("primitive", document.primitive), _mark("kind", str(document.kind)))
    yield _mark("origin", document.origin)
    for name, values in (("tag", document.tags), ("agent", document.agent or "")):
        yield from (_mark(name, fold(value)) for value in values.split("\n") if value)
    for path, *_ in _anchors(document):
        yield from _marks_of(path)


_mark = lru_cache(1 << 14)(mark)


@lru_cache(1 << 14)
def _marks_of(path: str) -> list[str]:
    steps = path.split("/")
    return [
        mark("path", steps[-1]),
        *(mark("path", "/".join(steps[:end])) for end in range(1, len(steps) + 1)),
    ]


def _area(document: Document) -> int:
    """Return a document's area: 0 for memories, 1 for summaries and handoffs.

    If the document is inactive, the area is 2 or 3 instead.
    """
    return (document.primitive in _NOTES) + 2 * (document.status != Status.ACTIVE)


def _row(memory: Memory, path: str, blob: str, author: str) -> tuple[object, ...]:
    source = memory.sources[0] if memory.sources else None
    anchors = (
        (
            a.path,
            a.blob or "",
            *(map(str, a.lines) if a.lines else ("", "")),
            (a.symbol or "").replace("\t", " "),
        )
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
        confidence.reckoned(memory),
        memory.origin.value,
        "\n".join(sorted({source.agent for source in memory.sources})),
        source.session if source else None,
        source.records[0][0] if source and source.records else None,
        author,
        short_source(source) if source else "",
        memory.title,
        "\n".join(memory.tags),
        memory.body,
        "\n".join("\t".join(anchor) for anchor in anchors),
        _encoded(_json(memory)),
    )


def _encoded(row: dict[str, object]) -> str:
    import msgspec  # noqa: PLC0415 most readers write nothing

    return msgspec.json.encode(row).decode()


def _json(memory: Memory) -> dict[str, object]:
    """Return the row of `list --json` without the body and without what depends on git."""
    found = {
        each.name: None if each.name == "body" else each.form.json(getattr(memory, each.name))
        for each in FIELDS
    }
    found["branch"] = memory.branch
    found |= {**doubts(memory.feedback), "doubt": doubt(memory.feedback)}
    if memory.primitive is Primitive.HANDOFF:
        found["handoff"] = asdict(details(memory))
    return found


def _stamp(iso: str) -> str:
    return iso[:19] + "Z"
