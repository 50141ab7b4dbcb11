"""Extract one queued session, and commit its memories or show what would be committed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from git_lerim.actions.author_of import author_of, with_accepted
from git_lerim.actions.intake import session_commit
from git_lerim.actions.intake.adoption import remember_calls
from git_lerim.actions.intake.session_extraction import Work, extract_kept
from git_lerim.actions.intake.session_memories import Kept
from git_lerim.actions.sync.sync_report import Report
from git_lerim.errors import BadMemory, Busy, LerimError, ModelFailed, NotAsked, ReadOnly
from git_lerim.extraction.base import Dropped
from git_lerim.extraction.reconcile import ARCHIVED, Action, Add, Skip, Supersede
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories.memory import Primitive, Status
from git_lerim.sessions import queue
from git_lerim.sessions.entry import Entry, State
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.workspace import Workspace

NOT_BY_RULES = 1 << 30  # rules version of sessions that a model read: never outdated


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The result of committing the memories of one session."""

    actions: list[Action]
    commit: str | None = None  # None: nothing changed
    would_commit: bool = False  # in a dry run
    complete: bool = True  # False: undecided memories are left, and the session stays queued
    kept: Kept | None = None  # the memories left, if the user dropped some
    dropped: tuple[Dropped, ...] = ()  # by the user


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """What a run did with one session: actions, dropped texts, and whether it is complete."""

    entry: Entry
    actions: list[Action]
    dropped: tuple[Dropped, ...] = ()
    complete: bool = True  # False: it stays queued
    committed: bool = False  # or would be, in a dry run

    def actual(self) -> list[Action]:
        """Return the actions that change something."""
        return [action for action in self.actions if not isinstance(action, Skip)]

    def archived(self) -> set[str]:
        """Return the ids of memories that were found again and stay archived."""
        skips = (action for action in self.actions if isinstance(action, Skip))
        return {skip.memory.id for skip in skips if skip.reason == ARCHIVED}


Commit: TypeAlias = Callable[[Kept], Committed]


def extract(work: Work, entry: Entry, commit: Commit) -> SessionResult:
    """Extract and commit one session; errors are reported and do not stop the run."""
    kept = read(work, entry)
    if kept is None:
        return SessionResult(entry=entry, actions=[])
    try:
        committed = commit(kept)
    except BadMemory as error:
        _failed(work, entry, str(error))
        return SessionResult(entry=entry, actions=[])
    count(work.report, kept, committed)
    if committed.complete:
        rules = RULES_VERSION if kept.withdrawn is None else NOT_BY_RULES
        queue.done(work.catalog, entry, *_state(committed.kept or kept), rules=rules)
    dropped = (*kept.dropped, *committed.dropped)
    return SessionResult(
        entry=entry,
        actions=committed.actions,
        dropped=dropped,
        complete=committed.complete,
        committed=bool(committed.commit) or committed.would_commit,
    )


def read(work: Work, entry: Entry, *, saving: bool = False) -> Kept | None:
    """Extract one session: return what to keep of it, or report a failure and return None.

    With `saving`, the result is also saved, so that the next call finds it.
    """
    try:
        return extract_kept(work, entry, saving=saving)
    except (Busy, ReadOnly):  # not this session's fault
        raise
    except ModelFailed as error:
        if error.refused:
            _failed(work, entry, str(error))
        else:
            _note_waiting(work, entry, str(error))
        return None
    except NotAsked as error:
        _note_waiting(work, entry, str(error))
        return None
    # an unexpected transcript must not stop the others
    except Exception as error:  # noqa: BLE001
        _failed(
            work,
            entry,
            str(error)
            if isinstance(error, LerimError)
            else f"internal error ({type(error).__name__})",
        )
        return None


def _note_waiting(work: Work, entry: Entry, error: str) -> None:
    """Report a failure that is not the session's fault; the session stays queued."""
    work.report.sessions_failed += 1
    work.report.errors.append({"session": entry.name, "error": error})


def _state(kept: Kept) -> tuple[State, str]:
    if kept.offered or kept.summary or kept.has_stored:
        return State.EXTRACTED, ""
    return State.NOTHING, "nothing worth keeping"


def _failed(work: Work, entry: Entry, error: str) -> None:
    # drop the saved extraction: it would fail again, while another version may succeed
    queue.write_journal(work.catalog, entry, b"")
    queue.failed(work.catalog, entry, error)
    work.report.sessions_failed += 1
    work.report.errors.append({"session": entry.name, "error": error})


def count(report: Report, kept: Kept, committed: Committed) -> None:
    """Add the result of committing one session to a report."""
    actions = committed.actions
    report.sessions_extracted += committed.complete
    report.memories_unchanged += sum(isinstance(a, Skip) for a in actions)
    report.redactions += kept.redactions
    if committed.commit:
        report.commits.append(committed.commit)


def count_memories(report: Report, actions: Iterable[Action]) -> None:
    """Write into a report how many memories a run added and changed.

    A memory counts once even if several sessions of the run changed it.
    """
    done = [action for action in actions if not isinstance(action, Skip)]
    last = {action.memory.id: action for action in done}
    new = {action.memory.id for action in done if isinstance(action, Add)}
    added = [last[id_].memory for id_ in new if last[id_].memory.status is Status.ACTIVE]
    changed = [action for id_, action in last.items() if id_ not in new]
    report.decisions_added = sum(memory.primitive is Primitive.DECISION for memory in added)
    report.learnings_added = len(added) - report.decisions_added
    report.memories_updated = len(changed)
    report.memories_superseded = sum(isinstance(action, Supersede) for action in changed)


def committer(ws: Workspace, run: str, op: str = "sync") -> Commit:
    """Return a function that commits the memories of one session as part of a run."""

    def commit(kept: Kept) -> Committed:
        actions: list[Action] = []

        def operation(snapshot: Snapshot) -> Change | None:
            believed = with_accepted(ws, kept.memories, ws.store.believed(snapshot))
            author = author_of(ws, believed)
            own = session_commit.with_free_ids(kept, believed, author)
            actions[:] = session_commit.plan(own, believed, author)
            return session_commit.change(own, actions, snapshot, session_commit.Run(id=run, op=op))

        made = (
            ws.store.commit(operation)
            if kept.memories
            or kept.summary
            or remember_calls(kept.session)
            or _has_stored(ws, kept)
            else None
        )
        return Committed(actions=actions, commit=made)

    return commit


def _has_stored(ws: Workspace, kept: Kept) -> bool:
    """Return whether the store has memories from this session.

    Such memories may have lost their evidence, even if there is nothing new to keep.
    """
    mine = (kept.session.agent, kept.session.id)
    stored = ws.store.snapshot().memories.values()
    return any(source.reading == mine for item in stored for source in item.memory.sources)


def rehearser(ws: Workspace, run: str) -> Commit:
    """Return a function like the one from `committer` that plans commits but writes nothing.

    Each plan takes the earlier ones into account.
    """
    snapshot = ws.store.believed(ws.store.snapshot())
    memories, author = dict(snapshot.memories), author_of(ws, snapshot)

    def commit(kept: Kept) -> Committed:
        planned = replace(snapshot, commit=run, memories=memories)
        planned = with_accepted(ws, kept.memories, planned)
        kept = session_commit.with_free_ids(kept, planned, author)
        actions = session_commit.plan(kept, planned, author)
        change = session_commit.change(kept, actions, planned, session_commit.Run(id=run))
        for action in actions:
            if not isinstance(action, Skip):
                memories[action.memory.id] = Stored(memory=action.memory, path="", blob="")
        return Committed(actions=actions, would_commit=change is not None)

    return commit
