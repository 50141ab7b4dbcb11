"""Read the heads (metadata) of Cursor's chats, and which workspaces list the chats.

Cursor stores both apart from the chats themselves.
"""

from pathlib import Path
from sqlite3 import Connection
from typing import Any

from git_lerim.agents.cursor.places import folder_of, local_path
from git_lerim.agents.lines import objects
from git_lerim.agents.sqlite import columns, opened
from git_lerim.errors import Unreadable

_LISTED = "SELECT value FROM ItemTable WHERE key = ?"
_HEADS = "SELECT composerId, value FROM composerHeaders"


def heads_in(connection: Connection) -> dict[str, dict[str, Any]]:
    """Map the id of each chat to the chat's head.

    Newer versions of Cursor have one row for each chat, older versions a single row for all.
    """
    found = {head["composerId"]: head for head in _listed(connection, "composer.composerHeaders")}
    if {"composerId", "value"} <= columns(connection, "composerHeaders"):
        for session, value in connection.execute(_HEADS):
            head = _decoded(value)
            if isinstance(session, str) and head:
                found[session] = head
    return found


def folders_of(database: Path) -> dict[str, str]:
    """Map the id of each chat to the folder of the workspace that lists the chat.

    The workspaces are stored beside the database.
    """
    found: dict[str, str] = {}
    for workspace in sorted(database.parents[1].glob("workspaceStorage/*/workspace.json")):
        try:
            named = objects(workspace.read_bytes())[0]
            place = (
                local_path(named[0].get("folder") or named[0].get("workspace")) if named else None
            )
            if place and place.endswith(".code-workspace"):
                place = folder_of([place])
            if place and workspace.with_name("state.vscdb").is_file():
                with opened(workspace.with_name("state.vscdb")) as connection:
                    found |= dict.fromkeys(_chats(connection), place)
        except (OSError, Unreadable):
            continue
    return found


def _chats(connection: Connection) -> list[str]:
    return [head["composerId"] for head in _listed(connection, "composer.composerData")]


def _listed(connection: Connection, key: str) -> list[dict[str, Any]]:
    """Return the heads that one row of the table ItemTable lists."""
    if not columns(connection, "ItemTable"):
        return []
    row = connection.execute(_LISTED, (key,)).fetchone()
    chats = _decoded(row[0]).get("allComposers") if row else None
    listed = chats if isinstance(chats, list) else []
    return [
        chat
        for chat in listed
        if isinstance(chat, dict) and isinstance(chat.get("composerId"), str)
    ]


def _decoded(value: Any) -> dict[str, Any]:
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else value
    found, _ = objects(raw) if isinstance(raw, bytes) else ([], False)
    return found[0] if found else {}
