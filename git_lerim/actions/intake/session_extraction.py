"""Extract the memories to keep from one session, using the rules or a model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from git_lerim.actions.author_of import author_of
from git_lerim.actions.intake.hinted import settle_hints
from git_lerim.actions.intake.session_memories import Kept, memories_of
from git_lerim.actions.intake.stable_ids import with_stored_ids
from git_lerim.actions.sync.sync_report import Report
from git_lerim.extraction import echoes
from git_lerim.extraction.base import Candidate, Dropped, Extracted, extracted
from git_lerim.extraction.dropped import DroppedBefore
from git_lerim.extraction.prompt_version import PROMPT_VERSION
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories.memory import Origin
from git_lerim.recall.brief import delivered
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.session import Session
from git_lerim.storage.review.dropped import dropped_in, extractor_of
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.intake.prefetch import Ahead
    from git_lerim.actions.models.model_work import ModelWork


LONG = 1.0  # seconds; a faster extraction is repeated rather than saved
_SHOWN = 200  # characters of a dropped text


@dataclass(frozen=True, kw_only=True)
class Work:
    """The things that a run needs to extract sessions: workspace, catalog, report, model."""

    ws: Workspace
    catalog: Catalog
    report: Report
    ahead: "Ahead | None" = None
    model: "ModelWork | None" = None  # None: the rules extract

    @cached_property
    def dropped(self) -> DroppedBefore:
        """Return the memories that the user dropped in triage, prepared for look-ups."""
        return DroppedBefore(dropped_in(self.ws.place), extractor_of)


def extract_kept(work: Work, entry: Entry, *, saving: bool) -> Kept:
    """Extract a session, and return the memories and the summary to keep of it.

    An extraction that took long or was made by a model is saved at once, so that a crash before the
    commit does not lose it. With `saving`, every extraction is saved.
    """
    ws, catalog = work.ws, work.catalog
    session, given = echoes.without_fences(catalog.session(entry))
    found = saved_extraction(work, entry)
    if found is None:
        found = _extracted(work, entry, session, by_rules=saving)
        if saving or found.model or (found.candidates and found.seconds > LONG):
            queue.write_journal(catalog, entry, msgspec.json.encode(found))
    if found.model:
        kept = memories_of(
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
        kept = _under_known_ids(work, kept)
    before = frozenset(
        memory.id for memory in kept.memories if work.dropped.has(memory, kept.model)
    )
    needless = _echoes(ws, entry, kept, given)
    dropped = (
        *(
            replace(one, text=_shown(ws, one.text), reason=_shown(ws, one.reason))
            for one in found.dropped
        ),
        *needless.values(),
    )
    kept = replace(kept, dropped=dropped, dropped_before=before)
    kept = settle_hints(kept.without(needless) if before or needless else kept, ws.store)
    return _compared(work, entry, kept) if found.model and work.model else kept


def _compared(work: Work, entry: Entry, kept: Kept) -> Kept:
    """Add the model's verdicts on how memories relate to those of other sessions."""
    from git_lerim.actions.intake import compare  # noqa: PLC0415 only where a model is set

    return compare.compare_with_others(work, entry.name, kept)


def _echoes(ws: Workspace, entry: Entry, kept: Kept, in_text: frozenset[str]) -> dict[str, Dropped]:
    """Map ids to a `Dropped`, for memories that only repeat one that the session was shown."""
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
    """Give a model's candidates the ids of the stored memories they restate, or new ones."""
    from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

    return model_work.identified(session, found.candidates, model_work.before_of(ws, session))


def _by_rules(ws: Workspace, session: Session, found: Extracted) -> tuple[Kept, Extracted]:
    """Return what the rules extract, without what a model already extracted from the session."""
    mine = (session.agent, session.id)
    snapshot = ws.store.snapshot()
    stored = [
        item.memory for item in snapshot.memories.values() if item.memory.origin is Origin.MODEL
    ]
    author = author_of(ws, snapshot)  # anybody can write that a model read the session
    written = {
        m.id: m
        for m in stored
        if any((source.agent, source.session) == mine for source in m.sources) and not author(m.id)
    }
    if not written:
        return (
            memories_of(session, found.candidates, found.brief, ws.code, ws.redactor),
            found,
        )
    from git_lerim.extraction.by_model.known import restated  # noqa: PLC0415

    pairs = [(one, restated(session, one, written.values())) for one in found.candidates]
    again = [
        Dropped(text=c.title, reason=f"a model wrote {id_} from it", evidence=c.evidence)
        for c, id_ in pairs
        if id_
    ]
    kept = memories_of(session, [c for c, id_ in pairs if not id_], None, ws.code, ws.redactor)
    same = written.keys() & {memory.id for memory in kept.memories}
    again += [
        Dropped(text=m.title, reason=f"a model wrote {m.id} from it")
        for m in kept.memories
        if m.id in same
    ]
    kept = replace(kept.without(same), has_stored=True)
    return kept, msgspec.structs.replace(found, dropped=(*found.dropped, *again))


def _under_known_ids(work: Work, kept: Kept) -> Kept:
    if not kept.memories:
        return kept
    snapshot = work.ws.store.snapshot()
    known = (*snapshot.withdrawn.values(), *snapshot.memories.values())
    dropped = work.dropped.of_session(kept.session.agent, kept.session.id)
    return with_stored_ids(kept, [item.memory for item in known], dropped)


def _extracted(work: Work, entry: Entry, session: Session, *, by_rules: bool) -> Extracted:
    if work.model is None or by_rules:
        return (work.ahead and work.ahead.taken(entry)) or extracted(work.ws.extractor, session)
    return work.model.taken(entry)


def _shown(ws: Workspace, text: str) -> str:
    return clip(" ".join(ws.redactor.redact(text)[0].split()), _SHOWN)


def saved_extraction(work: Work, entry: Entry) -> Extracted | None:
    """Return the extraction saved before a crash; None if other rules or another model made it."""
    data = queue.journal(work.catalog, entry)
    try:
        found = msgspec.json.decode(data, type=Extracted) if data else None
    except (TypeError, ValueError, RecursionError, msgspec.DecodeError):
        return None
    if found and found.model:
        models = {work.ws.settings["model"], work.ws.settings["fallbackModel"]}
        return (
            found
            if work.model and found.model in models and found.prompt == PROMPT_VERSION
            else None
        )
    return found if found and found.rules == RULES_VERSION else None
