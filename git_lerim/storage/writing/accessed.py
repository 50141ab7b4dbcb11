"""Record when memories were last shown, as part of a commit that is made anyway."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date

from git_lerim.errors import BadMemory
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.tokens import counted

# days; a more recent date is left alone
OLD = 30
_NAMED = 20


def with_accesses(snapshot: Snapshot, change: Change, days: Mapping[str, str]) -> Change:
    """Return a change that also updates `last_accessed` where it is missing or a month old.

    `days` maps each memory's id to the day when the memory was last shown.
    """
    files = dict(change.files)
    own = {
        id_: path
        for path, data in files.items()
        if data is not None and (id_ := naming.id_in(path))
    }
    known = look_up(snapshot, days)
    written = []
    for id_, day in sorted(days.items()):
        stored = known.get(id_)
        path = own.get(id_) or (stored.path if stored else "")
        with suppress(BadMemory):  # no room left in the file
            memory = _standing(files, path, stored)
            if (
                memory
                and memory.primitive in {Primitive.DECISION, Primitive.LEARNING}
                and _is_due(memory, day)
            ):
                files[path] = frontmatter.render(replace(memory, last_accessed=day))
                written.append(id_)
    return (
        replace(change, files=files, body=f"{change.body}\n\n{_told(written)}".strip("\n"))
        if written
        else change
    )


def _standing(files: Mapping[str, bytes | None], path: str, stored: Stored | None) -> Memory | None:
    """Return a memory as it is after a change; None if it is then deleted or archived."""
    if path in files:
        data = files[path]
        return frontmatter.parse(data) if data is not None else None
    return stored.memory if stored and stored.memory.status is not Status.ARCHIVED else None


def _is_due(memory: Memory, day: str) -> bool:
    recorded = memory.last_accessed
    return recorded is None or (date.fromisoformat(day) - date.fromisoformat(recorded)).days > OLD


def _told(ids: list[str]) -> str:
    named = ", ".join(ids[:_NAMED]) + (
        f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    )
    return (
        f"Also noted that {counted(len(ids), 'memory')} {'was' if len(ids) == 1 else 'were'} in"
        f" use: {named}"
    )
