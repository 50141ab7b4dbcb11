"""Read chats of Cursor's CLI from its databases and transcripts.

A chat is stored in `chats/<hash>/<id>/store.db` and `agent-transcripts/<id>.jsonl`. The same chat
can be in the editor's database, in a `store.db` and in a transcript. Only the first of these that
has the chat is read, since it is the most complete. Other copies below the same home folder yield
an empty reading.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Reading, Source
from git_lerim.agents.cursor.messages import records
from git_lerim.agents.cursor.places import folder_of, is_absolute, project_of
from git_lerim.agents.lines import Lines, objects
from git_lerim.agents.sqlite import columns, opened
from git_lerim.agents.stored import milliseconds, whole
from git_lerim.errors import Unreadable
from git_lerim.sessions.session import Header, Record, Role

_EDITORS = (
    ".config/Cursor/User",
    "Library/Application Support/Cursor/User",
    "AppData/Roaming/Cursor/User",
)

_PATH_LIMIT = 4096  # characters


def read_store(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield the chat in a `store.db` if it has changed since the bookmark."""
    path = source.path
    beside = _json_file(path.with_name("meta.json"))
    with opened(path) as connection:
        if not columns(connection, "blobs") or not columns(connection, "meta"):
            yield Reading(
                session="",
                bookmark=whole(source),
                warnings=(f"{path}: not a Cursor chat, or too new",),
            )
            return
        meta = _meta(connection)
        session = toolcalls.text_of(meta, "agentId") or path.parent.name
        root = toolcalls.text_of(meta, "latestRootBlobId") or ""
        seen = Bookmark(state={"versions": {session: f"{root}|{_count(connection)}"}})
        if bookmark and bookmark.state == seen.state:
            yield Reading(session="", bookmark=seen)
            return
        if _in_editor(path, session):
            yield _given_way(session, None, bookmark, seen)
            return
        walked, partial = _walked(connection, root)
        messages = list(_said(walked, beside, meta))
    yield Reading(
        session=session,
        header=_header(beside, meta),
        records=tuple(record for group in messages for record in group),
        restart=True,
        stored=len(messages),
        warnings=(
            (f"{path}: the order of the messages is lost; used the order of writing",)
            if partial
            else ()
        ),
        bookmark=seen,
    )


def _header(beside: Mapping[str, Any], meta: Mapping[str, Any]) -> Header:
    return Header(
        title=toolcalls.text_of(beside, "title") or toolcalls.text_of(meta, "name") or "",
        model=toolcalls.text_of(meta, "lastUsedModel") or "",
    )


def _said(
    walked: Iterator[dict[str, Any]], beside: Mapping[str, Any], meta: Mapping[str, Any]
) -> Iterator[list[Record]]:
    """Yield the records of each message; only the first and last message have a stored time."""
    began = milliseconds(beside.get("createdAtMs")) or milliseconds(meta.get("createdAt"))
    last = milliseconds(beside.get("updatedAtMs"))
    called: dict[str, Record] = {}
    before: list[Record] | None = None
    for n, message in enumerate(walked, 1):
        if before is not None:
            yield before
        stamp = Record(
            n=n, role=Role.REPLY, at=began, cwd=toolcalls.text_of(beside, "cwd"), uuid=message[""]
        )
        before = list(records(stamp, message, called))
    if before is not None:
        yield [replace(record, at=last or began) for record in before]


def _meta(connection: Connection) -> dict[str, Any]:
    row = connection.execute("SELECT value FROM meta WHERE key = '0'").fetchone()
    text = row[0] if row else ""
    try:
        raw = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        raw = text.encode("utf-8", "replace")
    found, _ = objects(raw)
    return found[0] if found else {}


def _count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM blobs").fetchone()[0])


def _walked(connection: Connection, root: str) -> tuple[Iterator[dict[str, Any]], bool]:
    """Return the messages below the root, and whether their order had to be guessed.

    If the root leads to no message, all messages are returned in the order in which they were
    written.
    """
    if next(_below(connection, root, {root}), None):
        return _below(connection, root, {root}), False
    rows = connection.execute("SELECT id, data FROM blobs ORDER BY rowid")
    return (message for row in rows if (message := _message(row[0], row[1]))), True


def _below(connection: Connection, node: str, seen: set[str]) -> Iterator[dict[str, Any]]:
    row = connection.execute("SELECT data FROM blobs WHERE id = ?", (node,)).fetchone()
    if row is None:
        return
    message = _message(node, row[0])
    if message:
        yield message
        return
    for child in _children(_bytes(row[0])):
        if child not in seen:
            seen.add(child)
            yield from _below(connection, child, seen)


