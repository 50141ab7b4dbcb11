"""Let the model compare a session's new memories with those of other sessions.

The verdicts are stored in the new memories' files. Verdicts and times decide which memories are
superseded (`extraction/supersession/`). If the model fails, that is reported, and the session is
stored without verdicts, because holding it back would lose its memories. `maintain` then compares
the memories by their words, and the model compares similar memories of later sessions with them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.actions.intake.session_memories import Kept
from git_lerim.actions.models.judge_pairs import judge_pairs
from git_lerim.errors import ModelFailed, NotAsked
from git_lerim.extraction.by_model import compare
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.compare import Judged, Question
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.merging.compared import COMPARED, Compared, Relation
from git_lerim.tokens import clip, counted

if TYPE_CHECKING:
    from git_lerim.actions.intake.session_extraction import Work

_PHRASES = {
    Relation.REPLACES: "replaces",
    Relation.SAME: "says the same as",
    Relation.BOTH: "holds alongside",
    Relation.UNSURE: "may oppose",
}


def compare_with_others(work: "Work", session: str, kept: Kept) -> Kept:
    """Add the model's verdicts to a session's memories; if there are none, change nothing."""
    stored = {
        id_: item.memory
        for id_, item in work.ws.store.believed(work.ws.store.snapshot()).memories.items()
    }
    question = _question(work, kept, stored)
    if question is None or work.model is None:
        return kept
    try:
        judged, refused = judge_pairs(question, work.model.ask)
    except (ModelFailed, NotAsked, Unusable) as error:
        message = (
            f"its memories were stored, but not compared with those of other sessions: {error}"
        )
        work.report.errors.append({"session": session, "error": message})
        return kept
    if refused:
        work.ws.log(
            f"{session}: ignored {counted(len(refused), 'verdict')} on pairs the model was not"
            " asked about"
        )
    return replace(
        kept,
        memories=tuple(replace(memory, compared=_rows(judged, memory)) for memory in kept.memories),
        reasons=_reasons(work, judged),
    )


def _question(work: "Work", kept: Kept, stored: Mapping[str, Memory]) -> Question | None:
    """Return the question for the model on new or changed memories, or None if there are none."""
    mine = (kept.session.agent, kept.session.id)
    new = [
        memory
        for memory in kept.offered
        if memory.status is Status.ACTIVE and _is_new(memory, stored.get(memory.id))
    ]
    ids = {memory.id for memory in kept.memories}
    others = [
        m
        for m in stored.values()
        if m.status is Status.ACTIVE and m.id not in ids and mine not in _sessions(m)
    ]
    question = compare.question(new, others) if new and others else None
    return question and Question(
        [(one, gated(other, work.ws.redactor)[0]) for one, other in question.pairs]
    )


def _is_new(memory: Memory, before: Memory | None) -> bool:
    if before is None:
        return True
    return not before.touched and (memory.title, memory.body) != (before.title, before.body)


def _sessions(memory: Memory) -> Iterable[tuple[str, str]]:
    return {(source.agent, source.session) for source in memory.sources}


def _rows(judged: Iterable[Judged], memory: Memory) -> tuple[Compared, ...]:
    return COMPARED.clean(
        tuple(
            Compared(other=one.other, verdict=one.verdict) for one in judged if one.new == memory.id
        )
    )


def _reasons(work: "Work", judged: Iterable[Judged]) -> dict[str, list[str]]:
    """Map each new memory's id to lines for the commit message: its verdicts, with reasons."""
    found: dict[str, list[str]] = {}
    for one in judged:
        earlier = one.other if one.later == one.new else one.new
        reason = clip(work.ws.redactor.redact(one.reason)[0], 200)
        found.setdefault(one.new, []).append(
            f"{one.later} {_PHRASES[one.verdict]} {earlier}: {reason}"
        )
    return found
