"""Index which files sessions wrote and which commits they made, by file, commit and time."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from git_lerim.database import transaction
from git_lerim.sessions.session import Record, Role

TABLES = ("touched", "made")  # of `catalog.sqlite3`; each row belongs to one reading of one source

_MINUTE = 60_000  # a file written ten times in a minute is noted once
_FEW = 400  # names in one query: SQLite before 3.32 takes at most 999 values
_records = msgspec.json.Decoder(tuple[Record, ...])

Ask = Callable[[str, tuple[object, ...]], sqlite3.Cursor]


@dataclass(frozen=True, slots=True)
class Write:
    """A session's write to a file, which may have been requested but not done."""

    agent: str
    session: str
    path: str  # as the agent named it
    at: int | None  # milliseconds since the epoch


@dataclass(frozen=True, slots=True)
class Made:
    """A commit that the output of a session's tool mentions."""

    agent: str
    session: str
    id: str  # abbreviated, as git printed it
    at: int | None


@dataclass(frozen=True, slots=True)
class Span:
    """The period in which a session ran."""

    agent: str
    session: str
    started: int
    ended: int


def note(ask: Ask, origin: tuple[str, str, str, str], records: Sequence[Record]) -> None:
    """Index the files and commits in some records.

    `origin` is where the records come from: agent, session, part and source.
    """
    telling = [r for r in records if r.files or r.commits or r.failed or r.role is Role.REJECTION]
    for path, at in written(telling) if telling else ():
        ask(
            "INSERT INTO touched VALUES (?, ?, ?, ?, ?, ?, ?)", (*origin, base_name(path), path, at)
        )
    for record in telling:
        for commit in record.commits:
            ask("INSERT INTO made VALUES (?, ?, ?, ?, ?, ?)", (*origin, commit, record.at))


def written(records: Iterable[Record]) -> Iterator[tuple[str, int | None]]:
    """Yield each file that the records say was written, with the time, at most once a minute.

    A call is left out if a result lists the files that it wrote, or if it failed or was rejected.
    """
    told = {
        r.call
        for r in records
        if r.role is Role.REJECTION or (r.role is Role.RESULT and (r.files or r.failed))
    } - {None}
    seen = set()
    for record in records:
        if record.failed or record.abandoned or (record.role is Role.CALL and record.call in told):
            continue  # the result of the call is used instead
        for path in record.files:
            key = path, record.at and record.at // _MINUTE
            if key not in seen:
                seen.add(key)
                yield path, record.at


def base_name(path: str) -> str:
    """Return the last part of a path, in lower case, to look files up by it."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()


def is_utf8(path: str) -> bool:
    """Return whether a path decoded by Python was valid UTF-8, which SQLite requires."""
    return path.isascii() or not any("\udc80" <= letter <= "\udcff" for letter in path)


def fill(db: sqlite3.Connection) -> None:
    """Index all cached transcripts, if that was not done since these tables were added."""
    if db.execute("SELECT 1 FROM main.meta WHERE key = 'touched'").fetchone():
        return
    with transaction(db):
        for table in TABLES:
            db.execute(f"DELETE FROM {table}")  # noqa: S608 constants
        for *origin, records in db.execute(
            "SELECT agent, session, part, source, records FROM cache.chunks"
        ):
            agent, session, part, source = origin
            note(db.execute, (agent, session, part, source), _records.decode(records))
        db.execute("INSERT OR REPLACE INTO main.meta VALUES ('touched', '1')")


# -- queries


def writes(ask: Ask, paths: Iterable[str], until: int) -> list[Write]:
    """Return the writes, up to a time in milliseconds, to files with the base names of `paths`."""
    # agents write JSON, so none of them names a file whose name is not UTF-8
    names = sorted({base_name(path) for path in paths if is_utf8(path)})[:_FEW]
    marks = ", ".join("?" * len(names))
    found = ask(
        "SELECT DISTINCT agent, session, path, at FROM touched"  # noqa: S608 only question marks
        f" WHERE name IN ({marks}) AND (at IS NULL OR at <= ?)",
        (*names, until),
    )
    return [Write(*row) for row in found]


def of_session(ask: Ask, agent: str, session: str) -> tuple[list[Write], list[Made]]:
    """Return what a session wrote, and the commits that it made."""
    wrote, made = (
        ask(
            f"SELECT DISTINCT agent, session, {column}, at FROM {table}"  # noqa: S608 constants
            " WHERE agent = ? AND session = ?",
            (agent, session),
        )
        for table, column in (("touched", "path"), ("made", "id"))
    )
    return [Write(*row) for row in wrote], [Made(*row) for row in made]


def makers(ask: Ask, commit: str, since: int, until: int) -> list[Made]:
    """Return the sessions that made a given commit, or any commit between two times."""
    columns = "SELECT DISTINCT agent, session, id, at FROM made WHERE"
    named = [Made(*row) for row in ask(f"{columns} id BETWEEN ? AND ?", (commit[:4], commit))]
    then = [Made(*row) for row in ask(f"{columns} at BETWEEN ? AND ?", (since, until))]
    return list(dict.fromkeys([*(each for each in named if commit.startswith(each.id)), *then]))


def running(ask: Ask, since: int, until: int) -> list[Span]:
    """Return the sessions of this repository that ran between two times."""
    found = ask(
        "SELECT agent, id, started, ended FROM sessions WHERE ended >= ? AND started <= ? AND"
        " kept > 0",
        (since, until),
    )
    return [Span(*row) for row in found]
