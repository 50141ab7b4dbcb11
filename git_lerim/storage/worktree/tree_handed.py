"""What of a store in the work tree is handed out, and what waits to be accepted."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.worktree.worktree_snapshot import Disk, State
from git_lerim.memories import naming
from git_lerim.storage.base import Quarantined, Snapshot, Stored

if TYPE_CHECKING:
    from git_lerim.storage.trust.trust import Waiting
    from git_lerim.storage.worktree.tree_trust import TreeTrust


class HandedTree:
    """A store in the work tree that hands out what is judged harmless, the user's own, or
    accepted.
    """

    place: Place
    trusted: str

    @cached_property
    def _objects(self) -> Objects:
        raise NotImplementedError

    @cached_property
    def disk(self) -> Disk:
        """The folder as git would store it."""
        raise NotImplementedError

    def look(self) -> State:
        """Return what stands in the folder."""
        raise NotImplementedError

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store as it is on disk, or as it was."""
        raise NotImplementedError

    @cached_property
    def trust(self) -> "TreeTrust":
        """What decides what is handed out."""
        # who hands nothing out needs none
        from git_lerim.storage.worktree.tree_trust import TreeTrust  # noqa: PLC0415

        return TreeTrust(self.place, self.disk, self._objects, self.trusted, self._files)

    def served(self, at: str | None = None) -> Snapshot:
        """Return what is handed out of the store, now or as it was."""
        snapshot = self.snapshot(at)
        return self.believed(snapshot) if at is None else self._without_held(snapshot)

    def believed(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot in which what is not handed out is set aside."""
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

    def waiting(self) -> "list[Waiting]":
        """Return what others committed here and is not handed out before the user accepts it, with
        the reason.
        """
        from git_lerim.storage.trust.trust import Waiting  # noqa: PLC0415 as above

        held = self.trust.waiting(self._files())
        return [
            Waiting(path=path, id=naming.id_in(path), reason=held[path]) for path in sorted(held)
        ]

    def accept(self, paths: Collection[str] | None = None) -> list[str]:
        """Hand out what waits, by the paths of its files, or all of it; return the paths that
        changed.
        """
        files, waiting = self._files(), [each.path for each in self.waiting()]
        chosen = [path for path in waiting if paths is None or path in paths]
        if chosen:
            self.trust.accept([files[path] for path in chosen])
        return chosen

    def _files(self) -> dict[str, str]:
        return {path: each.id for path, each in self.look().files.items() if each.size >= 0}
