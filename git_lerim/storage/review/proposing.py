"""A store whose commits wait for review: they go to a branch of the user's own.

The store shows the memory with the user's own proposal on top.
"""

import os
from base64 import b32encode
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from git_lerim.errors import LerimError, StoreMoved
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch import lost_commits, recovery
from git_lerim.storage.branch.lost_commits import Lost
from git_lerim.storage.review import proposals
from git_lerim.storage.review.proposal_changes import Content, Reviewed
from git_lerim.storage.review.proposal_rewritten import RewrittenStore
from git_lerim.storage.review.proposals import PROPOSED, Proposal
from git_lerim.storage.sharing import joining, withdrawn
from git_lerim.storage.trust.accepted import proposed
from git_lerim.storage.writing import preconditions
from git_lerim.storage.writing.lock import Lock

_TURN = 5.0  # seconds to wait for another run that starts a proposal


class ProposalStore(RewrittenStore):
    """The store with the user's own proposal on top; commits go only to the proposal."""

    def view(self) -> str | None:
        """Return the commit to read: the memory with the user's own proposal on top."""
        base = super().view()
        # differs from any `fast_repo.store_key`: a proposal can appear at any time
        self.seen = f"{self.seen} in review"
        if base is None:
            return None
        try:
            return self._on_top(base, self.own())
        except LerimError as error:
            self.warnings.append(f"your proposal is not shown: {error}")
            return base

    def own_tips(self) -> list[str]:
        """Return the local tips that `view` reads: those of the memory and the user's proposal."""
        tip = self._objects.ref(f"refs/heads/{name}") if (name := self.own()) else None
        return [*super().own_tips(), *([tip] if tip is not None else [])]

    def pending(self) -> Mapping[str, str]:
        """Return the blob of each file in the store that still waits for review, by path."""
        view, base = self.view(), super().view()
        if view is None or base is None or view == base:
            return {}
        after = self.reviewed().between(self._objects.tree_of(view)).after.values()
        return {item.path: item.blob for item in after}

    def proposals(self) -> list[Proposal]:
        """Return all readable proposals, the user's own and others', newest first."""
        found = proposals.list_proposals(self.place, self.branch, self.remote, self._asker())
        return [each for each in found if self._objects.is_whole(each.tip) and self._fits(each)]

    def _fits(self, proposal: Proposal) -> bool:
        """Return whether a proposal is small enough to be read; if not, warn."""
        if not preconditions.is_too_large(self._objects, self._objects.tree_of(proposal.tip)):
            return True
        # not by its name, which could be an order to an agent
        self.warnings.append(
            f"the proposal at {proposal.tip[:12]} has more than {layout.ENTRIES_LIMIT} files, so it"
            " is not read"
        )
        return False

    def proposed(self, proposal: Proposal, reviewed: Reviewed) -> Content:
        """Return the changes of a proposal, except those that were rejected in this clone."""
        if proposal.own and proposal.name == self.own():
            return reviewed.between(
                self._objects.tree_of(self._on_top(reviewed.commit, proposal.name))
            )
        rejected = proposals.rejected_versions(self.place, self._objects)
        return reviewed.content(proposal.tip, rejected)

    def written_here(self, proposal: Proposal) -> set[str]:
        """Return the blobs of a proposal that were written here; others may have added more."""
        tip = super().tip()
        if not proposal.own or tip is None:
            return set()
        wrote = proposed(self.place, self._objects, self.trust.follow(tip), proposal.name)
        return {entry.id for versions in wrote.values() for entry in versions if entry}

    def renew(self) -> str | None:
        """Rebase the user's own proposal onto the memory and return its branch.

        If nothing is left of the proposal, its branch is deleted; then None is returned.
        """
        name, base = self.own(), super().view()
        if name is None or base is None:
            return None
        old = self._objects.ref(f"refs/heads/{name}") or ""
        new = self._on_top(base, name)
        # what leaves the proposal stays the user's own even without the branch's reflog
        self.trust.keep(self.tip() or base, base, new)
        self._keep_withdrawn(old, new)
        with suppress(LerimError):  # what is listed anyway is not listed as withdrawn
            withdrawn.drop_restored(self.place, self._objects, base, self._served)
        withdrawn.keep_rewritten(self.place, self._objects, self._rewritten(old))
        return self._put(name, old, new, base, "git-lerim: renew")

    def take_out(self, ids: Collection[str]) -> str | None:
        """Remove memories from the user's proposal; return its branch, None if nothing is left."""
        name, reviewed = self.renew(), self.reviewed()
        if name is None:
            return None
        old = self._objects.ref(f"refs/heads/{name}") or ""
        after = reviewed.between(self._objects.tree_of(self._on_top(reviewed.commit, name))).after
        unwanted = frozenset(joining.key_of(item.path) for id_, item in after.items() if id_ in ids)
        new = self._on_top(reviewed.commit, name, without=unwanted)
        return self._put(name, old, new, reviewed.commit, "git-lerim: reject")

    def withdraw(self) -> dict[str, str]:
        """Delete the user's local proposals; return their names, each with its last commit.

        Their backup refs stay, so that `lost` finds them.
        """
        tips: dict[str, str] = {}
        while (name := self.own()) is not None:
            tips[name] = self._objects.ref(f"refs/heads/{name}") or ""
            self._delete(name, tips[name])
        return tips

    def lost(self) -> list[Lost]:
        """Return the backups of deleted proposals that have memories which the store lacks.

        A proposal that git-lerim itself ended is not among them.
        """
        found = {
            ref: commit
            for ref, commit in proposals.backups_without_branch(self.place, self.branch).items()
            if self._objects.is_whole(commit)
        }
        if not found or (view := self.view()) is None:
            return [lost_commits.lost_at(self.place, None, *each) for each in found.items()]
        present = Reviewed(self.place, self._objects, self._reader, view)
        return [
            lost_commits.lost_at(self.place, view, ref, commit)
            for ref, commit in found.items()
            if present.content(commit).after
        ]

    def bring_back(self, lost: Lost) -> str:
        """Create the branch of a deleted proposal again from its backup; return its name."""
        name = proposals.branch_of_backup(self.branch, lost.ref)
        preconditions.refuse_if_blocked(self.place, name)
        self._objects.move_ref(
            f"refs/heads/{name}", lost.commit, old=None, message="git-lerim: keep",
            who=self._identity(),
        )  # fmt: skip
        self._objects.settle()
        return name

    def reject(self, tip: str, content: Content, ids: Collection[str]) -> None:
        """Record that the user rejected a proposal's versions of these memories."""
        items = [item for id_, item in content.after.items() if id_ in ids]
        versions = self.reviewed().versions(tip, items)
        who = self._identity()
        proposals.record_rejected(
            self.place,
            self._objects,
            versions,
            who,
            self._signatures(who)[1].removeprefix(who.committer + b" "),
        )

    def offered(self) -> str:
        """Return the branch to push: the current proposal, else the last pushed, else a new one."""
        name = self.own()
        if name is None:
            before = refs.below(self.place.common_dir, f"{PROPOSED}{self.user}")
            name = (
                self._folder + "/" + max(before).rpartition("/")[2] if before else self._new_name()
            )
        return name

    def forget_fetched(self, name: str) -> None:
        """Delete the tracking refs of the user's proposal, which the remote no longer has."""
        if self.remote:
            self._objects.remove_ref(tracking_ref(self.remote, name))
            self._objects.remove_ref(self._mark(name))

    def fetched(self, name: str) -> str | None:
        """Return the tip that a proposal had on the remote when last fetched, or None."""
        return self._objects.ref(tracking_ref(self.remote, name)) if self.remote else None

    def compared(self, theirs: str, tip: str) -> Content:
        """Return the changes that the proposal at `tip` would make to the memory at `theirs`."""
        reviewed = Reviewed(self.place, self._objects, self._reader, theirs)
        return reviewed.content(tip)

    def described(self, name: str, tip: str) -> Proposal:
        """Return the user's proposal as a `Proposal`, to be shown before it is pushed."""
        who = self._identity()
        now = datetime.fromtimestamp(int(self._now()), UTC)
        author = who.author.decode("utf-8", "replace")
        return Proposal(
            name=name, ref=f"refs/heads/{name}", tip=tip, at=now, author=author, authored="",
            own=True, remote=None
        )  # fmt: skip

    def grew_from(self, commit: str, ancestor: str) -> bool:
        """Return whether a commit equals `ancestor` or descends from it."""
        return self._objects.descends(commit, ancestor)

    def pushed(self, name: str, commit: str) -> None:
        """Record the pushed commit of the user's proposal, to detect commits that others add."""
        run_git(self.place.git("update-ref", self._mark(name), commit), cwd=self.place.git_dir)

    def was_pushed(self, name: str) -> bool:
        """Return whether this clone pushed a proposal of this name."""
        return self._objects.ref(self._mark(name)) is not None

    def commit_each(
        self, operations: Sequence[Callable[[Snapshot], Change | None]]
    ) -> list[str | None]:
        """Commit what each operation returns, one after another."""
        return [self.commit(operation) for operation in operations]

    def _commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        if self.tip() is None and not self.attach(self.remote or ""):
            self.start()
        self.renew()
        snapshot = self.snapshot()
        change = operation(snapshot)
        return self._carry_out(snapshot, change) if change is not None and change.files else None

    def _record(
        self, move: tuple[str | None, str], change: Change, stood: Mapping[str, str]
    ) -> None:
        """Do nothing: a proposal is not part of the memory, and has its own reflog."""

    def _land(self, commit: str, tip: str | None, message: str) -> None:
        name = self.own()
        if name is not None:
            self._put(name, tip or "", commit, None, message)
            return
        with Lock(self.place.own_dir / "proposal").acquire(_TURN):  # or two runs could start two
            if self.own() is not None:
                raise StoreMoved("another process has begun a proposal")
            self._put(self._new_name(), None, commit, None, message)

    def _new_name(self) -> str:
        told = b32encode(os.urandom(5)).decode().lower()
        return f"{self._folder}/{datetime.fromtimestamp(self._now(), UTC):%Y%m%d}-{told}"

    def _put(
        self, name: str, old: str | None, new: str, base: str | None, message: str
    ) -> str | None:
        """Move a proposal's branch to `new`, or delete it if `new` is the memory's commit `base`.

        The old tip is kept in a backup ref. Returns the branch, or None if it was deleted.
        """
        ref, who = f"refs/heads/{name}", self._identity()
        if new == old and new != base:
            return name
        if new == base:
            self._delete(name, old)
            if old is not None:
                recovery.retire_backup(self._objects, name, old, who)
            return None
        preconditions.refuse_if_blocked(self.place, name)
        if old is not None:
            recovery.move_backup(self._objects, name, old, who)
        heard = self._theirs(name)  # those commits are included now
        self._objects.move_ref(ref, new, old=old, message=message, who=who)
        self._objects.settle()
        recovery.move_backup(self._objects, name, new, who)
        if heard is not None:
            self.pushed(name, heard)
        return name

    def _delete(self, name: str, old: str | None) -> None:
        """Delete a proposal's branch, whose last commit `old` is backed up first."""
        preconditions.refuse_if_blocked(self.place, name)
        if old is not None:
            recovery.move_backup(self._objects, name, old, self._identity())
        self._objects.remove_ref(f"refs/heads/{name}")
        self._objects.remove_ref(self._mark(name))
