"""A change as the folders of a tree: files to write and to remove, folder by folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from git_lerim.errors import BadMemory
from git_lerim.git.objects import FILE, FOLDER, Objects, TreeEntry
from git_lerim.git.process import plain
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.storage import layout
from git_lerim.storage.base import Change

MANY = 100  # files from which on they are written as one pack, and not each by itself


@dataclass
class Folder:
    """Changes to one folder of a tree: files to write, to take from elsewhere, to remove, folders that change."""

    files: dict[str, bytes | TreeEntry | None] = field(default_factory=dict)
    folders: dict[str, "Folder"] = field(default_factory=dict)


def check(change: Change) -> None:
    """Refuse a change that no reader of the store would take."""
    for path, data in change.files.items():
        if data is not None and not naming.valid_path(path) and path not in layout.ROOT_FILES:
            raise BadMemory(f"no memory stands at {plain(path)}")
        if data is not None and len(data) > FILE_LIMIT:
            raise BadMemory(f"{path} has {len(data)} bytes, more than {FILE_LIMIT}")


def packed(
    place: Place, objects: Objects, files: Mapping[str, bytes | TreeEntry | None]
) -> Mapping[str, bytes | TreeEntry | None]:
    """Write the contents of many files at once, and return the files by what stands there; few are left to be written."""
    contents = {path: data for path, data in files.items() if isinstance(data, bytes)}
    if len(contents) < MANY:
        return files
    from git_lerim.git.packing import name_of  # noqa: PLC0415 few changes are so large

    names = {path: name_of(place, "blob", data) for path, data in contents.items()}
    objects.write_together({names[path]: ("blob", data) for path, data in contents.items()})
    return {**files, **{path: TreeEntry(_bytes(path.rpartition("/")[2]), FILE, name) for path, name in names.items()}}


def nested(files: Mapping[str, bytes | TreeEntry | None]) -> Folder:
    """Return changed files, by path, as the store's root folder."""
    top = Folder()
    for path, data in files.items():
        *folders, name = path.split("/")
        here = top
        for step in folders:
            here = here.folders.setdefault(step, Folder())
        here.files[name] = data
    return top


def written(objects: Objects, tree: str | None, folder: Folder) -> str | None:
    """Write a tree that differs from another one in some files, and return it; None where it would be empty."""
    entries: dict[str, TreeEntry | None] = {}
    for name, data in folder.files.items():
        entries[name] = TreeEntry(_bytes(name), FILE, objects.write_blob(data)) if isinstance(data, bytes) else data
    old = {entry.name: entry for entry in objects.entries(tree)} if tree and folder.folders else {}
    for name, below in folder.folders.items():
        found = old.get(_bytes(name))
        new = written(objects, found.id if found and found.mode == FOLDER else None, below)
        entries[name] = TreeEntry(_bytes(name), FOLDER, new) if new else None
    return objects.write_tree(tree, entries)


def beginning(objects: Objects) -> str:
    """Write the constant first commit, which holds no memory, and return it."""
    files = {name: TreeEntry(_bytes(name), FILE, objects.write_blob(data)) for name, data in layout.ROOT_FILES.items()}
    return objects.write_commit(layout.root_commit(objects.write_tree(None, files) or ""))


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
