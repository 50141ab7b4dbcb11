"""Serve the trusted files of a store in the work tree, and list those that wait for acceptance."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.worktree.worktree_snapshot import Disk, FolderSnapshot
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot, Stored, Waiting
from git_lerim.storage.history.as_added import as_added
from git_lerim.storage.trust.accepted import key_of

if TYPE_CHECKING:
    from git_lerim.storage.worktree.tree_trust import TreeTrust


class HandedTree:
    """A store in the work tree that shows only the user's own, accepted and harmless memories."""

    place: Place
    trusted: str

    @cached_property
    def _objects(self) -> Objects:
        raise NotImplementedError

    @cached_property
    def disk(self) -> Disk:
        """The folder as git would store it."""
        raise NotImplementedError

    def look(self) -> FolderSnapshot:
        """Return a snapshot of the folder."""
        raise NotImplementedError

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store on disk, or as of a revision or date."""
        raise NotImplementedError

    @cached_property
    def trust(self) -> "TreeTrust":
        """The trust decisions about the folder's files."""
        # not needed for plain reading
        from git_lerim.storage.worktree.tree_trust import TreeTrust  # noqa: PLC0415

        return TreeTrust(self.place, self.disk, self._objects, self.trusted, self._files)

    def served(self, at: str | None = None) -> Snapshot:
        """Return the memories that may be shown, now or as of a revision or date."""
        return self._without_held(self.snapshot(at))

    def believed(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with untrusted files quarantined."""
        return self._without_held(snapshot) if self.waiting() else snapshot

    def _without_held(self, snapshot: Snapshot) -> Snapshot:
        def passed(items: Mapping[str, Stored]) -> dict[str, Stored]:
            files = {id_: self.trust.passed(item) for id_, item in items.items()}
            aside.extend(file for file in files.values() if isinstance(file, Quarantined))
            return {id_: file for id_, file in files.items() if isinstance(file, Stored)}

        aside = [*snapshot.quarantined]
        memories, summaries, handoffs = map(
            passed, (snapshot.memories, snapshot.summaries, snapshot.handoffs)
        )
        return replace(
            snapshot, memories=memories, summaries=summaries, handoffs=handoffs, quarantined=aside
        )

    def named(self, items: Iterable[Stored], at: str | None = None) -> list[Stored]:  # noqa: ARG002
        """Return memories, trusted or not, each with its author if somebody else wrote it."""
        return [self.trust.named(item) for item in items]

    def of_others(self, items: Iterable[Stored], at: str | None = None) -> dict[str, str]:
        """Return the authors of versions that were not written here, by key."""
        return {key_of(each.path): each.author for each in self.named(items, at) if each.author}

    def first_come(self, paths: Collection[str]) -> list[str]:
        """Sort paths by when HEAD's history added them, the user's own and accepted ones first."""
        files, top = self._files(), f"{layout.TREE}/"
        blobs = {path: files.get(path, "") for path in paths}
        mine = {
            path
            for path, blob in blobs.items()
            if self.trust.own.is_own(path, blob) or blob in self.trust.accepted
        }
        found = as_added(self.place, ["HEAD"], [top + path for path in paths])
        return sorted((path.removeprefix(top) for path in found), key=lambda path: path not in mine)

    def waiting(self) -> list[Waiting]:
        """Return the files by others that wait for the user to accept them, with reasons."""
        files = self._files()
        held = self.trust.waiting(files)
        id_of = self.trust.judge.id_of
        return [
            Waiting(path=path, id=id_of(path, blob), reason=held[path], blob=blob)
            for path, blob in sorted(files.items())
            if path in held
        ]

    def accept(self, paths: Collection[str] | None = None) -> list[str]:
        """Accept the waiting files at some paths, or all of them; return the accepted paths."""
        files, rewritten = self._files(), self.snapshot().rewritten
        waiting = {each.path for each in self.waiting()} | {
            path for path in files if naming.id_in(path) in rewritten
        }
        chosen = sorted(path for path in waiting if paths is None or path in paths)
        if chosen:
            self.trust.accept([files[path] for path in chosen])
        return chosen

    def _files(self) -> dict[str, str]:
        return {path: each.id for path, each in self.look().files.items() if each.size >= 0}
