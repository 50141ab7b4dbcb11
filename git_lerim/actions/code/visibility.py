"""Find which memories are hidden on the current branch, and cache them for the fast paths."""

import contextlib
import sqlite3
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from git_lerim.actions.code.freshness import open_cache
from git_lerim.database import transaction
from git_lerim.errors import LerimError, UsageError
from git_lerim.git import fast_repo, refs
from git_lerim.recall.index.index import Index
from git_lerim.recall.local import verdicts
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.upkeep.visibility import Evidence

HEADS = 16  # commits to cache

Hidden = dict[int, tuple[str, str]]  # index key → memory id and the branch it was learned on


def hide(ws: Workspace, index: Index, *, everything: bool = False) -> Index:
    """Exclude hidden memories from an index unless `everything` is set; return the index."""
    index.hidden = frozenset() if everything else frozenset(hidden_memories(ws, index))
    return index


def hidden_ids(ws: Workspace) -> dict[str, str]:
    """Return the ids of hidden memories, each with the branch on which it was learned."""
    if ws.personal or ws.in_tree or not ws.has_memory():
        return {}
    with contextlib.closing(ws.index()) as index:
        return dict(hidden_memories(ws, index).values())


def filter_visible(
    items: Iterable[Stored], away: Container[str], *, branch: str | None, everything: bool
) -> list[Stored]:
    """Return the memories learned on `branch` if it is given, otherwise the visible ones.

    If `everything` is set and `branch` is not, hidden memories are included.
    """
    if branch is not None:
        return [
            item for item in items if any(source.branch == branch for source in item.memory.sources)
        ]
    return [item for item in items if everything or item.memory.id not in away]


def check_branch(ws: Workspace, name: str, items: Iterable[Stored]) -> None:
    """Raise UsageError if a branch does not exist and no memory was learned on it either."""
    learned = {source.branch for item in items for source in item.memory.sources}
    if name in learned or refs.read_ref(ws.place.common_dir, f"refs/heads/{name}"):
        return
    known = sorted(filter(None, learned))
    raise UsageError(
        f"there is no branch {name}, and no memory comes from it",
        hint=f"memories come from {', '.join(known)}" if known else "",
    )


def hidden_memories(ws: Workspace, index: Index) -> Hidden:
    """Return the memories that are hidden on the current branch; in tree mode, none are."""
    head = None if ws.personal or ws.in_tree else ws.code.head()
    if head is None:
        return {}
    try:
        branch = fast_repo.branch(str(ws.place.git_dir))
    except OSError:
        return {}
    with contextlib.ExitStack() as stack:
        kept = open_cache(ws)
        if kept is None:
            return {}
        stack.callback(kept.close)
        found = verdicts.hidden(kept, head, index.tree, branch)
        if found is None:
            from git_lerim.actions.code.hidden_memories import find_hidden  # noqa: PLC0415

            away = find_hidden(ws, index, kept, head)
            _keep(kept, head, index.tree or "", away)
            found = {
                one.key: (one.id, (one.branches or ("",))[-1])
                for one in away
                if branch not in one.branches
            }
        return found


def _keep(kept: sqlite3.Connection, head: str, tree: str, found: "list[Evidence]") -> None:
    rows = [(head, one.key, one.id, "\n".join(one.branches)) for one in found]
    with contextlib.suppress(LerimError), transaction(kept):
        heads = [row[0] for row in kept.execute("SELECT head FROM looked")]
        if head not in heads and len(heads) >= HEADS:
            kept.execute("DELETE FROM looked")
        kept.execute("DELETE FROM hidden WHERE head = ?", (head,))
        kept.executemany("INSERT INTO hidden VALUES (?, ?, ?, ?)", rows)
        kept.execute("INSERT OR REPLACE INTO looked VALUES (?, ?)", (head, tree))
