"""Find out when memories became stale on the default branch; feature branches do not count."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from git_lerim.actions.code import freshness
from git_lerim.git.worktree import worktree
from git_lerim.memories.memory import Memory
from git_lerim.workspace import Workspace


def stale_since(ws: Workspace, memories: Sequence[Memory]) -> Mapping[str, tuple[datetime, str]]:
    """Say since when and why memories are stale on the default branch, by id.

    Only memories that were found stale by comparing words, and that no model cleared, are included.
    Without a default branch, nothing is returned.
    """
    name = None if ws.personal else worktree.default_branch(ws.place, ws.settings["remote"])
    head = ws.code.resolve(name) if name else None
    if head is None:
        return {}
    standings = freshness.of_all(ws, head)
    found = {
        memory.id: freshness.cause_of(standings[memory.id])
        for memory in memories
        if memory.id in standings
    }
    return {
        id_: (
            datetime.fromisoformat(cause.day[:10]).replace(tzinfo=UTC),
            f"{cause.path} changed in {cause.commit[:10]}",
        )
        for id_, cause in found.items()
        if cause and cause.day and cause.by_words and standings[id_].stale
    }
