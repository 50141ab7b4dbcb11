"""OpenCode: `opencode.db`, the older tree of JSON files, and `opencode export` documents.

One session can be in all three. The database wins over the files, the files over an export: a
session with a better copy below the same folder yields a reading without a session.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.lines import objects
from git_lerim.agents.opencode.messages import Message, Place, header, model_of, records, unattended
from git_lerim.agents.sqlite import columns, opened
from git_lerim.agents.stored import sources, stamped, unchanged, whole
from git_lerim.agents.toolcalls import text_of
from git_lerim.errors import Unreadable
from git_lerim.sessions.session import Record

NAME = "opencode"

_DATABASES = ("opencode.db", "opencode-*.db")
_TREES = ("storage/session/*/*.json", "project/*/storage/session/info/*.json")
_EXPORTS = ("export/ses_*.json", "ses_*.json")

_MESSAGES_WRITTEN = (
    "SELECT session_id, count(*), max(time_updated) FROM message GROUP BY session_id"
)
_PARTS_WRITTEN = "SELECT session_id, count(*), max(time_updated) FROM part GROUP BY session_id"


def roots(places: Places) -> list[Path]:
    """Return OpenCode's data folders on this platform, and the database in OPENCODE_DB."""
    share = Path(places.env.get("XDG_DATA_HOME") or places.home / ".local" / "share") / "opencode"
    found = [share]
    if places.platform == "darwin":
        found.append(places.home / "Library" / "Application Support" / "opencode")
    if places.platform == "win32" and places.env.get("LOCALAPPDATA"):
        found.append(Path(places.env["LOCALAPPDATA"]) / "opencode")
    named = places.env.get("OPENCODE_DB")
    if named and named != ":memory:":
        found.append(share / named)  # an absolute path replaces `share`
    return found


