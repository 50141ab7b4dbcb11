"""Find the memories that replaced others."""

from collections.abc import Iterable, Iterator, Sequence

from git_lerim.actions.mistrust import shown
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.workspace import Workspace

_OUT_OF_USE = {Status.SUPERSEDED, Status.ARCHIVED}


def successors(
    ws: Workspace, snapshot: Snapshot, items: Iterable[Stored], at: str | None = None
) -> dict[str, Sequence[Stored]]:
    """Map the ids of memories out of use to what replaced them, as their reader may get it."""
    gone = [item.memory for item in items if item.memory.status in _OUT_OF_USE]
    found = {memory.id: [*_replacing(snapshot, memory)] for memory in gone}
    return {id_: [item for item, _ in shown(ws, at)(each)] for id_, each in found.items() if each}


def _replacing(snapshot: Snapshot, memory: Memory) -> Iterator[Stored]:
    is_superseded = memory.status is Status.SUPERSEDED  # then it names its replacement itself
    for id_, item in snapshot.memories.items():
        other = item.memory
        if memory.id in {*other.supersedes, *other.merged_from} or (
            is_superseded and id_ in memory.related
        ):
            yield item
