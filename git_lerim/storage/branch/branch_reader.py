"""Read a store on a branch, merged with what was fetched from the team's remote."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.errors import BadSetting, BranchBlocked, GitFailed, LerimError
from git_lerim.git import own_refs, refs
from git_lerim.git.commits.identity import Identity, identity, stamp
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.storage import layout
from git_lerim.storage.base import Change, MergeResult, Snapshot, Stored
from git_lerim.storage.branch import recovery
from git_lerim.storage.branch.lazy_snapshot import unread
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.history import past
from git_lerim.storage.sharing import tombstones, withdrawn
from git_lerim.storage.sharing.remote_purges import PurgeFollower
from git_lerim.storage.writing import preconditions
from git_lerim.storage.writing.message import commit_bytes, compose

if TYPE_CHECKING:
    from git_lerim.git.commits.signing import Signer


class BranchReader(PurgeFollower):
    """The store on `refs/heads/<branch>` and on the same branch of one remote."""

    signer: "Signer | None" = None  # signs our commits

    def __init__(
        self,
        place: Place,
        branch: str = layout.BRANCH,
        *,
        remote: str | None = None,
        trust: str = "remote",
        now: Callable[[], float] = time.time,
    ) -> None:
        """Open a repository's store; nothing is written before the first commit.

        With `remote`, that remote's fetched memory is read as if it were already merged. `trust`
        says which fetched memories are handed out: all harmless ones (`remote`), only `signed`
        ones or only `reviewed` ones.
        """
        if not refs.is_branch_name(branch):
            raise BadSetting(
                f"lerim.branch is not a valid branch name: {plain(branch)!r}",
                hint="the default is lerim/memory",
            )
        self.place = place
        self.branch = branch
        self.ref = f"refs/heads/{branch}"
        self.remote = remote
        self._trusted = trust
        self.warnings: list[str] = []  # what was repaired, for the user
        # a fetched commit that is not read, because one side has purges that the other lacks
        self.unjoined: str | None = None
        self._unread = ""  # the warning about it
        self._reduced = ""  # the commit that is read instead
        self._fitting = ""  # the last tip known not to be too large
        self._now = now
        self._who: Identity | None = None
        self._last = Snapshot(commit=None)

    def tip(self) -> str | None:
        """Return the branch's last commit, after a repair if necessary; None without a branch."""
        found = self._objects.ref(self.ref)
        if found is not None and self._objects.is_whole(found):
            return found
        self._objects.settle()  # our own objects may have been pruned
        if found is not None and self._objects.is_whole(found):
            return found
        return recovery.recover_ref(self.place, self._objects, self.branch, self.warnings.append)

    def set_aside(self) -> list[Path]:
        """Return the files in which repairs saved those former tips that the branch still lacks."""
        return recovery.set_aside(self.place, self._objects, self.tip())

    def view(self) -> str | None:
        """Return the commit to read: the branch's tip, or its merge with what was fetched.

        The merge is made once, and a separate ref keeps it until the next commit moves the branch
        to it.
        """
        tip = self.tip()
        theirs = (
            self._objects.ref(f"refs/remotes/{self.remote}/{self.branch}") if self.remote else None
        )
        if tip is not None and tip != self._fitting:
            with suppress(GitFailed):  # a missing folder is repaired when it is read
                tree = self._objects.folders_of(tip)
                preconditions.refuse_too_large(self._objects, tree, self.branch)
                self._fitting = tip
        # the same key as `fast_repo.store_key`
        self.seen = (tip or "") if theirs is None or theirs == tip else f"{tip}+{theirs}"
        if tip is None or theirs is None or theirs == tip:
            return tip  # only `init`, `pull` and the first commit may start from theirs
        try:
            if not (is_here := self._objects.is_whole(theirs)):
                self.seen = tip  # so that the next reader looks again
                self._objects.gather(theirs)  # raises GitFailed if a partial clone cannot fetch it
            if not is_here or self._objects.descends(tip, theirs):
                return tip
            preconditions.refuse_fetched(self._objects, self._objects.tree_of(theirs), self.branch)
            refused = self.refused_purges(tip, theirs, self.remote)
            if self.is_ahead(theirs, tip, refused):
                return theirs
            if self._joined(tip, theirs) is None and self.has_purged(tip, theirs, refused):
                return self._held_back(tip, theirs)
            return self._kept_together(tip, theirs)
        except LerimError as error:
            self.warnings.append(f"memories fetched from {self.remote} are not shown: {error}")
            return tip

    def _held_back(self, tip: str, theirs: str) -> str:
        if self.unjoined != theirs:
            self.unjoined = theirs
            if tombstones.lacks_tombstones(
                self._objects, tip, theirs, self.refused_purges(tip, theirs, self.remote)
            ):
                self._unread = (
                    f"{self.remote} has purged memories that are still in the history here; git"
                    " lerim pull deletes them here too"
                )
            else:
                self._unread = self._still_purged()
            self.warnings.append(self._unread)
        self._reduced = self.without_purged(tip, theirs)
        return self._reduced

    def replaced(self) -> None:
        """Remove the warning that the remote's history is not read.

        Call this after the remote's history was replaced with ours, or ours was rewritten to join
        it.
        """
        said = self._still_purged()  # a store that shares our warnings may have added it
        self.warnings[:] = [each for each in self.warnings if each not in {self._unread, said}]
        self.unjoined = None

    def _still_purged(self) -> str:
        how = "to replace its history with this one: git lerim purge --push"
        return (
            f"{self.remote} still has memories purged here, so its new memories are not shown;"
            f" {how}"
        )

    def _joined(self, tip: str, theirs: str) -> str | None:
        kept = own_refs.held(self.place, self._objects, layout.JOINED)
        return kept if kept and self._objects.parents(kept) == (tip, theirs) else None

    def _kept_together(self, tip: str, theirs: str) -> str:
        if kept := self._joined(tip, theirs):
            return kept
        commit, _ = self.merge_commit(tip, theirs, self.remote or "")
        who = self._identity()
        own_refs.cache(
            self.place, self._objects, layout.JOINED, commit, message="git-lerim: join", who=who
        )
        return commit

    def merge_commit(self, ours: str, theirs: str, name: str) -> tuple[str, MergeResult]:
        """Write and return a merge of two histories of the store, without moving a ref."""
        from git_lerim.storage.sharing import joining  # noqa: PLC0415 few runs join

        refused = self.refused_purges(ours, theirs, name)
        sides = self.as_if_purged(ours, theirs, refused)
        joined = joining.merge_commits(self.place, self._objects, self._reader, *sides)
        self._leave_purged(joined, ours, theirs, refused)
        tree = written(self._objects, self._objects.tree_of(ours), {**joined.files, **joined.taken})
        return self._commit_of(tree, [ours, theirs], joining.merge_change(joined, name)), joined

    def _leave_purged(
        self, joined: MergeResult, ours: str, theirs: str, refused: frozenset[str]
    ) -> None:
        """Drop from a merge what undoes our purges, and those remote purges that await consent.

        `refused` are the ids that the remote has purged, but that are deleted here only if the user
        consents.
        """
        trees = map(self._objects.tree_of, (theirs, ours))
        there, here = (tombstones.purge_in(self._objects, tree) for tree in trees)
        joined.leave(refused, there.without(there.ids - refused).paths)
        joined.keep(f"{layout.PURGED}/{id_}" for id_ in here.ids)
        for path, entry in list(joined.taken.items()):
            is_summary = path.removeprefix("archived/") in here.paths
            if here.meets(path, self._objects.blob(entry.id) if is_summary else None):
                del joined.taken[path]
        joined.added = [id_ for id_ in joined.added if id_ not in here.ids]

    def _commit_of(self, tree: str | None, parents: list[str], change: Change) -> str:
        if tree is None:
            raise BranchBlocked(
                "this change would delete every file of the memory",
                hint="to start over: git lerim reset --branch",
            )
        author, committer = self._signatures(self._identity(), change.author)
        return self._objects.write_commit(
            commit_bytes(tree, parents, author, committer, compose(change))
        )

    def _signed(self, commit: str) -> str:
        """Return a signed copy of a commit, if signing is on and works, else the commit."""
        return self.signer.commit(self._objects, commit) if self.signer else commit

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store now, or at a revision or date; empty if there was none yet."""
        tip = self.view() if at is None else past.commit_at(self.place, self.view(), at)
        if tip is None:
            return Snapshot(commit=None)
        if at is not None:
            self._refuse_too_large(tip)
        try:
            return self._with_withdrawn(tip) if at is None else self._read(tip)
        except GitFailed:  # a concurrent `git gc --prune=now` can remove a folder
            whole = (
                recovery.recover_ref(self.place, self._objects, self.branch, self.warnings.append)
                if at is None
                else None
            )
            if whole is None or whole == tip:
                raise
            return self._read(whole)

    def _with_withdrawn(self, view: str) -> Snapshot:
        self._follow(view)  # a move by git alone may have deleted memories
        read, tips, taken = self._read(view), self.own_tips(), self._taken_away(view)
        found = withdrawn.withdrawn_memories(self.place, self._objects, tips, view, taken)
        # what a proposal holds again is not withdrawn
        gone = withdrawn.without_standing(self._objects, found, read, lambda: self._served(view))
        return replace(read, withdrawn=gone)

    def own_tips(self) -> list[str]:
        """Return the tips of the local branches that `view` reads, without what was fetched."""
        tip = self.tip()
        return [tip] if tip is not None else []

    def handoffs(self, at: str | None = None) -> Mapping[str, Stored]:
        """Return the trusted handoffs by id, now or at a revision or date, reading nothing else."""
        return self.served(at).handoffs

    def _read(self, commit: str) -> Snapshot:
        if self._last.commit != commit:
            tree = self._objects.tree_of(commit)
            self._reader.check(tree)
            self._last = replace(
                unread(commit, self._reader, tree), purged=tombstones.ids_in(self._objects, tree)
            )
        return self._last

    def history(
        self, limit: int | None = None, path: str | None = None
    ) -> Iterator[past.LoggedCommit]:
        """Yield the commits of the store, or those that changed one file, newest first."""
        view = self.view()
        tip = self.tip() if view == self._reduced else view
        if tip is None:
            return
        try:
            yield from past.read_log(self.place, tip, limit=limit, path=path)
        except GitFailed as error:
            said = f"the history of {self.branch} cannot be read further back: {error}"
            self.warnings += [said] if said not in self.warnings else []
            yield from past.read_log(self.place, tip, limit=limit, path=path, check=False)

    def file(self, item: Stored) -> bytes:
        """Return the bytes of a memory's file."""
        return self._objects.blob(item.blob)

    def content(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        return self._objects.blob(blob)

    def first_held(self) -> dict[str, past.Held]:
        """Return when each memory was first in the store, and who added it.

        The confidence of a memory does not decay before that time.
        """
        return past.first_held(self.history())

    def committer(self) -> str:
        """Return the committer as `Name <mail>`. Raises NoIdentity."""
        return plain(self._identity().committer.decode("utf-8", "replace"))

    def _identity(self) -> Identity:
        if self._who is None:
            self._who = identity(self.place)
        return self._who

    def _signatures(self, who: Identity, author: bytes | None = None) -> tuple[bytes, bytes]:
        now = stamp(self._now())
        return author or who.author + b" " + (who.author_date or now), who.committer + b" " + (
            who.committer_date or now
        )
