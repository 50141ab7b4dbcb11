"""The queue of sessions: waiting, failed, done.

A session that fails three times is left alone until the user retries it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, Origin, State
from git_lerim.sessions.session_names import names

TRIES = 3
GONE = "its transcript is gone"
PURGED = "a memory of it was purged"
# the states of sessions that do not belong to this repository
_FOREIGN = (State.ELSEWHERE, State.OUTSIDE, State.UNSCOPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The limits of a run: which sessions it may extract, by time, agent and name."""

    since: int = 0  # milliseconds since the epoch, bounds of the last activity
    until: int = 1 << 62
    agents: tuple[str, ...] = ()  # all, if empty
    session: str | None = None  # an id, `<agent>/<id>`, or the beginning or end of an id
    force: bool = False  # sessions that were extracted before are due again


def due(catalog: Catalog, window: Window) -> list[Entry]:
    """Return the sessions to extract, newest first.

    These are the sessions in the window that are waiting or have failed fewer than three times.
    With `force` or a named session, failed sessions are included however often they failed; `force`
    also includes sessions that were extracted before.
    """
    states = [State.WAITING, State.FAILED]
    if window.force:
        states += [State.EXTRACTED, State.NOTHING]
    marks = ", ".join("?" * len(states))
    where = f"state IN ({marks}) AND coalesce(ended, 0) BETWEEN ? AND ? AND kept > 0"
    return [
        entry
        for entry in catalog.entries(where, (*states, window.since, window.until))
        if is_meant(entry, window)
        and (
            entry.state is not State.FAILED
            or entry.tried < TRIES
            or window.force
            or window.session is not None
        )
    ]


def older(catalog: Catalog, window: Window) -> int:
    """Return how many queued sessions were last active before the window."""
    before = replace(window, since=0, until=window.since - 1, force=False)
    return len(due(catalog, before))


def count(catalog: Catalog, window: Window) -> int:
    """Return the number of the repository's sessions whose last activity is in the window."""
    sql = (
        "SELECT agent, count(*) FROM sessions WHERE coalesce(ended, 0) BETWEEN ? AND ?"
        " AND state NOT IN (?, ?, ?) GROUP BY agent"
    )
    rows = catalog.execute(sql, (window.since, window.until, *_FOREIGN)).fetchall()
    return sum(number for agent, number in rows if not window.agents or agent in window.agents)


def only_foreign(catalog: Catalog) -> int:
    """Return the number of known sessions if none of them belongs to the repository, else 0."""
    counts = catalog.counts()
    foreign = sum(counts.pop(state, 0) for state in _FOREIGN)
    return 0 if counts else foreign


def oldest(catalog: Catalog, window: Window) -> int:
    """Return when the oldest session in the window was last active, in milliseconds.

    If there is none, return the end of the window.
    """
    sql = "SELECT min(coalesce(ended, 0)) FROM sessions WHERE coalesce(ended, 0) BETWEEN ? AND ?"
    found = catalog.execute(sql, (window.since, window.until)).fetchone()[0]
    return window.until if found is None else int(found)


def is_due(entry: Entry, window: Window) -> bool:
    """Return whether a session that was just read is waiting and within the limits of a run."""
    return (
        entry.state is State.WAITING
        and window.since <= (entry.ended or 0) <= window.until
        and is_meant(entry, window)
    )


def is_meant(entry: Entry, window: Window) -> bool:
    """Return whether a session is among those that a run is limited to, by agent or by name."""
    return (not window.agents or entry.agent in window.agents) and (
        window.session is None or names(entry, window.session)
    )


def done(catalog: Catalog, entry: Entry, state: State, reason: str = "", *, rules: int) -> None:
    """Mark a session as extracted by a version of the rules, unless it has grown meanwhile."""
    change = "state = ?, reason = ?, extracted = generation, tried = 0, journal = NULL, rules = ?"
    _mark_as_it_stood(catalog, entry, change, (state, reason, rules))


def outdated(catalog: Catalog, rules: int, agents: Collection[str] = ()) -> list[Entry]:
    """Return the sessions extracted by older rules, oldest first.

    If an entry's `kept` is 0, its transcript is no longer cached.
    """
    states = (State.EXTRACTED, State.NOTHING, State.WAITING, State.FAILED)
    where = f"extracted > 0 AND rules < ? AND state IN ({', '.join('?' * len(states))})"
    found = reversed(catalog.entries(where, (rules, *states)))
    return [entry for entry in found if not agents or entry.agent in agents]


def wait_again(catalog: Catalog, entry: Entry) -> None:
    """Queue a session again, to be extracted by newer rules."""
    _mark(catalog, entry, "state = ?, reason = ''", (State.WAITING,))


