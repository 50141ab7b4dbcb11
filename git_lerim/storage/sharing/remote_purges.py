"""Purges made elsewhere: delete the same here, except what was written or changed in this clone.

That waits for its user.
"""

from contextlib import suppress
from functools import cached_property

from git_lerim.errors import LerimError
from git_lerim.storage.base import FindKnown
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.sharing import tombstones, withdrawn
from git_lerim.storage.trust import marks
from git_lerim.storage.trust.handed import Handed


class PurgeFollower(Handed):
    """A store that follows purges made elsewhere."""

    # knows earlier paths of memories
    known: FindKnown = staticmethod(lambda _: None)

    @cached_property
    def _reader(self) -> TreeReader:
        return TreeReader(self._objects, self.known)

    def refused_purges(self, tip: str, theirs: str) -> frozenset[str]:
        """Return ids purged elsewhere that were written or changed here: they wait."""
        asked = tombstones.ids_in(self._objects, self._objects.tree_of(theirs))
        asked -= tombstones.ids_in(self._objects, self._objects.tree_of(tip))
        if not asked:
            return frozenset()
        with suppress(LerimError):
            self.trust.follow(tip)
        here = {*marks.ids_at(self._objects, tip), *withdrawn.ids(self.place, self._objects)}
        return self.trust.written_here(asked & here)

    def waiting_purges(self) -> frozenset[str]:
        """Return the ids purged on the remote that wait to be accepted here."""
        tip = self.tip()
        theirs = (
            self._objects.ref(f"refs/remotes/{self.remote}/{self.branch}") if self.remote else None
        )
        if tip is None or theirs is None or not self._objects.is_whole(theirs):
            return frozenset()
        return self.refused_purges(tip, theirs)

    def has_heard(self, tip: str, theirs: str) -> bool:
        """Tell whether something was purged elsewhere that is still to be deleted here."""
        return tombstones.lacks_tombstones(
            self._objects, tip, theirs, self.refused_purges(tip, theirs)
        )

    def is_before_purge(self, theirs: str) -> bool:
        """Tell whether another history still has what was purged here, and cannot be merged."""
        tip = self.tip()
        return (
            tip is not None
            and not self._objects.descends(tip, theirs)
            and tombstones.lacks_tombstones(self._objects, theirs, tip)
        )

    def is_parted_by_purge(self, one: str, other: str) -> bool:
        """Tell whether two histories of the store differ in what was purged."""
        return tombstones.purge_difference(self._objects, one, other) is not None
