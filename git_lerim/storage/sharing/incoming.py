"""What a store received besides decisions and learnings: handoffs, their claims, and summaries.

Only differing files are read.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import Place
from git_lerim.memories.handoff import Claim, details
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Stored
from git_lerim.storage.sharing.changes import Files, changed_files, read_memories

if TYPE_CHECKING:
    from git_lerim.storage.trust.handed import Handed


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """The handoffs and summaries that are new or changed in the later of two states."""

    handoffs: tuple[Stored, ...] = ()  # new ones
    # existing handoffs that were claimed, released or canceled
    changed: tuple[Stored, ...] = ()
    # handoffs whose previous claim was overridden, with that claim
    lost: tuple[tuple[Stored, Claim], ...] = ()
    summaries: tuple[str, ...] = ()  # ids of new ones
    # summaries that changed, as they were and as they are
    rewritten: tuple[tuple[Stored, Stored], ...] = ()

    def named_by(self, store: "Handed") -> "Incoming":
        """Return a copy with the authors of changed handoffs, and with corrected claims."""
        named = {item.path: item for item in store.named(self.changed)}
        return replace(
            self,
            changed=tuple(named.values()),
            lost=tuple((named[item.path], claim) for item, claim in self.lost),
        )


def find_incoming(place: Place, before: str | None, after: str) -> Incoming:
    """Return which handoffs and summaries are new or changed since an earlier commit.

    None as `before` stands for an empty store.
    """
    objects = open_objects(place)
    files = changed_files(
        objects, objects.tree_of(before) if before else None, objects.tree_of(after), _is_beside
    )

    def of(primitive: str) -> tuple[dict[str, Stored], dict[str, Stored]]:
        old, new = (
            {item.memory.id: item for item in read_memories(objects, _of(primitive, each))}
            for each in files
        )
        return old, new

    (old, new), (known, summaries) = of("handoff"), of("summary")
    changed = _changed(old, new)
    return Incoming(
        handoffs=_added(old, new),
        changed=tuple(changed.values()),
        lost=tuple(
            (item, claim)
            for id_, item in changed.items()
            if (claim := _lost(old[id_].memory, item.memory))
        ),
        summaries=tuple(item.memory.id for item in _added(known, summaries)),
        rewritten=tuple((known[id_], item) for id_, item in _changed(known, summaries).items()),
    )


def _is_beside(path: str) -> bool:
    return (
        layout.is_folder(path)
        and path.removeprefix("archived/").partition("/")[0] not in layout.SORTS["memories"]
    )


def _of(primitive: str, files: Files) -> Files:
    return {path: blob for path, blob in files.items() if layout.primitive_at(path) == primitive}


def _added(old: Collection[str], new: Mapping[str, Stored]) -> tuple[Stored, ...]:
    return tuple(
        item
        for id_, item in new.items()
        if id_ not in old and item.memory.status is not Status.ARCHIVED
    )


def _changed(old: Mapping[str, Stored], new: Mapping[str, Stored]) -> dict[str, Stored]:
    return {id_: item for id_, item in new.items() if id_ in old and _seen(item) != _seen(old[id_])}


def _seen(item: Stored) -> Memory:
    """Return a memory without its times, because changes of times are not worth reporting."""
    return replace(item.memory, last_accessed=None, updated=item.memory.created)


def _lost(old: Memory, new: Memory) -> Claim | None:
    """Return a handoff's previous claim if it was overridden or released, or None."""
    was = details(old).claimed_by
    return was if was != details(new).claimed_by else None
