"""Find the memories that a push would restore for everybody after somebody else deleted them."""

from collections.abc import Iterator
from itertools import chain

from git_lerim.actions.mistrust import titles
from git_lerim.memories.memory import Memory
from git_lerim.storage.history import past
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

# operations that can restore a deleted memory
_OPERATIONS = frozenset({"restore", "undo", "edit", "protect", "feedback"})
_NAMED = 10


def restored_memories(ws: Workspace, tip: str, theirs: str) -> list[Memory]:
    """Return the memories that the commit `theirs` lacks because somebody deleted them.

    Included are only those that a person has restored in the commit `tip`.
    """
    added = {
        id_
        for commit in _log(ws, f"{theirs}..{tip}")
        if _operation(commit) in _OPERATIONS
        for id_ in _ids(commit, "A")
    }
    new = added - ws.store.snapshot(theirs).memories.keys() if added else set[str]()
    deleted = (
        set(chain.from_iterable(_ids(commit, "D") for commit in _log(ws, theirs)))
        if new
        else set[str]()
    )
    memories = ws.store.snapshot().memories
    return [memories[id_].memory for id_ in sorted(new & deleted) if id_ in memories]


def question(ws: Workspace, memories: list[Memory], name: str) -> str:
    """Return the question to ask before a push that restores memories for everybody."""
    named = memories[:_NAMED]
    lines = [
        f"  {memory.id}  {title}" for memory, title in zip(named, titles(ws, named), strict=True)
    ]
    more = [f"  and {len(memories) - _NAMED} more"] if len(memories) > _NAMED else []
    what = f"{counted(len(memories), 'memory')} deleted by someone else"
    listed = "".join(f"{line}\n" for line in [*lines, *more])
    return f"{what} and that came back here:\n{listed}push {what} to {name} again, for everybody?"


def _log(ws: Workspace, commits: str) -> Iterator[past.LoggedCommit]:
    return past.read_log(ws.place, commits, limit=None, path=None)


def _operation(commit: past.LoggedCommit) -> str:
    return dict(commit.trailers).get("Lerim-Op", "")


def _ids(commit: past.LoggedCommit, status: str) -> Iterator[str]:
    return (file.id for file in commit.files if file.status == status and file.id)
