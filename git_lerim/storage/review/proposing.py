"""A store whose commits wait for review: they go to one branch of the user's, on top of the memory,
and the memory stays.

What is read is the memory as `readable` has it, with the user's own proposal on top. When the
memory has moved, the proposal is put on top of it again, commit by commit: what was accepted
changes nothing any more and is gone. That is worked out to the same commits whenever it is read,
and the branch itself is moved by the next verb that writes.
"""

import os
from base64 import b32encode
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property

from git_lerim.errors import LerimError, NoIdentity, StoreMoved
from git_lerim.git import refs
from git_lerim.git.remote import tracking_ref
from git_lerim.git.running.process import plain, run_git
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch import recovery
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.history.rewriting import read_commits
from git_lerim.storage.review import proposals
from git_lerim.storage.review.proposals import PROPOSED, Content, Proposal, Reviewed
from git_lerim.storage.sharing import joining
from git_lerim.storage.trust.accepted import proposed
from git_lerim.storage.writing import preconditions
from git_lerim.storage.writing.lock import Lock
from git_lerim.storage.writing.message import commit_bytes

_TURN = 5.0  # seconds to wait for somebody who begins a proposal
_HEAD = (
    b"author ",
    b"committer ",
    b"encoding ",
)  # what a commit keeps of its head when it is put on another one


