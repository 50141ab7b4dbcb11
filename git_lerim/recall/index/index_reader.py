"""Read the search index: documents, and which of them match an FTS5 expression.

This module imports little, so that `git lerim search` starts quickly.
"""

# ruff: noqa: S608 the names of tables and columns are ours

from _sqlite3 import Cursor
from collections.abc import Iterable, Iterator, Sequence

from git_lerim.private_files import FOREIGN_PARTS
from git_lerim.recall.local import cache_files

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, TypeVar

    Found = TypeVar("Found", bound="Document")

FORMAT = "13"  # of tables and terms; an index of another format is rebuilt
AREAS = range(4)  # 0 memories, 1 summaries and handoffs; 2 and 3 the same, inactive
COLUMNS = (
    "key, id, path, blob, primitive, kind, status, created, updated, confidence, "
    "reckoned, origin, agent, session, record, author, source, title, tags, body, anchors, row"
)
# A document's key is its time in seconds, followed by bits of its id: a memory has the same key in
# every index, and newer ones have higher keys.
KEY_BITS = 29
HIGHEST = (1 << 34) - 1  # seconds: the year 2514
ALL = "="  # the term that every document has
OWN, OF_OTHERS = "=by:user", "=by:others"  # of the user's memories, and of those others shared
WEIGHTS = "bm25(3.0, 2.0, 1.0, 0.0)"  # of title, tags and code, body, filter terms
_AT_ONCE = 500  # parameters of one statement
_PLAIN = "/._-0123456789abcdefghijklmnopqrstuvwxyz"
_SPELLED = {code: f"%{code:x}." for code in range(128) if chr(code) not in _PLAIN}


def mark(name: str, value: str) -> str:
    """Return a filter's term, such as `=kind:pitfall`, escaped so that FTS5 keeps it whole."""
    return f"={name}:{value.translate(_SPELLED)}"


def quoted(term: str) -> str:
    """Return a term in quotes, as an FTS5 expression that matches it."""
    return f'"{term}"'


def any_of(terms: Iterable[str]) -> str:
    """Return the FTS5 expression for documents with at least one of these terms."""
    return f"({' OR '.join(map(quoted, terms))})"


