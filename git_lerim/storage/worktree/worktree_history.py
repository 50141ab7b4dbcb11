"""The history of a store in the user's work tree: commits, authors and former states."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from git_lerim.git import repo
from git_lerim.git.history import memory_blame
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history import past
from git_lerim.storage.sharing.changes import changed_files
from git_lerim.storage.worktree.worktree_reader import WorktreeReader


class WorktreeHistory(WorktreeReader):
    """A store below `.lerim/memory/` in the work tree, with the commits that changed it."""

    def history(
        self, limit: int | None = None, path: str | None = None, at: str | None = None
    ) -> Iterator[past.LoggedCommit]:
        """Return the commits that changed the folder, or one file in it, newest first."""
        tip = repo.head(self.place) if at is None else self._commit_at(at)
        return self._log(tip, limit, path) if tip is not None else iter(())

    def _log(
        self, tip: str, limit: int | None = None, path: str | None = None
    ) -> Iterator[past.LoggedCommit]:
        return past.read_log(self.place, tip, limit=limit, path=path, below=f"{layout.TREE}/")

    def blamed(self, item: Stored, at: str | None = None) -> list[memory_blame.Line]:
        """Return the lines of a memory's file, each with the commit that wrote it."""
        path, commit = f"{layout.TREE}/{item.path}", self._commit_at(at) if at is not None else None
        return (
            memory_blame.blame_commit(self.place, commit, path)
            if commit
            else memory_blame.blame_worktree(self.place, self.root, path)
        )

    def before(self, commit: str) -> Snapshot:
        """Return the store as it was before a commit."""
        parents = self._objects.parents(commit)
        return self.snapshot(parents[0]) if parents else Snapshot(commit=None)

    def last_change(self) -> tuple[Snapshot, Snapshot]:
        """Return the store before and after the last change.

        The last change is what is uncommitted or, if everything is committed, the last commit.
        """
        now, head = self.look(), repo.head(self.place)
        if now.tree != (self.tree_at(head) if head else None):
            return self.snapshot(head) if head else Snapshot(commit=None), self._snapshot(now)
        last = next(iter(self.history(limit=1)), None)
        return (
            (self.before(last.id), self.snapshot(last.id))
            if last
            else (Snapshot(commit=None), Snapshot(commit=None))
        )

    def uncommitted(self) -> int:
        """Return the number of the store's files that differ from HEAD."""
        head = repo.head(self.place)
        gone, found = changed_files(
            self.disk, self.tree_at(head) if head else None, self.look().tree
        )
        return len(gone.keys() | found.keys())

    def first_held(self) -> dict[str, past.Held]:
        """Map each memory's key to when the history first had the memory, and who added it.

        For an uncommitted memory, the time is that of its file, and nobody is named.
        """
        held: dict[str, past.Held] = {}
        for path in self.look().files:
            if naming.valid_path(path) and os.path.lexists(self.top / path):
                held[past.key(path)] = past.Held(
                    datetime.fromtimestamp((self.top / path).lstat().st_mtime, UTC), None
                )
        return held | self._committed()

    def _committed(self) -> dict[str, past.Held]:
        """Do the same as `first_held` for committed memories, using and extending a cache."""
        head = repo.head(self.place)
        if head is None:
            return {}
        kept = self.disk.cached("held") or {}
        before, held = kept.get("head"), _held(kept.get("held"))
        if held is None or not isinstance(before, str) or not self._objects.descends(head, before):
            before, held = None, {}
        if before != head:
            held = past.first_held(self._log(f"{before}..{head}" if before else head)) | held
            self.disk.cache(
                "held",
                {
                    "head": head,
                    "held": {each: [at.timestamp(), by] for each, (at, by) in held.items()},
                },
            )
        return held


def _held(told: object) -> dict[str, past.Held] | None:
    """Parse the cached result of `_committed`; return None if it is invalid."""
    import msgspec  # noqa: PLC0415 hooks load this module, and do without it

    try:
        rows: dict[str, tuple[float, str]] = msgspec.convert(told, dict[str, tuple[float, str]])
    except msgspec.ValidationError:
        return None
    return {each: past.Held(datetime.fromtimestamp(at, UTC), by) for each, (at, by) in rows.items()}
