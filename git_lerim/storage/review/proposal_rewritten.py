"""Find the memories in the user's own proposal that others rewrote."""

from collections.abc import Iterable, Mapping

from git_lerim.errors import LerimError
from git_lerim.git import own_refs
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.memories import naming
from git_lerim.memories.memory import Status
from git_lerim.storage.base import Stored
from git_lerim.storage.branch.lazy_snapshot import look_up, look_up_in
from git_lerim.storage.review.proposal_changes import Reviewed
from git_lerim.storage.review.proposal_rebase import RebasingStore
from git_lerim.storage.sharing import withdrawn
from git_lerim.storage.trust import marks
from git_lerim.storage.trust.accepted import key_of


class RewrittenStore(RebasingStore):
    """A store that finds which of the user's proposed texts others have replaced."""

    def reviewed(self) -> Reviewed:
        """Return the memory to compare proposals with. Raises LerimError if there is none."""
        base = super().view()
        if base is None:
            raise LerimError(
                "no memory here yet, so there is nothing to review",
                hint="to get a remote's memory: git lerim pull",
            )
        return Reviewed(self.place, self._objects, self._reader, base)

    def rewritten(self) -> Mapping[str, Stored]:
        """Map ids to the user's versions of proposed memories that others rewrote.

        Others rewrote them in the proposal itself, or when they accepted it.
        """
        name, base = self.own(), super().view()
        found = self._objects.ref(f"refs/heads/{name}") if name and base else None
        tip = own_refs.readable(self._objects, found)
        left = {item.memory.id: item for item in self._rewritten(tip)} if tip else {}
        return {**super().rewritten(), **left, **self.rewritten_pending()}

    def keep_versions(self, items: Iterable[Stored]) -> None:
        """Save the user's versions of memories that others rewrote, in `refs/lerim/withdrawn`."""
        withdrawn.keep_rewritten(self.place, self._objects, items)

    def undecided(self) -> Mapping[str, Stored]:
        """Return those of `rewritten` whose present version the user neither wrote nor accepted."""
        mine, snapshot, kept = self.rewritten(), self.snapshot(), self.trust.recorded()
        now = {**look_up(snapshot, mine), **look_up_in(snapshot.handoffs, mine)}
        others = self.trust.never_accepted(
            item
            for id_, item in now.items()
            if item.memory.status is Status.ACTIVE and item.memory.text != mine[id_].memory.text
            if kept is None or self.trust.was_own(kept, item.path)
        )
        branches = [self.ref, f"refs/heads/{self.own()}"] if others else []
        put = {(each.path, each.new) for branch in branches for each in self._put_here(branch)}
        ids = (item.memory.id for item in others if (item.path, item.blob) not in put)
        return {id_: mine[id_] for id_ in ids}

    def rewritten_pending(self) -> dict[str, Stored]:
        """Map ids to the user's versions of memories that others rewrote in the user's proposal."""
        name, view = self.own(), self.view()
        if name is None or view is None:
            return {}
        content = self.reviewed().between(self._objects.tree_of(view))
        added = {id_: item for id_, item in content.after.items() if id_ not in content.before}
        put = [each for each in self._put_here(f"refs/heads/{name}") if each.new] if added else []
        known = {(each.path, each.new) for each in put}
        theirs = [item for item in added.values() if (item.path, item.blob) not in known]
        if not theirs:
            return {}
        mine = {key_of(each.path): each for each in put}
        found: dict[str, Stored] = {}
        for item in self.trust.never_accepted(theirs):
            was = mine.get(key_of(item.path))
            file = self._reader.file(was.path, TreeEntry(b"", FILE, was.new)) if was else None
            if isinstance(file, Stored) and file.memory.text != item.memory.text:
                found[file.memory.id] = file
        return found

    def put_here(self) -> dict[str, Stored]:
        """Map ids to the memories that the user put into the user's own proposal.

        The memories are returned as they are at the tip of the proposal's branch.
        """
        name = self.own()
        branch = f"refs/heads/{name}"
        tip = own_refs.readable(self._objects, self._objects.ref(branch)) if name else None
        if tip is None:
            return {}
        ids = {naming.id_in(each.path) or "" for each in self._put_here(branch)}
        stood = self.stood(tip)
        return {**look_up_in(stood.memories, ids), **look_up_in(stood.handoffs, ids)}

    def _rewritten(self, tip: str) -> list[Stored]:
        """Return the memories that a proposal added and that were accepted with changes."""
        reviewed = self.reviewed()
        if self._objects.descends(tip, reviewed.commit):
            return []
        met = reviewed.between(self._objects.tree_of(tip))
        both = [
            item
            for id_, item in met.after.items()
            if id_ in met.before and item.memory.text != met.before[id_].memory.text
        ]
        base = reviewed.base(tip) if both else None
        began = marks.ids_at(self._objects, base) if base else frozenset[str]()
        return [item for item in both if naming.id_in(item.path) not in {None, *began}]