def find(root: Path) -> Iterator[Source]:
    """Yield the databases, then the session files of the old tree, then the exports."""
    yield from sources(NAME, root, _DATABASES, "-wal")
    if root.is_dir():
        for source in sources(NAME, root, _TREES):
            folder = stamped(NAME, _messages(source.path), folder=True)
            more = folder.stamp if folder else ()
            yield changed(
                source,
                stamp=(*source.stamp, *more),
                modified=max(source.modified, folder.modified if folder else 0),
            )
        yield from sources(NAME, root, _EXPORTS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield each session that is new or changed, whole."""
    if source.path.suffix == ".json":
        kept = Reading(session="", bookmark=whole(source))
        yield (
            kept
            if unchanged(source, bookmark)
            else changed(_document(source.path) or kept, bookmark=whole(source))
        )
    else:
        yield from _database(source.path, bookmark)


def _database(path: Path, bookmark: Bookmark | None) -> Iterator[Reading]:
    known = (bookmark or Bookmark()).state.get("versions", {})
    with opened(path) as connection:
        if not {"id", "data"} <= columns(connection, "message") or not columns(
            connection, "session"
        ):
            yield Reading(
                session="",
                bookmark=Bookmark(),
                warnings=(f"{path}: no database of OpenCode, or too new",),
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
    """Return a version for each session, from its row counts and latest update times."""
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
            info = _decoded(data, f"{path}: message {message_id}", warnings)
            decoded = (
                (str(row[0]), _decoded(row[1], f"{path}: part {row[0]}", warnings)) for row in parts
            )
            yield Message(n=n, id=str(message_id), info=info, parts=decoded)

    place = Place(
        directory=text_of(session, "directory"),
        part=session_id if top != session_id else None,
        alone=unattended(session),
        revert=(
            _decoded(session["revert"], f"{path}: session {session_id}", warnings)
            if session.get("revert")
            else None
        ),
    )
    return _reading(top, session, messages(), place, warnings)


def _top(session_id: str, sessions: Mapping[str, dict[str, Any]]) -> str:
    """Return the topmost ancestor of a session that was started by other sessions."""
    seen = {session_id}
    while (parent := text_of(sessions.get(session_id, {}), "parent_id")) and parent not in seen:
        session_id = parent
        seen.add(parent)
    return session_id


def _reading(
    session: str,
    info: Mapping[str, Any],
    messages: Iterator[Message],
    place: Place,
    warnings: list[str],
) -> Reading:
    found: list[Record] = []
    stored, model, undone = 0, "", False
    back = (place.revert or {}).get("messageID")
    for message in messages:
        stored += 1
        model = model_of(message) or model
        new = list(records(message, place))
        undone = undone or (message.id == back and not (place.revert or {}).get("partID"))
        found += [replace(record, abandoned=True) for record in new] if undone else new
        undone = undone or message.id == back
    # a part must not replace its parent's title
    return Reading(
        session=session,
        part=place.part,
        header=replace(header(info, model), title="") if place.part else header(info, model),
        records=tuple(found),
        restart=True,
        stored=stored,
        warnings=tuple(warnings),
    )


def _decoded(data: Any, name: str, warnings: list[str]) -> dict[str, Any]:
    """Decode a JSON object; anything else adds a warning and gives an empty one."""
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    found, understood = objects(raw) if isinstance(raw, bytes) else ([], False)
    if not (found and understood):
        warnings.append(f"{name}: not JSON, left out")
    return found[0] if found else {}


def _document(path: Path) -> Reading | None:
    """Read a whole session of the old tree, or an export; None if there is a better copy."""
    warnings: list[str] = []
    document = _file(path, warnings)
    inside = document.get("info")
    info = inside if isinstance(inside, dict) else document
    session = path.stem if info is document else str(info.get("id") or path.stem)
    if _elsewhere(path, session):
        return None
    parent = info.get("parentID")
    place = Place(
        directory=text_of(info, "directory"),
        part=session if isinstance(parent, str) and parent else None,
        alone=unattended(info),
        revert=info.get("revert") if isinstance(info.get("revert"), dict) else None,
    )
    messages = _exported(document) if info is not document else _tree(path, warnings)
    reading = _reading(str(parent) if place.part else session, info, messages, place, warnings)
    return changed(reading, warnings=tuple(warnings))


def _file(path: Path, warnings: list[str]) -> dict[str, Any]:
    try:
        return _decoded(path.read_bytes(), str(path), warnings)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error


def _exported(document: Mapping[str, Any]) -> Iterator[Message]:
    messages = document.get("messages")
    for n, message in enumerate(messages if isinstance(messages, list) else [], 1):
        info = message.get("info") if isinstance(message, dict) else None
        parts = message.get("parts") if isinstance(message, dict) else None
        listed = (
            [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
        )
        if isinstance(info, dict):
            named = [(str(part.get("id") or ""), part) for part in listed]
            yield Message(n=n, id=str(info.get("id") or n), info=info, parts=named)


def _messages(session_file: Path) -> Path:
    """Return the folder of a session's messages; the oldest layout has it beside `info`."""
    if session_file.parent.name == "info":
        return session_file.parents[1] / "message" / session_file.stem
    return session_file.parents[2] / "message" / session_file.stem


def _tree(path: Path, warnings: list[str]) -> Iterator[Message]:
    """Yield the messages of the old tree; file names are ids, as in OpenCode's migration."""
    folder = _messages(path)
    parts = folder.parents[1] / "part"
    parts = parts / path.stem if path.parent.name == "info" else parts
    infos = [(file.stem, _file(file, warnings)) for file in sorted(folder.glob("*.json"))]
    infos.sort(key=lambda one: (_created(one[1]), one[0]))
    for n, (message_id, info) in enumerate(infos, 1):
        files = sorted((parts / message_id).glob("*.json"))
        yield Message(
            n=n,
            id=message_id,
            info=info,
            parts=[(file.stem, _file(file, warnings)) for file in files],
        )


def _created(info: Mapping[str, Any]) -> float:
    time = info.get("time")
    created = time.get("created") if isinstance(time, dict) else None
    return created if isinstance(created, int | float) else 0


def _elsewhere(path: Path, session: str) -> bool:
    """Return whether a better copy of this session exists in one of the folders above.

    That is a database, or for an export also the old tree.
    """
    for folder in path.parents[:4]:
        for pattern in _DATABASES:
            if any(_holds(database, session) for database in folder.glob(pattern)):
                return True
        if path.parent.name == "export" and any(
            (folder / "storage" / "session").glob(f"*/{session}.json")
        ):
            return True
    return False


def _holds(database: Path, session: str) -> bool:
    try:
        with opened(database) as connection:
            return (
                connection.execute("SELECT 1 FROM session WHERE id = ?", (session,)).fetchone()
                is not None
            )
    except Unreadable:
        return False
