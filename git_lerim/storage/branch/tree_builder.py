"""Build trees from changed files, folder by folder."""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from git_lerim.errors import BadMemory
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, FOLDER, SUBMODULE, TreeEntry
from git_lerim.git.running.process import plain
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.storage import layout
from git_lerim.storage.base import Change

MANY = 100  # from this many files on, write a pack


@dataclass
class _Folder:
    """The changed files and subfolders of one folder in a tree."""

    files: dict[str, bytes | TreeEntry | None] = field(default_factory=dict)
    folders: dict[str, "_Folder"] = field(default_factory=dict)


def check_change(change: Change) -> None:
    """Raise BadMemory if readers of the store would not accept a change."""
    for path, data in change.files.items():
        if data is not None and not naming.valid_path(path) and path not in layout.ROOT_FILES:
            raise BadMemory(f"{plain(path)} is not the path of a memory file")
        if data is not None and len(data) > FILE_LIMIT:
            raise BadMemory(f"{path} has {len(data)} bytes, more than {FILE_LIMIT}")


def written(
    objects: Objects,
    tree: str | None,
    files: Mapping[str, bytes | TreeEntry | None],
    *,
    checked: bool = True,
) -> str | None:
    """Write a copy of a tree with some files changed.

    Return the copy's id, or None if the copy would be empty. Raises GitFailed if an object to copy
    is missing, unless `checked` is off.
    """
    if checked and not objects.is_partial():
        _check(objects, files.values())
    with objects.together() if len(files) >= MANY else nullcontext():
        return _written(objects, tree, _nested(files))


def _check(objects: Objects, files: Iterable[bytes | TreeEntry | None]) -> None:
    """Raise GitFailed if an object to copy is missing: the commit could not be pushed."""
    for data in files:
        if isinstance(data, TreeEntry) and data.mode != SUBMODULE:
            objects.size(data.id)


def beginning(objects: Objects) -> str:
    """Write and return the first commit, which is the same in every store and has no memory."""
    files = {
        name: TreeEntry(_bytes(name), FILE, objects.write_blob(data))
        for name, data in layout.ROOT_FILES.items()
    }
    return objects.write_commit(layout.root_commit(objects.write_tree(None, files) or ""))


def _nested(files: Mapping[str, bytes | TreeEntry | None]) -> _Folder:
    """Group changed files by folder."""
    top = _Folder()
    for path, data in files.items():
        *folders, name = path.split("/")
        here = top
        for step in folders:
            here = here.folders.setdefault(step, _Folder())
        here.files[name] = data
    return top


def _written(objects: Objects, tree: str | None, folder: _Folder) -> str | None:
    """Write a copy of a tree with a folder's changes; return its id, or None if it is empty."""
    entries: dict[str, TreeEntry | None] = {}
    for name, data in folder.files.items():
        entries[name] = (
            TreeEntry(_bytes(name), FILE, objects.write_blob(data))
            if isinstance(data, bytes)
            else data
        )
    old = {entry.name: entry for entry in objects.entries(tree)} if tree and folder.folders else {}
    for name, below in folder.folders.items():
        found = old.get(_bytes(name))
        new = _written(objects, found.id if found and found.mode == FOLDER else None, below)
        entries[name] = TreeEntry(_bytes(name), FOLDER, new) if new else None
    return objects.write_tree(tree, entries)


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