def gone(catalog: Catalog, entry: Entry) -> None:
    """Record that a session cannot be extracted by newer rules: its transcript is gone."""
    _mark(catalog, entry, "reason = ?", (GONE,))


def left_as_it_is(catalog: Catalog, entry: Entry, rules: int) -> None:
    """Record that a session's memories are up to date with a version of the rules."""
    _mark(catalog, entry, "reason = '', rules = ?", (rules,))


def failed(catalog: Catalog, entry: Entry, error: str) -> None:
    """Record that the extraction of a session failed, and why."""
    _mark_as_it_stood(
        catalog, entry, "state = ?, reason = ?, tried = tried + 1", (State.FAILED, error)
    )


def skip(catalog: Catalog, entry: Entry) -> None:
    """Mark a session as skipped, so that it is not extracted until it is retried."""
    _mark(catalog, entry, "state = ?, reason = ?", (State.SKIPPED, "skipped by you"))


def drop(catalog: Catalog, entry: Entry) -> None:
    """Delete a session's cached records, and skip it until the user retries it."""
    catalog.flush()
    catalog.execute("PRAGMA cache.secure_delete = ON")  # or text would stay in the file
    catalog.execute("PRAGMA main.secure_delete = ON")
    with catalog.writing():
        catalog.execute(
            "DELETE FROM cache.chunks WHERE agent = ? AND session = ?", (entry.agent, entry.id)
        )
    _mark(
        catalog,
        entry,
        "state = ?, reason = ?, journal = NULL",
        (State.SKIPPED, PURGED),
    )


def sources(catalog: Catalog) -> list[tuple[str, str]]:
    """Return the agents and paths of the sources from which queued sessions were read."""
    sql = (
        "SELECT DISTINCT held.agent, source FROM held JOIN sessions"
        " ON sessions.agent = held.agent AND id = session WHERE state IN (?, ?)"
    )
    rows = catalog.execute(sql, (State.WAITING, State.FAILED)).fetchall()
    return [(agent, path) for agent, path in rows]


def forget_source(catalog: Catalog, agent: str, path: str) -> None:
    """Delete what was read from a source, and the sessions that no other source contains."""
    found = "SELECT session, part FROM held WHERE agent = ? AND source = ?"
    with catalog.writing():
        catalog.execute("DELETE FROM sources WHERE path = ?", (path,))
        for session, part in catalog.execute(found, (agent, path)).fetchall():
            entry = catalog.entry(agent, session)
            if entry and entry.state is State.SKIPPED:  # by the user, who may connect the folder
                continue
            catalog.forget(Origin(agent, session, part, path))
            if entry:
                otherwise = State.EMPTY, "it has no messages in files that are read"
                catalog.settle(agent, session, entry.header, entry.places, otherwise)
            named = "DELETE FROM sessions WHERE agent = ? AND id = ? AND stored = 0"
            catalog.execute(named, (agent, session))


def retry(catalog: Catalog, entry: Entry) -> None:
    """Queue a session again if its records are still stored.

    Without records, it becomes empty if it had failed or was skipped; otherwise nothing changes.
    """
    if not entry.kept and entry.state not in {State.FAILED, State.SKIPPED}:
        return
    _mark(
        catalog,
        entry,
        "state = ?, reason = '', tried = 0",
        (State.WAITING if entry.kept else State.EMPTY,),
    )


def write_journal(catalog: Catalog, entry: Entry, data: bytes) -> None:
    """Store the result of an extraction before it is committed.

    After a crash the session then need not be extracted again.
    """
    _mark_as_it_stood(catalog, entry, "journal = ?", (data,))
    catalog.flush()


def journal(catalog: Catalog, entry: Entry) -> bytes | None:
    """Return the stored result of an extraction, unless the session has grown since."""
    row = catalog.execute(
        "SELECT journal FROM sessions WHERE agent = ? AND id = ? AND generation = ?",
        (entry.agent, entry.id, entry.generation),
    ).fetchone()
    return row[0] if row else None


def _mark(
    catalog: Catalog, entry: Entry, change: str, values: tuple[object, ...], where: str = "1"
) -> None:
    with catalog.writing():
        # `change` and `where` are constants in this module
        sql = f"UPDATE sessions SET {change} WHERE agent = ? AND id = ? AND {where}"  # noqa: S608
        catalog.execute(sql, (*values, entry.agent, entry.id))


def _mark_as_it_stood(
    catalog: Catalog, entry: Entry, change: str, values: tuple[object, ...]
) -> None:
    _mark(catalog, entry, change, values, f"generation = {entry.generation}")
