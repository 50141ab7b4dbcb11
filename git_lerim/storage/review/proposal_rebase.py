"""Rebase the user's own proposal onto the memory, commit by commit.

Changes that have since been accepted drop out of the proposal. Commands that only read compute the
same commits each time and cache them in a ref; the next command that writes moves the proposal's
branch.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress

from git_lerim.errors import LerimError
from git_lerim.git import own_refs
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.history.rewriting import read_commits
from git_lerim.storage.review.proposal_changes import Reviewed
from git_lerim.storage.review.proposals import PROPOSED
from git_lerim.storage.writing.message import commit_bytes

# headers a commit keeps when rebased
_HEAD = (b"author ", b"committer ", b"encoding ")


class RebasingStore(BranchStore):
    """A store on a branch that can put a proposal on top of the memory."""

    def _mark(self, name: str) -> str:
        return PROPOSED + name.removeprefix(f"{layout.proposals(self.branch)}/")

    def _theirs(self, name: str) -> str | None:
        """Return the tip of the user's proposal on the remote if others changed it, or None."""
        found = self._objects.ref(tracking_ref(self.remote, name)) if self.remote else None
        fetched = own_refs.readable(self._objects, found)
        return None if fetched == self._objects.ref(self._mark(name)) else fetched

    def _on_top(self, base: str, name: str | None, without: frozenset[str] = frozenset()) -> str:
        """Return a proposal rebased onto the memory; `without` has keys of memories to leave out.

        Returns the memory's commit `base` if nothing of the proposal is left.
        """
        found = self._objects.ref(f"refs/heads/{name}") if name else None
        tip = own_refs.readable(self._objects, found)
        if name is None or tip is None:
            return base
        theirs = self._theirs(name)
        if not without and theirs is None and self._objects.descends(tip, base):
            return base if self._objects.tree_of(tip) == self._objects.tree_of(base) else tip
        chain = [base, tip, *([theirs] if theirs else [])]
        kept = own_refs.held(self.place, self._objects, layout.PENDING)
        before = self._objects.parents(kept) if kept is not None and not without else ()
        if list(before[1:]) == chain:
            return before[0]
        reviewed = Reviewed(self.place, self._objects, self._reader, base)
        made = self._again(reviewed, self._chain(name, base, tip, theirs), without)
        if not without:
            self._keep(made, chain)
        return made

    def _keep(self, made: str, chain: list[str]) -> None:
        """Cache a rebased proposal, together with the commits that it was made from, in a ref."""
        who, (author, committer) = self._identity(), self._signatures(self._identity())
        data = commit_bytes(
            self._objects.tree_of(made), [made, *chain], author, committer, b"git-lerim: pending\n"
        )
        with suppress(LerimError):
            own_refs.put(
                self.place,
                self._objects,
                layout.PENDING,
                self._objects.write_commit(data),
                message="git-lerim: pending",
                who=who,
            )

    def _chain(self, name: str, base: str, tip: str, theirs: str | None) -> list[str]:
        """Return a proposal's commits, oldest first, then those that others added to it."""
        mark = own_refs.readable(self._objects, self._objects.ref(self._mark(name)))
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
        """Rebase commits onto the memory; they keep their authors, dates and messages.

        Commits that change nothing are dropped.
        """
        top, tree = reviewed.commit, reviewed.tree
        since = reviewed.base(chain[0]) if chain else None
        for commit, raw in (
            read_commits(self.place, "".join(f"{commit}\n" for commit in chain).encode())
            if chain
            else ()
        ):
            before = next(iter(self._objects.parents(commit)), None)
            made = reviewed.with_change(tree, (before, commit), since=since, without=without)
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
