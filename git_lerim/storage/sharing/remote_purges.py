"""Follow purges made on a remote: delete the memories that came only from that remote.

Deleting any other memory, or one that was changed here, needs the user's consent.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from git_lerim.errors import LerimError
from git_lerim.git import own_refs, refs
from git_lerim.git.commits.identity import stamp
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.base import FindKnown
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.sharing import purged_here, tombstones, withdrawn
from git_lerim.storage.sharing.remote_holdings import only_held_by
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust import marks
from git_lerim.storage.trust.accepted import WHO, key_of
from git_lerim.storage.trust.handed import Handed
from git_lerim.storage.trust.provenance.introduced import Introduced, logged
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.writing.message import commit_bytes

_REDUCED = b"git-lerim: without what was purged\n"


class PurgeFollower(Handed):
    """A store that follows purges made elsewhere."""

    # finds the last known paths of memories
    known: FindKnown = staticmethod(lambda _: None)

    @cached_property
    def _reader(self) -> TreeReader:
        reader = TreeReader(self._objects, self.known, contents=self._contents)
        reader.first = self.first_come
        return reader

    def refused_purges(self, tip: str, theirs: str, remote: str | None) -> frozenset[str]:
        """Return the ids purged on a remote whose deletion here needs the user's consent.

        These memories were written or changed here, or did not come from that remote alone.
        `theirs` is the remote's tip.
        """
        purge = tombstones.purge_in(self._objects, self._objects.tree_of(theirs))
        purge = purge.without(tombstones.ids_in(self._objects, self._objects.tree_of(tip)))
        if not purge:
            return frozenset()
        with suppress(LerimError):
            self.trust.follow(tip)
        here = {*marks.ids_at(self._objects, tip), *withdrawn.ids(self.place, self._objects)}
        own = self.trust.written_here(purge.ids & here) | self._proposed_here(purge)
        own |= purge.ids & withdrawn.rewritten_memories(self.place, self._objects).keys()
        keys = {id_: id_ for id_ in purge.ids & here - own}
        for id_, path, is_own in self._summaries_in(tip, purge):
            keys[id_] = path
            own |= {id_} if is_own else set()
        came = only_held_by(self.place, remote or "", self.branch, theirs, frozenset(keys.values()))
        return own | {id_ for id_, key in keys.items() if key not in came}

    def _summaries_in(self, tip: str, purge: Purge) -> Iterator[tuple[str, str, bool]]:
        """Yield the id and path of each purged summary here, and whether the user wrote it."""
        for id_, paths in purge.summaries.items():
            for path in (below + each for each in paths for below in ("", "archived/")):
                entry = self._objects.entry_at(tip, path)
                if entry is not None and purge.meets(path, self._objects.blob(entry.id)):
                    yield (
                        id_,
                        path.removeprefix("archived/"),
                        not self.trust.is_shared(path, entry.id),
                    )

    def _proposed_here(self, purge: Purge) -> frozenset[str]:
        """Return the ids of purged memories that the user changed in the pending proposal.

        A memory that the user wrote there counts, too.
        """
        name = self.own()
        branch = f"refs/heads/{name}"
        tip = own_refs.readable(self._objects, self._objects.ref(branch)) if name else None
        met = set(map(key_of, self._met(self._objects.tree_of(tip), purge))) if tip else set()
        if not met:
            return frozenset()
        wrote = [each for each in self._put_here(branch) if key_of(each.path) in met]
        paths = {each.path.removeprefix("archived/") for each in wrote}
        summaries = (id_ for id_, known in purge.summaries.items() if not paths.isdisjoint(known))
        return frozenset([*marks.changed_ids(self._objects, wrote), *summaries])

    def _put_here(self, branch: str) -> Iterator[Introduced]:
        """Yield what commits made here wrote to a branch, oldest first.

        The branch's reflog tells which commits those are.
        """
        if commits := own_by_reflog(self.place, branch):  # without commits, git would list HEAD's
            listed = ("--no-walk=unsorted", "--ignore-missing", "--stdin")
            yield from logged(self.place, listed, commits)

    def _met(self, tree: str, purge: Purge) -> list[str]:
        """Return the paths of the files in a tree that a purge deletes."""
        return [
            each.path
            for each in differing(self._objects, None, tree, layout.is_folder)
            if each.new is not None
            and purge.meets(
                each.path,
                self._objects.blob(each.new.id)
                if each.path.removeprefix("archived/") in purge.paths
                else None,
            )
        ]

    def _note_purged(self, tip: str | None, new: str) -> None:
        """Record which memories the branch's move to a history of others will purge here."""
        if tip is None:
            return
        tree = self._objects.tree_of(tip)
        purge = tombstones.purge_in(self._objects, self._objects.tree_of(new))
        purge = purge.without(tombstones.ids_in(self._objects, tree))
        if not purge or not self._met(tree, purge):
            return
        shown = self.served(tip)
        sorts = (shown.memories, shown.summaries, shown.handoffs)
        author = {id_: item.author for sort in sorts for id_, item in sort.items()}
        purged_here.note(self.place, tip, {id_: author.get(id_) for id_ in sorted(purge.ids)})

    def waiting_purges(self) -> frozenset[str]:
        """Return the ids whose purge on the remote waits to be accepted here."""
        tip = self.tip()
        theirs = (
            self._objects.ref(f"refs/remotes/{self.remote}/{self.branch}") if self.remote else None
        )
        if tip is None or theirs is None or not self._objects.is_whole(theirs):
            return frozenset()
        return self.refused_purges(tip, theirs, self.remote)

    def as_if_purged(self, ours: str, theirs: str, refused: frozenset[str]) -> tuple[str, str]:
        """Return two histories as if memories whose purge waits for consent were purged in both.

        The remote's purge has rewritten its history. A merge with ours would have its base before
        the first of these memories, and so miss whatever the remote deleted after that.
        """
        if not refused or refs.shallow(self.place.common_dir):
            return ours, theirs
        # few remotes purge
        from git_lerim.storage.history.rewriting import Rewriting  # noqa: PLC0415

        purge = tombstones.purge_in(self._objects, self._objects.tree_of(theirs))
        rewriting = Rewriting(self.place, self._objects, purge.without(purge.ids - refused))
        return rewriting.history(ours), rewriting.history(theirs)

    def is_ahead(self, theirs: str, ours: str, refused: frozenset[str]) -> bool:
        """Return whether our branch may simply move to their commit, which contains ours.

        It may not if that would delete a memory of which the user did not consent to the purge, or
        a tombstone: without it, purged memories could come back.
        """
        return (
            self._objects.descends(theirs, ours)
            and not refused
            and not tombstones.lacks_tombstones(self._objects, theirs, ours)
        )

    def has_heard(self, tip: str, theirs: str) -> bool:
        """Return whether the remote has purged something that is still to be deleted here."""
        return tombstones.lacks_tombstones(
            self._objects, tip, theirs, self.refused_purges(tip, theirs, self.remote)
        )

    def has_purged(self, tip: str, theirs: str, refused: frozenset[str]) -> bool:
        """Return whether one history has commits about memories that the other has purged.

        Only commits that the other history lacks are searched.
        """
        purge = tombstones.purge_difference(self._objects, tip, theirs, refused)
        if purge is None:
            return False
        here, there = (
            tombstones.ids_in(self._objects, self._objects.tree_of(each)) for each in (tip, theirs)
        )
        return self._has_had(tip, theirs, purge.without(here)) or self._has_had(
            theirs, tip, purge.without(there)
        )

    def _has_had(self, one: str, other: str, purge: Purge) -> bool:
        """Return whether a commit of history `one`, but not of `other`, names a purged memory."""
        if not purge:
            return False
        args = ("-m", "--name-only", "--no-renames", "--no-show-signature", "--format=%B")
        told = run_git(self.place.git("log", *args, one, f"^{other}"), cwd=self.place.git_dir)
        text = told.decode("utf-8", "replace")
        return any(word in text for word in (*purge.ids, *purge.paths))

    def without_purged(self, tip: str, theirs: str) -> str:
        """Return a commit like the tip, but without the memories purged on the remote.

        This commit is read until the branch is rewritten. It is the same each time, and no branch
        ever moves to it.
        """
        tree = self._objects.tree_of(tip)
        known = tombstones.ids_in(self._objects, tree)
        refused = self.refused_purges(tip, theirs, self.remote)
        purge = tombstones.purge_in(self._objects, self._objects.tree_of(theirs))
        purge = purge.without(known | refused)
        gone: dict[str, TreeEntry | None] = dict.fromkeys(self._met(tree, purge)) if purge else {}
        if not gone:
            return tip
        stones = tombstones.tombstone_files(self._objects, purge, purge.ids)
        who = WHO.committer + b" " + stamp(0)
        made = self._objects.write_commit(
            commit_bytes(
                written(self._objects, tree, {**gone, **stones}) or tree, [tip], who, who, _REDUCED
            )
        )
        self._objects.settle()
        return made

    def is_before_purge(self, theirs: str) -> bool:
        """Return whether another history still has memories purged here, so it cannot be merged."""
        tip = self.tip()
        return (
            tip is not None
            and not self._objects.descends(tip, theirs)
            and tombstones.lacks_tombstones(self._objects, theirs, tip)
        )

    def is_parted_by_purge(self, one: str, other: str) -> bool:
        """Return whether different memories were purged in two histories of the store."""
        return tombstones.purge_difference(self._objects, one, other) is not None
