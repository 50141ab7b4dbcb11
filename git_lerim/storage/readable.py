"""A store on a branch, as it is read: what the branch has, joined with what was fetched of the team's."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.errors import BadSetting, BranchBlocked, GitFailed, LerimError
from git_lerim.git import glance, refs
from git_lerim.git.process import plain
from git_lerim.git.repo import Place
from git_lerim.git.signature import Identity, identity, stamp
from git_lerim.storage import guards, layout, past, recovery, tombstones
from git_lerim.storage.authors import Authors
from git_lerim.storage.base import Change, Joined, Knowing, Quarantined, Snapshot, Stored
from git_lerim.storage.changes import Followed
from git_lerim.storage.finding import unread
from git_lerim.storage.folders import written
from git_lerim.storage.judging import File
from git_lerim.storage.message import commit_bytes, compose
from git_lerim.storage.reading import TreeReader

if TYPE_CHECKING:
    from git_lerim.git.signing import Signer
    from git_lerim.storage.trust import Trust, Waiting


class Readable(Followed):
    """The store on `refs/heads/<branch>`, and on the remote-tracking branch of one remote."""

    signer: "Signer | None" = None  # what signs the commits that are made here
    known: Knowing = staticmethod(lambda _: None)  # who knows where memories stood at an earlier state

    def __init__(
        self,
        place: Place,
        branch: str = layout.BRANCH,
        *,
        remote: str | None = None,
        trust: str = "remote",
        now: Callable[[], float] = time.time,
    ) -> None:
        """Open the repository that a place names; nothing is written until the first commit.

        With `remote`, what `git fetch` brought of that remote's memory is read as if it was joined already.
        `trust`: what of it is handed out: all that is harmless (`remote`), or what is `signed` or `reviewed` alone.
        """
        if not refs.is_branch_name(branch):
            raise BadSetting(f"lerim.branch: no branch can be called {plain(branch)!r}", hint="the default is lerim/memory")
        self.place = place
        self.branch = branch
        self.ref = f"refs/heads/{branch}"
        self.remote = remote
        self._trusted = trust
        self.warnings: list[str] = []  # what was repaired, for the user to know
        self.unjoined: str | None = None  # what was fetched and is not read: it is from before a purge, or after one of theirs
        self._unread = ""  # what was said of that
        self._now = now
        self._who: Identity | None = None
        self._view: str | None = None  # what was read last to be handed out
        self._held: frozenset[str] = frozenset()  # paths that wait, where that could not be written down
        self._last = Snapshot(commit=None)

    @cached_property
    def _reader(self) -> TreeReader:
        return TreeReader(self._objects, self.known)

    def tip(self) -> str | None:
        """Return the commit the branch points to, after repairing what a crash has left; None without a branch."""
        found = self._objects.ref(self.ref)
        if found is not None and self._objects.is_whole(found):
            return found
        self._objects.settle()  # it may be our own work that was pruned
        if found is not None and self._objects.is_whole(found):
            return found
        return recovery.recover_ref(self.place, self._objects, self.branch, self.warnings.append)

    def set_aside(self) -> list[Path]:
        """Return the files that keep what a repair of the branch left out."""
        return recovery.set_aside(self.place, self._objects, self.tip())

    def view(self) -> str | None:
        """Return the commit that is read: the tip, or where what was fetched is not in it yet, one that has both.

        That one is made once and kept by a ref of our own; the next commit puts the branch on it.
        """
        tip = self.tip()
        theirs = self._objects.ref(f"refs/remotes/{self.remote}/{self.branch}") if self.remote else None
        self.seen = (tip or "") if theirs is None or theirs == tip else f"{tip}+{theirs}"  # as glance.seen has it
        if theirs is None or theirs == tip or not self._objects.is_whole(theirs):
            return tip
        if tip is None:
            return None  # whether to begin with theirs is for `init`, `pull` and the first commit to say
        if self._objects.descends(tip, theirs):
            return tip
        try:
            guards.refuse_newer(self._objects, self._objects.tree_of(theirs), self.branch)
            if self._objects.descends(theirs, tip):
                return theirs
            return (
                self._held_back(tip, theirs)
                if tombstones.differing(self._objects, tip, theirs)
                else self._kept_together(tip, theirs)
            )
        except LerimError as error:
            self.warnings.append(f"what was fetched from {self.remote} is not shown: {error}")
            return tip

    def _held_back(self, tip: str, theirs: str) -> str:
        if self.unjoined != theirs:
            self.unjoined = theirs
            if tombstones.lacks(self._objects, tip, theirs):
                self._unread = f"{self.remote} has purged memories that stand here still; git lerim pull deletes them here, too"
            else:
                how = "git lerim purge --push puts this history there"
                self._unread = f"{self.remote} still has what was purged here, and what is new there is not shown; {how}"
            self.warnings.append(self._unread)
        return tip

    def replaced(self) -> None:
        """Take back what was said of a fetched history that is not read: the remote holds this branch in its place now."""
        if self._unread in self.warnings:
            self.warnings.remove(self._unread)
        self.unjoined = None

    def _kept_together(self, tip: str, theirs: str) -> str:
        kept = self._objects.ref(layout.JOINED)
        if kept is not None and self._objects.parents(kept) == (tip, theirs):
            return kept
        commit, _ = self.merge_commit(tip, theirs, self.remote or "")
        self._objects.move_ref(layout.JOINED, commit, old=kept, message="git-lerim: join", who=self._identity())
        self._objects.settle()
        return commit

    def merge_commit(self, ours: str, theirs: str, name: str) -> tuple[str, Joined]:
        """Write a commit that joins two histories of the store, and return it; no ref moves."""
        from git_lerim.storage import joining  # noqa: PLC0415 few runs join

        joined = joining.between(self.place, self._objects, self._reader, ours, theirs)
        tree = written(self._objects, self._objects.tree_of(ours), {**joined.files, **joined.taken})
        return self._commit_of(tree, [ours, theirs], joining.told(joined, name)), joined

    def _commit_of(self, tree: str | None, parents: list[str], change: Change) -> str:
        if tree is None:
            raise BranchBlocked("a change would empty the store", hint="git lerim reset --branch begins anew")
        author, committer = self._signatures(self._identity(), change.author)
        return self._objects.write_commit(commit_bytes(tree, parents, author, committer, compose(change)))

    def own(self) -> str | None:
        """Return the branch of the user's own proposal, where it is read along."""
        return None

    @cached_property
    def trust(self) -> "Trust":
        """What decides what is handed out."""
        from git_lerim.storage.trust import Trust  # noqa: PLC0415 who hands nothing out needs none

        return Trust(self.place, lambda: self._objects, self.branch, self._trusted, self.own)

    @property
    def source(self) -> str:
        """The remote that is read, and what the choice of what is handed out hangs on, as `glance.seen` takes it."""
        return f"{self.remote} {self.trust.source}"

    def handed_out(self, at: str | None = None) -> str | None:
        """Return the commit whose memories may be handed out, now or as they were at a revision or date; None for none."""
        tip = self.view()
        commit = past.commit_at(self.place, tip, at) if tip is not None and at is not None else tip
        if commit is None:
            return None
        self._view, self._held = commit, frozenset()
        try:
            own = self.tip() or commit
            chosen = self.trust.served(own, commit) if at is None else self.trust.of_the_past(own, commit)
        except LerimError as error:  # where nothing can be written, for example
            if self._trusted == "remote":
                self._held = self.trust.held(commit)
                return commit
            self.warnings.append(f"nothing is handed out, because it is not known what is to be trusted: {error}")
            return None
        self.seen = f"{self.seen} {glance.trusted(str(self.place.common_dir), self.trust.source)}"
        return chosen

    def served(self, at: str | None = None) -> Snapshot:
        """Return what is handed out of the store, now or as it was: each memory names who of others wrote it."""
        commit = self.handed_out(at)
        if commit is None:
            return Snapshot(commit=None)
        tree = self._objects.tree_of(commit)
        return unread(commit, TreeReader(self._objects, finish=self._finished), tree)

    def attributed(self, items: Iterable[Stored]) -> Iterator[Stored]:
        """Yield memories with who of others wrote each, and no time later than the commit that brought it."""
        return (item for item in map(self._finished, items) if isinstance(item, Stored))

    def _finished(self, item: File) -> File:
        if not isinstance(item, Stored) or self._view is None or not self.trust.is_shared(item.path, item.blob):
            return item
        if item.path in self._held:
            return Quarantined(path=item.path, reason="it waits to be accepted")
        found = self._authors.of(self._view, item.path)
        if found is None:
            return item
        came, memory = datetime.fromtimestamp(found.at, UTC), item.memory
        if max(memory.created, memory.updated) > came:
            memory = memory.having(created=min(memory.created, came), updated=min(memory.updated, came))
        return replace(item, author=found.name, memory=memory)

    @cached_property
    def _authors(self) -> Authors:
        return Authors(self.place, self._objects, self._now())

    def believed(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot in which what is not handed out is set aside: nothing is compared with it, nor added again."""
        commit = self.handed_out()
        return self.trust.believed(commit, snapshot) if commit else snapshot

    def waiting(self) -> "list[Waiting]":
        """Return what stands in the store and is not handed out, with the reason."""
        tip, view = self.tip(), self.view()
        return self.trust.waiting(tip or view, view) if view else []

    def accept(self, paths: Collection[str] | None = None) -> list[str]:
        """Hand out memories from now on as they stand now, by the paths of their files, or all; return the paths that changed."""
        tip, view = self.tip(), self.view()
        return self.trust.accept(tip or view, view, paths) if view else []

    def _signed(self, commit: str) -> str:
        """Return a commit of ours as it is to be written: with a signature, where one is wanted and can be made."""
        return self.signer.commit(self._objects, commit) if self.signer else commit

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store as it is now, or as it was at a revision or date. Empty when there is none yet."""
        tip = self.view()
        if tip is not None and at is not None:
            tip = past.commit_at(self.place, tip, at)
        if tip is None:
            return Snapshot(commit=None)
        try:
            return self._read(tip)
        except GitFailed:  # `git gc --prune=now` beside a writer can take a folder away
            whole = recovery.recover_ref(self.place, self._objects, self.branch, self.warnings.append) if at is None else None
            if whole is None or whole == tip:
                raise
            return self._read(whole)

    def handoffs(self, at: str | None = None) -> Mapping[str, Stored]:
        """Return the handoffs by id that are handed out, now or as they were; nothing else of the store is read."""
        return self.served(at).handoffs

    def _read(self, commit: str) -> Snapshot:
        if self._last.commit != commit:
            tree = self._objects.tree_of(commit)
            self._reader.check(tree)
            self._last = replace(unread(commit, self._reader, tree), purged=tombstones.ids_in(self._objects, tree))
        return self._last

    def history(self, limit: int | None = None, path: str | None = None) -> Iterator[past.LoggedCommit]:
        """Yield the commits of the store, newest first; with a path, those that changed this file."""
        tip = self.view()
        if tip is not None:
            yield from past.read_log(self.place, tip, limit=limit, path=path)

    def file(self, item: Stored) -> bytes:
        """Return the bytes of a memory's file."""
        return self._objects.blob(item.blob)

    def content(self, blob: str) -> bytes:
        """Return the bytes of a file, of whatever version."""
        return self._objects.blob(blob)

    def first_held(self) -> dict[str, past.Held]:
        """Return when the store first held each memory, and who brought it: the clock of confidence cannot start earlier."""
        return past.first_held(self.history())

    def committer(self) -> str:
        """Return who would commit, as git names them. Raises NoIdentity."""
        return plain(self._identity().committer.decode("utf-8", "replace"))

    def _identity(self) -> Identity:
        if self._who is None:
            self._who = identity(self.place)
        return self._who

    def _signatures(self, who: Identity, author: bytes | None = None) -> tuple[bytes, bytes]:
        now = stamp(self._now())
        return author or who.author + b" " + (who.author_date or now), who.committer + b" " + (who.committer_date or now)
