"""Store memories as files in the user's work tree, for teams that review them in pull requests.

The files on disk count, committed or not. Nothing is staged or committed unless requested.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from git_lerim.errors import BranchBlocked, Busy, StoreMoved
from git_lerim.git import repo
from git_lerim.git.commits import committing
from git_lerim.git.commits.author_names import NOBODY
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.git.worktree import worktree
from git_lerim.git.worktree.worktree_snapshot import TEMPORARY, FolderSnapshot
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Change, ExtendChange, RedactMessage, Snapshot, Stored
from git_lerim.storage.branch.tree_builder import check_change
from git_lerim.storage.sharing import tombstones
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.worktree import atomic_write
from git_lerim.storage.worktree.worktree_history import WorktreeHistory
from git_lerim.storage.writing import preconditions
from git_lerim.storage.writing.lock import Lock
from git_lerim.storage.writing.message import compose
from git_lerim.storage.writing.retrying import PATIENCE, retry
from git_lerim.tokens import counted

FIRST = {**layout.ROOT_FILES, "README.md": layout.TREE_README}


class TreeStore(WorktreeHistory):
    """A store in the user's work tree, for reading and writing."""

    along: ExtendChange | None = None  # extends changes that are made anyway
    redact_message: RedactMessage | None = None
    check_write: Callable[[], object] | None = None  # raises if nothing may be written

    def __init__(self, place: Place, *, then: str = "", trust: str = "remote") -> None:
        """Open a work tree's store. Raises NotARepository without a work tree.

        `then` says whether to `stage` or `commit` what is written; `trust` is `remote`, `signed` or
        `reviewed`.
        """
        super().__init__(place, trust)
        self._then = then

    def commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        """Write what an operation returns, and stage or commit it if requested.

        Returns the commit, an empty string if the files were only written, or None if unchanged.
        The operation is called again with a newer snapshot if anybody changed a file meanwhile.
        """
        if self.check_write:
            self.check_write()
        return retry(lambda _: self._attempt(operation), f"{layout.TREE} could not be written")

    def commit_each(
        self, operations: Sequence[Callable[[Snapshot], Change | None]]
    ) -> list[str | None]:
        """Write what each operation returns, one after another; see `Store.commit_each`."""
        return [self.commit(operation) for operation in operations]

    def start(self) -> list[str]:
        """Create the folder with its first files if missing; return the paths written."""
        written = self.write(self.look(), {})
        if written:
            self.settle(written, Change(files={}, subject="begin the memory of this repository"))
        return written

    def write(
        self,
        state: FolderSnapshot,
        files: dict[str, bytes | None],
        theirs: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Write files into the folder, if it is still as in `state`; return their paths.

        `theirs` maps the path of each file that somebody else wrote to its author. Raises
        StoreMoved if the folder has changed.
        """
        before = {path: each.id for path, each in state.files.items() if each.size >= 0}
        trust = self.trust
        trust.own.follow(before)
        with Lock(self.place.own_dir / "tree.lock").acquire(PATIENCE):
            self._recover()
            if self.look().tree != state.tree:
                raise StoreMoved("a file was changed in the meantime")
            if state.tree is None:
                self._refuse_strangers()
                files = {
                    **{
                        name: data
                        for name, data in FIRST.items()
                        if not os.path.lexists(self.top / name)
                    },
                    **files,
                }
            if files:
                atomic_write.place(self._target(), files, before)
        after = {
            path: "" if data is None else self.disk.name_of(data)
            for path, data in files.items()
            if naming.valid_path(path)
        }
        trust.record(before, after, theirs or {})
        return sorted(files)

    def recover(self, *, lock_held: bool) -> list[str]:
        """Finish the work of a killed run if the run lock is held; return messages for the user."""
        if lock_held and self._note.exists():
            # if the lock is taken, that run is still alive
            with (
                suppress(Busy),
                Lock(self.place.own_dir / "tree.lock").acquire(0),
            ):
                self._recover()
        told, self.warnings = self.warnings, []
        return told

    def _recover(self) -> None:
        if done := atomic_write.finish(self._target()):
            self._warn(f"finished the work of a killed run: wrote {counted(done, 'file')}")

    def writable(self, state: FolderSnapshot, change: Change) -> dict[str, bytes | None]:
        """Return the files of a change that must be written, by path: those that differ on disk.

        The content of a file to delete is None. Purged memories are left out, and so are files that
        cannot be read as a memory on disk.
        """
        files = change.files
        if state.tree is not None:
            preconditions.refuse_newer(self.disk, state.tree, layout.TREE)
            change = tombstones.without(self.disk, state.tree, change)
            files = preconditions.with_format(self.disk, state.tree, change).files
        check_change(
            replace(
                change,
                files={path: data for path, data in files.items() if not _is_tombstone(path)},
            )
        )
        kept: dict[str, bytes | None] = {}
        for path, data in files.items():
            there = state.files.get(path)
            if there is not None and not self._is_ours(path, there.mode, there.id):
                self._warn(
                    f"{plain(path)} cannot be read as a memory and was not changed; run git lerim"
                    " lint"
                )
            elif there is not None and data is None and there.size < 0:
                hint = f"to add it to the work tree: git sparse-checkout add {layout.TREE}"
                raise BranchBlocked(
                    f"{plain(path)} is outside your sparse checkout and was not changed",
                    hint=hint,
                )
            elif (
                (there is not None)
                if data is None
                else (there is None or self.disk.name_of(data) != there.id)
            ):
                kept[path] = data
        return kept

    def is_ignored(self) -> bool:
        """Return whether git ignores the folder, so that the memory would never be committed."""
        return committing.is_ignored(self.place, self.root, f"{layout.TREE}/format")

    def _attempt(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        state = self.look()
        snapshot = self._snapshot(state)
        change = operation(snapshot)
        if change is None or not change.files:
            return None
        files, left = self.writable(state, change), self._left(state, change)
        if not files:
            return self.settle(left, change) if left else None
        wider, landed = self.along(snapshot, change) if self.along else (change, None)
        if wider is not change:
            files = self.writable(state, wider)
        theirs = {
            path: wider.theirs[key] or NOBODY
            for path in files
            if (key := key_of(path)) in wider.theirs
        }
        written = self.write(state, files, theirs)
        if landed is not None:
            landed()
        return self.settle([*written, *left], wider)

    def _left(self, state: FolderSnapshot, change: Change) -> list[str]:
        """Return the paths of a change that are already on disk, but not staged or committed."""
        if not self._then:
            return []
        ids = {
            path: self.disk.name_of(data) for path, data in change.files.items() if data is not None
        }
        paths = [
            path for path, id_ in ids.items() if path in state.files and state.files[path].id == id_
        ]
        # paths they were moved from
        moved = {path.removeprefix("archived/") for path in paths} | {
            f"archived/{path}" for path in paths
        }
        asked = [f"{layout.TREE}/{path}" for path in (*paths, *(moved - state.files.keys()))]
        return [
            path.removeprefix(f"{layout.TREE}/")
            for path in committing.changed_files(self.place, self.root, asked, self._then)
        ]

    def settle(self, written: list[str], change: Change) -> str:
        """Stage or commit the written files, if requested.

        Returns the commit, or an empty string if nothing was committed. Raises GitFailed.
        """
        paths = [f"{layout.TREE}/{path}" for path in written]
        if self._then:  # a revision without the first files would not be recognized as a store
            first = [path for name in FIRST if (path := f"{layout.TREE}/{name}") not in paths]
            paths += committing.untracked(self.place, self.root, first, self._then)
        if self._then == "commit":
            change = self.redact_message(change) if self.redact_message else change
            commit = committing.commit(self.place, self.root, paths, compose(change))
            self.__dict__.pop("trust", None)  # it may have read the history before this commit
            return commit
        if self._then == "stage":
            committing.stage(self.place, self.root, paths)
        return ""

    def _is_ours(self, path: str, mode: int, id_: str) -> bool:
        if path in layout.ROOT_FILES or _is_tombstone(path):
            return True
        return isinstance(
            self.reader.file(path, TreeEntry(os.fsencode(path.rpartition("/")[2]), mode, id_)),
            Stored,
        )

    def _target(self) -> atomic_write.Target:
        here = worktree.branch(self.place) or repo.head(self.place) or ""
        return atomic_write.Target(self.top, self._note, here, self.disk.name_of)

    @property
    def _note(self) -> Path:
        return self.place.own_dir / "trees" / f"{self.disk.key}.note"

    def _refuse_strangers(self) -> None:
        """Raise BranchBlocked if the folder has unknown files, or its name differs in case."""
        for above, name in ((self.root, ".lerim"), (self.root / ".lerim", "memory")):
            beside = [each.name for each in above.glob("*")] if above.is_dir() else []
            if name not in beside and (above / name).exists():
                said = (
                    f"{plain(str(above / name))} has another name on this disk, which does not"
                    " distinguish upper from lower case"
                )
                raise BranchBlocked(said, hint=f"rename it to {name}")
        if any(
            not path.name.startswith(TEMPORARY) and path.name not in FIRST
            for path in self.top.glob("*")
        ):
            hint = (
                "to import them: git lerim import .lerim/memory; then move the folder away and run"
                " git lerim init --tree"
            )
            raise BranchBlocked(
                f"{layout.TREE} contains files not written by git-lerim; nothing was written",
                hint=hint,
            )


def _is_tombstone(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == layout.PURGED and naming.is_id(name)
