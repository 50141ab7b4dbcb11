"""What is read of an index: documents, and for each term the documents that have it.

Imports almost nothing: a search runs before anything else is loaded.
"""

from _sqlite3 import Cursor
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import log2

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, TypeVar

    Found = TypeVar("Found", bound="Document")
    Look = tuple[int, str | None, int | None, str, str]  # key, session, record, title, body

FORMAT = "2a"  # of the tables, and of the terms in them: another one makes the index anew
COLUMNS = (
    "key, id, path, blob, primitive, kind, status, created, updated, confidence, "
    "agent, session, record, author, source, title, tags, body, anchors"
)
# A document's key is its time in seconds and, below, bits of its id: the same memory has the same key in every index,
# and the newest are the highest.
KEY_BITS = 29
ALL = "="  # the mark that every document has
_AT_ONCE = 500  # parameters of one statement

Entries = tuple["array[int]", "array[int]"]  # keys, rising, and what each document's weight follows from


def length_code(words: int) -> int:
    """Return a length in one byte: exact up to 63, then in steps of some percent."""
    return words if words < 64 else min(64 + int(16 * log2(words / 64)), 255)


def length_of(code: int) -> float:
    """Return about the length that a byte stands for."""
    return code if code < 64 else 64 * 2 ** ((code - 63.5) / 16)


class Reader:
    """An index as a search reads it."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        """Take a connection to a database that has the tables of an index."""
        self.connection = connection
        self.meta: dict[str, str] = dict(self._ask("SELECT name, value FROM meta"))

    def _ask(self, sql: str, parameters: Sequence[object] = ()) -> "Cursor":
        return self.connection.cursor(Cursor).execute(sql, parameters)

    @property
    def commit(self) -> str | None:
        """The commit of the store that it holds."""
        return self.meta.get("commit") or None

    @property
    def tree(self) -> str | None:
        """The tree of that commit."""
        return self.meta.get("tree") or None

    def size(self, areas: Iterable[int]) -> tuple[int, int]:
        """Return how many documents there are in some areas, and how many words they have."""
        return (
            sum(int(self.meta.get(f"documents{area}", 0)) for area in areas),
            sum(int(self.meta.get(f"words{area}", 0)) for area in areas),
        )

    def frequency(self, areas: Sequence[int], term: str) -> int:
        """Return how many documents have a term."""
        found = 0
        for area in areas:
            row = self._ask("SELECT total(length(keys)) FROM posting WHERE area = ? AND term = ?", (area, term)).fetchone()
            found += int(row[0]) // 8
        return found

    def entries(self, areas: Sequence[int], term: str, low: int = 0, high: int = (1 << 63) - 1) -> Iterator[Entries]:
        """Yield the documents that have a term, in pieces, the newest piece of each area first; of keys from low to high."""
        for area in areas:
            rows = self._ask(
                "SELECT keys, codes FROM posting WHERE area = ?1 AND term = ?2 AND first <= ?4 AND first >= "
                "coalesce((SELECT max(first) FROM posting WHERE area = ?1 AND term = ?2 AND first <= ?3), ?3) "
                "ORDER BY first DESC",
                (area, term, low, high),
            )
            for keys, codes in rows:
                yield array("q", keys), array("H", codes)

    def session(self, areas: Sequence[int], session: str, first: int, last: int) -> list[tuple[int, int]]:
        """Return key and record of the documents from some records of a session, in their order."""
        rows = self._ask(
            "SELECT key, record, area FROM document WHERE session = ? AND record BETWEEN ? AND ? ORDER BY record, key",
            (session, first, last),
        )
        return [(key, record) for key, record, area in rows if area in areas]

    def beginning(self, areas: Sequence[int], prefix: str, limit: int) -> list[str]:
        """Return the first terms that begin so."""
        found: set[str] = set()
        for area in areas:
            rows = self._ask(
                "SELECT DISTINCT term FROM posting WHERE area = ? AND term >= ? AND term < ? LIMIT ?",
                (area, prefix, prefix + "\U0010ffff", limit),
            )
            found.update(row[0] for row in rows)
        return sorted(found)[:limit]

    def newest(self, areas: Sequence[int], limit: int) -> list[int]:
        """Return the keys of the newest documents."""
        found: list[int] = []
        for area in areas:
            mine: list[int] = []
            for keys, _ in self.entries([area], ALL):
                mine += reversed(keys)
                if len(mine) >= limit:
                    break
            found += mine[:limit]
        return sorted(found, reverse=True)[:limit]

    def blobs(self) -> dict[str, int]:
        """Return what git calls each active memory's content, and its key."""
        return dict(self._ask("SELECT blob, key FROM document WHERE area = 0"))

    def documents(self, keys: Iterable[int], kind: "type[Found]") -> "list[Found]":
        """Return documents by their keys, in their order."""
        wanted = list(keys)
        rows = {row[0]: row for row in self._rows(COLUMNS, wanted)}
        return [kind(rows[key]) for key in wanted if key in rows]

    def looks(self, keys: Sequence[int]) -> "list[Look]":
        """Return what it takes to look at documents more closely."""
        return list(self._rows("key, session, record, title, body", keys))

    def _rows(self, columns: str, keys: Sequence[int]) -> "Iterator[Any]":
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            yield from self._ask(f"SELECT {columns} FROM document WHERE key IN ({marks})", part)  # noqa: S608 ours

    def state(self, document: "Document") -> str | None:
        """Return how the code that a memory is about stands to what it was, the worst first; None where that is to be found out.

        One of stale, gone, fresh and unknown, for the HEAD that `meta["head"]` names.
        """
        states = set()
        for path, blob in document.places:
            row = self._ask("SELECT blob FROM code WHERE path = ?", (path,)).fetchone()
            if row is None or row[0] is None:
                return None
            states.add("unknown" if not blob else "gone" if not row[0] else "fresh" if row[0] == blob else "stale")
        return next((state for state in ("stale", "gone", "fresh") if state in states), "unknown")

    def heal(self) -> bool:
        """Make a damaged index anew, and tell whether that was possible."""
        return False


class Document:
    """One memory as the index holds it."""

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
    agent: str | None
    session: str | None
    record: int | None
    author: str  # who shared it, as git names them, safe to print; empty where it is the user's own
    source: str  # agent and session in brief, as `claude 5b0c1a2f`; empty where a person wrote it
    title: str
    tags: str  # one a line
    body: str
    anchors: str  # one a line: path, blob, first line, last line, symbol, with tabs between

    def __init__(self, row: Iterable[object]) -> None:
        """Take a row of the table."""
        for name, value in zip(Document.__slots__, row, strict=True):
            setattr(self, name, value)

    @property
    def places(self) -> list[tuple[str, str]]:
        """The code it is about: each path with the blob that it was, empty where that is not known."""
        rows = (line.split("\t") for line in self.anchors.split("\n") if line)
        return [(row[0], row[1]) for row in rows]
