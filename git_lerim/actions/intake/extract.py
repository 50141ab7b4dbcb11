"""Extract one queued session, and commit its memories or show what would be committed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from git_lerim.actions.intake import session_commit
from git_lerim.actions.intake.adoption import called
from git_lerim.actions.sync.sync_report import Report
from git_lerim.errors import BadMemory, Busy, LerimError, ModelFailed, NotAsked, ReadOnly
from git_lerim.extraction import echoes
from git_lerim.extraction.base import Candidate, Dropped, Extracted, extracted
from git_lerim.extraction.dropped import DroppedBefore
from git_lerim.extraction.prompt_version import PROMPT_VERSION
from git_lerim.extraction.reconcile import Action, Add, Skip, Supersede
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories.memory import Origin, Primitive
from git_lerim.recall.brief import delivered
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog, Entry, State
from git_lerim.sessions.session import Session
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.review.dropped import dropped_in, extractor_of
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.intake.prefetch import Ahead
    from git_lerim.actions.models.model_work import ModelWork

LONG = 1.0  # seconds; extracting again is faster than saving what took less

NOT_BY_RULES = 1 << 30  # rules version of sessions that a model read: never outdated

_SHOWN = 200  # characters of a dropped text


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a committer did with the memories of one session."""

    actions: list[Action]
    commit: str | None = None  # None: nothing changed
    complete: bool = True  # False: undecided memories are left, and the session stays queued
    kept: session_commit.Kept | None = None  # what is left, if the user dropped some
    dropped: tuple[Dropped, ...] = ()  # by the user


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """The result of one session in a run."""

    entry: Entry
    actions: list[Action]
    dropped: tuple[Dropped, ...] = ()
    complete: bool = True  # False: it stays queued


Commit: TypeAlias = Callable[[session_commit.Kept], Committed]


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a run needs to extract sessions."""

    ws: Workspace
    catalog: Catalog
    report: Report
    ahead: "Ahead | None" = None
    model: "ModelWork | None" = None  # None: the rules extract

    @cached_property
    def dropped(self) -> DroppedBefore:
        """What the user dropped in triage."""
        return DroppedBefore(dropped_in(self.ws.place), extractor_of)


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
    _count(work.report, kept, committed)
    if committed.complete:
        rules = RULES_VERSION if kept.withdrawn is None else NOT_BY_RULES
        queue.done(work.catalog, entry, *_state(committed.kept or kept), rules=rules)
    dropped = (*kept.dropped, *committed.dropped)
    return SessionResult(
        entry=entry, actions=committed.actions, dropped=dropped, complete=committed.complete
    )


def read(work: Work, entry: Entry, *, saving: bool = False) -> session_commit.Kept | None:
    """Return what to keep of a session; None if that failed, which is reported.

    With `saving`, the extraction is saved for the next call.
    """
    try:
        return _kept(work, entry, saving=saving)
    except (Busy, ReadOnly):  # not this session's fault
        raise
    except ModelFailed as error:
        if error.refused:
            _failed(work, entry, str(error))
        else:
            _left_waiting(work, entry, str(error))
        return None
    except NotAsked as error:
        _left_waiting(work, entry, str(error))
        return None
    # an unexpected transcript must not stop the others
    except Exception as error:  # noqa: BLE001
        _failed(
            work,
            entry,
            str(error) if isinstance(error, LerimError) else f"a bug ({type(error).__name__})",
        )
        return None


def _left_waiting(work: Work, entry: Entry, error: str) -> None:
    """Report a failure that is not the session's fault; it stays queued."""
    work.report.sessions_failed += 1
    work.report.errors.append({"session": entry.name, "error": error})


def _state(kept: session_commit.Kept) -> tuple[State, str]:
    if kept.offered or kept.summary or kept.has_stored:
        return State.EXTRACTED, ""
    return State.NOTHING, "nothing in it is worth keeping"


