"""The difference between two trees of a store, by object ids alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from git_lerim.git.engines.trees import FOLDER, RawTrees, TreeEntry, raw_entries

_Raw = tuple[bytes, bytes, bytes]  # mode, name, id

DEEPEST = 16  # levels of folders; a forged tree can have thousands
# compared entries; a forged tree with shared subtrees has any number of paths
MOST = 2_000_000


@dataclass(frozen=True, slots=True)
class TreeChange:
    """A path that differs between two trees, with its old and its new entry.

    A folder is listed itself only if its contents were not compared.
    """

    path: str  # invalid UTF-8 becomes lone surrogates
    old: TreeEntry | None
    new: TreeEntry | None


def _is_shallow(path: str) -> bool:
    return path.count("/") < DEEPEST


def differing(
    objects: RawTrees, old: str | None, new: str | None, enters: Callable[[str], bool] = _is_shallow
) -> Iterator[TreeChange]:
    """Yield the paths that differ between two trees; None is an empty tree.

    `enters` decides which folders' contents are compared. Renames are not detected. After `MOST`
    differing entries, no more folders are compared.
    """
    waiting, looked = [("", old, new)], 0
    while waiting:
        below, *trees = waiting.pop()
        if trees[0] == trees[1]:
            continue
        before, after = _changed(*(raw_entries(objects, tree) if tree else [] for tree in trees))
        names = sorted({*before, *after})
        looked += len(names)
        for name in names:
            path = below + name.decode("utf-8", "surrogateescape")
            was, now = _entry(before.get(name)), _entry(after.get(name))
            if (
                looked <= MOST
                and enters(path)
                and FOLDER in {entry.mode for entry in (was, now) if entry}
            ):
                waiting.append((path + "/", _folder(was), _folder(now)))
                was, now = _file(was), _file(now)
            if was != now:
                yield TreeChange(path, was, now)


def _changed(*trees: list[_Raw]) -> tuple[dict[bytes, _Raw], ...]:
    """Return the entries of two trees that may differ, as one map by name for each tree."""
    start = _common(trees[0], trees[1], 1)
    middle = [tree[start:] for tree in trees]
    end = _common(middle[0], middle[1], -1)  # most commits change one file of a large folder
    old, new = (set(tree[: len(tree) - end]) for tree in middle)
    names = {name for _, name, _ in old ^ new}
    # if a forged tree repeats a name, the first counts
    return tuple(
        {entry[1]: entry for entry in reversed(tree) if entry[1] in names} for tree in trees
    )


def _common(one: list[_Raw], other: list[_Raw], step: int) -> int:
    """Return the number of equal entries at the start or, with step -1, at the end."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        part = slice(least, middle) if step > 0 else slice(-middle, -least or None)
        if one[part] == other[part]:
            least = middle
        else:
            most = middle - 1
    return least


def _entry(raw: _Raw | None) -> TreeEntry | None:
    return TreeEntry(raw[1], int(raw[0], 8), raw[2].hex()) if raw is not None else None


def _folder(entry: TreeEntry | None) -> str | None:
    return entry.id if entry is not None and entry.mode == FOLDER else None


def _file(entry: TreeEntry | None) -> TreeEntry | None:
    return entry if entry is not None and entry.mode != FOLDER else None
