"""Read chats from the database of Cursor's editor, `state.vscdb`.

The chats are key-value rows, which are queried by key range only.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Reading, Source
from git_lerim.agents.cursor import bubbles
from git_lerim.agents.cursor.places import folder_of, is_absolute, local_path
from git_lerim.agents.cursor.workspaces import folders_of, heads_in
from git_lerim.agents.lines import objects
from git_lerim.agents.sqlite import columns, opened
from git_lerim.agents.stored import milliseconds, whole
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

_PREFIX = "composerData:"
_CHATS = (
    "SELECT key, value FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'"
)
_WRITTEN = "SELECT count(*), max(rowid), sum(rowid) FROM cursorDiskKV WHERE key >= ? AND key < ?"
_OLD_CHATS = "SELECT value FROM ItemTable WHERE key = 'workbench.panel.aichat.view.aichat.chatdata'"

# The chats' heads (metadata), and a function that returns each chat's folder from its workspace.
_Around = tuple[Mapping[str, dict[str, Any]], Callable[[], Mapping[str, str]]]


def read_database(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield each chat that is new or changed since the bookmark, as a whole."""
    path = source.path
    known = (bookmark or Bookmark()).state.get("versions", {})
    with opened(path) as connection:
        if not columns(connection, "cursorDiskKV") and not columns(connection, "ItemTable"):
            yield Reading(
                session="",
                bookmark=whole(source),
                warnings=(f"{path}: not a Cursor database, or too new",),
            )
            return
        yield from _old_chats(connection, path, known)
        versions = _versions(connection)
        heads = heads_in(connection) if versions else {}
        # slow, so only called for a chat that does not name its folder
        folders = cache(lambda: folders_of(path))
        for session, version in versions.items():
            if known.get(session) != version:
                yield _chat(connection, path, session, (heads, folders))
        versions |= _old_versions(connection)
    yield Reading(session="", bookmark=Bookmark(state={"versions": versions}))


def _versions(connection: Connection) -> dict[str, str]:
    """Map the id of each chat to a version, which changes when the chat or its messages do.

    Cursor stores a changed message as a new row, so a version needs only the number of rows and the
    sum of their ids.
    """
    if not columns(connection, "cursorDiskKV"):
        return {}
    found = {}
    for key, value in connection.execute(_CHATS):
        if value is not None:
            session = key.removeprefix(_PREFIX)
            rows = connection.execute(
                _WRITTEN, (f"bubbleId:{session}:", f"bubbleId:{session};")
            ).fetchone()
            found[session] = "|".join(str(part) for part in (zlib.crc32(_raw(value)), *rows))
    return found


def _chat(connection: Connection, path: Path, session: str, around: _Around) -> Reading:
    warnings: list[str] = []
    heads, folders = around
    row = _value(connection, _PREFIX + session, path, warnings) or {}
    chat = {
        **heads.get(session, {}),
        **{key: value for key, value in row.items() if value is not None},
    }
    top = _top(connection, session, chat, path, heads)
    inline = [bubble for bubble in _list(chat.get("conversation")) if isinstance(bubble, dict)]
    stamp = Record(
        n=0,
        role=Role.REPLY,
        part=session if top != session else None,
        cwd=_place(chat) or folders().get(session) or folder_of(_mentioned(chat)),
        branch=_at(chat, "createdOnBranch") or None,
    )
    many = inline or _list(chat.get("fullConversationHeadersOnly"))
    messages = (
        enumerate(inline, 1) if inline else _bubbles(connection, session, many, path, warnings)
    )
    stored, at, found = _records(messages, chat, stamp)
    found += _summary(replace(stamp, n=max(len(many), 1), at=at), chat)
    if stamp.cwd is None and (place := folder_of(_called_on(found))):
        found = [record if record.cwd else replace(record, cwd=place) for record in found]
    return Reading(
        session=top,
        part=stamp.part,
        header=Header() if stamp.part else _header(chat),
        records=tuple(found),
        restart=True,
        stored=stored,
        warnings=tuple(warnings),
    )


def _records(
    messages: Iterable[tuple[int, dict[str, Any]]], chat: Mapping[str, Any], stamp: Record
) -> tuple[int, int | None, list[Record]]:
    """Return the number of bubbles, the time of the last bubble, and the records of all.

    A bubble without a time gets the time of the bubble before it. If the last bubble has no time,
    the last record gets the time of the chat's last update.
    """
    stored, found = 0, list[Record]()
    at = milliseconds(chat.get("createdAt"))
    timed = True
    for n, bubble in messages:
        stored += 1
        own = bubbles.time_of(bubble)
        timed, at = own is not None, own or at
        found += bubbles.records(
            replace(stamp, n=n, at=at, uuid=toolcalls.text_of(bubble, "bubbleId")), bubble
        )
    if found and not timed:
        found[-1] = replace(
            found[-1], at=max(at or 0, milliseconds(chat.get("lastUpdatedAt")) or 0) or None
        )
    return stored, at, found


