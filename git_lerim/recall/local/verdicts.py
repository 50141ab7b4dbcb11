"""A cache of which memories are stale or hidden at a commit of the code.

A verdict depends only on a memory's blob and a commit, so the cache can be deleted at any time.
This module imports little, so that searches and briefs start quickly.
"""

# ruff: noqa: S608 what is inserted are placeholders

import os

from git_lerim import private_files
from git_lerim.recall.local import cache_files

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

NAME = "verdicts.sqlite3"
SCHEMA = """
CREATE TABLE verdict (
    head TEXT NOT NULL, blob TEXT NOT NULL, state TEXT NOT NULL, anchors TEXT NOT NULL,
    since TEXT NOT NULL, cause TEXT NOT NULL,
    PRIMARY KEY (head, blob)
) WITHOUT ROWID;
CREATE TABLE judged (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID
"""
PLACES = """
CREATE TABLE looked (head TEXT PRIMARY KEY, tree TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hidden (head TEXT NOT NULL, key INTEGER NOT NULL, id TEXT NOT NULL,
branches TEXT NOT NULL, PRIMARY KEY (head, key))
    WITHOUT ROWID;
CREATE TABLE landed (id TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE patch (head TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID
"""
RULES = "DELETE FROM verdict; DELETE FROM judged"  # drops verdicts of older rules
SHORT = 7  # digits of an abbreviated commit
_SAYS = "\t"  # between the state and what a model said, in the column `state`
_AT_ONCE = 500  # parameters of one statement


class CachedVerdict:
    """The verdict on a memory: whether it still agrees with the code."""

    __slots__ = ("anchors", "cause", "model_says", "since", "state")

    def __init__(self, state: str, anchors: str = "", since: str = "", cause: str = "") -> None:
        """Initialize with the values of a row in the table `verdict`."""
        # stale | fresh | unknown, and what a model said of it
        self.state, _, self.model_says = state.partition(_SAYS)
        self.anchors = anchors.split()  # each fresh | moved | changed | gone | unknown
        self.since = since  # the commit that made it stale, if known
        self.cause = cause  # JSON of what was lost, if stale

    @property
    def label(self) -> str:
        """The verdict as shown to people: `stale since 1a2b3c4, untrue by model NAME`."""
        since = f"stale since {self.since[:SHORT]}" if self.since else ""
        return ", ".join(filter(None, (since, self.model_says))) or self.state

    @property
    def mark(self) -> str:
        """The label if the memory is stale or a model judged it; otherwise an empty string."""
        return self.label if self.state == "stale" or self.model_says else ""

    @property
    def stale(self) -> bool | None:
        """Whether the memory is stale; None if unknown."""
        return None if self.state == "unknown" else self.state == "stale"


UNKNOWN = CachedVerdict("unknown")
USUAL = {"fresh", "unknown"}  # labels that lists do not show


def with_model(state: str, says: str) -> str:
    """Join a state and a model's verdict on the memory into one text, for `CachedVerdict`."""
    return f"{state}{_SAYS}{says}" if says else state


def state_of(status: str, verdict: CachedVerdict) -> str:
    """Return a memory's status or, if that is active, the state of its verdict."""
    return status if status != "active" else verdict.state


def label_of(status: str, verdict: CachedVerdict, doubt: str) -> str:
    """Return a memory's state as shown to people, such as `stale since 1a2b3c4, disputed`."""
    label = status if status != "active" else verdict.label
    return marked("" if doubt and label in USUAL else label, doubt)


def doubt_in(row: str) -> str:
    """Return how people doubt a memory, such as `disputed`, from its JSON in the index."""
    _, _, rest = row.partition('"doubt":"')  # in a text these quotes would be escaped
    return rest.partition('"')[0]


def is_called_stale(row: str) -> bool:
    """Return whether a person calls a memory stale, according to its JSON in the index."""
    return '"called_stale":"' in row  # as above


def marked(label: str, doubt: str) -> str:
    """Return a label, with people's doubt appended, such as `disputed`."""
    return ", ".join(filter(None, (label, doubt)))


def read(
    connection: "sqlite3.Connection", head: str, blobs: "Iterable[str]"
) -> dict[str, CachedVerdict]:
    """Map the blobs of memories to their cached verdicts at a commit of the code.

    The result is empty if the cache is damaged.
    """
    import _sqlite3  # noqa: PLC0415 it is loaded by now

    wanted = list(dict.fromkeys(blobs))
    found = {}
    try:
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = connection.execute(
                "SELECT blob, state, anchors, since, cause FROM verdict"
                f" WHERE head = ? AND blob IN ({marks})",
                (head, *part),
            )
            for blob, *rest in rows:
                found[blob] = CachedVerdict(*rest)
    except _sqlite3.Error:
        return {}
    return found


def hidden(
    connection: "sqlite3.Connection", head: str, tree: str | None, branch: str | None
) -> "dict[int, tuple[str, str]] | None":
    """Return the id and branch of each memory that is hidden at a commit, by the memory's key.

    A memory is hidden if it belongs only to branches other than the one checked out. Returns None
    if this tree of the store was not examined at this commit, or the cache is damaged.
    """
    import _sqlite3  # noqa: PLC0415 it is loaded by now

    try:
        row = connection.execute("SELECT tree FROM looked WHERE head = ?", (head,)).fetchone()
        if row is None or row[0] != (tree or ""):
            return None
        rows = connection.execute("SELECT key, id, branches FROM hidden WHERE head = ?", (head,))
        return {
            key: (id_, names.split("\n")[-1])
            for key, id_, names in rows
            if not branch or branch not in names.split("\n")
        }
    except _sqlite3.Error:
        return None


def open_cache(folder: str) -> "sqlite3.Connection | None":
    """Open the cache for reading; None if it is missing, damaged or owned by another user."""
    import _sqlite3  # noqa: PLC0415 loaded only to open the cache

    path = os.path.join(folder, NAME)  # noqa: PTH118 pathlib would cost more
    try:
        found = os.lstat(path)
    except OSError:
        return None
    if not cache_files.is_own(path, found):
        return None
    try:
        uri, waits = cache_files.read_only(path), private_files.READER_WAITS
        kept = _sqlite3.connect(uri, uri=True, timeout=waits)
        return kept if kept.execute(private_files.FOREIGN_PARTS).fetchone() is None else None
    except _sqlite3.Error:
        return None