def _failed(work: Work, entry: Entry, error: str) -> None:
    # the saved extraction would fail again; another version may succeed
    queue.write_journal(work.catalog, entry, b"")
    queue.failed(work.catalog, entry, error)
    work.report.sessions_failed += 1
    work.report.errors.append({"session": entry.name, "error": error})


def _count(report: Report, kept: session_commit.Kept, committed: Committed) -> None:
    actions = committed.actions
    added = session_commit.added_in(actions)
    report.sessions_extracted += committed.complete
    report.decisions_added += added.count(Primitive.DECISION)
    report.learnings_added += added.count(Primitive.LEARNING)
    report.memories_updated += sum(not isinstance(a, Add | Skip) for a in actions)
    report.memories_superseded += sum(isinstance(a, Supersede) for a in actions)
    report.memories_unchanged += sum(isinstance(a, Skip) for a in actions)
    report.redactions += kept.redactions
    if committed.commit:
        report.commits.append(committed.commit)


def _kept(work: Work, entry: Entry, *, saving: bool) -> session_commit.Kept:
    """Return what to keep of a session; a long extraction is saved before the commit."""
    ws, catalog = work.ws, work.catalog
    session, given = echoes.without_fences(catalog.session(entry))
    found = saved(work, entry)
    if found is None:
        found = _found(work, entry, session, by_rules=saving)
        if saving or found.model or (found.candidates and found.seconds > LONG):
            queue.write_journal(catalog, entry, msgspec.json.encode(found))
    if found.model:
        kept = session_commit.memories_of(
            session, _identified(ws, session, found), found.brief, ws.code, ws.redactor
        )
        kept = replace(
            kept,
            model=found.model,
            withdrawn=frozenset(found.withdrawn),
            has_stored=found.has_stored,
        )
    else:
        kept, found = _by_rules(ws, session, found)
    before = frozenset(
        memory.id for memory in kept.memories if work.dropped.has(memory, kept.model)
    )
    repeated = _echoes(ws, entry, kept, given)
    dropped = (
        *(
            replace(one, text=_shown(ws, one.text), reason=_shown(ws, one.reason))
            for one in found.dropped
        ),
        *repeated.values(),
    )
    kept = replace(kept, dropped=dropped, dropped_before=before)
    kept = kept.without(repeated) if before or repeated else kept
    return _compared(work, entry, kept) if found.model and work.model else kept


def _compared(work: Work, entry: Entry, kept: session_commit.Kept) -> session_commit.Kept:
    """Add the model's verdicts on memories of other sessions in the current store."""
    from git_lerim.actions.intake import compare  # noqa: PLC0415 only where a model is set

    return compare.compared(work, entry.name, kept)


def _echoes(
    ws: Workspace, entry: Entry, kept: session_commit.Kept, in_text: frozenset[str]
) -> dict[str, Dropped]:
    """Return by id the memories that only repeat one the session was given."""
    ids = in_text | delivered.ids(str(ws.folder), entry.agent, entry.id)
    if not ids or not kept.memories:
        return {}
    stored = ws.store.snapshot().memories
    given = echoes.given_to(ids, {id_: item.memory for id_, item in stored.items()})
    found = {
        memory.id: (memory, other)
        for memory in kept.memories
        if (other := echoes.echoed(memory, given))
    }
    return {
        id_: Dropped(
            text=clip(memory.title, _SHOWN),
            reason=f"repeats {other.id}, which the session was given",
        )
        for id_, (memory, other) in found.items()
    }


def _identified(ws: Workspace, session: Session, found: Extracted) -> Sequence[Candidate]:
    """Return a model's candidates with ids that fit the current store."""
    from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

    return model_work.identified(session, found.candidates, model_work.before_of(ws, session))