class ProposalStore(BranchStore):
    """The store on `refs/heads/<branch>` as it is read with the user's own proposal, to which alone
    it writes.
    """

    @cached_property
    def user(self) -> str:
        """How this user is called in the names of branches. Raises NoIdentity."""
        return proposals.user_of(self.committer())

    @cached_property
    def _folder(self) -> str:
        return f"{layout.proposals(self.branch)}/{self.user}"

    def _asker(self) -> str:
        """Return the same for who only reads: empty where git does not know who that is."""
        try:
            return self.user
        except NoIdentity:
            return ""

    def own(self) -> str | None:
        """Return the branch of the user's own proposal, the newest of several; None where there is
        none.
        """
        if (
            not refs.below(self.place.common_dir, f"refs/heads/{layout.proposals(self.branch)}")
            or not self._asker()
        ):
            return None
        found = refs.below(self.place.common_dir, f"refs/heads/{self._folder}")
        return max(found, default="").removeprefix("refs/heads/") or None

    def view(self) -> str | None:
        """Return the commit that is read: the memory, with the user's own proposal on top."""
        base = super().view()
        self.seen = (  # which no glance sees: a proposal can come at any time
            f"{self.seen} in review"
        )
        if base is None:
            return None
        try:
            return self._on_top(base, self.own())
        except LerimError as error:
            self.warnings.append(f"your proposal is not shown: {error}")
            return base

    def pending(self) -> Mapping[str, str]:
        """Return the blobs of the files that are read and wait for review, by path."""
        view, base = self.view(), super().view()
        if view is None or base is None or view == base:
            return {}
        after = self.reviewed().between(self._objects.tree_of(view)).after.values()
        return {item.path: item.blob for item in after}

    def reviewed(self) -> Reviewed:
        """Return the memory that proposals are compared with. Raises LerimError where there is
        none.
        """
        base = super().view()
        if base is None:
            raise LerimError(
                "there is no memory here yet, and nothing to be reviewed",
                hint="git lerim pull takes a remote's",
            )
        return Reviewed(self.place, self._objects, self._reader, base)

    def proposals(self) -> list[Proposal]:
        """Return the proposals that can be read, the user's own and others', the newest first."""
        found = proposals.found(self.place, self.branch, self.remote, self._asker())
        return [each for each in found if self._objects.is_whole(each.tip)]

    def proposed(self, proposal: Proposal, reviewed: Reviewed) -> Content:
        """Return what a proposal would change, without what was rejected here."""
        if proposal.own and proposal.name == self.own():
            return reviewed.between(
                self._objects.tree_of(self._on_top(reviewed.commit, proposal.name))
            )
        return reviewed.content(proposal.tip, proposals.rejected(self._objects))

    def written_here(self, proposal: Proposal) -> set[str]:
        """Return the blobs of a proposal that this clone wrote; others can have worked on what was
        pushed of it.
        """
        tip = super().tip()
        if not proposal.own or tip is None:
            return set()
        wrote = proposed(self.place, self._objects, self.trust.follow(tip), proposal.name)
        return {entry.id for versions in wrote.values() for entry in versions if entry}

    def renew(self) -> str | None:
        """Put the user's own proposal on top of the memory and return its branch; one of which
        nothing is left is deleted.
        """
        name, base = self.own(), super().view()
        if name is None or base is None:
            return None
        old = self._objects.ref(f"refs/heads/{name}") or ""
        self.trust.keep(
            self.tip() or base, base
        )  # what was accepted of it is the user's own without a branch to tell, too
        return self._put(name, old, self._on_top(base, name), base, "git-lerim: renew")

    def take_out(self, ids: Collection[str]) -> str | None:
        """Take memories out of the user's own proposal; return its branch, None where nothing is
        left of it.
        """
        name, reviewed = self.own(), self.reviewed()
        if name is None:
            return None
        old = self._objects.ref(f"refs/heads/{name}") or ""
        after = reviewed.between(self._objects.tree_of(self._on_top(reviewed.commit, name))).after
        unwanted = frozenset(joining.key_of(item.path) for id_, item in after.items() if id_ in ids)
        new = self._on_top(reviewed.commit, name, without=unwanted)
        return self._put(name, old, new, reviewed.commit, "git-lerim: reject")

    def withdraw(self) -> None:
        """Delete all proposals of the user's own that stand here; a ref keeps what each was."""
        while (name := self.own()) is not None:
            old = self._objects.ref(f"refs/heads/{name}") or ""
            self._put(name, old, old, old, "git-lerim: withdraw")

    def reject(self, tip: str, content: Content, ids: Collection[str]) -> None:
        """Remember that memories of a proposal were rejected, in the versions that its tip has."""
        items = [item for id_, item in content.after.items() if id_ in ids]
        versions = self.reviewed().versions(tip, items)
        who = self._identity()
        proposals.reject(
            self._objects,
            versions,
            who,
            self._signatures(who)[1].removeprefix(who.committer + b" "),
        )

    def offered(self) -> str:
        """Return the branch to offer what is read by: that of the own proposal, else of what was
        offered last, else a new one.
        """
        name = self.own()
        if name is None:
            before = refs.below(self.place.common_dir, f"{PROPOSED}{self.user}")
            name = (
                self._folder + "/" + max(before).rpartition("/")[2] if before else self._new_name()
            )
        return name

    def forget_fetched(self, name: str) -> None:
        """Forget a proposal of the user's own as it was fetched, where the remote has it
        no more.
        """
        if self.remote:
            self._objects.remove_ref(tracking_ref(self.remote, name))
            self._objects.remove_ref(self._mark(name))

    def fetched(self, name: str) -> str | None:
        """Return what the remote had of a proposal when it was asked last."""
        return self._objects.ref(tracking_ref(self.remote, name)) if self.remote else None

    def compared(self, theirs: str, tip: str) -> Content:
        """Return what a commit would change in the memory as somebody else has it."""
        reviewed = Reviewed(self.place, self._objects, self._reader, theirs)
        return reviewed.content(tip)

    def described(self, name: str, tip: str) -> Proposal:
        """Return a proposal of the user's own that is to be."""
        who = self._identity()
        now = datetime.fromtimestamp(int(self._now()), UTC)
        author = who.author.decode("utf-8", "replace")
        return Proposal(
            name=name, ref=f"refs/heads/{name}", tip=tip, at=now, author=author, authored="",
            own=True, remote=None
        )  # fmt: skip

    def grew_from(self, commit: str, ancestor: str) -> bool:
        """Tell whether a commit is, or grew from, another one."""
        return self._objects.descends(commit, ancestor)

    def pushed(self, name: str, commit: str) -> None:
        """Note what was pushed of the user's own proposal: what is there beside it, somebody else
        put there.
        """
        run_git(self.place.git("update-ref", self._mark(name), commit), cwd=self.place.git_dir)

    def _mark(self, name: str) -> str:
        return PROPOSED + name.removeprefix(f"{layout.proposals(self.branch)}/")

    def _commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        if self.tip() is None and not self.attach(self.remote or ""):
            self.start()
        self.renew()
        snapshot = self.snapshot()
        change = operation(snapshot)
        return self._carry_out(snapshot, change) if change is not None and change.files else None

    def _record(
        self, old: str | None, new: str, *, shared: bool, theirs: Collection[str] = ()
    ) -> None:
        """Record nothing: a proposal is no part of the memory, and its own reflog tells what was
        written here.
        """

    def _land(self, commit: str, tip: str | None, message: str) -> None:
        name = self.own()
        if name is not None:
            self._put(name, tip or "", commit, None, message)
            return
        with Lock(self.place.own_dir / "proposal").acquire(_TURN):  # two would else begin two
            if self.own() is not None:
                raise StoreMoved("somebody has begun a proposal")
            self._put(self._new_name(), None, commit, None, message)

    def _new_name(self) -> str:
        told = b32encode(os.urandom(5)).decode().lower()
        return f"{self._folder}/{datetime.fromtimestamp(self._now(), UTC):%Y%m%d}-{told}"

    def _put(
        self, name: str, old: str | None, new: str, base: str | None, message: str
    ) -> str | None:
        """Move a proposal; what it does not grow from is kept by a ref. On the memory itself it has
        an end.
        """
        ref, who = f"refs/heads/{name}", self._identity()
        if new == old and new != base:
            return name
        preconditions.refuse_if_blocked(self.place, name)
        if old is not None:
            recovery.follow(self._objects, name, old, who)
        if new == base:
            self._objects.remove_ref(ref)
            self._objects.remove_ref(self._mark(name))
            return None
        self._objects.move_ref(ref, new, old=old, message=message, who=who)
        self._objects.settle()
        recovery.follow(self._objects, name, new, who)
        if (heard := self._theirs(name)) is not None:  # it is in now
            self.pushed(name, heard)
        return name

    def _theirs(self, name: str) -> str | None:
        """Return the user's own proposal as it was fetched, if it is not as it was pushed: somebody
        worked on it there.
        """
        fetched = self._objects.ref(tracking_ref(self.remote, name)) if self.remote else None
        return (
            None if fetched is None or fetched == self._objects.ref(self._mark(name)) else fetched
        )

    def _on_top(self, base: str, name: str | None, without: frozenset[str] = frozenset()) -> str:
        """Return the commit that has a proposal on top of the memory: the memory's own where
        nothing is left of it.
        """
        tip = self._objects.ref(f"refs/heads/{name}") if name else None
        if name is None or tip is None:
            return base
        theirs = self._theirs(name)
        if not without and theirs is None and self._objects.descends(tip, base):
            return base if self._objects.tree_of(tip) == self._objects.tree_of(base) else tip
        chain = [base, tip, *([theirs] if theirs else [])]
        kept = self._objects.ref(layout.PENDING)
        before = self._objects.parents(kept) if kept is not None and not without else ()
        if list(before[1:]) == chain:
            return before[0]
        reviewed = Reviewed(self.place, self._objects, self._reader, base)
        made = self._again(reviewed, self._chain(name, base, tip, theirs), without)
        if not without:
            self._keep(made, chain, kept)
        return made

    def _keep(self, made: str, chain: list[str], kept: str | None) -> None:
        """Keep what was worked out, and from what, by a ref of our own: the next reader need not do
        it again.
        """
        who, (author, committer) = self._identity(), self._signatures(self._identity())
        data = commit_bytes(
            self._objects.tree_of(made), [made, *chain], author, committer, b"git-lerim: pending\n"
        )
        with suppress(LerimError):
            self._objects.move_ref(
                layout.PENDING,
                self._objects.write_commit(data),
                old=kept,
                message="git-lerim: pending",
                who=who,
            )
            self._objects.settle()

    def _chain(self, name: str, base: str, tip: str, theirs: str | None) -> list[str]:
        """Return the commits of a proposal that are not in the memory, oldest first; then those
        that others put on top of it.
        """
        mark = self._objects.ref(self._mark(name))
        known = [base, tip, *([mark] if mark else [])]
        return self._listed(tip, base) + (self._listed(theirs, *known) if theirs else [])

    def _listed(self, tip: str, *without: str) -> list[str]:
        args = self.place.git(
            "rev-list",
            "--reverse",
            "--topo-order",
            "--no-merges",
            tip,
            *(f"^{each}" for each in without),
        )
        return run_git(args, cwd=self.place.git_dir).decode("ascii").split()

    def _again(self, reviewed: Reviewed, chain: Sequence[str], without: Collection[str]) -> str:
        """Put commits on top of the memory, each with its author, its date and its message, if it
        changes something there.
        """
        top, tree = reviewed.commit, reviewed.tree
        since = reviewed.base(chain[0]) if chain else None
        for commit, raw in (
            read_commits(self.place, "".join(f"{commit}\n" for commit in chain).encode())
            if chain
            else ()
        ):
            old = next(
                (self._objects.tree_of(parent) for parent in self._objects.parents(commit)), None
            )
            new = self._objects.tree_of(commit)
            made = reviewed.with_change(
                tree, old, new, since=since, by=_author(raw), without=without
            )
            if made != tree:
                top, tree = self._like(raw, made, top), made
        return reviewed.commit if tree == reviewed.tree else top

    def _like(self, raw: bytes, tree: str, parent: str) -> str:
        head, _, message = raw.partition(b"\n\n")
        author, committer, *encoding = (
            line for line in head.split(b"\n") if line.startswith(_HEAD)
        )
        names = author.removeprefix(b"author "), committer.removeprefix(b"committer ")
        data = commit_bytes(tree, [parent], *names, message)
        return self._objects.write_commit(
            data.replace(b"\n\n", b"\n" + encoding[0] + b"\n\n", 1) if encoding else data
        )


def _author(raw: bytes) -> str:
    """Return the name of who wrote a commit: the user, or a reviewer who went on with the
    proposal.
    """
    line = next(line for line in raw.split(b"\n") if line.startswith(b"author "))
    return plain(line.removeprefix(b"author ").partition(b" <")[0].decode("utf-8", "replace"))
