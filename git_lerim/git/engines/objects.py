"""Read and write the objects and refs of one repository, whichever engine is used.

The engine is libgit2 or, for repositories that libgit2 cannot open (with SHA-256 objects or a
reftable), git processes. Git fetches the objects that a partial clone lacks, all at once.
"""

import weakref
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from git_lerim.errors import GitFailed, ReadOnly, StoreMoved
from git_lerim.git import refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.git_errors import write_error
from git_lerim.git.engines.object_reader import ObjectReader
from git_lerim.git.engines.trees import TreeEntry, edit_tree, raw_entries
from git_lerim.git.pruning import may_delete_fresh
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_EDITS = 32
_TRIES = 20  # a prune in a loop spoils up to every second try


_Edit = tuple[str | None, tuple[tuple[str, TreeEntry | None], ...]]


class Objects(ObjectReader):
    """The objects and refs of one repository."""

    def __init__(self, place: Place) -> None:
        """Prepare without opening the repository; an engine opens it."""
        super().__init__(place)
        # type and bytes of the objects that `together` collects for one pack
        self._apart: dict[str, tuple[str, bytes]] | None = None
        # type and bytes of the objects written since the last `settle`
        self._written: dict[str, tuple[str, bytes]] = {}
        # type and bytes of objects that only this process can read so far
        self._held: dict[str, tuple[str, bytes]] = {}
        # results of tree edits, by old tree and changes: `refs/lerim/accepted` often repeats an
        # edit of the branch
        self._edited: dict[_Edit, tuple[str, bytes]] = {}
        # `.keep` files of packs without a ref
        self._keeping: list[Path] = []
        weakref.finalize(self, _remove, self._keeping)  # runs at exit at the latest
        self._settled = True

    @abstractmethod
    def _write(self, kind: str, data: bytes) -> str:
        """Write an object and return its id."""

    def _hold(self, kind: str, data: bytes) -> str:
        """Keep an object in memory, as if it were written; return its id."""
        from git_lerim.git.engines.pack_writer import name_of  # noqa: PLC0415 rarely needed

        name = name_of(self._place, kind, data)
        self._held[name] = kind, data
        return name

    @abstractmethod
    def _write_held(self) -> None:
        """Write the objects kept in memory. Raises ReadOnly if that is still not possible."""

    @abstractmethod
    def write_commit(self, data: bytes) -> str:
        """Write a commit from its exact bytes and return its id."""

    @abstractmethod
    def ref(self, name: str) -> str | None:
        """Return the object id that a ref points to, or None if the ref is missing or broken."""

    def move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        """Point a ref at another commit if it is still at `old` (None: it must not exist).

        Raises StoreMoved if it is not, and ReadOnly if its reflog or folder is a link, which is
        possible in a repository unpacked from an archive.
        """
        common = self._place.common_dir
        paths = common / "logs" / name, (common / name).parent
        if any(refs.is_elsewhere(common, path) for path in paths):
            what = f"the reflog or the folder of {name} is a link, so {name} cannot be moved"
            raise ReadOnly(what, hint="use a clone of this repository")
        if refs.is_broken(common, name):
            raise StoreMoved(f"{name} is corrupted", hint="git lerim doctor repairs it")
        self._write_held()
        self._move_ref(name, new, old=old, message=message, who=who)

    @abstractmethod
    def _move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        """Point a ref at another commit, with a line in its reflog."""

    def remove_ref(self, name: str) -> None:
        """Delete a ref if it exists. Raises StoreMoved if packed-refs is locked."""
        if self.ref(name) is None:
            return
        # git waits a second for the lock; libgit2 silently leaves the ref
        try:
            run_git(self._place.git("update-ref", "-d", name), cwd=self._place.git_dir)
        except GitFailed as error:
            raise write_error(str(error)) from error

    def _is_written(self, name: str) -> bool:
        """Return whether the loose file of a written object still exists."""
        return (self._place.common_dir / "objects" / name[:2] / name[2:]).exists()

    @abstractmethod
    def _write_again(self) -> None:
        """Write again those written objects that have been pruned since."""

    def write_blob(self, data: bytes) -> str:
        """Write a blob and return its id."""
        return self.write("blob", data)

    def write_tree(self, base: str | None, changes: Mapping[str, TreeEntry | None]) -> str | None:
        """Write the tree `base` with changed entries; return its id, or None if it is empty."""
        edit = base, tuple(changes.items())
        if (known := self._edited.get(edit)) is not None and self._is_written(known[0]):
            self._wrote(known[0], "tree", known[1])
            return known[0]
        data = edit_tree(raw_entries(self, base) if base else [], changes)
        if not data:
            return None
        tree = self.write("tree", data)
        self._keep(tree, data)  # it is likely to be read next
        if self._apart is None:
            if len(self._edited) >= _EDITS:
                self._edited.clear()
            self._edited[edit] = tree, data
        return tree

    @contextmanager
    def together(self) -> Iterator[None]:
        """Context manager: write the objects of the `with` block as one pack.

        Commits that `write_commit` creates are written separately. Raises GitFailed.
        """
        objects: dict[str, tuple[str, bytes]] = {}
        self._apart = objects
        try:
            yield
        finally:
            self._apart = None
        self.write_together(objects)

    def write(self, kind: str, data: bytes) -> str:
        """Write an object, or buffer it in the `with` block of `together`; return its id."""
        if self._apart is None:
            return self._write(kind, data)
        from git_lerim.git.engines.pack_writer import name_of  # noqa: PLC0415 few write many

        name = name_of(self._place, kind, data)
        self._apart[name] = kind, data
        return name

    def write_together(self, objects: Mapping[str, tuple[str, bytes]]) -> None:
        """Write many objects as one pack; `objects` maps each id to the object's type and bytes.

        Raises GitFailed.
        """
        if not objects:
            return
        from git_lerim.git.engines.pack_writer import write_pack  # noqa: PLC0415 few write many

        try:
            self._keeping += write_pack(self._place, objects)
        except ReadOnly:
            self._held |= objects  # enough for readers
            return
        for name, (kind, data) in objects.items():
            Objects._wrote(self, name, kind, data)  # packs are flushed by git

    def settle(self) -> None:
        """Protect the written objects from a prune that started before a ref led to them.

        While such a prune may be deleting them, the objects also go into a pack, which it does not
        touch. Otherwise those that have been deleted are written again. A prune that starts later
        sees the ref.
        """
        if not self._written:
            return
        for left in reversed(range(_TRIES)):  # the prune also deletes unfinished packs and folders
            try:
                self._protect_written()
            except (GitFailed, StoreMoved) as error:
                if not left:
                    raise write_error(str(error)) from error
            else:
                break
        self._settled = True
        _remove(self._keeping)

    def _protect_written(self) -> None:
        if not may_delete_fresh(self._place.common_dir):
            self._write_again()
            return
        from git_lerim.git.engines.pack_writer import write_pack  # noqa: PLC0415 few gcs prune

        self._keeping += write_pack(self._place, self._written)

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
