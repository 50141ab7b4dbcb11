"""Read sessions from OpenCode's database."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from git_lerim.agents.base import Bookmark, Reading
from git_lerim.agents.opencode.messages import Message, Place, unattended
from git_lerim.agents.opencode.session import decoded, reading_of
from git_lerim.agents.sqlite import columns, opened
from git_lerim.agents.toolcalls import text_of
from git_lerim.errors import Unreadable

DATABASES = ("opencode.db", "opencode-*.db")
_MESSAGES_WRITTEN = (
    "SELECT session_id, count(*), max(time_updated) FROM message GROUP BY session_id"
)
_PARTS_WRITTEN = "SELECT session_id, count(*), max(time_updated) FROM part GROUP BY session_id"


def read_database(path: Path, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield each session of a database that is new or changed since the bookmark."""
    known = (bookmark or Bookmark()).state.get("versions", {})
    with opened(path) as connection:
        if not {"id", "data"} <= columns(connection, "message") or not columns(
            connection, "session"
        ):
            yield Reading(
                session="",
                bookmark=Bookmark(),
                warnings=(f"{path}: not an OpenCode database, or too new",),
            )
            return
        rows = connection.execute("SELECT * FROM session ORDER BY time_created, id")
        sessions = {row["id"]: dict(row) for row in rows if isinstance(row["id"], str)}
        versions = _versions(connection, sessions)
        for session_id, version in versions.items():
            if known.get(session_id) != version:
                yield _stored(connection, path, session_id, sessions)
    yield Reading(session="", bookmark=Bookmark(state={"versions": versions}))


def _versions(
    connection: sqlite3.Connection, sessions: Mapping[str, dict[str, Any]]
) -> dict[str, str]:
    """Map the id of each session to a version, which changes when the session changes.

    A version consists of row counts and latest update times.
    """
    messages, parts = (
        dict(_written(connection, statement)) for statement in (_MESSAGES_WRITTEN, _PARTS_WRITTEN)
    )
    return {
        session_id: "|".join(
            str(value)
            for value in (
                row.get("time_updated"),
                row.get("revert"),
                messages.get(session_id),
                parts.get(session_id),
            )
        )
        for session_id, row in sessions.items()
    }


def _written(connection: sqlite3.Connection, statement: str) -> Iterator[tuple[str, str]]:
    for session_id, many, last in connection.execute(statement):
        yield session_id, f"{many} {last}"


def _stored(
    connection: sqlite3.Connection,
    path: Path,
    session_id: str,
    sessions: Mapping[str, dict[str, Any]],
) -> Reading:
    session = sessions[session_id]
    top = _top(session_id, sessions)
    warnings: list[str] = []

    def messages() -> Iterator[Message]:
        rows = connection.execute(
            "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id",
            (session_id,),
        )
        for n, (message_id, data) in enumerate(rows, 1):
            parts = connection.execute(
                "SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (message_id,)
            )
            info = decoded(data, f"{path}: message {message_id}", warnings)
            content = (
                (str(row[0]), decoded(row[1], f"{path}: part {row[0]}", warnings)) for row in parts
            )
            yield Message(n=n, id=str(message_id), info=info, parts=content)

    place = Place(
        directory=text_of(session, "directory"),
        part=session_id if top != session_id else None,
        alone=unattended(session),
        revert=(
            decoded(session["revert"], f"{path}: session {session_id}", warnings)
            if session.get("revert")
            else None
        ),
    )
    return reading_of(top, session, messages(), place, warnings)


def _top(session_id: str, sessions: Mapping[str, dict[str, Any]]) -> str:
    """Return the topmost ancestor of a sub-agent's session, or the session if it has no parent."""
    seen = {session_id}
    while (parent := text_of(sessions.get(session_id, {}), "parent_id")) and parent not in seen:
        session_id = parent
        seen.add(parent)
    return session_id


def holds(database: Path, session: str) -> bool:
    """Return whether a database contains a session; False if it cannot be read."""
    try:
        with opened(database) as connection:
            return (
                connection.execute("SELECT 1 FROM session WHERE id = ?", (session,)).fetchone()
                is not None
            )
    except Unreadable:
        return False
