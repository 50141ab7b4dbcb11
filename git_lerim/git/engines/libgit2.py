"""Read and write objects and refs through libgit2; not for SHA-256 or reftable.

Refs and loose objects are read as files: most commands read nothing else, and so need not load the
library.
"""

import os
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from git_lerim import private_files
from git_lerim.errors import ReadOnly, StoreMoved
from git_lerim.git import fast_repo
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.git_errors import read_errors
from git_lerim.git.engines.object_reader import parents_in
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place

# tells the kernel to start writing a file to disk, without waiting for it
BEGIN = getattr(os, "POSIX_FADV_DONTNEED", 0)
_ID = re.compile(r"[0-9a-f]{40}")
_HEAD = 32  # bytes that are enough to hold an object's kind and size


class Libgit2(Objects):
    """The objects and refs of one repository, through libgit2."""

    def __init__(self, place: Place) -> None:
        """Prepare without opening libgit2: refs and loose objects are read without it."""
        super().__init__(place)
        self._unsynced: set[str] = set()
        self._descending: set[tuple[str, str]] = set()  # commits, each with an ancestor
        self._parents: dict[str, tuple[str, ...] | None] = {}  # of loose commits, else None
        self._files = str(place.common_dir / "objects")

    @cached_property
    def _repo(self) -> Any:
        return _library().open_repository(self._place)

    def _read(self, name: str, kind: str) -> bytes:
        with read_errors(name, OSError, ValueError):
            found = self._loose(name)
        if found is None:
            library, repository = _library(), self._repo
            with read_errors(name, *library.TROUBLE):
                number, data = repository.odb.read(name)
                found = next(k for k, type_ in library.KINDS.items() if type_ == number), data
        if found[0] != kind:
            with read_errors(name, ValueError):
                raise ValueError(f"it is not a {kind}")
        return found[1]

    def _loose(self, name: str) -> tuple[str, bytes] | None:
        """Return kind and bytes of a loose object, or None if it is not loose.

        It is read without libgit2, because libgit2 1.9 never stops reading a truncated loose
        object: https://github.com/libgit2/libgit2/issues/7342.
        """
        if name in self._held:
            return self._held[name]
        try:
            packed = private_files.read_small(
                f"{self._files}/{name[:2]}/{name[2:]}", private_files.LARGE
            )
            if not packed:
                raise ValueError("its file is empty, probably because of a crash")
            unpacking = zlib.decompressobj()
            head, _, data = unpacking.decompress(packed, _HEAD).partition(b"\0")
            kind, _, size = head.partition(b" ")
            # a small file may unpack to gigabytes: no more is unpacked than its head says
            rest = max(int(size) - len(data), 0) + 1
            data += unpacking.decompress(unpacking.unconsumed_tail, rest)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except zlib.error as error:
            raise ValueError(f"its file is damaged: {error}") from error
        if int(size) != len(data) or not unpacking.eof:
            raise ValueError("its file is damaged: wrong length")
        return kind.decode("ascii", "replace"), data

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        if blob in self._held:
            return len(self._held[blob][1])
        with suppress(OSError, ValueError, zlib.error):
            path = f"{self._files}/{blob[:2]}/{blob[2:]}"
            with open(path, "rb") as file:  # noqa: PTH123 pathlib costs more
                head = zlib.decompressobj().decompress(file.read(1 << 10), _HEAD)
            return int(head.partition(b"\0")[0].partition(b" ")[2])
        library, repository = _library(), self._repo
        with read_errors(blob, *library.TROUBLE):
            return int(repository.odb.read_header(blob)[1])

    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit with this unique prefix, or None."""
        library, repository = _library(), self._repo
        try:
            name = str(repository.expand_id(prefix))
            self._loose(name)
            return str(repository[name].peel(library.Commit).id)
        except library.TROUBLE:
            return None

    def descends(self, commit: str, ancestor: str) -> bool:
        """Return whether `commit` is `ancestor` or descends from it."""
        library, repository = _library(), self._repo
        if (commit, ancestor) in self._descending:
            return True
        try:
            found = (
                commit == ancestor
                or self._reaches_loosely(commit, ancestor)
                or repository.descendant_of(commit, ancestor)
            )
        except library.TROUBLE:  # also where the history has a gap
            return self._is_here(ancestor) and self._reaches(commit, ancestor)
        if found:
            self._descending.add((commit, ancestor))
        return bool(found)

    def _reaches_loosely(self, commit: str, ancestor: str) -> bool:
        """Return whether a chain of loose commits leads from `commit` to `ancestor`.

        These commits are read before libgit2 is asked, because it never stops reading a truncated
        one.
        """
        left, seen = [commit], {commit}
        for name in left:
            parents = self._loose_parents(name)
            if name == ancestor and parents is not None:
                return True
            new = [parent for parent in parents or () if parent not in seen]
            left += new
            seen.update(new)
        return False

    def _loose_parents(self, commit: str) -> tuple[str, ...] | None:
        if commit not in self._parents:
            found = self._loose(commit)
            self._parents[commit] = found and parents_in(found[1])
        return self._parents[commit]

    def write_commit(self, data: bytes) -> str:
        """Write a commit from its exact bytes and return its id."""
        return self._write("commit", data)

    def _write(self, kind: str, data: bytes) -> str:
        """Write an object or, if nothing can be written, keep it in memory for readers."""
        try:
            return self._store(kind, data)
        except ReadOnly:
            return self._hold(kind, data)

    def _write_held(self) -> None:
        while self._held:
            name, (kind, data) = next(iter(self._held.items()))
            self._store(kind, data)
            del self._held[name]

    def _store(self, kind: str, data: bytes) -> str:
        library, repository = _library(), self._repo
        with library.unsynced():
            return self._wrote(str(repository.write(library.KINDS[kind], data)), kind, data)

    def _write_again(self) -> None:
        moved = [name for name in self._written if not self._is_written(name)]
        if not moved:  # opening the repository again takes much longer than these checks
            return
        library = _library()
        with library.write_errors():
            fresh = library.Repository(str(self._place.git_dir))
            for name in moved:
                kind, data = self._written[name]
                if name not in fresh.odb:
                    fresh.write(library.KINDS[kind], data)

    def _wrote(self, name: str, kind: str, data: bytes) -> str:
        self._unsynced.add(name)
        return super()._wrote(name, kind, data)

    def _sync(self) -> None:
        """Flush written objects to disk: the files, then the directories that contain them."""
        base = self._place.common_dir / "objects"
        together = _library().TOGETHER
        files = [base / name[:2] / name[2:] for name in self._unsynced] if together else []
        for path in files:
            _open_for(path, lambda handle: os.posix_fadvise(handle, 0, 0, BEGIN))
        for path in (*files, *{path.parent for path in files}, *([base] if files else [])):
            _open_for(path, os.fsync)
        self._unsynced.clear()

    def ref(self, name: str) -> str | None:
        """Return the object id that a ref points to, or None if the ref is missing or broken."""
        if ".." not in name and name.startswith(("refs/heads/", "refs/remotes/", "refs/lerim/")):
            found = fast_repo.ref(str(self._place.common_dir), name)
            if found is None or _ID.fullmatch(found):
                return found
        library, repository = _library(), self._repo
        try:
            named = repository.references.get(name)
            return None if named is None else str(named.resolve().target)
        except library.TROUBLE:
            return None

    def _move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        library, repository = _library(), self._repo
        with library.write_errors():
            self._sync()
            mail = who.committer.decode(errors="replace")
            repository.set_ident(
                mail.partition(" <")[0] or "git-lerim",
                mail.partition(" <")[2].rstrip(">") or "none",
            )
            with repository.transaction() as transaction:
                transaction.lock_ref(name)
                found = repository.references.get(name)
                if (None if found is None else str(found.target)) != old:
                    raise StoreMoved(f"{name} was changed by another process")
                transaction.set_target(name, library.Oid(hex=new), message=message)


def _library() -> Any:
    """Return the library's module, imported when it is first needed."""
    from git_lerim.git.engines import libgit2_library  # noqa: PLC0415 this import takes long

    return libgit2_library


def _open_for(path: Path, act: Callable[[int], object]) -> None:
    # a missing file was packed or pruned; `settle` writes pruned objects again
    with suppress(FileNotFoundError):
        handle = os.open(path, os.O_RDONLY)
        try:
            act(handle)
        finally:
            os.close(handle)
