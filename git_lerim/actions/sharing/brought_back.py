"""Find what a push would restore for everybody after somebody else deleted it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from git_lerim.actions.mistrust import titles
from git_lerim.actions.sharing.fetched import Lost, describe_lost
from git_lerim.actions.sharing.sent import counted_kinds, sent_by
from git_lerim.memories.memory import Memory
from git_lerim.storage import layout
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history import past
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

# operations that can restore a deleted memory
_OPERATIONS = frozenset({"restore", "undo", "edit", "protect", "feedback"})
_NAMED = 10

# the id or path, which stays the same in the archive, and whether it is of a memory
_Key: TypeAlias = tuple[str, bool]


def restored_memories(ws: Workspace, tip: str, tips: Iterable[str | None]) -> list[Memory]:
    """Return memories and handoffs that were deleted on a remote, and restored in the commit `tip`.

    `tips` are the remote's commits. Only what a person restored is included.
    """
    found = (each for theirs in {*tips} - {None} for each in _restored(ws, tip, theirs or ""))
    return [*{memory.id: memory for memory in found}.values()]


def _restored(ws: Workspace, tip: str, theirs: str) -> list[Memory]:
    added = {
        key
        for commit in _log(ws, f"{theirs}..{tip}")
        if _operation(commit) in _OPERATIONS
        for key in _keys(commit, "A")
    }
    new = added - _by_key(ws.store.snapshot(theirs)).keys() if added else set[_Key]()
    deleted = (
        set(chain.from_iterable(_keys(commit, "D") for commit in _log(ws, theirs)))
        if new
        else set[_Key]()
    )
    here = _by_key(ws.store.snapshot()) if new else {}
    return [here[key].memory for key in sorted(new & deleted) if key in here]


def question(ws: Workspace, memories: Sequence[Memory], name: str) -> str:
    """Return the question to ask before a push that restores memories for everybody."""
    what = counted_kinds(memory.primitive for memory in memories)
    return f"{listing(ws, memories)}\nrestore {what} on {name} for everybody?"


def listing(ws: Workspace, memories: Sequence[Memory]) -> str:
    """Return lines that name the memories that a push restores."""
    named = memories[:_NAMED]
    lines = [
        f"  {memory.id}  {title}" for memory, title in zip(named, titles(ws, named), strict=True)
    ]
    more = [f"  and {len(memories) - _NAMED} more"] if len(memories) > _NAMED else []
    return "\n".join(["here again after someone else deleted them:", *lines, *more])


def question_of_lost(ws: Workspace, lost: Lost) -> str:
    """Return the question to ask before a push that restores what a push URL has lost."""
    what = sent_by(ws, lost.had, lost.theirs).counts or counted(lost.commits, "commit")
    said = describe_lost(ws, lost.place, lost.commits, lost.theirs)
    return f"{said}\nrestore {what} at {lost.place} for everybody?"


def _by_key(snapshot: Snapshot) -> dict[_Key, Stored]:
    """Map the key of each memory, handoff and summary in a snapshot to that item."""
    kinds = (snapshot.memories, snapshot.handoffs, snapshot.summaries)
    return {_key(item.path): item for kind in kinds for item in kind.values()}


def _log(ws: Workspace, commits: str) -> Iterator[past.LoggedCommit]:
    return past.read_log(ws.place, commits, limit=None, path=None)


def _operation(commit: past.LoggedCommit) -> str:
    return dict(commit.trailers).get("Lerim-Op", "")


def _key(path: str) -> _Key:
    return past.key(path), layout.is_memory(path)


def _keys(commit: past.LoggedCommit, status: str) -> Iterator[_Key]:
    return (_key(file.path) for file in commit.files if file.status == status)
