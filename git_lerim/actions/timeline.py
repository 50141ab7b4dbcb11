"""Memories in chronological order, around a memory or about a file."""

from collections.abc import Sequence

from git_lerim.actions.listing import find_memory, list_memories, redact_memories
from git_lerim.errors import UnknownMemory
from git_lerim.memories import naming
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace


def timeline(
    ws: Workspace, named: str, limit: int, *, everything: bool = False
) -> tuple[list[Stored], str]:
    """Return memories around a memory or about a path, oldest first, and the memory's id.

    If `named` is a memory: at most `limit` memories before it, the memory, and at most `limit`
    after it. If it is a file or folder: the newest `limit` memories about it, and an empty id. If
    it is neither, raises UnknownMemory.
    """
    snapshot = ws.store.served()
    items = list_memories(snapshot, everything=everything)[::-1]
    if naming.is_prefix(named.lower()) and any(
        item.memory.id.startswith(named.lower()) for item in items
    ):
        middle = find_memory(snapshot, named)
        return redact_memories(ws, _around(items, middle, limit)), middle.memory.id
    path = (ws.code.typed(named) or "").rstrip("/")
    about = [
        item
        for item in items
        if any(f"{anchor.path}/".startswith(f"{path}/") for anchor in item.memory.anchors)
    ]
    if not path or not (about or ws.code.file(path, ws.code.head())):
        hint = "git lerim list shows the IDs; paths are relative to the current folder"
        raise UnknownMemory(
            f"{named!a} is neither an active memory nor a file of this repository", hint=hint
        )
    return redact_memories(ws, about[-limit:]), ""


def _around(items: Sequence[Stored], middle: Stored, limit: int) -> Sequence[Stored]:
    at = next(
        (number for number, item in enumerate(items) if item.memory.id == middle.memory.id),
        len(items),
    )
    return items[max(at - limit, 0) : at + limit + 1]
