"""Memories as commits on a branch of their own, which never touches index, HEAD or work tree."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime
from itertools import count
from typing import TypeAlias

from git_lerim.errors import BadSetting, BranchBlocked, Busy, GitFailed, ReadOnly, StoreMoved
from git_lerim.git.bulk import import_files
from git_lerim.git.objects import FILE, FOLDER, Objects, TreeEntry, is_branch_name
from git_lerim.git.process import plain
from git_lerim.git.repo import Place
from git_lerim.git.signature import Identity, identity, stamp
from git_lerim.storage import guards, joining, layout, past, recovery
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.changes import Followed
from git_lerim.storage.folders import Folder, check, nested
from git_lerim.storage.joining import Joined
from git_lerim.storage.lock import Lock, lock_file
from git_lerim.storage.message import commit_bytes, compose
from git_lerim.storage.reading import TreeReader, assemble

TRIES = 50
PATIENCE = 30.0  # seconds
JITTER = (0.005, 0.05)  # seconds
EAGER = 3  # tries before a writer queues
TURN = 5.0  # seconds to wait in the queue


Taken: TypeAlias = Mapping[str, TreeEntry]  # files that are in the repository already, by path
NONE: Taken = {}
# Adds to a change what can wait for any commit, and returns with it what to do when that commit is made.
Along: TypeAlias = Callable[[Snapshot, Change], tuple[Change, Callable[[], object]]]


class BranchStore(Followed):
    """The store on `refs/heads/<branch>`."""

    def __init__(self, place: Place, branch: str = layout.BRANCH, *, now: Callable[[], float] = time.time) -> None:
        """Open the repository that a place names; nothing is written until the first commit."""
        if not is_branch_name(branch):
            raise BadSetting(f"lerim.branch: no branch can be called {plain(branch)!r}", hint="the default is lerim/memory")
        self.place = place
        self.branch = branch
        self.ref = f"refs/heads/{branch}"
        self.warnings: list[str] = []  # what was repaired, for the user to know
        self.along: Along | None = None  # what a commit that is made anyway takes along
        self._now = now
        self._objects = Objects(place)
        self._who: Identity | None = None
        self._reader = TreeReader(self._objects)

    def tip(self) -> str | None:
        """Return the commit the branch points to, after repairing what a crash has left; None without a branch."""
        found = self._objects.ref(self.ref)
        if found is not None and self._objects.is_whole(found):
            return found
        self._objects.settle()  # it may be our own work that was pruned
        if found is not None and self._objects.is_whole(found):
            return found
        return recovery.recover_ref(self.place, self._objects, self.branch, self.warnings.append)

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store as it is now, or as it was at a revision or date. Empty when there is none yet."""
        tip = self.tip()
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

    def _read(self, commit: str) -> Snapshot:
        return assemble(commit, self._reader.files(self._objects.tree_of(commit)))

    def history(self, limit: int | None = None, path: str | None = None) -> Iterator[past.LoggedCommit]:
        """Yield the commits of the store, newest first; with a path, those that changed this file."""
        tip = self.tip()
        if tip is not None:
            yield from past.read_log(self.place, tip, limit=limit, path=path)

    def file(self, item: Stored) -> bytes:
        """Return the bytes of a memory's file."""
        return self._objects.blob(item.blob)

    def content(self, blob: str) -> bytes:
        """Return the bytes of a file, of whatever version."""
        return self._objects.blob(blob)

    def first_held(self) -> dict[str, datetime]:
        """Return when the store first held each memory, by id: the clock of confidence cannot start earlier."""
        held: dict[str, datetime] = {}
        for commit in self.history():
            held |= {file.id: commit.at for file in commit.files if file.id and file.status == "A"}
        return held

    def committer(self) -> str:
        """Return who would commit, as git names them. Raises NoIdentity."""
        return plain(self._identity().committer.decode("utf-8", "replace"))

    def delete(self) -> str | None:
        """Delete the branch, and return the ref that keeps its last commit; None when there was no branch."""
        tip = self.tip()
        if tip is None:
            return None
        guards.refuse_if_blocked(self.place, self.branch)
        recovery.follow(self._objects, self.branch, tip, self._identity())
        kept = layout.backup_ref(self.branch)
        if not self._objects.descends(self._objects.ref(kept) or "", tip):
            raise StoreMoved(f"{kept} could not be moved, so {self.branch} was left alone", hint="try again")
        self._objects.remove_ref(self.ref)
        return kept

    def commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        """Carry out an operation and return the new commit's id; None when there was nothing to change.

        The operation is called again on a newer snapshot when somebody else wrote first.
        """
        return self._persisted(lambda: self._commit(operation))

    def join(self, theirs: str, told: Callable[[Joined], Change]) -> str | None:
        """Take another history of the store in, and return the commit that holds both; None when it was in already.

        `told` makes of what both sides changed the change to be committed; where nothing is to be joined, the branch just
        moves ahead. It is called again when somebody else wrote first.
        """
        return self._persisted(lambda: self._join(theirs, told))

    def _commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        snapshot = self.snapshot()
        change = operation(snapshot)
        return self._carry_out(snapshot, change) if change is not None and change.files else None

    def _join(self, theirs: str, told: Callable[[Joined], Change]) -> str | None:
        tip = self.tip()
        if tip is not None and self._objects.descends(tip, theirs):
            return None
        guards.refuse_newer(self._objects, self._objects.tree_of(theirs), self.branch)
        if tip is None or self._objects.descends(theirs, tip):
            self._move(theirs, tip, "git-lerim: take what was fetched")
            return theirs
        joined = joining.between(self.place, self._objects, self._reader, tip, theirs)
        return self._try_to_write(tip, told(joined), joined.taken, (theirs,))

    def _persisted(self, attempt: Callable[[], str | None]) -> str | None:
        try:
            return self._retried(attempt)
        except StoreMoved:
            if not self._unlock():
                raise
            return self._retried(attempt)

    def _retried(self, attempt: Callable[[], str | None]) -> str | None:
        deadline = None
        for tries in count(1):
            try:
                with self._turn(tries):
                    guards.refuse_if_blocked(self.place, self.branch)
                    return attempt()
            except (StoreMoved, Busy) as moved:
                # from the first refusal on: a person can sit in an editor for longer than that
                deadline = deadline or time.monotonic() + PATIENCE
                if tries == TRIES or time.monotonic() >= deadline:
                    hint = "try again; a lock that a killed process left is taken away when it is half a minute old"
                    raise StoreMoved(f"{self.branch} could not be moved in {tries} tries: {moved}", hint=hint) from moved
                time.sleep(random.uniform(*JITTER))  # noqa: S311 - keeps writers out of step, no secret
        return None

    def _turn(self, tries: int) -> AbstractContextManager[None]:
        # whoever was too slow some times stands in a queue, so that nobody starves; correctness rests on compare-and-swap
        return Lock(self.place.own_dir / "turn").acquire(TURN) if tries > EAGER else nullcontext()

    def _unlock(self) -> bool:
        # a killed process may have left the ref locked; who holds no run lock, as `remember`, takes it for this alone
        with suppress(Busy, ReadOnly), Lock(lock_file(self.place.own_dir)).acquire(0):
            return bool(recovery.free_stale_locks(self.place, self.branch))
        return False

    def recover(self, *, lock_held: bool) -> list[str]:
        """Repair what a crash has left and return what was done, in sentences; whoever holds the run lock can do more."""
        if lock_held:
            recovery.sweep(self.place, self._objects)
            for aside in recovery.free_stale_locks(self.place, self.branch):
                self.warnings.append(f"a killed run had left {self.branch} locked; the lock is now {aside}")
        self.tip()
        told, self.warnings = self.warnings, []
        return told

    def start(self) -> str:
        """Make the branch with its constant first commit, if it is not there, and return its tip."""
        tip = self.tip()
        if tip is None:
            guards.refuse_if_blocked(self.place, self.branch)
            tip = self._root()
            self._move(tip, None, "git-lerim: begin")
        return tip

    def attach(self, remote: str) -> bool:
        """Make the branch from the remote's, as it was last fetched; tell whether there is a branch now."""
        if self.tip() is not None:
            return True
        theirs = self._objects.ref(f"refs/remotes/{remote}/{self.branch}")
        if theirs is None or not self._objects.is_whole(theirs):
            return False
        guards.refuse_if_blocked(self.place, self.branch)
        self._move(theirs, None, f"git-lerim: take {remote}/{self.branch}")
        return True

    def _carry_out(self, snapshot: Snapshot, change: Change) -> str | None:
        if self.along is None or self._is_idle(snapshot, change):
            return self._try_to_write(snapshot.commit, change)
        change, landed = self.along(snapshot, change)
        commit = self._try_to_write(snapshot.commit, change)
        if commit is not None:
            landed()
        return commit

    def _is_idle(self, snapshot: Snapshot, change: Change) -> bool:
        """Tell whether a change writes nothing but what stands there: then there is no commit to take anything along."""
        there = {item.path: item for part in (snapshot.memories, snapshot.summaries, snapshot.handoffs) for item in part.values()}
        return all(data is not None and path in there and self.file(there[path]) == data for path, data in change.files.items())

    def _try_to_write(self, tip: str | None, change: Change, taken: Taken = NONE, also: tuple[str, ...] = ()) -> str | None:
        try:
            return self._write(tip, change, taken, also)
        except GitFailed as error:  # what stood there a moment ago was pruned
            raise StoreMoved(str(error)) from error

    def _write(self, tip: str | None, change: Change, taken: Taken, also: tuple[str, ...]) -> str | None:
        """Write a change on top of a tip; what it takes from other histories is there, and `also` are their tips."""
        base = tip or self._root()
        tree = self._objects.tree_of(base)
        guards.refuse_newer(self._objects, tree, self.branch)
        check(change)
        who = self._identity()
        if len(change.files) > layout.BULK and not also:
            commit = import_files(self.place, base, change.files, self._signatures(who), compose(change))
            if self._objects.tree_of(commit) == tree:
                return None
        else:
            changed = self._apply(tree, nested({**change.files, **taken}))
            if changed == tree and not also:
                return None
            author, committer = self._signatures(who)
            data = commit_bytes(changed or self._empty(), [base, *also], author, committer, compose(change))
            commit = self._objects.write_commit(data)
        self._move(commit, tip, f"git-lerim: {plain(change.subject)}")
        return commit

    def _apply(self, tree: str | None, folder: Folder) -> str | None:
        entries: dict[str, TreeEntry | None] = {}
        for name, data in folder.files.items():
            entries[name] = self._entry(name, data)
        old = {entry.name: entry for entry in self._objects.entries(tree)} if tree else {}
        for name, below in folder.folders.items():
            found = old.get(_bytes(name))
            new = self._apply(found.id if found and found.mode == FOLDER else None, below)
            entries[name] = TreeEntry(_bytes(name), FOLDER, new) if new else None
        return self._objects.write_tree(tree, entries)

    def _entry(self, name: str, data: bytes | TreeEntry | None) -> TreeEntry | None:
        return TreeEntry(_bytes(name), FILE, self._objects.write_blob(data)) if isinstance(data, bytes) else data

    def _move(self, commit: str, old: str | None, message: str) -> None:
        who = self._identity()
        self._objects.move_ref(self.ref, commit, old=old, message=message, who=who)
        self._objects.settle()
        recovery.follow(self._objects, self.branch, commit, who)

    def _root(self) -> str:
        entries = {
            name: TreeEntry(name.encode(), FILE, self._objects.write_blob(data)) for name, data in layout.ROOT_FILES.items()
        }
        return self._objects.write_commit(layout.root_commit(self._objects.write_tree(None, entries) or ""))

    def _empty(self) -> str:
        raise BranchBlocked("a change would empty the store", hint="git lerim reset --branch begins anew")

    def _identity(self) -> Identity:
        if self._who is None:
            self._who = identity(self.place)
        return self._who

    def _signatures(self, who: Identity) -> tuple[bytes, bytes]:
        now = stamp(self._now())
        return who.author + b" " + (who.author_date or now), who.committer + b" " + (who.committer_date or now)


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
