"""Read and write git objects, and move refs by compare-and-swap, in process.

The engine is libgit2, which opens neither SHA-256 nor reftable repositories; an engine of git processes
with the same methods would.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, ObjectType

from git_lerim.errors import BranchBlocked, GitFailed, LerimError, StoreMoved
from git_lerim.git.process import NO_WRITING, plain, read_only
from git_lerim.git.refs import running_gc
from git_lerim.git.repo import Place
from git_lerim.git.signature import Identity

# without it a power failure leaves refs and objects of zero bytes, and the user's own `git fetch` fails
pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature

FILE = int(FileMode.BLOB)
FOLDER = int(FileMode.TREE)
# libgit2 reports a lock that somebody else holds as OSError, all else as GitError or one of its children
TROUBLE = (pygit2.GitError, OSError, KeyError, ValueError)
# Objects reach the disk together, before a ref leads to them: the disk writes all of a commit as fast as one.
TOGETHER = hasattr(os, "posix_fadvise")
BEGIN = getattr(os, "POSIX_FADV_DONTNEED", 0)  # begins to write a file to the disk, without waiting for the end

PATIENCE = 3.0  # seconds
PAUSE = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One name in a tree, as it stands there: anybody may have pushed it."""

    name: bytes
    mode: int
    id: str


