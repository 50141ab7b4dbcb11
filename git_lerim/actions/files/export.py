"""Export the memories as Markdown files, or as one JSON file."""

import json
import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.listing import as_json, list_memories, redact_memories
from git_lerim.actions.mistrust import doubts
from git_lerim.errors import NoIdentity, ReadOnly, UsageError
from git_lerim.git.commits.author_names import NOBODY, named
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Status
from git_lerim.storage.base import Stored
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

SHARED_BY = "shared_by"  # key of exported files: who wrote the memory
_WAITS = "was not accepted where it was exported"


def export(ws: Workspace, target: Path, *, everything: bool, at: str | None) -> int:
    """Export the memories to a new folder or a `.json` file; return their number."""
    items = _exported(ws, everything=everything, at=at)
    try:
        if target.suffix == ".json":
            _write(
                target,
                json.dumps(_rows(ws, items), ensure_ascii=False, indent=2).encode(
                    "utf-8", "replace"
                )
                + b"\n",
            )
        else:
            _claim(target)
            # paths were validated when read: none leads out of the folder
            for item in items:
                file = target / item.path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(frontmatter.render(item.memory))
    except OSError as error:
        raise ReadOnly(
            f"{target} cannot be written: {error.strerror}", hint="choose another place"
        ) from error
    return len(items)


def export_rows(ws: Workspace, *, everything: bool, at: str | None) -> list[dict[str, Any]]:
    """Return the rows of a JSON export, one for each memory."""
    return _rows(ws, _exported(ws, everything=everything, at=at))


def _rows(ws: Workspace, items: list[Stored]) -> list[dict[str, Any]]:
    rows = as_json(ws, items)
    for row, item in zip(rows, items, strict=True):
        row |= {key: value for key, value in item.memory.unknown.items() if key == SHARED_BY}
    return rows


def _exported(ws: Workspace, *, everything: bool, at: str | None) -> list[Stored]:
    """Return the memories to export.

    Each memory names its author; those not yet accepted are marked suspect. An agent gets no
    memory whose text is withheld from agents.
    """
    served = ws.store.served(at).memories
    chosen = list_memories(ws.store.snapshot(at), everything=everything)
    items = ws.store.named(redact_memories(ws, chosen), at)
    if by_agent(ws):
        why = doubts(ws, items, at)
        items = [item for item in items if item.path not in why]
        if why:
            ws.note(f"left out {counted(len(why), 'memory')} withheld from agents")
    user = user_name(ws)
    return [_marked(item, served.get(item.memory.id), user) for item in items]


def user_name(ws: Workspace) -> str:
    """Return the name of the current git user, in the form that exports use."""
    try:
        return named(ws.store.committer().partition(" <")[0])
    except NoIdentity:
        return NOBODY


def _marked(item: Stored, served: Stored | None, user: str) -> Stored:
    waits = served is None or served.blob != item.blob
    memory, author = item.memory, NOBODY if waits or served is None else served.author or user
    if waits and memory.status is Status.ACTIVE:
        memory = replace(memory, status=Status.SUSPECT, suspect=_WAITS)
    return replace(item, memory=replace(memory, unknown={**memory.unknown, SHARED_BY: author}))


def _claim(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(
            f"{target} exists already and is not an empty folder",
            hint="choose a new folder, or a file ending in .json",
        )
    target.mkdir(parents=True, exist_ok=True)


def _write(target: Path, content: bytes) -> None:
    if target.exists():
        raise UsageError(f"{target} exists already", hint="choose another file")
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(3)}")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
