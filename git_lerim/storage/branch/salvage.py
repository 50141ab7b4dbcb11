"""Make the commits of a broken branch again on its last good one, with all that can be read.

So a single bad object does not take the memories along that were written after it. A folder or
file that cannot be read stays as the good commit has it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FOLDER, SUBMODULE, TreeEntry
from git_lerim.storage.branch.tree_builder import written

_MOST = 10_000  # commits
# a signature holds for the original only
_KEPT = re.compile(rb"^(?:author|committer|encoding) .*", re.MULTILINE)


class Redone(NamedTuple):
    """A commit that was made again."""

    commit: str
    original: str
    known: bool  # whether its parent could be read, so that all it changed is known


def redo(objects: Objects, good: str, held: str) -> Iterator[Redone]:
    """Make again the commits that `held` has beyond `good`, oldest first, and yield each.

    Authors and messages stay the same. Commits of other people that a merge brought in stay its
    parents if they are complete. Raises GitFailed and ReadOnly.
    """
    last, tree = good, objects.folders_of(good)
    for commit in reversed(_beyond(objects, good, held)):
        changes: dict[str, TreeEntry | None] = {}
        before, merged = objects.parents(commit)[:1], objects.parents(commit)[1:]
        known = all(map(objects.is_whole, before))
        known &= _compare(objects, _tree(objects, *before), _tree(objects, commit), "", changes)
        made = written(objects, tree, changes)
        if made is None or made == tree:
            continue
        tree, parents = made, [last, *filter(objects.is_complete, merged)]
        last = objects.write_commit(_copy(objects.commit(commit), tree, parents))
        yield Redone(last, commit, known)


def _beyond(objects: Objects, good: str, held: str) -> list[str]:
    """Return the first-parent history of `held` up to what `good` has, newest first."""
    found: list[str] = []
    at: str | None = held
    try:
        while at and len(found) < _MOST and not objects.descends(good, at):
            parents = objects.parents(at)
            found.append(at)
            at = parents[0] if parents else None
    except GitFailed:  # what is older cannot be told apart
        pass
    return found


def _tree(objects: Objects, commit: str | None = None) -> str | None:
    """Return the id of a commit's tree, or None if the commit cannot be read."""
    try:
        return objects.folders_of(commit) if commit else None
    except GitFailed:
        return None


def _compare(
    objects: Objects,
    old: str | None,
    new: str | None,
    above: str,
    changes: dict[str, TreeEntry | None],
) -> bool:
    """Add to `changes` what two trees differ in, as far as it can be read.

    Returns whether the old tree could be read. `above` is the path of the trees' folder.
    """
    if old == new:
        return True
    after, before = _entries(objects, new), _entries(objects, old)
    if after is None:
        return True
    for name in {**(before or {}), **after}:
        was, now = (before or {}).get(name), after.get(name)
        path = f"{above}{name.decode('utf-8', 'surrogateescape')}"
        if was == now or (now and not _is_there(objects, now)):
            continue
        if now and now.mode == FOLDER:
            within = was.id if was and was.mode == FOLDER else None
            before = before if _compare(objects, within, now.id, f"{path}/", changes) else None
        else:
            changes[path] = now
    return before is not None


def _entries(objects: Objects, tree: str | None) -> dict[bytes, TreeEntry] | None:
    """Return the entries of a tree by name, or None if it cannot be read."""
    try:
        return {entry.name: entry for entry in objects.entries(tree)} if tree else {}
    except GitFailed:
        return None


def _is_there(objects: Objects, entry: TreeEntry) -> bool:
    try:
        return entry.mode == SUBMODULE or objects.size(entry.id) >= 0
    except GitFailed:
        return False


def _copy(commit: bytes, tree: str, parents: list[str]) -> bytes:
    """Return the bytes of a commit with another tree and other parents, and no signature."""
    head, _, message = commit.partition(b"\n\n")
    lines = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
    return b"\n".join([*lines, *_KEPT.findall(head)]) + b"\n\n" + message
