"""What a bare undo leaves alone in a work tree: uncommitted changes, and what was moved there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from git_lerim.actions.mistrust import titles
from git_lerim.actions.undo_change import all_of
from git_lerim.actions.undo_log import SHORT
from git_lerim.errors import UsageError
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.storage.worktree.convert_store import was_moved
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

_NAMED = 3  # uncommitted changes named in the message
_TITLE = 60  # characters of a title in it


def refuse_uncommitted(ws: Workspace) -> None:
    """Raise UsageError if a change is not committed: undo would revert an earlier one instead.

    Memories that `init --tree` moved to the work tree do not count.
    """
    tree = open_store.tree_of(ws)
    if tree is None or not tree.uncommitted():
        return
    before, now = map(all_of, tree.last_change())
    objects = open_objects(ws.place)
    found = [
        each
        for old, new in ((before.get(id_), now.get(id_)) for id_ in before.keys() | now.keys())
        if old or (new and not was_moved(objects, new.path, new.blob))
        for each in _pending(old, new)
    ]
    if not found:
        return
    found.sort(key=lambda each: each.memory.updated, reverse=True)
    named = found[:_NAMED]
    shown = titles(ws, [each.memory for each in named])
    said = [
        f"{each.what} {each.memory.id} ({clip(title, _TITLE)})"
        for each, title in zip(named, shown, strict=True)
    ]
    said += [f"and {len(found) - _NAMED} more"] if len(found) > _NAMED else []
    raise UsageError(
        f"the last change is not committed, and undo reverts commits: {', '.join(said)}",
        hint=f"to take it back: {', '.join(each.way_back for each in named)}; to undo a commit"
        " instead: git lerim undo COMMIT",
    )


def refuse_move(ws: Workspace, commit: LoggedCommit) -> None:
    """Raise UsageError if a commit added memories that `init --tree` moved to the work tree.

    To undo it would archive them all.
    """
    tree = open_store.tree_of(ws)
    operation = dict(commit.trailers).get("Lerim-Op")
    if tree is None or operation not in {None, "share"}:
        return
    added = {file.path: file.blob for file in commit.files if file.status == "A"}
    files = {path: blob for path, blob in added.items() if naming.valid_path(path)}
    objects = open_objects(ws.place)
    # a clone does not know what was moved elsewhere, but that commit began the folder
    begins = "format" in added and not all(tree.trust.own.is_own(*each) for each in files.items())
    if operation or begins or any(was_moved(objects, *each) for each in files.items()):
        short = commit.id[:SHORT]
        raise UsageError(
            f"there is nothing to undo since {short}, which moved the memory to the work tree",
            hint=f"git lerim init --branch returns to the branch; git lerim undo {short} would"
            " archive what was moved",
        )


@dataclass(frozen=True, slots=True)
class _Pending:
    """A memory that differs from the last commit."""

    memory: Memory
    what: str
    way_back: str  # the command that takes the change back


def _pending(old: Stored | None, new: Stored | None) -> Iterator[_Pending]:
    """Yield how a memory changed since the last commit, if it says something else."""
    was, now = (each.memory if each else None for each in (old, new))
    if was and now and replace(was, last_accessed=now.last_accessed) == now:
        return
    is_out, was_out = (each is None or each.status is Status.ARCHIVED for each in (now, was))
    if now and is_out and not was_out:
        yield _Pending(now, "archived", f"git lerim restore {now.id}")
    elif now and was_out and not is_out:
        yield _Pending(now, "restored" if was else "added", f"git lerim forget {now.id}")
    elif item := old or new:
        file = f"*{item.memory.id}.md" if item.memory.id in item.path else item.path
        what = "changed" if now else "deleted"
        yield _Pending(now or item.memory, what, f"git restore -SW ':/{layout.TREE}/{file}'")
