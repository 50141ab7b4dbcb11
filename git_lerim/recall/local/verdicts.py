"""Which memories are stale at which commit of the code, and which are held back there, kept beside
the index.

A memory's file and a commit give one verdict.

Imports almost nothing: a search and a brief read it before anything else is loaded. It can be
deleted at any time.
"""

import os

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
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
RULES = "DELETE FROM verdict; DELETE FROM judged"  # what older rules judged
SHORT = 7  # digits of a commit, as git shows it
_AT_ONCE = 500  # parameters of one statement


class Standing:
    """How a memory stands to the code that it makes a claim about."""

    __slots__ = ("anchors", "cause", "since", "state")

    def __init__(self, state: str, anchors: str = "", since: str = "", cause: str = "") -> None:
        """Take a row of the table."""
        self.state = state  # stale | fresh | unknown
        self.anchors = anchors.split()  # of each: fresh | moved | changed | gone | unknown
        self.since = since  # the commit that made it stale; empty where none is known
        self.cause = cause  # JSON of what was lost, where it is stale

    @property
    def told(self) -> str:
        """How it stands, as people read it: `stale since 1a2b3c4`."""
        return f"stale since {self.since[:SHORT]}" if self.since else self.state

    @property
    def stale(self) -> bool | None:
        """Whether it is stale; None where nobody can tell."""
        return None if self.state == "unknown" else self.state == "stale"


UNKNOWN = Standing("unknown")


def state_of(status: str, standing: Standing) -> str:
    """Return how a memory stands: its status unless it is active; else how it stands to
    the code.
    """
    return status if status != "active" else standing.state


def told_of(status: str, standing: Standing) -> str:
    """Return the same as people read it: `stale since 1a2b3c4`."""
    return status if status != "active" else standing.told


def read(
    connection: "sqlite3.Connection", head: str, blobs: "Iterable[str]"
) -> dict[str, Standing]:
    """Return the verdicts on some files of memories at a commit, as far as they are known,
    by blob.
    """
    wanted = list(dict.fromkeys(blobs))
    found = {}
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        marks = ",".join("?" * len(part))
        # marks
        ask = f"SELECT blob, state, anchors, since, cause FROM verdict WHERE head = ? AND blob IN ({marks})"  # noqa: E501, S608
        for blob, *rest in connection.execute(ask, (head, *part)):
            found[blob] = Standing(*rest)
    return found


def hidden(
    connection: "sqlite3.Connection", head: str, tree: str | None, branch: str | None
) -> "dict[int, tuple[str, str]] | None":
    """Return the memories of a tree of the store that are held back at a commit, by key, with id
    and branch.

    Those of the branch that is checked out are not. None where nobody looked.
    """
    row = connection.execute("SELECT tree FROM looked WHERE head = ?", (head,)).fetchone()
    if row is None or row[0] != (tree or ""):
        return None
    rows = connection.execute("SELECT key, id, branches FROM hidden WHERE head = ?", (head,))
    return {
        key: (id_, names.split("\n")[-1])
        for key, id_, names in rows
        if not branch or branch not in names.split("\n")
    }


def opened(folder: str) -> "sqlite3.Connection | None":
    """Open what is kept for reading; None where nothing is kept, or not by this user."""
    import _sqlite3  # noqa: PLC0415 not where nothing is kept

    path = os.path.join(folder, NAME)  # noqa: PTH118 pathlib would cost more
    try:
        found = os.lstat(path)
    except OSError:
        return None
    # as above
    if found.st_uid != getattr(os, "geteuid", lambda: found.st_uid)() or os.path.islink(path):  # noqa: PTH114
        return None
    uri = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=ro"
    return _sqlite3.connect(uri, uri=True, timeout=0.1)
