"""A folder of the work tree as git would store it: blobs and trees in memory only.

Files on disk have passed no check, so reading them writes no objects to the repository. Unchanged
files are not read again: their stamps and ids are cached beside the repository.
"""

import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from git_lerim import private_files
from git_lerim.errors import GitFailed
from git_lerim.git import fast_repo, refs
from git_lerim.git.engines import pack_writer
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, raw_entries
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain, run_git

TEMPORARY = ".tmp-"  # begins our temporary files' names; outside of the folder, it is within them
LARGEST = 1 << 20  # bytes; a larger file is identified by its stamp alone
# nanoseconds: a file changed so recently could change again and keep the same time
_RACY = 50_000_000
_COARSE = 2_000_000_000  # the same where file times are whole seconds
_KEPT = 8  # cached snapshots: each work tree has its own


def refuse_large(path: str, size: int) -> None:
    """Raise GitFailed if a file has too many bytes to be read."""
    if size > LARGEST:
        raise GitFailed(
            f"{plain(path)} has more than {LARGEST} bytes, so it is not read",
            hint="bring back an older version of the file, or move it away",
        )


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of one file or folder on disk."""

    mode: int  # git's mode, or the system's for what git never stores
    id: str
    stamp: str = ""  # of the file on disk
    size: int = 0  # -1: only in the index
    steady: bool = False  # whether an equal stamp means equal content


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """A snapshot of the whole folder."""

    tree: str | None  # None: no files
    files: Mapping[str, FileState] = field(default_factory=dict)


class Disk:
    """A folder of a work tree, with the same interface as git's object store."""

    def __init__(
        self, place: Place, top: Path, objects: Callable[[], Objects], enters: Callable[[str], bool]
    ) -> None:
        """Initialize with the folder, the object store behind it, and which subfolders to read."""
        self._place = place
        self._top = top
        self._behind = objects
        self._enters = enters
        self._trees: dict[str, bytes] = {}
        self._files: dict[str, tuple[str, int]] = {}  # id → path and size
        self._kept = place.own_dir / "trees"
        # whether to write caches
        self.keeping = True
        self._known: dict[str, FileState] | None = None  # files at the last look

    @cached_property
    def _objects(self) -> Objects:
        return self._behind()

    @cached_property
    def key(self) -> str:
        """The name under which git-lerim stores data about this work tree."""
        own = self._place.git_dir == self._place.common_dir
        return "repository" if own else f"worktree-{self._place.git_dir.name}"

    def look(self) -> FolderSnapshot:
        """Read the folder and return a snapshot of it."""
        known = self._known if self._known is not None else self._read(self.key) or {}
        files = dict(self._sparse())
        files |= dict(self._walk(self._top, "", known))
        self._files |= {
            each.id: (path, each.size)
            for path, each in files.items()
            if each.mode == FILE and each.size >= 0
        }
        state = FolderSnapshot(self.planted(files), files)
        kept = {path: each for path, each in files.items() if each.steady}
        if kept != known:
            self._write(self.key, state.tree, kept)
        self._known = kept
        return state

    def planted(self, files: Mapping[str, FileState]) -> str | None:
        """Build, in memory, the git trees of some files; return the id of the root, if any."""
        folders: dict[str, list[tuple[bytes, bytes]]] = {"": []} if files else {}
        for path, each in files.items():
            folder, _, name = path.rpartition("/")
            while folder not in folders:
                folders[folder] = []
                folder = folder.rpartition("/")[0]
            mark = b"/" if each.mode == FOLDER else b""
            entry = b"%o %s\0%s" % (each.mode, os.fsencode(name), bytes.fromhex(each.id))
            folders[path.rpartition("/")[0]].append((os.fsencode(name) + mark, entry))
        for folder in sorted(folders, key=len, reverse=True):
            data = b"".join(entry for _, entry in sorted(folders[folder]))
            made = self.name_of(data, "tree")
            self._trees[made] = data
            if folder:
                above, _, name = folder.rpartition("/")
                folders[above].append(
                    (
                        os.fsencode(name) + b"/",
                        b"%o %s\0%s" % (FOLDER, os.fsencode(name), bytes.fromhex(made)),
                    )
                )
            else:
                return made
        return None

    def name_of(self, data: bytes, kind: str = "blob") -> str:
        """Return the object id that git computes for these bytes."""
        return pack_writer.name_of(self._place, kind, data)

    def remember(self, state: FolderSnapshot) -> None:
        """Cache a snapshot, so that a later process can tell what has changed since."""
        if state.tree is not None and not (self._kept / state.tree).exists():
            self._write(state.tree, state.tree, state.files)
            with suppress(OSError):
                old = [path for path in self._kept.iterdir() if len(path.name) in {40, 64}]
                for path in sorted(old, key=lambda path: path.stat().st_mtime, reverse=True)[
                    _KEPT:
                ]:
                    path.unlink(missing_ok=True)

    def recall(self, tree: str) -> None:
        """Load the trees of a snapshot from the cache, if an earlier process put them there."""
        if tree not in self._trees and (files := self._read(tree)) is not None:
            self.planted(files)

    # -- the interface of an object store

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree."""
        found = self._trees.get(tree)
        return found if found is not None else self._objects.raw_tree(tree)

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return the entries of a tree."""
        return [
            TreeEntry(name, int(mode, 8), id_.hex()) for mode, name, id_ in raw_entries(self, tree)
        ]

    def size(self, blob: str) -> int:
        """Return the size of a blob or tree, without reading a file."""
        if blob in self._trees:
            return len(self._trees[blob])
        return self._files[blob][1] if blob in self._files else self._objects.size(blob)

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob. Raises GitFailed if the file has changed or is too large."""
        if blob not in self._files:
            return self._objects.blob(blob)
        path, size = self._files[blob]
        refuse_large(path, size)
        try:
            data = (self._top / path).read_bytes()
        except OSError as error:
            raise GitFailed(
                f"{plain(path)} cannot be read: {error.strerror}", hint="check its permissions"
            ) from error
        if self.name_of(data) != blob:
            raise GitFailed(f"{plain(path)} changed while being read", hint="try again")
        return data

    def is_partial(self) -> bool:
        """Return whether this is a partial clone."""
        return self._objects.is_partial()

    # -- scanning

    def _walk(
        self, folder: Path, below: str, known: Mapping[str, FileState]
    ) -> Iterator[tuple[str, FileState]]:
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise GitFailed(
                f"{plain(str(folder))} cannot be read: {error.strerror}",
                hint="check its permissions",
            ) from error
        for entry in entries:
            path = below + entry.name
            if not below and entry.name.startswith(TEMPORARY):
                continue
            with suppress(FileNotFoundError):  # deleted meanwhile
                found_here = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found_here.st_mode) and self._enters(path):
                    yield from self._walk(Path(entry.path), path + "/", known)
                elif stat.S_ISDIR(found_here.st_mode):
                    yield path, FileState(FOLDER, self.name_of(b"", "tree"))
                elif stat.S_ISREG(found_here.st_mode):
                    yield path, self._file(entry.path, found_here, known.get(path))
                else:
                    yield path, FileState(stat.S_IFMT(found_here.st_mode), self.name_of(b""))

    def _file(self, path: str, found: os.stat_result, known: FileState | None) -> FileState:
        stamp = fast_repo.stamp_of(found)
        if known is not None and known.stamp == stamp:
            return known
        if found.st_size > LARGEST:
            return FileState(
                FILE,
                self.name_of(f"{path}\0{stamp}".encode("utf-8", "surrogateescape")),
                stamp,
                found.st_size,
                steady=True,
            )
        try:
            with open(path, "rb") as file:  # noqa: PTH123 as os.scandir gives it
                stamp, data = fast_repo.stamp_of(os.fstat(file.fileno())), file.read()
        except FileNotFoundError:
            raise
        except OSError:  # unreadable: reading it later reports why
            return FileState(
                FILE, self.name_of(f"{path}\0{stamp}".encode("utf-8", "surrogateescape")), stamp
            )
        tick = _RACY if found.st_mtime_ns % 1_000_000_000 else _COARSE
        steady = max(found.st_mtime_ns, found.st_ctime_ns) + tick < time.time_ns()
        return FileState(FILE, self.name_of(data), stamp, len(data), steady)

    def _sparse(self) -> Iterator[tuple[str, FileState]]:
        """Yield the files that a sparse checkout leaves out, which must not count as deleted."""
        root = self._place.worktree
        if root is None or not (self._place.git_dir / "info" / "sparse-checkout").exists():
            return
        prefix = self._top.relative_to(root).as_posix() + "/"
        asked = ("ls-files", "-z", "-t", "-s", "--", f":(top,literal){prefix}")
        output = run_git([f"--work-tree={root}", *self._place.git(*asked)], cwd=root, check=False)
        for line in output.split(b"\0"):
            facts, _, name = line.partition(b"\t")
            if facts.startswith(b"S "):
                _, mode, id_, _ = facts.decode("ascii").split(" ")
                yield os.fsdecode(name).removeprefix(prefix), FileState(int(mode, 8), id_, size=-1)

    def _read(self, name: str) -> dict[str, FileState] | None:
        try:
            return {
                path: FileState(*row) for path, row in (self.cached(name) or {})["files"].items()
            }
        except (KeyError, TypeError, AttributeError):
            return None

    def _write(self, name: str, tree: str | None, files: Mapping[str, FileState]) -> None:
        rows = {
            path: (each.mode, each.id, each.stamp, each.size, each.steady)
            for path, each in files.items()
        }
        self.cache(name, {"tree": tree, "files": rows})

    def cached(self, name: str) -> dict[str, Any] | None:
        """Return the cached JSON object of this name, or None if it cannot be read."""
        try:
            found = private_files.read_json(self._kept / name)
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def cache(self, name: str, facts: Mapping[str, Any]) -> None:
        """Cache a JSON object beside the repository, if possible."""
        if not self.keeping:
            return
        path = str(self._kept / name)
        with suppress(OSError):
            self._sweep()
            private_files.replace(path, json.dumps(facts), beside=f"{path}{TEMPORARY}{os.getpid()}")

    def _sweep(self) -> None:
        """Remove the temporary files of killed processes."""
        for path in self._kept.glob(f"*{TEMPORARY}*"):
            writer = path.name.rpartition("-")[2]
            if writer.isdecimal() and not refs.is_running(int(writer)):
                path.unlink(missing_ok=True)
