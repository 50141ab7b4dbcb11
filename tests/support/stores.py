"""Memories and stores to test with, the same ones every time."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch.branch_store import BranchStore
from support.repos import Repo


def store_at(folder: Path, branch: str = "lerim/memory") -> BranchStore:
    """Open the branch store of the repository at a folder."""
    return BranchStore(discover(folder, os.environ), branch)


def decision(n: int, title: str = "") -> Memory:
    """Return the n-th decision."""
    day = datetime(2026, 2, 1 + n % 28, 9, 30, tzinfo=UTC)
    told = title or f"Use thing {n}"
    name = naming.memory_id("claude", f"record {n}", "decision", 0)
    return Memory(
        id=name,
        primitive=Primitive.DECISION,
        title=told,
        body="Because it is good.",
        created=day,
        updated=day,
    )


def adding(*numbers: int) -> Callable[[Snapshot], Change]:
    """Return the operation that adds decisions."""

    def operation(_: Snapshot) -> Change:
        files = {naming.path_of(decision(n)): frontmatter.render(decision(n)) for n in numbers}
        trailers = (("Lerim-Op", "sync"), *(("Lerim-Added", decision(n).id) for n in numbers))
        return Change(
            files=files,
            subject=f"sync: {len(numbers)} decisions",
            body="+ something",
            trailers=trailers,
        )

    return operation


def put(repo: Repo, *memories: Memory, days: float = 0) -> None:
    """Commit memories as they are, so many days ago."""
    place = store_at(repo.path).place
    store = BranchStore(place, now=lambda: time.time() - days * 86_400)
    files = {
        naming.path_of(one, archived=one.status is Status.ARCHIVED): frontmatter.render(one)
        for one in memories
    }
    store.commit(lambda _: Change(files=files, subject="put"))


def stored(repo: Repo) -> dict[str, Memory]:
    """Return the memories of a repository, by id."""
    return {id_: item.memory for id_, item in store_at(repo.path).snapshot().memories.items()}


def titles(snapshot: Snapshot) -> set[str]:
    """Return the titles of all memories in a snapshot."""
    return {stored.memory.title for stored in snapshot.memories.values()}
