"""Write to a store on a branch; a writer overtaken by another one waits its turn and retries.

Every move of the ref is a compare-and-swap, so no writer overwrites another.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace

from git_lerim.errors import Busy, GitFailed, LerimError, NoIdentity, ReadOnly, StoreMoved
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.trees import FILE
from git_lerim.git.running.process import plain
from git_lerim.storage.base import Change, ExtendChange, RedactMessage, Snapshot
from git_lerim.storage.branch import recovery
from git_lerim.storage.branch.branch_reader import BranchReader
from git_lerim.storage.branch.tree_builder import beginning, check_change, written
from git_lerim.storage.sharing import tombstones, withdrawn
from git_lerim.storage.trust.accepted import WHO
from git_lerim.storage.writing import preconditions
from git_lerim.storage.writing.lock import Lock, lock_file, writing_file
from git_lerim.storage.writing.retrying import retry

EAGER = 1  # tries before a writer queues
TURN = 5.0  # seconds to wait in the queue
_REPAIR = 15.0  # seconds to wait for a repair
_RACES = 10  # tries to record an own commit beside other writers
BRISK = 0.005  # seconds between tries; a write takes about as long


@dataclass(frozen=True, slots=True)
class Made:
    """A commit that was made, with the change that it contains and its line for the reflog."""

    commit: str
    change: Change
    message: str


class BranchWriter(BranchReader):
    """The store on `refs/heads/<branch>`, with the methods for writing to it."""

    along: ExtendChange | None = None  # extends commits that are made anyway
    redact_message: RedactMessage | None = None
    check_write: Callable[[], object] | None = None  # raises if nothing may be written

    def _persisted(self, attempt: Callable[[], str | None]) -> str | None:
        if self.check_write:
            self.check_write()
        try:
            return self._retried(attempt)
        except StoreMoved:
            if not self._unlock():
                raise
            return self._retried(attempt)

    def _retried(self, attempt: Callable[[], str | None]) -> str | None:
        def once(number: int) -> str | None:
            with self._turn(number):
                preconditions.refuse_if_blocked(self.place, self.branch)
                return attempt()

        hint = "try again; locks left by killed processes are removed after 30 seconds"
        return retry(once, f"{self.branch} could not be updated", hint=hint, met=(StoreMoved, Busy))

    @contextmanager
    def _turn(self, tries: int) -> Iterator[None]:
        # After a lost race writers queue, so that none starves. Correctness rests on compare-and-
        # swap: after TURN seconds a writer proceeds without the lock, whose holder may be waiting
        # in an editor.
        with ExitStack() as held:
            if tries > EAGER:
                with suppress(Busy):
                    held.enter_context(Lock(self.place.own_dir / "turn").acquire(TURN, BRISK))
            yield

    def _unlock(self) -> bool:
        # A killed process may have left the ref locked. Callers without the run lock, such as
        # `remember`, take it just for this.
        with suppress(Busy, ReadOnly), Lock(lock_file(self.place.own_dir)).acquire(0):
            return bool(recovery.free_stale_locks(self.place, self.branch))
        return False

    def _carry_out(self, snapshot: Snapshot, change: Change) -> str | None:
        wider, landed = self.along(snapshot, change) if self.along else (change, None)
        if wider is not change and self._is_idle(snapshot, change):
            wider = change
        commit = self._try_to_write(snapshot.commit, wider)
        if commit is not None and landed is not None:
            landed()
        return commit

    def _is_idle(self, snapshot: Snapshot, change: Change) -> bool:
        """Return whether a change writes only what is already stored, and so needs no commit."""
        return all(
            data is not None and self._stands(snapshot.commit, path, data)
            for path, data in change.files.items()
        )

    def _stands(self, commit: str | None, path: str, data: bytes) -> bool:
        entry = self._objects.entry_at(commit, path) if commit else None
        return entry is not None and entry.mode == FILE and self._objects.blob(entry.id) == data

    def _try_to_write(self, tip: str | None, change: Change) -> str | None:
        return self._try(lambda: self._write(tip, change))

    @staticmethod
    def _try(write: Callable[[], str | None]) -> str | None:
        try:
            return write()
        except GitFailed as error:  # the base was pruned meanwhile
            raise StoreMoved(str(error)) from error

    def _write_each(
        self, tip: str | None, changes: Sequence[Change | None], done: list[str | None]
    ) -> str | None:
        """Write each change as a commit on top of the one before.

        Add to `done` the ids of the commits that reach the branch.
        """
        withdrawn_blobs = withdrawn.stood(self.place, self._objects)
        made: list[Made | None] = []
        at = tip
        for change in changes:
            one = self._make(at, change, withdrawn_blobs) if change and change.files else None
            made.append(one)
            at = one.commit if one else at
        real = [one for one in made if one]
        if not real:
            done += [None] * len(made)
            return None
        landed = real[: self._move_along([(one.commit, one.message) for one in real], tip)]
        theirs = {key: name for one in landed for key, name in one.change.theirs.items()}
        change = replace(landed[-1].change, theirs=theirs)
        self._record((tip, landed[-1].commit), change, withdrawn_blobs)
        upto = len(made) if landed[-1] is real[-1] else made.index(landed[-1]) + 1
        done += [one.commit if one else None for one in made[:upto]]
        return landed[-1].commit

    def _write(self, tip: str | None, change: Change) -> str | None:
        withdrawn_blobs = withdrawn.stood(self.place, self._objects)
        made = self._make(tip, change, withdrawn_blobs)
        if made is None:
            return None
        self._land(made.commit, tip, made.message)
        self._record((tip, made.commit), made.change, withdrawn_blobs)
        return made.commit

    def _make(
        self, tip: str | None, change: Change, withdrawn_blobs: Mapping[str, str]
    ) -> "Made | None":
        """Write a commit without moving a ref; return None if it would change nothing.

        `withdrawn_blobs` maps the paths of deleted memories to their blobs.
        """
        base = tip or beginning(self._objects)
        tree = self._objects.tree_of(base)
        preconditions.refuse_newer(self._objects, tree, self.branch)
        change = tombstones.without(self._objects, tree, change)
        change = preconditions.with_format(self._objects, tree, change)
        check_change(change)
        change = self.redact_message(change) if self.redact_message else change
        changed = written(self._objects, tree, change.files)
        if changed == tree:
            return None
        commit = self._signed(
            self._commit_of(changed, [base, *([change.merges] if change.merges else [])], change)
        )
        is_own = (
            not change.theirs
            and change.author is None
            and not any(
                self.trust.is_shared(path, blob)
                for path, blob in withdrawn_blobs.items()
                if path in change.files
            )
        )
        # `accepted` looks for the word `take` in the reflog
        message = f"git-lerim: {'' if is_own else 'take '}{plain(change.subject)}"
        return Made(commit, change, message)

    def _record(
        self, move: tuple[str | None, str], change: Change, stood: Mapping[str, str]
    ) -> None:
        """Record that the user made or accepted a new commit of the branch.

        If that fails, the next reader finds the commit in the reflog. Another writer often records
        at the same time, and git may expire the reflog and prune objects meanwhile, so a lost race
        is retried.
        """
        with suppress(LerimError):
            for _ in range(_RACES):
                with suppress(StoreMoved, GitFailed):
                    self.trust.record(move, change, stood)
                    break
        self._drop_restored(move[1])

    def _land(self, commit: str, tip: str | None, message: str) -> None:
        """Move the branch to a commit that was made on top of `tip`."""
        self._move(commit, tip, message)

    def _move(self, commit: str, old: str | None, message: str) -> None:
        self._move_along([(commit, message)], old)

    def _move_along(self, moves: Sequence[tuple[str, str]], old: str | None) -> int:
        """Move the branch to several commits in turn; return how many moves succeeded.

        Raises StoreMoved if none did, or if another process moved the branch back.
        """
        who, at, done = self._mover(), old, 0
        if old is not None:  # before the move: a process that is killed in between loses nothing
            self._keep_withdrawn(old, moves[-1][0])
        with Lock(writing_file(self.place.own_dir)).shared(_REPAIR):
            try:
                for commit, message in moves:
                    self._objects.move_ref(self.ref, commit, old=at, message=message, who=who)
                    at, done = commit, done + 1
            except StoreMoved:
                if not done:
                    raise
            finally:
                if done:
                    self._objects.settle()
        now = self._objects.ref(self.ref)
        # never report success if the commit was lost
        if at is None or (now != at and not self._objects.descends(now or "", at)):
            raise StoreMoved(f"{self.branch} was moved back by another process")
        recovery.move_backup(self._objects, self.branch, at, who)
        return done

    def _mover(self) -> Identity:
        """Return who moves the branch, for its reflog: git-lerim if git has no identity.

        What others wrote can be taken without an identity, as git does.
        """
        try:
            return self._identity()
        except NoIdentity:
            return WHO

    def _keep_withdrawn(self, old: str, new: str) -> None:
        with suppress(LerimError):  # the branch's history still has the withdrawn memories
            withdrawn.keep_withdrawn(self.place, self._objects, (old, new), self._served)

    def _drop_restored(self, commit: str) -> None:
        """Delete saved memories that the branch has again at its new commit.

        If another process moves the branch meanwhile, what it removes is saved again.
        """
        with suppress(LerimError):  # what is listed anyway is not listed as withdrawn
            if self._objects.ref(self.ref) != commit:
                return  # whoever moved the branch does this
            withdrawn.drop_restored(self.place, self._objects, commit, self._served)
        if (now := self._objects.ref(self.ref)) not in {None, commit}:
            self._keep_withdrawn(commit, now or "")

    def _take(self, commit: str, tip: str | None, message: str) -> None:
        """Move the branch to a commit by others; first save the shown files withheld there."""
        with suppress(LerimError):  # as above
            withdrawn.keep_taken_away(self.place, self._objects, self._taken_away(commit))
        self._note_purged(tip, commit)
        self._move(commit, tip, message)
        self._drop_restored(commit)