def _message(blob: str, data: Any) -> dict[str, Any] | None:
    """Return the message in a blob, or None; the blob's id is added under an empty key."""
    raw = _bytes(data)
    found = objects(raw)[0] if raw.lstrip()[:1] == b"{" else []
    return {**found[0], "": blob} if found and isinstance(found[0].get("role"), str) else None


def _bytes(data: Any) -> bytes:
    return (
        data.encode("utf-8", "replace")
        if isinstance(data, str)
        else data
        if isinstance(data, bytes)
        else b""
    )


def _children(data: bytes) -> Iterator[str]:
    """Yield the ids of a node's children: its 32-byte fields (protobuf, wire type 2)."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 == 0:
            _, at = _varint(data, at)
        elif tag & 7 == 2:
            size, at = _varint(data, at)
            if size == 32 and at + size <= len(data):
                yield data[at : at + size].hex()
            at += size
        elif tag & 7 in {1, 5}:
            at += 8 if tag & 7 == 1 else 4
        else:
            return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    return value, at


def read_transcript(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a transcript since the bookmark.

    A transcript has no times, so the file's modification time is used. The working folder is
    derived from the paths in it.
    """
    path = source.path
    lines = Lines(path, bookmark)
    helper = path.parent.name == "subagents"
    session = path.parents[1].name if helper else path.stem
    if _in_editor(path, session) or _in_store(path, session):
        yield _given_way(session, path.stem if helper else None, bookmark, whole(source))
        return
    place = lines.state.get("cwd")
    stamp = Record(n=0, role=Role.REPLY, at=source.modified, part=path.stem if helper else None)
    called = toolcalls.restored(lines.state.get("open", {}))
    found: list[Record] = []
    named: list[str] = []
    for n, line in lines:
        inner, role = line.get("message"), toolcalls.text_of(line, "role")
        if isinstance(inner, dict) and role in {"user", "assistant"}:
            named += _named(inner)
            found += records(replace(stamp, n=n), {**inner, "role": role}, called)
    place = place or _place(path, named)
    yield Reading(
        session=session if lines.line or lines.offset else "",
        part=stamp.part,
        records=tuple(replace(record, cwd=place) for record in found),
        restart=lines.restart,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark({"cwd": place, "open": toolcalls.kept(called)}),
    )


def _given_way(session: str, part: str | None, before: Bookmark | None, after: Bookmark) -> Reading:
    """Return an empty reading for a chat of which a better copy exists.

    If this copy was read earlier, the reading makes the catalog drop the records from it.
    """
    return Reading(
        session=session if before else "", part=part, restart=before is not None, bookmark=after
    )


def _named(message: Mapping[str, Any]) -> list[str]:
    """Return the absolute paths among the arguments of a message's tool calls."""
    content = message.get("content")
    given = (
        [part.get("input") for part in content if isinstance(part, dict)]
        if isinstance(content, list)
        else []
    )
    values = [value for each in given if isinstance(each, dict) for value in each.values()]
    return [
        value
        for value in values
        if isinstance(value, str) and len(value) < _PATH_LIMIT and is_absolute(value)
    ]


def _place(path: Path, named: list[str]) -> str | None:
    """Return the working folder of a chat, or None if it is unknown.

    The name of the chat's project folder encodes it. If the name cannot be decoded, the common
    folder of the paths in `named` is used.
    """
    parts = path.parts
    if "agent-transcripts" in parts:
        project = parts[parts.index("agent-transcripts") - 1]
        if found := project_of(project, named):
            return found
    return folder_of(named)


def _home(path: Path) -> Path | None:
    return next((parent.parent for parent in path.parents if parent.name == ".cursor"), None)


def _in_store(path: Path, session: str) -> bool:
    home = _home(path)
    return home is not None and any((home / ".cursor" / "chats").glob(f"*/{session}/store.db"))


def _in_editor(path: Path, session: str) -> bool:
    """Return whether the editor's database has messages of the chat `session`."""
    home = _home(path)
    for folder in _EDITORS if home else ():
        database = Path(home or "", folder, "globalStorage", "state.vscdb")
        if database.is_file() and _has_bubbles(database, session):
            return True
    return False


def _has_bubbles(database: Path, session: str) -> bool:
    try:
        with opened(database) as connection:
            row = connection.execute(
                "SELECT 1 FROM cursorDiskKV WHERE key >= ? AND key < ? LIMIT 1",
                (f"bubbleId:{session}:", f"bubbleId:{session};"),
            )
            return row.fetchone() is not None
    except Unreadable:
        return False


def _json_file(path: Path) -> dict[str, Any]:
    try:
        found, _ = objects(path.read_bytes())
    except OSError:
        return {}
    return found[0] if found else {}