def _by_rules(
    ws: Workspace, session: Session, found: Extracted
) -> tuple[session_commit.Kept, Extracted]:
    """Return what the rules extract, without what a model already wrote of this session."""
    mine = (session.agent, session.id)
    stored = [
        item.memory
        for item in ws.store.snapshot().memories.values()
        if item.memory.origin is Origin.MODEL
    ]
    written = {
        m.id: m
        for m in stored
        if any((source.agent, source.session) == mine for source in m.sources)
    }
    if not written:
        return (
            session_commit.memories_of(
                session, found.candidates, found.brief, ws.code, ws.redactor
            ),
            found,
        )
    from git_lerim.extraction.by_model.known import restated  # noqa: PLC0415

    pairs = [(one, restated(session, one, written.values())) for one in found.candidates]
    again = [
        Dropped(text=c.title, reason=f"a model wrote {id_} of it", evidence=c.evidence)
        for c, id_ in pairs
        if id_
    ]
    kept = session_commit.memories_of(
        session, [c for c, id_ in pairs if not id_], None, ws.code, ws.redactor
    )
    same = written.keys() & {memory.id for memory in kept.memories}
    again += [
        Dropped(text=m.title, reason=f"a model wrote {m.id} of it")
        for m in kept.memories
        if m.id in same
    ]
    kept = replace(kept.without(same), has_stored=True)
    return kept, msgspec.structs.replace(found, dropped=(*found.dropped, *again))


def _found(work: Work, entry: Entry, session: Session, *, by_rules: bool) -> Extracted:
    if work.model is None or by_rules:
        return (work.ahead and work.ahead.taken(entry)) or extracted(work.ws.extractor, session)
    return work.model.taken(entry)


def _shown(ws: Workspace, text: str) -> str:
    return clip(" ".join(ws.redactor.redact(text)[0].split()), _SHOWN)


def saved(work: Work, entry: Entry) -> Extracted | None:
    """Return the extraction saved before a crash, if it is from these rules or this model."""
    data = queue.journal(work.catalog, entry)
    try:
        found = msgspec.json.decode(data, type=Extracted) if data else None
    except msgspec.DecodeError:
        return None
    if found and found.model:
        models = {work.ws.settings["model"], work.ws.settings["fallbackModel"]}
        return (
            found
            if work.model and found.model in models and found.prompt == PROMPT_VERSION
            else None
        )
    return found if found and found.rules == RULES_VERSION else None


def committer(ws: Workspace, run: str) -> Commit:
    """Return a function that commits the memories of one session as part of a run."""

    def commit(kept: session_commit.Kept) -> Committed:
        actions: list[Action] = []

        def operation(snapshot: Snapshot) -> Change | None:
            actions[:] = session_commit.plan(kept, ws.store.believed(snapshot))
            return session_commit.change(kept, actions, snapshot, session_commit.Run(id=run))

        made = (
            ws.store.commit(operation)
            if kept.memories or kept.summary or called(kept.session) or _left(ws, kept)
            else None
        )
        return Committed(actions=actions, commit=made)

    return commit


def _left(ws: Workspace, kept: session_commit.Kept) -> bool:
    """Tell whether the store holds memories of this session, which it may no longer support."""
    mine = (kept.session.agent, kept.session.id)
    stored = ws.store.snapshot().memories.values()
    return any(
        (source.agent, source.session) == mine for item in stored for source in item.memory.sources
    )


def rehearser(ws: Workspace, run: str) -> Commit:
    """Return a function that plans the commits of successive sessions without writing anything."""
    snapshot = ws.store.believed(ws.store.snapshot())
    memories = dict(snapshot.memories)

    def commit(kept: session_commit.Kept) -> Committed:
        actions = session_commit.plan(
            kept, Snapshot(commit=run, memories=memories, quarantined=snapshot.quarantined)
        )
        for action in actions:
            if not isinstance(action, Skip):
                memories[action.memory.id] = Stored(memory=action.memory, path="", blob="")
        return Committed(actions=actions)

    return commit
