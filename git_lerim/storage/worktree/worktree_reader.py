"""Read a store in the user's work tree: the files on disk, committed or not.

Reading writes no git objects.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from git_lerim.errors import BranchBlocked, LerimError, NotARepository
from git_lerim.git import repo
from git_lerim.git.commits.identity import identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FOLDER
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain
from git_lerim.git.worktree.worktree_snapshot import Disk, FolderSnapshot
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.storage import layout
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import unread
from git_lerim.storage.history import past
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.sharing import tombstones
from git_lerim.storage.sharing.changes import Changes, changed_files, read_memories
from git_lerim.storage.trust.validate import one_each
from git_lerim.storage.worktree.tree_handed import HandedTree
from git_lerim.storage.worktree.tree_lost import Lost, lost
from git_lerim.storage.writing import preconditions

ANCHORS = '{path: "'  # how an anchor starts in a file
_DECIDED = "decided"  # name of the cache of trust decisions


class WorktreeReader(HandedTree):
    """A store below `.lerim/memory/` in the work tree, for reading."""

    # filters memories on output
    gate: Callable[[Iterable[Stored]], Iterator[Stored]] = iter
    source = seen = ""  # keys of the caches of hot paths, which do not support work trees
    rules: str = ""  # a key of the rules by which `gate` redacts

    def __init__(self, place: Place, trust: str = "remote") -> None:
        """Open a work tree's store without reading anything yet.

        Raises NotARepository without a work tree.
        """
        if place.worktree is None:
            hint = (
                "run it in a work tree, or keep the memory on a branch: git config lerim.store"
                " branch"
            )
            raise NotARepository(
                "lerim.store=tree needs a work tree, and there is none here",
                hint=hint,
            )
        self.place = place
        self.trusted = trust
        self.root = place.worktree
        self.top = self.root / layout.TREE
        self.warnings: list[str] = []  # for the user to know

    @cached_property
    def _objects(self) -> Objects:
        return open_objects(self.place)

    @cached_property
    def disk(self) -> Disk:
        """The folder as git would store it."""
        return Disk(
            self.place,
            self.top,
            lambda: self._objects,
            lambda path: layout.is_folder(path) or path == layout.PURGED,
        )

    @cached_property
    def reader(self) -> TreeReader:
        """The reader of the folder's trees, including past ones."""
        reader = TreeReader(self.disk)
        reader.first = self.first_come
        return reader

    def look(self) -> FolderSnapshot:
        """Return a snapshot of the folder, empty if it is not a store. Raises BranchBlocked."""
        self._refuse_foreign()
        state = self.disk.look()
        if state.tree is not None and "format" not in state.files:
            self._warn(
                f"{layout.TREE} has no file `format`, so it is not a git-lerim memory and is not"
                " read"
            )
            return FolderSnapshot(None)
        return state

    def tip(self) -> str | None:
        """Return the commit of HEAD, or the folder's tree before the first commit."""
        tree = self.look().tree
        return (repo.head(self.place) or tree) if tree else None

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store on disk, or as of a revision or date; empty if there is none."""
        if at is None:
            return self._snapshot(self.look())
        commit = self._commit_at(at)
        tree = self._past_tree(commit) if commit else None
        return self._read(commit or "", tree) if tree else Snapshot(commit=None)

    def _past_tree(self, commit: str) -> str | None:
        tree = self.tree_at(commit)
        if tree:
            preconditions.refuse_too_large(self._objects, tree, f"{layout.TREE} at {commit[:10]}")
        return tree

    def handoffs(self, at: str | None = None) -> Mapping[str, Stored]:
        """Return the trusted handoffs by id, now or as of a revision or date."""
        return self.served(at).handoffs

    def set_aside(self) -> list[Path]:
        """Return an empty list, since a store in the work tree has no branch to repair."""
        return []

    def changes(
        self,
        since: str | None,
        at: str | None = None,
        seen: str = "",  # noqa: ARG002
    ) -> Changes:
        """Return the changes since a tree (None: an empty one), until now or until `at`."""
        if at is None:
            state = self.look()
            commit, tree = "", state.tree
            self.disk.remember(state)
        else:
            commit = self._commit_at(at) or ""
            tree = self._past_tree(commit) if commit else None
        if since is not None:
            self.disk.recall(since)
        old, new = changed_files(self.disk, since, tree)
        decided = (
            "" if at is not None else self.trust.decided(changed_files(self.disk, None, tree)[1])
        )
        if decided and not self._is_decided(since, tree, decided):
            old, new = (
                changed_files(self.disk, since, None)[0],
                changed_files(self.disk, None, tree)[1],
            )
        found = self.gate(
            item
            for item in map(self.trust.passed, read_memories(self.disk, new))
            if isinstance(item, Stored)
        )
        # never equal to `fast_repo.store_key`, so that hot paths do not use it
        return Changes(
            commit=commit or tree,
            tree=tree,
            gone=tuple(old),
            found=found,
            count=len(new),
            first=self.first_come,
            seen=f"tree {tree} {decided}",
        )

    def _is_decided(self, since: str | None, tree: str | None, decided: str) -> bool:
        """Return whether the trust decisions saved for `since` are still valid; save new ones."""
        kept = self.disk.cached(_DECIDED) or {}
        is_so = since is not None and kept == {
            "tree": since,
            "is": self.trust.decided(changed_files(self.disk, None, since)[1]),
        }
        if kept != {"tree": tree, "is": decided}:
            self.disk.cache(_DECIDED, {"tree": tree, "is": decided})
        return is_so

    def file(self, item: Stored) -> bytes:
        """Return the bytes of a memory's file."""
        return self.content(item.blob)

    def content(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        return self.disk.blob(blob)

    def bytes_held(self, at: str | None = None) -> int:
        """Return the total size of the store's files, now or as of a revision or date."""
        commit = self._commit_at(at) if at is not None else None
        tree = self.look().tree if at is None else self.tree_at(commit) if commit else None
        return sum(
            self.disk.size(blob) for blob in changed_files(self.disk, None, tree)[1].values()
        )

    def sift(self, texts: Iterable[str], at: str | None = None) -> dict[str, Stored]:
        """Return memories by id: at least those whose files contain one of the texts."""
        words = [text.encode("utf-8", "surrogateescape") for text in texts if text]
        if at is not None:
            return dict(self.snapshot(at).memories)
        files = {path: file.id for path, file in self.look().files.items()}
        memories = {path: blob for path, blob in files.items() if layout.is_memory(path)}
        found = {path for path, blob in memories.items() if self._holds(blob, words)}
        ids = {naming.id_in(path) for path in found}
        same = {path: blob for path, blob in memories.items() if naming.id_in(path) in ids}
        chosen = one_each(read_memories(self.disk, same), self.first_come)[0]
        return {id_: item for id_, item in chosen.items() if item.path in found}

    def anchored(self) -> set[str]:
        """Return the paths of all files to which memories are anchored."""
        return {
            anchor.path for item in self.sift([ANCHORS]).values() for anchor in item.memory.anchors
        }

    def committer(self) -> str:
        """Return the committer as `Name <mail>`. Raises NoIdentity."""
        return plain(identity(self.place).committer.decode("utf-8", "replace"))

    def tree_at(self, commit: str) -> str | None:
        """Return the tree of the folder in a commit, or None if the commit has no store."""
        if self._objects.is_partial():
            # few clones are partial
            from git_lerim.git.engines.partial_clone import fetch_missing  # noqa: PLC0415

            fetch_missing(self.place, f"{commit}:{layout.TREE}")
        entry = self._objects.entry_at(commit, layout.TREE)
        if entry is None or entry.mode != FOLDER:
            return None
        return (
            entry.id
            if any(each.name == b"format" for each in self.disk.entries(entry.id))
            else None
        )

    def _snapshot(self, state: FolderSnapshot) -> Snapshot:
        if not state.tree:
            return Snapshot(commit=None)
        found, lost = self._read(repo.head(self.place) or state.tree, state.tree), self._lost(state)
        withdrawn = {id_: item for id_, item in lost.withdrawn.items() if id_ not in found.purged}
        return replace(found, withdrawn=withdrawn, rewritten=lost.rewritten)

    def _lost(self, state: FolderSnapshot) -> Lost:
        files = {path: each.id for path, each in state.files.items()}
        return lost(self.place, self.disk, self._objects, self.trust, files)

    def _read(self, commit: str, tree: str) -> Snapshot:
        return replace(unread(commit, self.reader, tree), purged=tombstones.ids_in(self.disk, tree))

    def _commit_at(self, at: str) -> str | None:
        head = repo.head(self.place)
        return past.revision(self.place, at) or (
            past.commit_at(self.place, head, at) if head else None
        )

    def _holds(self, blob: str, words: list[bytes]) -> bool:
        try:
            data = self.disk.blob(blob) if self.disk.size(blob) <= FILE_LIMIT else b""
        except LerimError:
            return False
        return any(word in data for word in words)

    def _refuse_foreign(self) -> None:
        """Raise BranchBlocked if the folder is a symbolic link, a separate repository or a file."""
        for path in (self.root / ".lerim", self.top):
            if path.is_symlink():
                hint = "replace it with a folder: the memory must be part of the work tree"
                raise BranchBlocked(
                    f"{plain(str(path))} is a symbolic link, so the memory is not read or written",
                    hint=hint,
                )
            if os.path.lexists(path / ".git"):
                hint = "the memory must be part of this repository; move that one elsewhere"
                raise BranchBlocked(f"{plain(str(path))} is a separate repository", hint=hint)
            if os.path.lexists(path) and not path.is_dir():
                raise BranchBlocked(f"{plain(str(path))} is not a folder", hint="move it away")

    def _warn(self, said: str) -> None:
        if said not in self.warnings:
            self.warnings.append(said)


def is_offered(place: Place) -> bool:
    """Return whether this work tree contains a store, even one that is not in use."""
    if place.worktree is None or place.bare:
        return False
    marker = place.worktree / layout.TREE / "format"
    if (place.git_dir / "info" / "sparse-checkout").exists() and not os.path.lexists(marker):
        return (
            git_line(place.git("cat-file", "-e", f"HEAD:{layout.TREE}/format"), cwd=place.git_dir)
            is not None
        )
    try:
        return (
            not marker.is_symlink()
            and marker.is_file()
            and marker.stat().st_size < 20
            and marker.read_bytes().strip().isdigit()
        )
    except OSError:
        return False
