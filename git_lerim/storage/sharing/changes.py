"""What changed between two trees of a store; only differing folders and files are read."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, Trees
from git_lerim.git.repo import Place
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Stored
from git_lerim.storage.reading import read_blob
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust.validate import First, place_file

Files = dict[str, str]  # blob by path


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes from one tree of a store to another."""

    commit: str | None  # None: there is no branch
    tree: str | None
    gone: tuple[str, ...]  # old paths of deleted and changed files
    found: Iterator[Stored]  # new and changed memories, read lazily
    count: int  # number of new and changed files, valid or not
    seen: str  # key of the refs that were read
    first: First = sorted  # orders files with the same id


class Followed:
    """A store that can list what has changed since an earlier tree."""

    place: Place
    seen: str = ""  # the key `fast_repo.store_key` gives for what was read last
    rules: str = ""  # a key of the rules by which `gate` redacts
    # filters memories on output
    gate: Callable[[Iterable[Stored]], Iterator[Stored]] = iter

    @cached_property
    def _objects(self) -> Objects:
        return open_objects(self.place)

    def handed_out(self, at: str | None = None) -> str | None:
        """Return the commit with the trusted memories, now or as of a revision or date.

        Returns None if there is no such commit.
        """
        raise NotImplementedError

    def attributed(self, items: Iterable[Stored]) -> Iterator[Stored]:
        """Yield memories, each with its author if somebody else wrote it."""
        raise NotImplementedError

    def reaccepted(self, seen: str) -> Iterable[str]:
        """Yield the paths whose accepted version changed since `self.seen` had the value `seen`."""
        raise NotImplementedError

    def first_come(self, paths: Collection[str]) -> list[str]:
        """Return files in the order in which they were added."""
        raise NotImplementedError

    def changes(self, since: str | None, at: str | None = None, seen: str = "") -> Changes:
        """Return what changed in the trusted memories since a tree, until now or until `at`.

        None as `since` stands for an empty tree; `seen` is the `Changes.seen` that was returned
        with that tree. Files that have become the user's own, or have ceased to be, count as
        changed.
        """
        tip = self.handed_out(at)
        tree = self._objects.tree_of(tip) if tip else None
        old, new = changed_files(self._objects, since, tree)
        for path in self.reaccepted(seen) if seen else ():
            if tip and path not in old and (entry := self._objects.entry_at(tip, path)):
                old[path] = new[path] = entry.id
        return Changes(
            commit=tip,
            tree=tree,
            gone=tuple(old),
            found=self.gate(self.attributed(read_memories(self._objects, new))),
            count=len(new),
            seen=self.seen,
            first=self.first_come,
        )


def changed_files(
    objects: Trees,
    since: str | None,
    tree: str | None,
    enters: Callable[[str], bool] = layout.is_folder,
) -> tuple[Files, Files]:
    """Return the old blobs and the new blobs, both by path, where two trees of a store differ."""
    old: Files = {}
    new: Files = {}
    for path in differing(objects, since, tree, enters):
        for entry, files in ((path.old, old), (path.new, new)):
            if entry is not None and entry.mode == FILE and naming.valid_path(path.path):
                files[path.path] = entry.id
    return old, new


def read_memories(objects: Trees, files: Files) -> Iterator[Stored]:
    """Read some files, and yield those that are valid memories."""
    for path, blob in files.items():
        file = place_file(path, blob, read_blob(objects, blob))
        if isinstance(file, Stored):
            yield file