class Objects:
    """The objects and refs of one repository."""

    def __init__(self, place: Place) -> None:
        """Open the repository; raise a clear error where the engine cannot."""
        if place.object_format != "sha1" or place.ref_format != "files":
            made = f"{place.object_format} objects" if place.object_format != "sha1" else f"{place.ref_format} refs"
            hint = "a repository made with `git init --object-format=sha1 --ref-format=files` can"
            raise LerimError(f"a repository with {made} cannot hold the memory branch yet", hint=hint)
        self._git_dir = str(place.git_dir)
        self._common_dir = place.common_dir
        self._written: dict[str, tuple[ObjectType, bytes]] = {}  # since the last time that no gc was under way
        self._unsynced: set[str] = set()
        self._settled = True
        self._waited_for: str | None = None
        try:
            self._repo = pygit2.Repository(self._git_dir)
        except TROUBLE as error:
            said = plain(str(error))
            hint = f"if you trust it: git config --global --add safe.directory {plain(self._git_dir)}" if "owned" in said else ""
            raise LerimError(f"the repository cannot be opened: {said}", hint=hint) from error

    def is_partial(self) -> bool:
        """Tell whether this clone left objects with its remote, where only git itself can get them."""
        return any(entry.name.startswith("remote.") and entry.name.endswith(".promisor") for entry in self._repo.config)

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return what a tree holds."""
        with reading(tree):
            found = self._repo[tree].peel(pygit2.Tree)
            return [TreeEntry(entry.raw_name or b"", int(entry.filemode), str(entry.id)) for entry in found]

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree: where there are thousands of entries, an object for each takes long."""
        with reading(tree):
            kind, data = self._repo.odb.read(tree)
            if kind != ObjectType.TREE:
                raise ValueError("no tree")
            return bytes(data)

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree."""
        with reading(commit):
            return str(self._repo[commit].peel(pygit2.Commit).tree_id)

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the ids of a commit's parents."""
        with reading(commit):
            return tuple(map(str, self._repo[commit].peel(pygit2.Commit).parent_ids))

    def entry_at(self, commit: str, path: str) -> TreeEntry | None:
        """Return what stands at a path in a commit; None when nothing does."""
        try:
            entry = self._repo[commit].peel(pygit2.Commit).tree[path]
        except TROUBLE:
            return None
        return TreeEntry(entry.raw_name or b"", int(entry.filemode), str(entry.id))

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        with reading(blob):
            return int(self._repo.odb.read_header(blob)[1])

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        with reading(blob):
            return bytes(self._repo.odb.read(blob)[1])

    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit that a unique prefix names; None when there is none."""
        try:
            return str(self._repo[prefix].peel(pygit2.Commit).id)
        except TROUBLE:
            return None

    def is_whole(self, commit: str) -> bool:
        """Tell whether a commit and its tree are there."""
        try:
            return bool(self._repo[commit].peel(pygit2.Commit).tree.id)
        except TROUBLE:
            return False

    def is_complete(self, commit: str) -> bool:
        """Tell whether a commit is there with its tree and the folders in it, down to those of the months."""
        return self.is_whole(commit) and self._has_folders(self.tree_of(commit), 3)

    def _has_folders(self, tree: str, depth: int) -> bool:
        try:
            folders = [entry.id for entry in self.entries(tree) if entry.mode == FOLDER]
        except GitFailed:
            return False
        return depth == 0 or all(self._has_folders(folder, depth - 1) for folder in folders)

    def descends(self, commit: str, ancestor: str) -> bool:
        """Tell whether a commit is, or grew from, another one."""
        try:
            return commit == ancestor or self._repo.descendant_of(commit, ancestor)
        except TROUBLE:
            return False

    def write_blob(self, data: bytes) -> str:
        """Write a blob and return its id."""
        with _unsynced():
            return self._wrote(str(self._repo.create_blob(data)), ObjectType.BLOB, data)

    def write_tree(self, base: str | None, changes: Mapping[str, TreeEntry | None]) -> str | None:
        """Write a tree that differs from another one in some entries; None when it would be empty."""
        with _unsynced():
            builder = self._repo.TreeBuilder(self._repo[base].peel(pygit2.Tree)) if base else self._repo.TreeBuilder()
            for name, entry in changes.items():
                if entry is not None:
                    builder.insert(name, pygit2.Oid(hex=entry.id), FileMode(entry.mode))
                elif builder.get(name) is not None:
                    builder.remove(name)
            if not len(builder):
                return None
            made = str(builder.write())
            return self._wrote(made, ObjectType.TREE, bytes(self._repo.odb.read(made)[1]))

    def write_commit(self, data: bytes) -> str:
        """Write a commit from its exact bytes and return its id."""
        with _unsynced():
            return self._wrote(str(self._repo.write(ObjectType.COMMIT, data)), ObjectType.COMMIT, data)

    def settle(self) -> None:
        """Write again what a `git gc --prune=now` beside us took for garbage before a ref led to it.

        It waits for the end of a gc that is under way, for some seconds and once: an ordinary gc does no harm, but can
        take minutes. One that begins later finds the ref.
        """
        if not self._written:
            return
        gc = running_gc(self._common_dir)
        deadline = time.monotonic() + (PATIENCE if gc != self._waited_for else 0)
        while (still := gc is not None and running_gc(self._common_dir) == gc) and time.monotonic() < deadline:
            time.sleep(PAUSE)
        self._waited_for = gc
        with writing():
            fresh = pygit2.Repository(self._git_dir)
            for name, (kind, data) in self._written.items():
                if name not in fresh.odb:
                    fresh.write(kind, data)
        self._settled = not still

    def _wrote(self, name: str, kind: ObjectType, data: bytes) -> str:
        if self._settled:
            self._written.clear()
            self._settled = False
        self._written[name] = kind, data
        self._unsynced.add(name)
        return name

    def _sync(self) -> None:
        """Have what was written reach the disk: the objects, then the folders that name them."""
        base = self._common_dir / "objects"
        files = [base / name[:2] / name[2:] for name in self._unsynced] if TOGETHER else []
        for path in files:
            _open_for(path, lambda handle: os.posix_fadvise(handle, 0, 0, BEGIN))
        for path in (*files, *{path.parent for path in files}, *([base] if files else [])):
            _open_for(path, os.fsync)
        self._unsynced.clear()

    def ref(self, name: str) -> str | None:
        """Return what a ref points to; None where there is none or its file is broken."""
        try:
            found = self._repo.references.get(name)
            return None if found is None else str(found.resolve().target)
        except TROUBLE:
            return None

    def move_ref(self, name: str, new: str, *, old: str | None, message: str, who: Identity) -> None:
        """Point a ref to another commit if it still points to `old` (None: if it is not there); else raise StoreMoved."""
        with writing():
            self._sync()
            mail = who.committer.decode(errors="replace")
            self._repo.set_ident(mail.partition(" <")[0] or "git-lerim", mail.partition(" <")[2].rstrip(">") or "none")
            with self._repo.transaction() as transaction:
                transaction.lock_ref(name)
                found = self._repo.references.get(name)
                if (None if found is None else str(found.target)) != old:
                    raise StoreMoved(f"{name} was moved by another process")
                transaction.set_target(name, pygit2.Oid(hex=new), message=message)

    def remove_ref(self, name: str) -> None:
        """Remove a ref of our own, if it is there."""
        with writing():
            if self._repo.references.get(name) is not None:
                self._repo.references.delete(name)


@contextmanager
def _unsynced() -> Iterator[None]:
    """Write objects without waiting for the disk: `_sync` does, once for all of them."""
    pygit2.settings.enable_fsync_gitdir(not TOGETHER)
    try:
        with writing():
            yield
    finally:
        pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature


def _open_for(path: Path, act: Callable[[int], object]) -> None:
    with suppress(FileNotFoundError):  # it was in a pack before, or has been pruned, which `settle` sees
        handle = os.open(path, os.O_RDONLY)
        try:
            act(handle)
        finally:
            os.close(handle)


def is_branch_name(name: str) -> bool:
    """Tell whether a branch can have this name."""
    return not name.startswith("-") and name != "HEAD" and pygit2.reference_is_valid_name(f"refs/heads/{name}")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Tell a missing or broken object in our own words."""
    try:
        yield
    except TROUBLE as error:
        raise GitFailed(f"object {what[:12]} cannot be read: {plain(str(error))}", hint="git fsck tells more") from error


@contextmanager
def writing() -> Iterator[None]:
    """Sort what goes wrong in writing: nothing can be written here, the name is taken, or somebody was faster."""
    try:
        yield
    except TROUBLE as error:
        said = plain(str(error))
        if any(words in said for words in NO_WRITING):
            raise read_only(said) from error
        if "collides with existing" in said or "Not a directory" in said:
            raise BranchBlocked(
                f"a branch is in the way: {said}", hint="rename it, or choose a name with lerim.branch"
            ) from error
        raise StoreMoved(said) from error
