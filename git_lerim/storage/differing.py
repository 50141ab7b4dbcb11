"""What differs between two trees of a store: by the ids of folders and files, without reading a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from git_lerim.git.objects import FOLDER, Objects, TreeEntry


@dataclass(frozen=True, slots=True)
class Differing:
    """One path, and what stands there in each of two trees; never a folder."""

    path: str  # a byte that is no UTF-8 is a lone surrogate
    old: TreeEntry | None
    new: TreeEntry | None


def differing(objects: Objects, old: str | None, new: str | None, below: str = "") -> Iterator[Differing]:
    """Yield the paths at which two trees differ; None stands for an empty one. There is no search for renames."""
    if old == new:
        return
    before, after = _entries(objects, old), _entries(objects, new)
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        path = below + name.decode("utf-8", "surrogateescape")
        yield from differing(objects, _folder(was), _folder(now), path + "/")
        file_was, file_now = _file(was), _file(now)
        if file_was != file_now:
            yield Differing(path, file_was, file_now)


def _entries(objects: Objects, tree: str | None) -> dict[bytes, TreeEntry]:
    return {entry.name: entry for entry in objects.entries(tree)} if tree else {}


def _folder(entry: TreeEntry | None) -> str | None:
    return entry.id if entry is not None and entry.mode == FOLDER else None


def _file(entry: TreeEntry | None) -> TreeEntry | None:
    return entry if entry is not None and entry.mode != FOLDER else None
