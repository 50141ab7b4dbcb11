"""A change as the folders of a tree: files to write and to remove, folder by folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from git_lerim.errors import BadMemory
from git_lerim.git.objects import TreeEntry
from git_lerim.git.process import plain
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.storage import layout
from git_lerim.storage.base import Change


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