class Reader:
    """A search index, opened for reading.

    Its documents are in areas: 0 for memories, 1 for summaries and handoffs, and 2 and 3 for the
    inactive documents of both sorts.
    """

    def __init__(self, connection: "sqlite3.Connection") -> None:
        """Initialize with a connection to a database with the tables of an index."""
        self.connection = connection
        self.hidden: frozenset[int] = frozenset()  # keys of memories valid only on other branches
        is_plain = self._ask(FOREIGN_PARTS).fetchone() is None  # else it has no format: rebuild it
        self.meta: dict[str, str] = (
            dict(self._ask("SELECT name, value FROM meta")) if is_plain else {}
        )

    def _ask(self, sql: str, parameters: Sequence[object] = ()) -> "Cursor":
        return self.connection.cursor(Cursor).execute(sql, parameters)

    def fits(self, folder: str, rules: str | None = None) -> bool:
        """Return whether the index was written by this version, in this folder, by these rules."""
        place = cache_files.place(folder)
        is_same = rules is None or self.meta.get("rules") == rules
        return is_same and place != "" and self.meta.get("format") == f"{FORMAT} {place}"

    @property
    def commit(self) -> str | None:
        """The indexed commit of the store."""
        return self.meta.get("commit") or None

    @property
    def tree(self) -> str | None:
        """The tree of the indexed commit."""
        return self.meta.get("tree") or None

    def size(self, areas: Iterable[int]) -> tuple[int, int]:
        """Return how many documents, and how many words, some areas of the index contain."""
        return (
            sum(int(self.meta.get(f"documents{area}", 0)) for area in areas),
            sum(int(self.meta.get(f"words{area}", 0)) for area in areas),
        )

    def frequency(self, areas: Sequence[int], term: str) -> int:
        """Return how many documents in some areas of the index contain a term."""
        ask = "SELECT ifnull(max(doc), 0) FROM vocabulary{} WHERE term = ?"
        return sum(self._ask(ask.format(area), (term,)).fetchone()[0] for area in areas)

    def count(self, area: int, expression: str) -> int:
        """Return how many documents in an area of the index match an FTS5 expression."""
        ask = f"SELECT count(*) FROM text{area} WHERE text{area} MATCH ?"
        return int(self._ask(ask, (expression,)).fetchone()[0])

    def best(self, areas: Sequence[int], expression: str, limit: int, since: int = 0) -> list[int]:
        """Return the keys of the documents that match an FTS5 expression, best first by bm25().

        Hidden memories are left out, and so are older documents: their keys are below `since`.
        """
        rows: list[tuple[float, int]] = []
        for area in areas:
            rows += self._ask(
                f"SELECT rank, rowid FROM text{area} "
                f"WHERE text{area} MATCH ? AND rank MATCH '{WEIGHTS}' AND rowid >= ? ORDER BY rank,"
                " rowid DESC LIMIT ?",
                (expression, since, limit + len(self.hidden)),
            )
        ranked = sorted(rows, key=lambda row: (row[0], -row[1]))
        return [key for _, key in ranked if key not in self.hidden][:limit]

    def newest(
        self, areas: Sequence[int], limit: int, expression: str = quoted(ALL), since: int = 0
    ) -> list[int]:
        """Return the keys of documents that match an FTS5 expression, newest first.

        A negative limit means no limit. What `best` leaves out is left out here, too.
        """
        found: list[int] = []
        for area in areas:
            rows = self._ask(
                f"SELECT rowid FROM text{area} WHERE text{area} MATCH ? AND rowid >= ? ORDER BY"
                " rowid DESC LIMIT ?",
                (expression, since, limit if limit < 0 else limit + len(self.hidden)),
            )
            found += [key for (key,) in rows if key not in self.hidden]
        found.sort(reverse=True)
        return found if limit < 0 else found[:limit]

    def having(self, areas: Sequence[int], term: str) -> list[int]:
        """Return the keys of all documents that have a term, newest first."""
        return self.newest(areas, -1, quoted(term))

    def from_records(
        self, areas: Sequence[int], records: Iterable[tuple[str, int, int]]
    ) -> set[int]:
        """Return the keys of documents that come from ranges of records: (session, first, last)."""
        parameters = [value for item in records for value in item]
        found: set[int] = set()
        for start in range(0, len(parameters), 3 * _AT_ONCE):
            part = parameters[start : start + 3 * _AT_ONCE]
            marks = ", ".join(["(?, ?, ?)"] * (len(part) // 3))
            rows = self._ask(  # CROSS: one index lookup for each
                f"WITH wanted (session, first, last) AS (VALUES {marks}) "
                "SELECT key, area FROM wanted CROSS JOIN document ON document.session ="
                " wanted.session AND record BETWEEN first AND last",
                part,
            )
            found.update(key for key, area in rows if area in areas and key not in self.hidden)
        return found

    def beginning(self, areas: Sequence[int], prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms that start with a prefix, in alphabetical order."""
        found: set[str] = set()
        for area in areas:
            rows = self._ask(
                f"SELECT term FROM vocabulary{area} WHERE term >= ? AND term < ? LIMIT ?",
                (prefix, prefix + "\U0010ffff", limit),
            )
            found.update(row[0] for row in rows)
        return sorted(found)[:limit]

    def about_code(self) -> dict[str, tuple[int, str]]:
        """Map the blob of each active memory with anchors to its key and id."""
        rows = self._ask("SELECT blob, key, id FROM document WHERE area = 0 AND anchors != ''")
        return {blob: (key, id_) for blob, key, id_ in rows}

    def blobs(self) -> dict[str, int]:
        """Map the blob of each active memory to its key."""
        return dict(self._ask("SELECT blob, key FROM document WHERE area = 0"))

    def named(self, ids: Iterable[str]) -> list[int]:
        """Return the keys of the memories with these ids, in the same order, except hidden ones."""
        find = "SELECT key FROM document WHERE id = ?"
        rows = (self._ask(find, (id_,)).fetchone() for id_ in ids)
        return [row[0] for row in rows if row and row[0] not in self.hidden]

    def documents(self, keys: Iterable[int], kind: "type[Found]") -> "list[Found]":
        """Return the documents with these keys, in the same order, as objects of `kind`."""
        wanted = list(keys)
        rows = {row[0]: row for row in self.values(COLUMNS, wanted)}
        return [kind(rows[key]) for key in wanted if key in rows]

    def candidates(self, areas: Sequence[int], keys: Iterable[int]) -> "list[Candidate]":
        """Return the documents with these keys, each with its terms, in no particular order."""
        wanted = sorted(set(keys))
        rows: list[Any] = []
        found = "d.key, author, session, record, title || char(10) || body, t.c0, t.c1, t.c2"
        for area in areas:
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                marks = ",".join("?" * len(part))
                rows += self._ask(
                    f"SELECT {found} FROM document d JOIN text{area}_content t ON t.id = d.key "
                    f"WHERE d.area = ? AND d.key IN ({marks})",
                    (area, *part),
                )
        return list(map(Candidate, rows))

    def values(self, columns: str, keys: Sequence[int]) -> "Iterator[Any]":
        """Yield columns of the documents with these keys, in no particular order."""
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            yield from self._ask(f"SELECT {columns} FROM document WHERE key IN ({marks})", part)

    def first_commits(self, names: "Iterable[str]") -> dict[str, tuple[float, str | None]]:
        """Map each memory to the time, in seconds, and the author of its first commit.

        `names` are the ids of memories and the paths of summaries.
        """
        ask = "SELECT at, author FROM held WHERE name = ?"
        return {name: tuple(row) for name in names if (row := self._ask(ask, (name,)).fetchone())}

    def heal(self) -> bool:
        """Return False, because a mere reader cannot rebuild a damaged index."""
        return False


class Candidate:
    """A document with its terms, for reranking."""

    __slots__ = ("aside", "author", "body", "key", "record", "session", "text", "title")

    key: int
    author: str  # who shared it; empty if it is the user's own
    session: str | None
    record: int | None
    text: str  # as written
    title: str  # its terms, separated by spaces
    aside: str  # terms of tags and code
    body: str  # terms of the body, line by line

    def __init__(self, row: Iterable[object]) -> None:
        """Initialize with a row from the query in `Reader.candidates`."""
        names = ("key", "author", "session", "record", "text", "title", "aside", "body")
        for name, value in zip(names, row, strict=True):
            setattr(self, name, value)


class Document:
    """A memory as the index stores it."""

    __slots__ = tuple(COLUMNS.split(", "))

    key: int
    id: str
    path: str
    blob: str
    primitive: str
    kind: str | None
    status: str
    created: str
    updated: str
    confidence: float
    reckoned: float  # its confidence from sources and feedback, before it fades
    origin: str  # whose words it is, according to the file
    agent: str | None
    session: str | None
    record: int | None
    author: str  # who shared it, safe to print; empty if it is the user's own
    source: str  # such as `claude 5b0c1a2f`; empty if a person wrote it
    title: str
    tags: str  # one per line
    body: str
    anchors: str  # one per line: path, blob, first line, last line, symbol, separated by tabs
    row: str  # the JSON of `list --json` without the body and what depends on git

    def __init__(self, row: Iterable[object]) -> None:
        """Initialize with a row of the table `document`, with the columns of `COLUMNS`."""
        for name, value in zip(Document.__slots__, row, strict=True):
            setattr(self, name, value)

    @property
    def disputed(self) -> bool:
        """Whether the memory's author, or two other people, marked it as wrong."""
        return '"disputed":true' in self.row  # in a text these quotes would be escaped

    @property
    def worth(self) -> float | None:
        """The memory's worth from 0 to 1, as its model estimated it, or None if unknown."""
        _, found, rest = self.row.partition('"worth":')  # in a text these quotes would be escaped
        number = rest[:4].partition(",")[0].partition("}")[0]
        return None if not found or number == "null" else float(number)

    @property
    def places(self) -> list[tuple[str, str]]:
        """The paths that the memory is about, each with its anchored blob (empty if unknown)."""
        rows = (line.split("\t") for line in self.anchors.split("\n") if line)
        return [(row[0], row[1]) for row in rows]
