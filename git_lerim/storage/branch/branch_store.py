"""Store memories as commits on a branch of their own; index, HEAD and work tree stay untouched."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from git_lerim.errors import BranchBlocked, LerimError, StoreMoved
from git_lerim.git.running.process import plain
from git_lerim.storage import layout
from git_lerim.storage.base import Change, MergeResult, Snapshot, Stored
from git_lerim.storage.branch import mend_refs, recovery
from git_lerim.storage.branch.branch_writer import BranchWriter
from git_lerim.storage.branch.tree_builder import beginning
from git_lerim.storage.sharing import tombstones, withdrawn
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.storage.writing import preconditions

if TYPE_CHECKING:
    from git_lerim.git.commits.signing import Signer
    from git_lerim.storage.history.replace_branch import Purged
    from git_lerim.storage.history.rewriting import Rewriting


class BranchStore(BranchWriter):
    """The store on `refs/heads/<branch>`, with all operations on it."""

    def delete(self) -> str | None:
        """Delete the branch; return the ref with its last commit, or None without a branch."""
        tip = self.tip()
        if tip is None:
            return None
        preconditions.refuse_if_blocked(self.place, self.branch)
        recovery.move_backup(self._objects, self.branch, tip, self._identity())
        kept = layout.backup_ref(self.branch)
        if not self._objects.descends(self._objects.ref(kept) or "", tip):
            raise StoreMoved(
                f"{kept} could not be updated, so {self.branch} was not changed", hint="try again"
            )
        self._objects.remove_ref(self.ref)
        return kept

    def rewritten(self) -> Mapping[str, Stored]:
        """Map ids to the user's versions of proposed memories that were accepted with changes."""
        return withdrawn.rewritten_memories(self.place, self._objects)

    def commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        """Commit the change that an operation returns.

        Return the new commit's id, or None if there is no change. After a concurrent write the
        operation is called again with a newer snapshot.
        """
        return self._persisted(lambda: self._commit(operation))

    def commit_each(
        self, operations: Sequence[Callable[[Snapshot], Change | None]]
    ) -> list[str | None]:
        """Commit the changes of several operations; see `Store.commit_each`.

        Each commit has its own reflog entry, but the commits share one flush to disk and one record
        of what is accepted.
        """
        done: list[str | None] = []
        while len(done) < len(operations):
            self._persisted(lambda: self._commit_some(operations[len(done) :], done))
        return done

    def join(self, theirs: str, name: str) -> MergeResult | None:
        """Merge another history into the branch, or fast-forward to it if possible.

        `name` says whose it is, for the commit message. Return None if it was already merged.
        """
        told: list[MergeResult] = []
        moved = self._persisted(lambda: self._join(theirs, name, told))
        return (told[-1] if told else MergeResult()) if moved else None

    def _commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        self._take_in()
        snapshot = self.snapshot()
        change = operation(snapshot)
        return self._carry_out(snapshot, change) if change is not None and change.files else None

    def _commit_some(
        self, operations: Sequence[Callable[[Snapshot], Change | None]], done: list[str | None]
    ) -> str | None:
        """Commit the changes of some operations, until another writer gets in the way.

        The results are added to `done`.
        """
        self._take_in()
        snapshot = self.snapshot()
        changes = [operation(snapshot) for operation in operations]
        return self._try(lambda: self._write_each(snapshot.commit, changes, done))

    def purge(self, purge: Purge, begun: "Rewriting | None" = None) -> "Purged":
        """Delete memories from the whole history, and add tombstones so that they stay deleted.

        `begun` is a result of `without`, whose work is reused. Raises LerimError if there is no
        branch, and whatever `commit` raises.
        """
        made: list[Purged] = []
        self._persisted(lambda: self._purge(purge, begun, made))
        return made[-1]

    def without(self, purge: Purge, begun: "Rewriting | None" = None) -> "Rewriting | None":
        """Return the history that a purge would make, without changing the branch.

        Return None if there is no branch. `begun` is an earlier result, whose work is reused.
        """
        tip = self.tip()
        if tip is None:
            return None
        from git_lerim.storage.history.rewriting import Rewriting  # noqa: PLC0415 as in `_purge`

        purge |= tombstones.purge_in(self._objects, self._objects.tree_of(tip))
        same = begun is not None and begun.purge == purge
        rewriting = begun if begun and same else Rewriting(self.place, self._objects, purge)
        rewriting.history(tip)
        return rewriting

    def stood(self, commit: str) -> Snapshot:
        """Return the store as it was at a commit.

        The commit may belong to a history that a purge has since rewritten.
        """
        return self._read(commit)

    def _purge(self, purge: Purge, begun: "Rewriting | None", made: "list[Purged]") -> str:
        # few runs purge
        from git_lerim.storage.history import replace_branch as purging  # noqa: PLC0415

        self._take_in()
        tip, rewriting = self.tip(), self.without(purge, begun)
        if tip is None or rewriting is None:
            raise LerimError("no memory here yet", hint="to get a remote's memory: git lerim pull")
        preconditions.refuse_newer(self._objects, self._objects.tree_of(tip), self.branch)
        signatures = self._signatures(self._identity())
        bare = purging.with_tombstones(
            self._objects, rewriting.new[tip], rewriting.purge, signatures
        )
        new = bare if bare == rewriting.new[tip] else self._signed(bare)
        rewritten = rewriting.rewritten  # only the branch's commits: other refs are rewritten later
        kept = self._replace(rewriting, tip, new, "git-lerim: purge")
        made.append(purging.Purged(commit=new, kept=kept, rewritten=rewritten, rewriting=rewriting))
        return new

    def _replace(self, rewriting: "Rewriting", tip: str, new: str, message: str) -> str | None:
        # as in `_purge`
        from git_lerim.storage.history.replace_branch import replace_branch  # noqa: PLC0415

        move, who = (tip, new), self._mover()
        return replace_branch(
            self.place, self._objects, self.branch, rewriting, move=move, message=message, who=who
        )

    def _join(self, theirs: str, name: str, told: list[MergeResult]) -> str | None:
        tip = self.tip()
        if tip is not None and self._objects.descends(tip, theirs):
            return None
        tree = self._objects.tree_of(theirs)
        preconditions.refuse_fetched(self._objects, tree, f"{self.branch} of {plain(name)}")
        if tip is not None:
            preconditions.refuse_foreign(self._objects, self._objects.tree_of(tip), self.branch)
        refused = self.refused_purges(tip, theirs, name) if tip is not None else frozenset()
        if tip is not None and (
            purge := tombstones.purge_difference(self._objects, tip, theirs, refused)
        ):
            return self._join_purged(purge, tip, theirs, name, told)
        if tip is None or self.is_ahead(theirs, tip, refused):
            self._take(theirs, tip, f"git-lerim: take what {plain(name)} has")
            return theirs
        made, joined = self.merge_commit(tip, theirs, name)
        commit = self._signed(made)
        self._take(commit, tip, f"git-lerim: join {plain(name)}")
        told.append(joined)
        return commit

    def _join_purged(
        self, purge: Purge, tip: str, theirs: str, name: str, told: list[MergeResult]
    ) -> str | None:
        """Merge two histories with different purges, without the memories that either purged."""
        from git_lerim.storage.history.rewriting import Rewriting  # noqa: PLC0415 as in `_purge`

        rewriting = Rewriting(self.place, self._objects, purge)
        ours, theirs = rewriting.history(tip), rewriting.history(theirs)
        if self._objects.descends(ours, theirs):
            new, joined = ours, MergeResult()
        elif self.is_ahead(theirs, ours, self.refused_purges(ours, theirs, name)):
            new, joined = theirs, MergeResult()
        else:
            made, joined = self.merge_commit(ours, theirs, name)
            new = self._signed(made)
        if new == tip:
            return None
        self._note_purged(tip, new)
        kept = self._replace(rewriting, tip, new, f"git-lerim: join {plain(name)}")
        self._keep_withdrawn(tip, new)
        self._drop_restored(new)
        if kept is not None:
            self.replaced()  # no longer true: that what was purged is still in the history here
            self.warnings.append(
                f"{plain(name)} has purged memories, so {self.branch} was rewritten without them;"
                f" the old branch is in {kept}"
            )
        told.append(joined)
        return new

    def _take_in(self) -> None:
        """Move the branch to the commit that readers see: the tip merged with what was fetched."""
        tip, view = self.tip(), self.view()
        if view is not None and view not in {tip, self._reduced}:
            # we sign only our own merge, not a commit of somebody else
            ours = tip is not None and self._objects.parents(view)[:1] == (tip,)
            commit = self._signed(view) if ours else view
            self._take(commit, tip, "git-lerim: take in what was fetched")
        elif tip is not None and self.unjoined and self.has_heard(tip, self.unjoined):
            self._join(self.unjoined, self.remote or "", [])

    def recover(self, *, lock_held: bool) -> list[str]:
        """Repair what a crash left behind; return what was done, in sentences for the user.

        Only the holder of the run lock may remove stale locks and refs.
        """
        if lock_held:
            recovery.sweep(self.place, self._objects)
            for name, aside in recovery.free_stale_locks(self.place, self.branch):
                self.warnings.append(
                    f"moved a lock, left on {plain(name)} by a killed run, to {aside}"
                )
        tip = self.tip()
        if lock_held and tip is not None:
            recovery.mend_backup(self.place, self._objects, self.branch, tip)
        if lock_held:
            self.warnings += mend_refs.mend(self.place, self._objects, self.branch)
        told, self.warnings = self.warnings, []
        return told

    def start(self) -> str:
        """Create the branch if it is missing, with the first commit that all stores share.

        Return the branch's tip.
        """
        tip = self.tip()
        if tip is None:
            preconditions.refuse_if_blocked(self.place, self.branch)
            self._identity()  # an error now is better than one when there is something to keep
            tip = beginning(self._objects)
            self._move(tip, None, "git-lerim: begin")
        return tip

    def blocked(self) -> BranchBlocked | None:
        """Return why the branch cannot be created or used for the memory, or None if it can be."""
        tip = self.tip()
        tree = self._objects.tree_of(tip) if tip else None
        return preconditions.blocked(self.place, self._objects, self.branch, tree)

    def attach(self, remote: str) -> bool:
        """Create the branch from the remote's branch as last fetched, if it does not exist.

        Return whether the branch exists now.
        """
        if self.tip() is not None:
            return True
        theirs = self._objects.ref(f"refs/remotes/{remote}/{self.branch}")
        if theirs is None or not self._objects.is_whole(theirs):
            return False
        preconditions.refuse_if_blocked(self.place, self.branch)
        name = f"{self.branch} of {plain(remote)}"
        # a partial clone fetches the files only after this check
        folders = self._objects.folders_of(theirs)
        preconditions.refuse_too_large(self._objects, folders, name)
        preconditions.refuse_foreign(self._objects, folders, name)
        self._move(theirs, None, f"git-lerim: take {remote}/{self.branch}")
        return True

    def unused(self) -> Snapshot:
        """Return the remote's memory as last fetched if there is no branch here, else nothing.

        Nobody has judged it: it may be checked, but not handed out.
        """
        ref = f"refs/remotes/{self.remote}/{self.branch}"
        theirs = self._objects.ref(ref) if self.tip() is None else None
        if theirs is not None:
            self._objects.gather(theirs)  # raises GitFailed if a partial clone cannot fetch it
        if theirs is None or not self._objects.is_whole(theirs):
            return Snapshot(commit=None)
        tree = self._objects.tree_of(theirs)
        preconditions.refuse_fetched(self._objects, tree, f"{self.branch} of {self.remote}")
        return self._read(theirs)

    def sign_unpushed(self, signer: "Signer", *, root: bool = False) -> None:
        """Sign the commits that no remote has yet; with `root`, also the first commit.

        If a commit cannot be signed, raises LerimError and leaves the branch unchanged.
        """
        from git_lerim.storage.history import sign_unpushed as resigning  # noqa: PLC0415 few sign

        self._persisted(
            lambda: resigning.sign_branch(
                self.place, self._objects, self.branch, signer, self._identity(), root
            )
        )
