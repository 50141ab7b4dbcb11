"""Objects and refs through libgit2, in process. It cannot open SHA-256 or reftable repositories."""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from git_lerim.errors import LerimError, StoreMoved
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.git_errors import read_errors, write_error
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain

# without it, a power failure leaves empty refs and objects, and the user's own `git fetch` fails
pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature
# missing objects are fetched before they are read
pygit2.settings.set_extensions(["partialclone"])

# Transfers and git fsck check hashes; checking each on reading would take as long again.
pygit2.settings.enable_strict_hash_verification(False)  # noqa: FBT003 as above; git does not either

# libgit2 raises OSError for a lock somebody else holds, and GitError or a subclass for the rest
TROUBLE = (pygit2.GitError, OSError, KeyError, ValueError)
# Objects are flushed together, before a ref points to them: all of a commit take as long as one.
TOGETHER = hasattr(os, "posix_fadvise")
# starts writing a file to disk without waiting
BEGIN = getattr(os, "POSIX_FADV_DONTNEED", 0)


class Libgit2(Objects):
    """The objects and refs of one repository, through libgit2."""

    def __init__(self, place: Place) -> None:
        """Open the repository. Raises LerimError where libgit2 cannot."""
        super().__init__(place)
        self._unsynced: set[str] = set()
        self._files = str(place.common_dir / "objects")
        try:
            self._repo = pygit2.Repository(str(place.git_dir))
        except TROUBLE as error:
            said = plain(str(error))
            trust = (
                "if you trust it: git config --global --add safe.directory"
                f" {plain(str(place.git_dir))}"
            )
            named = git_line(place.git("config", "core.worktree"), cwd=place.git_dir)
            gone = (
                f"core.worktree of its configuration names {plain(named)}, which may be gone"
                if named
                else ""
            )
            raise LerimError(
                f"the repository cannot be opened: {said}", hint=trust if "owned" in said else gone
            ) from error

    def _read(self, name: str, kind: str) -> bytes:
        with read_errors(name, *TROUBLE):
            found = self._loose(name) or self._repo.odb.read(name)
            if found[0] != ObjectType[kind.upper()]:
                raise ValueError(f"it is no {kind}")
            return found[1]

    def _loose(self, name: str) -> tuple[int, bytes] | None:
        """Return type and bytes of a loose object, or None if it is not loose.

        libgit2 1.9 never stops reading a truncated one:
        https://github.com/libgit2/libgit2/issues/7342.
        """
        try:
            # fast path: open() for each object
            with open(f"{self._files}/{name[:2]}/{name[2:]}", "rb") as file:  # noqa: PTH123
                head, _, data = zlib.decompress(file.read()).partition(b"\0")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except zlib.error as error:
            raise ValueError(f"its file is damaged: {error}") from error
        kind, _, size = head.partition(b" ")
        if int(size) != len(data):
            raise ValueError("its file is damaged: it is not as long as it says")
        return ObjectType[kind.decode("ascii", "replace").upper()], data

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        with read_errors(blob, *TROUBLE):
            return int(self._repo.odb.read_header(blob)[1])

    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit with this unique prefix, or None."""
        try:
            name = str(self._repo.expand_id(prefix))
            self._loose(name)
            return str(self._repo[name].peel(pygit2.Commit).id)
        except TROUBLE:
            return None

    def descends(self, commit: str, ancestor: str) -> bool:
        """Tell whether a commit equals or descends from another."""
        try:
            self._loose(commit)
            return commit == ancestor or self._repo.descendant_of(commit, ancestor)
        except TROUBLE:
            return False

    def write_commit(self, data: bytes) -> str:
        """Write a commit from its exact bytes and return its id."""
        return self._write("commit", data)

    def _write(self, kind: str, data: bytes) -> str:
        with _unsynced():
            return self._wrote(str(self._repo.write(ObjectType[kind.upper()], data)), kind, data)

    def _write_again(self) -> None:
        with write_errors():
            fresh = pygit2.Repository(str(self._place.git_dir))
            for name, (kind, data) in self._written.items():
                if name not in fresh.odb:
                    fresh.write(ObjectType[kind.upper()], data)

    def _wrote(self, name: str, kind: str, data: bytes) -> str:
        self._unsynced.add(name)
        return super()._wrote(name, kind, data)

    def _sync(self) -> None:
        """Flush written objects to disk: the files, then the directories that name them."""
        base = self._place.common_dir / "objects"
        files = [base / name[:2] / name[2:] for name in self._unsynced] if TOGETHER else []
        for path in files:
            _open_for(path, lambda handle: os.posix_fadvise(handle, 0, 0, BEGIN))
        for path in (*files, *{path.parent for path in files}, *([base] if files else [])):
            _open_for(path, os.fsync)
        self._unsynced.clear()

    def ref(self, name: str) -> str | None:
        """Return the object id a ref points to, or None if it is missing or broken."""
        try:
            found = self._repo.references.get(name)
            return None if found is None else str(found.resolve().target)
        except TROUBLE:
            return None

    def move_ref(
        self, name: str, new: str, *, old: str | None, message: str, who: Identity
    ) -> None:
        """Point a ref at another commit if it is still at `old` (None: it must not exist).

        Raises StoreMoved otherwise.
        """
        with write_errors():
            self._sync()
            mail = who.committer.decode(errors="replace")
            self._repo.set_ident(
                mail.partition(" <")[0] or "git-lerim",
                mail.partition(" <")[2].rstrip(">") or "none",
            )
            with self._repo.transaction() as transaction:
                transaction.lock_ref(name)
                found = self._repo.references.get(name)
                if (None if found is None else str(found.target)) != old:
                    raise StoreMoved(f"{name} was moved by another process")
                transaction.set_target(name, pygit2.Oid(hex=new), message=message)


@contextmanager
def _unsynced() -> Iterator[None]:
    """Write objects without fsync: `_sync` flushes all of them at once."""
    pygit2.settings.enable_fsync_gitdir(not TOGETHER)
    try:
        with write_errors():
            yield
    finally:
        pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature


def _open_for(path: Path, act: Callable[[int], object]) -> None:
    # it was packed, or pruned: `settle` notices
    with suppress(FileNotFoundError):
        handle = os.open(path, os.O_RDONLY)
        try:
            act(handle)
        finally:
            os.close(handle)


@contextmanager
def write_errors() -> Iterator[None]:
    """Translate libgit2's errors in writing into our own."""
    try:
        yield
    except TROUBLE as error:
        raise write_error(str(error)) from error