def _bubbles(
    connection: Connection, session: str, headers: list[Any], path: Path, warnings: list[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the bubbles in the order of the headers; skip a header whose row is missing."""
    seen: set[str] = set()
    for n, header in enumerate(headers, 1):
        bubble_id = header.get("bubbleId") if isinstance(header, dict) else None
        if isinstance(bubble_id, str) and bubble_id not in seen:
            seen.add(bubble_id)
            bubble = _value(connection, f"bubbleId:{session}:{bubble_id}", path, warnings)
            if bubble is not None:
                yield n, {"bubbleId": bubble_id, **bubble}


def _value(
    connection: Connection, key: str, path: Path, warnings: list[str]
) -> dict[str, Any] | None:
    row = connection.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
    if row is None or row[0] is None:
        return None
    found, understood = objects(_raw(row[0]))
    if not (found and understood):
        warnings.append(f"{path}: row {key} is not JSON, left out")
    return found[0] if found else None


def _raw(value: Any) -> bytes:
    return (
        value.encode("utf-8", "replace")
        if isinstance(value, str)
        else value
        if isinstance(value, bytes)
        else b""
    )


def _top(
    connection: Connection,
    session: str,
    chat: Mapping[str, Any],
    path: Path,
    heads: Mapping[str, Any],
) -> str:
    """Return the topmost ancestor of a sub-agent's chat, or the chat itself if it has no parent."""
    seen = {session}
    while (parent := _at(chat, "subagentInfo", "parentComposerId")) and parent not in seen:
        session = parent
        seen.add(parent)
        chat = heads.get(parent) or _value(connection, _PREFIX + parent, path, []) or {}
    return session


def _header(chat: Mapping[str, Any]) -> Header:
    model = _at(chat, "modelConfig", "modelName") or ""
    return Header(title=toolcalls.text_of(chat, "name") or "", model=model)


def _summary(stamp: Record, chat: Mapping[str, Any]) -> list[Record]:
    outer = chat.get("latestConversationSummary")
    inner = outer.get("summary") if isinstance(outer, dict) else None
    text = toolcalls.text_of(inner, "summary") if isinstance(inner, dict) else None
    return [replace(stamp, role=Role.SUMMARY, text=said(text))] if text else []


def _place(chat: Mapping[str, Any]) -> str | None:
    """Return the folder that the chat's row names, or the repository that it tracked."""
    tracked = [
        each.get("repoPath")
        for each in _list(chat.get("trackedGitRepos"))
        if isinstance(each, dict)
    ]
    return local_path(chat.get("workspaceIdentifier")) or next(
        filter(None, map(local_path, tracked)), None
    )


def _mentioned(chat: Mapping[str, Any]) -> list[str]:
    """Return the paths of the files that the chat's row mentions."""
    urls: list[Any] = []
    for key in ("codeBlockData", "originalFileStates", "originalModelLines"):
        urls += chat[key] if isinstance(chat.get(key), dict) else ()
    urls += _list(chat.get("newlyCreatedFiles")) + _list(chat.get("allAttachedFileCodeChunksUris"))
    paths = [path for url in urls if (path := local_path(url))]
    return [
        f"{path.partition('/.cursor/')[0]}/.cursor" if "/.cursor/" in path else path
        for path in paths
    ]


def _called_on(records: list[Record]) -> list[str]:
    """Return the absolute paths that were given to tools, apart from tools that run commands."""
    subjects = [
        record.text.partition(": ")[2]
        for record in records
        if record.role is Role.CALL and not record.command
    ]
    return [subject for subject in subjects if is_absolute(subject) and " " not in subject]


def _old_tabs(connection: Connection) -> list[dict[str, Any]]:
    """Return the chats of 2024, which are in a workspace's own database."""
    if not columns(connection, "ItemTable"):
        return []
    row = connection.execute(_OLD_CHATS).fetchone()
    found = objects(_raw(row[0]))[0] if row and row[0] is not None else []
    tabs = _list(found[0].get("tabs")) if found else []
    return [tab for tab in tabs if isinstance(tab, dict) and isinstance(tab.get("tabId"), str)]


def _old_versions(connection: Connection) -> dict[str, str]:
    return {
        tab["tabId"]: str(zlib.crc32(repr(tab).encode("utf-8", "replace")))
        for tab in _old_tabs(connection)
    }


def _old_chats(connection: Connection, path: Path, known: Mapping[str, str]) -> Iterator[Reading]:
    versions = _old_versions(connection)
    named = objects(_file(path.with_name("workspace.json")))[0] if versions else []
    place = local_path(named[0].get("folder")) if named else None
    for tab in _old_tabs(connection):
        if known.get(tab["tabId"]) == versions[tab["tabId"]]:
            continue
        messages = [bubble for bubble in _list(tab.get("bubbles")) if isinstance(bubble, dict)]
        at = milliseconds(tab.get("lastSendTime"))
        found: list[Record] = []
        for n, bubble in enumerate(messages, 1):
            text = toolcalls.text_of(bubble, "text", "rawText") or ""
            role = Role.PROMPT if bubble.get("type") == "user" else Role.REPLY
            if text:
                found.append(Record(n=n, role=role, at=at, text=said(text.strip()), cwd=place))
        title = Header(title=toolcalls.text_of(tab, "chatTitle") or "")
        yield Reading(
            session=tab["tabId"],
            header=title,
            records=tuple(found),
            restart=True,
            stored=len(messages),
        )


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _at(chat: Mapping[str, Any], *keys: str) -> str | None:
    value: Any = chat
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
