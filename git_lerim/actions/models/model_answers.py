"""Cache models' answers, so that nothing is asked twice; the file can be deleted at any time.

A verdict on a memory is stored under its text and the change to its code, not under commits, so it
applies on every branch with the same code.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from git_lerim.actions.code.freshness import ModelVerdict
from git_lerim.database import Connection, connect, transaction
from git_lerim.extraction.prompt_version import STILL_TRUE_VERSION
from git_lerim.upkeep.freshness.code_changes import CodeChange
from git_lerim.workspace import Workspace

NAME = "model-answers.sqlite3"
_SCHEMA = """
CREATE TABLE verdict (
    claim TEXT NOT NULL, code TEXT NOT NULL, answer TEXT NOT NULL,
    proposed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (claim, code)
) WITHOUT ROWID;
CREATE TABLE asked (question TEXT PRIMARY KEY) WITHOUT ROWID
"""


class Key(msgspec.Struct, frozen=True):
    """The key of a stored verdict: hashes of a memory's text and of the change to its code."""

    claim: str
    code: str


def claim_key(title: str, body: str) -> str:
    """Return the hash of a memory's text, for keys of verdicts."""
    return _digest(str(STILL_TRUE_VERSION), title, body)


def key_of(title: str, body: str, changes: Sequence[CodeChange]) -> Key:
    """Return the key of a verdict on a memory's text, given the changes to its code."""
    code = [part for each in changes for part in (each.path, each.now, each.diff)]
    return Key(claim_key(title, body), _digest(*code))


def question_key(*texts: str) -> str:
    """Return the key of a question about several memories, a hash of their texts."""
    return _digest(*texts)


class ModelAnswers:
    """The cached answers of models, by question."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def claims(self) -> frozenset[str]:
        """Return the hashes of all memory texts that a model has judged."""
        return frozenset(row[0] for row in self._connection.execute("SELECT claim FROM verdict"))

    def verdict(self, key: Key) -> ModelVerdict | None:
        """Return the stored verdict on a memory's text and the change to its code, if any."""
        row = self._connection.execute(
            "SELECT answer FROM verdict WHERE claim = ? AND code = ?", (key.claim, key.code)
        ).fetchone()
        return row and msgspec.json.decode(row[0], type=ModelVerdict)

    def keep(self, verdicts: Collection[tuple[Key, ModelVerdict]]) -> None:
        """Store verdicts, replacing older ones with the same keys."""
        rows = [(k.claim, k.code, msgspec.json.encode(one).decode()) for k, one in verdicts]
        with transaction(self._connection):
            self._connection.executemany(
                "INSERT OR REPLACE INTO verdict (claim, code, answer) VALUES (?, ?, ?)", rows
            )

    def was_proposed(self, key: Key) -> bool:
        """Return whether the verdict with this key has already led to a proposed change."""
        row = self._connection.execute(
            "SELECT proposed FROM verdict WHERE claim = ? AND code = ?", (key.claim, key.code)
        ).fetchone()
        return bool(row and row[0])

    def note_proposed(self, key: Key) -> None:
        """Record that a change was proposed, so that it is not proposed again after a rejection."""
        self._connection.execute(
            "UPDATE verdict SET proposed = 1 WHERE claim = ? AND code = ?", (key.claim, key.code)
        )

    def was_asked(self, question: str) -> bool:
        """Return whether a model has already answered the question with this key."""
        rows = self._connection.execute("SELECT 1 FROM asked WHERE question = ?", (question,))
        return rows.fetchone() is not None

    def note_asked(self, question: str) -> None:
        """Record that a model has answered the question with this key."""
        self._connection.execute("INSERT OR REPLACE INTO asked VALUES (?)", (question,))


def exist(ws: Workspace) -> bool:
    """Return whether the file of answers exists."""
    return (ws.folder / NAME).is_file()


@contextmanager
def opened(
    ws: Workspace, connected: Callable[[Path, Sequence[str]], Connection] = connect
) -> Iterator[ModelAnswers]:
    """Open the stored answers for a `with` block, creating their file if it is missing.

    Raises LerimError.
    """
    with closing(connected(ws.folder / NAME, (_SCHEMA,))) as connection:
        yield ModelAnswers(connection)


def _digest(*texts: str) -> str:
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()
