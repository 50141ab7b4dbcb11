"""The objects and refs of one repository, independent of the engine that reads and writes them.

libgit2 where it can open the repository; git processes for SHA-256 objects and refs in a
reftable. Each engine is imported only when needed. Objects that a partial clone left with its
remote are fetched by git, all at once.
"""

import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.git_errors import sort_trouble
from git_lerim.git.engines.trees import FOLDER, Raw, TreeEntry, changed, raw_entries
from git_lerim.git.refs import may_prune, running_gc
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

ROOM = 1 << 25  # bytes of cached trees: three states of a store of some years
FOLDERS = 128  # cached folders
PATIENCE = 3.0  # seconds
PAUSE = 0.02  # seconds
_FOLDER = b"%o " % FOLDER


class Objects(ABC):
    """The objects and refs of one repository."""

    def __init__(self, place: Place) -> None:
        """Open nothing yet; an engine does."""
        self._place = place
        self._trees: dict[str, bytes] = {}
        self._room = ROOM
        self._folders: dict[str, Mapping[bytes, Raw]] = {}
        self._roots: dict[str, str] = {}  # cached root trees, by commit
        # type and bytes of objects for one pack
        self._apart: dict[str, tuple[str, bytes]] | None = None
        # type and bytes of objects written since a time without a running gc
        self._written: dict[str, tuple[str, bytes]] = {}
        # `.keep` files of packs without a ref
        self._keeping: list[Path] = []
        weakref.finalize(self, _remove, self._keeping)  # runs at exit at the latest
        self._settled = True
        self._waited_for: str | None = None
        self._partial: bool | None = None
        self._gathered: set[str] = set()
        self._lacking: dict[str, LerimError] = {}

    @abstractmethod
    def _read(self, name: str, kind: str) -> bytes:
        """Return the bytes of an object.

        Raises GitFailed if it is missing, damaged or of another type.
        """

    @abstractmethod
    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""

    @abstractmethod
    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit with this unique prefix, or None."""

    @abstractmethod
    def descends(self, commit: str, ancestor: str) -> bool:
        """Tell whether a commit equals or descends from another."""

    @abstractmethod
    def _write(self, kind: str, data: bytes) -> str:
        """Write an object and return its id."""

    @abstractmethod
    def write_commit(self, data: bytes) -> str:
        """Write a commit from its exact bytes and return its id."""

    @abstractmethod
    def ref(self, name: str) -> str | None:
        """Return the object id a ref points to, or None if it is missing or broken."""

    @abstractmethod
    def move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        """Point a ref at another commit if it is still at `old` (None: it must not exist).

        Raises StoreMoved otherwise.
        """

    def remove_ref(self, name: str) -> None:
        """Delete a ref if it exists. Raises StoreMoved while packed-refs is locked."""
        if self.ref(name) is None:
            return
        # git waits a second for the lock; libgit2 silently leaves the ref
        try:
            run_git(self._place.git("update-ref", "-d", name), cwd=self._place.git_dir)
        except GitFailed as error:
            raise sort_trouble(str(error)) from error

    @abstractmethod
    def _write_again(self) -> None:
        """Rewrite the written objects that have since been pruned."""

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree, from the cache if possible."""
        found = self._trees.get(tree)
        return found if found is not None else self._keep(tree, self._read(tree, "tree"))

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return the entries of a tree."""
        return [
            TreeEntry(name, int(mode, 8), id_.hex()) for mode, name, id_ in raw_entries(self, tree)
        ]

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        return self._read(blob, "blob")

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the ids of a commit's parents."""
        head = self._read(commit, "commit").partition(b"\n\n")[0]
        return tuple(
            line[7:].decode("ascii", "replace")
            for line in head.split(b"\n")
            if line.startswith(b"parent ")
        )

    def entry_at(self, commit: str, path: str) -> TreeEntry | None:
        """Return the entry at a path in a commit, or None."""
        try:
            found = TreeEntry(b"", FOLDER, self._root(commit))
            for name in path.encode("utf-8", "surrogateescape").split(b"/"):
                entry = self._named(found.id).get(name) if found.mode == FOLDER else None
                if entry is None:
                    return None
                found = TreeEntry(name, int(entry[0], 8), entry[2].hex())
        except GitFailed:
            return None
        return found

    def _root(self, commit: str) -> str:
        if commit not in self._roots:
            if len(self._roots) >= FOLDERS:
                self._roots.clear()
            self._roots[commit] = self._tree_id(commit)
        return self._roots[commit]

    def _named(self, tree: str) -> Mapping[bytes, Raw]:
        if tree not in self._folders:
            if len(self._folders) >= FOLDERS:
                self._folders.clear()
            self._folders[tree] = {entry[1]: entry for entry in reversed(raw_entries(self, tree))}
        return self._folders[tree]

    def _tree_id(self, commit: str) -> str:
        return (
            self._read(commit, "commit")
            .partition(b"\n")[0]
            .removeprefix(b"tree ")
            .decode("ascii", "replace")
        )

    def _is_here(self, commit: str) -> bool:
        """Tell whether a commit and its root tree are in this clone."""
        try:
            tree = self._tree_id(commit)
            self.size(tree)  # what was read once may have been pruned
            self.raw_tree(tree)
        except GitFailed:
            return False
        return True

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree, fetching first what a partial clone lacks of it."""
        self.gather(commit)
        return self._tree_id(commit)

    def is_whole(self, commit: str) -> bool:
        """Tell whether a commit and its root tree are here, fetching them in a partial clone."""
        if self._is_here(commit):
            return True
        if not self.is_partial():
            return False
        with suppress(LerimError):
            self.gather(commit)
        return self._is_here(commit)

    def is_complete(self, commit: str) -> bool:
        """Tell whether a commit is here with its trees, down to those of the months."""
        return self.is_whole(commit) and self._has_folders(self._tree_id(commit), 3)

    def _has_folders(self, tree: str, depth: int) -> bool:
        try:
            self.size(tree)  # what was read once may have been pruned
            may_have = depth and _FOLDER in self.raw_tree(tree)
            folders = (
                [entry.id for entry in self.entries(tree) if entry.mode == FOLDER]
                if may_have
                else []
            )
        except GitFailed:
            return False
        return all(self._has_folders(folder, depth - 1) for folder in folders)

    def is_partial(self) -> bool:
        """Tell whether this is a partial clone, whose missing objects only git can fetch."""
        if self._partial is None:
            try:
                told = (self._place.common_dir / "config").read_bytes().lower()
            except OSError:
                told = b""
            self._partial = b"promisor" in told or b"partialclone" in told
        return self._partial

    def gather(self, commit: str) -> None:
        """Fetch what a partial clone lacks of a commit's files, all at once. Raises GitFailed."""
        if commit in self._gathered or not self.is_partial():
            return
        if commit in self._lacking:  # it would fail again
            raise self._lacking[commit]
        # few clones are partial
        from git_lerim.git.engines.partial_clone import gather  # noqa: PLC0415

        try:
            gather(self._place, commit)
        except LerimError as error:
            self._lacking[commit] = error
            raise
        self._gathered.add(commit)

    def write_blob(self, data: bytes) -> str:
        """Write a blob and return its id."""
        return self.write("blob", data)

    def write_tree(self, base: str | None, changes: Mapping[str, TreeEntry | None]) -> str | None:
        """Write a tree with some entries of `base` changed; return its id, or None if empty."""
        data = changed(raw_entries(self, base) if base else [], changes)
        if not data:
            return None
        tree = self.write("tree", data)
        self._keep(tree, data)  # the next reader begins with it
        return tree

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write the block's objects as one pack, except those of `write_commit`.

        Raises GitFailed.
        """
        objects: dict[str, tuple[str, bytes]] = {}
        self._apart = objects
        try:
            yield
        finally:
            self._apart = None
        self.write_together(objects)

    def write(self, kind: str, data: bytes) -> str:
        """Write an object, or buffer it inside `together`; return its id."""
        if self._apart is None:
            return self._write(kind, data)
        from git_lerim.git.engines.pack_writer import name_of  # noqa: PLC0415 few write many

        name = name_of(self._place, kind, data)
        self._apart[name] = kind, data
        return name

    def _keep(self, tree: str, data: bytes) -> bytes:
        if len(data) > self._room:
            self._trees.clear()
            self._room = ROOM
        self._trees[tree] = data
        self._room -= len(data)
        return data

    def write_together(self, objects: Mapping[str, tuple[str, bytes]]) -> None:
        """Write many objects as one pack, given type and bytes by id. Raises GitFailed."""
        if not objects:
            return
        from git_lerim.git.engines.pack_writer import write_pack  # noqa: PLC0415 few write many

        self._keeping += write_pack(self._place, objects)
        for name, (kind, data) in objects.items():
            Objects._wrote(self, name, kind, data)  # packs are flushed by git

    def settle(self) -> None:
        """Rewrite objects that a concurrent `git gc --prune=now` removed before they had a ref.

        Waits once, for PATIENCE seconds, until a running gc ends. An ordinary gc does no harm and
        can take minutes, so it is not waited for where it is recognized. One that starts later sees
        the ref.
        """
        if not self._written:
            return
        gc = running_gc(self._place.common_dir)
        if gc is not None and not may_prune(self._place.common_dir, gc):
            gc = None
        deadline = time.monotonic() + (PATIENCE if gc != self._waited_for else 0)
        while (
            still := gc is not None and running_gc(self._place.common_dir) == gc
        ) and time.monotonic() < deadline:
            time.sleep(PAUSE)
        self._waited_for = gc
        self._write_again()
        self._settled = not still
        _remove(self._keeping)

    def _wrote(self, name: str, kind: str, data: bytes) -> str:
        if self._settled:
            self._written.clear()
            self._settled = False
        self._written[name] = kind, data
        return name


def _remove(files: list[Path]) -> None:
    while files:
        with suppress(OSError):
            files.pop().unlink()


def open_objects(place: Place) -> Objects:
    """Open a repository with the engine that supports it. Raises LerimError if none does."""
    if place.object_format == "sha1" and place.ref_format == "files":
        # it loads longer than all the rest
        from git_lerim.git.engines.libgit2 import Libgit2  # noqa: PLC0415

        return Libgit2(place)
    # most repositories need none
    from git_lerim.git.engines.cli_engine import Processes  # noqa: PLC0415

    return Processes(place)
