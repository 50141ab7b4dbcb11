"""Read sessions from OpenCode's old tree of JSON files and from its exports."""

from collections.abc import Iterator, Mapping
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from git_lerim.agents.base import Reading
from git_lerim.agents.opencode.database import DATABASES, holds
from git_lerim.agents.opencode.messages import Message, Place, unattended
from git_lerim.agents.opencode.session import decoded, reading_of
from git_lerim.agents.stored import read_bytes
from git_lerim.agents.toolcalls import text_of


def read_document(path: Path) -> Reading | None:
    """Read a whole session from the old tree or from an export.

    Returns None if there is a better copy, such as in a database.
    """
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
    reading = reading_of(str(parent) if place.part else session, info, messages, place, warnings)
    return changed(reading, warnings=tuple(warnings))


def _file(path: Path, warnings: list[str]) -> dict[str, Any]:
    return decoded(read_bytes(path), str(path), warnings)


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


def message_folder(session_file: Path) -> Path:
    """Return the folder with a session's messages, given the session's file in the old tree.

    In the oldest layout, this folder is beside the folder `info`.
    """
    if session_file.parent.name == "info":
        return session_file.parents[1] / "message" / session_file.stem
    return session_file.parents[2] / "message" / session_file.stem


def _tree(path: Path, warnings: list[str]) -> Iterator[Message]:
    """Yield the messages of a session in the old tree; the name of each file is a message's id."""
    folder = message_folder(path)
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

    A copy in a database is better. For an export, a copy in the old tree is better, too.
    """
    for folder in path.parents[:4]:
        for pattern in DATABASES:
            if any(holds(database, session) for database in folder.glob(pattern)):
                return True
        if path.parent.name == "export" and any(
            (folder / "storage" / "session").glob(f"*/{session}.json")
        ):
            return True
    return False
