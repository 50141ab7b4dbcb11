"""Store the vectors of memories by blob, in `vectors.sqlite3` beside the index.

They are not in the index, because they cost money and time, while the index is rebuilt when damaged
or outdated, and copied for searches of the past. A vector is stored twice: as the signs of its
numbers, and as one byte per number. With the standard library, comparing 100,000 vectors of 1,536
numbers by sign takes half a second. Only the nearest ones are then compared exactly. In the LoCoMo
benchmark, that finds the same memories as comparing all of them exactly. Numpy would take as long
to load.
"""

# ruff: noqa: S608 the names of tables and columns are ours

import contextlib
import heapq
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from operator import mul
from pathlib import Path

from git_lerim.database import Connection, connect, transaction
from git_lerim.recall.index.index_reader import Reader

NAME = "vectors.sqlite3"
PATIENCE = 5.0  # seconds to wait for another writer
MEASURED = 400  # nearest memories by sign that are compared exactly
SPARE = 1000  # obsolete vectors are dropped if they outnumber the current ones by more than this
_AT_ONCE = 500  # parameters of one statement
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sign (number INTEGER PRIMARY KEY, key INTEGER NOT NULL, bits BLOB NOT NULL);
CREATE TABLE vector (number INTEGER PRIMARY KEY, blob TEXT NOT NULL UNIQUE, length REAL NOT NULL,
numbers BLOB NOT NULL)
"""


class Vectors:
    """Vectors of one model; storing a vector drops the vectors of other models."""

    def __init__(self, connection: Connection, model: str) -> None:
        """Initialize with a connection to a database with the tables."""
        self._connection = connection
        self._model = model

    @property
    def width(self) -> int:
        """The dimension of the vectors; 0 if there are none of this model."""
        meta = self._meta()
        return int(meta.get("width", 0)) if meta.get("model") == self._model else 0

    def missing(self, index: Reader) -> dict[str, int]:
        """Return the key of each active memory that has no vector yet, by the memory's blob."""
        meta = self._meta()
        same = meta.get("model") == self._model
        if same and index.tree and meta.get("tree") == index.tree:
            return {}
        kept = (
            {blob for (blob,) in self._connection.execute("SELECT blob FROM vector")}
            if same
            else set()
        )
        return {blob: key for blob, key in index.blobs().items() if blob not in kept}

    def keep(self, found: Mapping[tuple[str, int], list[float] | None]) -> None:
        """Store vectors by blob and key; None marks a memory that the model refused."""
        width = max((len(vector) for vector in found.values() if vector), default=self.width)
        if not width:  # no vector of this model exists yet
            return
        with transaction(self._connection):
            if width != self.width:
                self._clear()
                self._tell({"model": self._model, "width": str(width)})
            for (blob, key), vector in found.items():
                numbers = in_bytes(vector or ())
                length = sqrt(sum(map(mul, numbers, numbers)))
                row = self._connection.execute(
                    "INSERT OR IGNORE INTO vector (blob, length, numbers) VALUES (?, ?, ?)",
                    (blob, length, numbers.tobytes()),
                )
                if vector and row.rowcount:  # no other process was faster
                    self._connection.execute(
                        "INSERT INTO sign VALUES (?, ?, ?)", (row.lastrowid, key, signs(vector))
                    )

    def complete(self, index: Reader) -> None:
        """Record that every memory has a vector; drop obsolete vectors if there are too many."""
        if self._meta().get("tree") == (index.tree or ""):
            return
        current = index.blobs()
        rows = self._connection.execute("SELECT number, blob FROM vector").fetchall()
        gone = [(number,) for number, blob in rows if blob not in current]
        with transaction(self._connection):
            if len(gone) > len(current) + SPARE:
                for table in ("sign", "vector"):
                    self._connection.executemany(f"DELETE FROM {table} WHERE number = ?", gone)
            self._tell({"tree": index.tree or ""})

    def clear(self) -> None:
        """Drop all vectors."""
        with transaction(self._connection):
            self._clear()

    def nearest(self, vector: list[float], among: set[int], limit: int) -> list[tuple[int, str]]:
        """Return the key and blob of the memories nearest to a vector, nearest first.

        Only the memories whose keys are in `among` are compared.
        """
        asked = int.from_bytes(signs(vector), "big")
        rows = self._connection.execute("SELECT bits, number, key FROM sign")
        near = (
            (int.from_bytes(bits, "big") ^ asked).bit_count() << 40 | number
            for bits, number, key in rows
            if key in among
        )
        numbers = [value & (1 << 40) - 1 for value in heapq.nsmallest(MEASURED, near)]
        measured = heapq.nlargest(limit, self._measured(vector, numbers))
        return [(key, blob) for _, key, blob in measured]

    def _measured(
        self, vector: list[float], numbers: list[int]
    ) -> Iterator[tuple[float, int, str]]:
        for start in range(0, len(numbers), _AT_ONCE):
            part = numbers[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(
                "SELECT key, blob, length, numbers FROM vector JOIN sign USING (number)"
                f" WHERE number IN ({marks})",
                part,
            )
            for key, blob, length, packed in rows:
                yield sum(map(mul, vector, array("b", packed))) / length, key, blob

    def _clear(self) -> None:
        for table in ("meta", "sign", "vector"):
            self._connection.execute(f"DELETE FROM {table}")

    def _meta(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT name, value FROM meta").fetchall())

    def _tell(self, meta: Mapping[str, str]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())


@contextlib.contextmanager
def open_vectors(folder: Path, model: str) -> Iterator[Vectors]:
    """Open the stored vectors of a model, as a context manager that closes them."""
    with contextlib.closing(connect(folder / NAME, (SCHEMA,), patience=PATIENCE)) as connection:
        connection.row_factory = None
        yield Vectors(connection, model)


def signs(vector: Iterable[float]) -> bytes:
    """Return the signs of a vector, one bit each."""
    bits = "".join(["1" if number > 0 else "0" for number in vector])
    return int(bits, 2).to_bytes(-(-len(bits) // 8), "big")


def in_bytes(vector: Sequence[float]) -> "array[int]":
    """Return a vector scaled so that each number fits into a byte."""
    longest = max(map(abs, vector), default=0.0)
    return array("b", [round(127 * number / longest) for number in vector])
