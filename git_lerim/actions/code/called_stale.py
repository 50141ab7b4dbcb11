"""Find the memories that a person called stale by feedback, and nobody confirmed since."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from git_lerim.actions import listing
from git_lerim.actions.code import visibility
from git_lerim.actions.code.stale import Stale, about_paths
from git_lerim.memories import feedback
from git_lerim.memories.memory import Status
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A memory that a person called stale."""

    item: Stored
    by: str
    day: str


def called_stale(ws: Workspace, paths: Sequence[str], found: Sequence[Stale]) -> list[Called]:
    """Return the active memories that a person called stale, the latest call first.

    Those in `found` are left out; `paths` selects those about code in these files or folders.
    """
    known = {one.item.memory.id for one in found}
    chosen = [
        Called(item=item, by=feedback.giver(row), day=row.day)
        for item in ws.store.served().memories.values()
        if item.memory.status is Status.ACTIVE
        and item.memory.id not in known
        and (row := feedback.called_stale(item.feedback))
        and about_paths(ws, [anchor.path for anchor in item.memory.anchors], paths)
    ]
    away = visibility.hidden_ids(ws) if chosen else {}
    chosen.sort(key=lambda one: (one.day, one.item.memory.id), reverse=True)
    return [one for one in chosen if one.item.memory.id not in away]


def as_json(ws: Workspace, called: Sequence[Called]) -> list[dict[str, Any]]:
    """Return memories in the format of `list --json`, with no change of code as the cause."""
    return [row | {"cause": None} for row in listing.as_json(ws, [one.item for one in called])]
