"""Decide what becomes of a session's memories beside those that are stored. Decisions are values;
nothing is done here.

Which memories are active is a function of the *set* of memories, worked out in the order of their
evidence; the order of syncing cannot matter. So everything that is supported by its session is
stored, also what loses against another: as `superseded`, to come back by itself when the other
goes.

What a person decided shows by `touched`: they edited, protected or archived a memory. Sync derives
`status`, `supersedes` and `related` of what nobody touched from the set, and may change them at any
later sync. What was touched, or cites no session because a person wrote it, is never changed. A
memory that its own session took back has the confidence 0: it stays superseded whatever else
happens to the set.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from git_lerim.extraction.standing import Verdict, judge, left_alone
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import COLUMNS, Memory, Origin, Source, Status
from git_lerim.memories.merging.merging import redactions, text_order

_Session: TypeAlias = tuple[str, str]
# What a reading of a session gives of a memory, and what follows from it and the others; all else
# is carried over.
_GIVEN = {
    "id", "primitive", "kind", "title", "body", "status", "created", "updated", "confidence",
    "origin", "edited", "protected",
    "suspect", "tags", "sources", "anchors", "supersedes", "related", "compared",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Store a new memory; superseded at once where another says the same or decided otherwise
    later.
    """

    sign: ClassVar[str] = "+"
    memory: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Write a stored memory anew, or make it active again."""

    sign: ClassVar[str] = "~"
    memory: Memory
    before: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Take a stored memory out of use."""

    sign: ClassVar[str] = "-"
    memory: Memory
    by: str | None  # id of the memory that takes its place; None where its own session took it back
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Leave things as they are."""

    sign: ClassVar[str] = "="
    memory: Memory
    reason: str


Action: TypeAlias = Add | Update | Supersede | Skip


def reconcile(
    candidates: Sequence[Memory],
    session: _Session,
    stored: Mapping[str, Memory],
    was_read: Callable[[Memory], bool] = lambda _: True,
) -> list[Action]:
    """Decide about all memories of one session, given in full, and about the stored ones that they
    bear on.

    `was_read` tells whether the records that a stored memory cites were read this time: agents
    delete old transcripts, and what could not be read is no reason to take a memory back.
    """
    merged = {
        ident: m.id for m in stored.values() for ident in m.merged_from if ident not in stored
    }
    given = {memory.id: clean(memory) for memory in candidates}
    kept = {
        ident: _joined(memory, stored.get(ident), session)
        for ident, memory in given.items()
        if ident not in merged and not (ident in stored and left_alone(stored[ident]))
    }
    gone = {
        m.id: _taken_back(m, session)
        for m in stored.values()
        if not _is_given(m, given) and _cites(m, session) and not left_alone(m) and was_read(m)
    }
    final = judge({**stored, **kept, **gone}, {*kept, *gone}, stored)
    skips = [
        Skip(memory=m, reason=_why_not(m.id, stored, merged))
        for m in given.values()
        if m.id not in kept
    ]
    return sorted(
        [*_actions(final, kept, stored), *skips],
        key=lambda action: (action.memory.created, action.memory.id),
    )


def withdraw(
    given: Mapping[_Session, Collection[str]],
    stored: Mapping[str, Memory],
    was_read: Callable[[_Session, Memory], bool],
) -> list[Action]:
    """Take back what some sessions no longer give, by the ids that each still gives; nothing is
    added or written anew.
    """
    gone: dict[str, Memory] = {}
    for memory in stored.values():
        for session in {(source.agent, source.session) for source in memory.sources} & given.keys():
            if (
                not _is_given(memory, given[session])
                and not left_alone(memory)
                and was_read(session, memory)
            ):
                gone[memory.id] = _taken_back(gone.get(memory.id, memory), session)
    return list(_actions(judge({**stored, **gone}, gone, stored), {}, stored))


def settle(
    stored: Mapping[str, Memory], before: Mapping[str, Memory] | None = None
) -> list[Action]:
    """Decide about a store anew, as after two stores became one; what each session says of its own
    stays.

    Give the settled store that it has grown from, either of the two, and only what the difference
    bears on is looked at.
    """
    before = {} if before is None else before
    differs = {ident for ident, memory in stored.items() if memory != before.get(ident)}
    return list(_actions(judge(stored, differs, before), {}, stored))


# --- what a session says of its own memories


def _is_given(memory: Memory, given: Collection[str]) -> bool:
    """Tell whether a session still gives a memory, or one that was merged into it."""
    return memory.id in given or any(id_ in given for id_ in memory.merged_from)


def _cites(memory: Memory, session: _Session) -> bool:
    return any(
        source.session == session[1] and source.agent == session[0] for source in memory.sources
    )


def _why_not(ident: str, stored: Mapping[str, Memory], merged: Mapping[str, str]) -> str:
    if ident in merged:
        return f"was merged into {merged[ident]}"
    return (
        "is archived" if stored[ident].status is Status.ARCHIVED else "stands as a person left it"
    )


def _joined(memory: Memory, before: Memory | None, session: _Session) -> Memory:
    """Join what a session says with what is stored under the id: by an earlier sync, or by a
    session that it is a fork of.
    """
    memory = replace(
        memory,
        status=(
            Status.SUSPECT if memory.suspect or memory.status is Status.SUSPECT else Status.ACTIVE
        ),
        updated=memory.created,
        confidence=max(memory.confidence, 0.01),
        sources=memory.sources or (Source(agent=session[0], session=session[1]),),
        supersedes=(),
        related=(),
    )
    if before is None:
        return memory
    said = {row.other for row in memory.compared}  # anew
    rows = (*memory.compared, *(row for row in before.compared if row.other not in said))
    memory, before = (
        replace(memory, **carried(before), compared=rows),
        replace(before, compared=rows),
    )
    if before.merged_from:  # the tags of those that were merged into it are its own
        memory = replace(memory, tags=(*memory.tags, *before.tags))
    others = (
        tuple(s for s in before.sources if (s.agent, s.session) != session)
        if before.confidence
        else ()
    )
    if any(
        (s.agent, s.session) < session for s in others
    ):  # the text is that of the session whose name is first
        status = Status.SUSPECT if before.suspect else Status.ACTIVE
        return clean(
            replace(
                before, status=status, sources=others + memory.sources, supersedes=(), related=()
            )
        )
    own = tuple(s for s in before.sources if s not in others)
    if redactions(before) > redactions(memory) or _outranks(before, memory):
        text = {name: getattr(before, name) for name in ("title", "body", "kind", "origin")}
        memory = replace(memory, **text, confidence=before.confidence or memory.confidence)
    if _reading(memory, memory.sources) == _reading(
        before, own
    ):  # the first commits and anchors stay
        memory = replace(memory, anchors=before.anchors, sources=own)
    return clean(replace(memory, sources=memory.sources + others))


def carried(before: Memory) -> dict[str, Any]:
    """Return the fields of a stored memory that no reading of its evidence gives, and that stay
    when it is read again.
    """
    return {
        each.name: getattr(before, each.name) for each in COLUMNS if each.name not in _GIVEN
    } | {"unknown": before.unknown}


def _outranks(before: Memory, memory: Memory) -> bool:
    """Tell whether an agent or a model wrote the stored text, and what rules read now does not
    replace it.
    """
    return (
        before.origin in {Origin.AGENT, Origin.MODEL}
        and text_order(before)[1] > text_order(memory)[1]
    )


def _reading(memory: Memory, sources: Iterable[Source]) -> tuple[object, ...]:
    """Return what two readings of the same evidence agree in, whoever reads it and wherever."""
    return (
        memory.title,
        memory.body,
        memory.kind,
        memory.created,
        {(s.agent, s.session, s.part, s.records) for s in sources},
    )


def _taken_back(memory: Memory, session: _Session) -> Memory:
    """Return a memory that its session no longer supports; it stays where a fork of the session
    still supports it.
    """
    others = tuple(s for s in memory.sources if (s.agent, s.session) != session)
    if others:
        return replace(memory, sources=others)
    return replace(memory, status=Status.SUPERSEDED, confidence=0.0, supersedes=(), related=())


# --- from verdicts to actions


def _actions(
    final: Mapping[str, Verdict], kept: Mapping[str, Memory], stored: Mapping[str, Memory]
) -> Iterator[Action]:
    for ident, verdict in final.items():
        memory, before = verdict.memory, stored.get(ident)
        if before is None:
            yield Add(
                memory=memory,
                reason=verdict.why
                or (f"is suspect: {memory.suspect}" if memory.suspect else "is new"),
            )
        elif memory == before:
            if ident in kept:
                yield Skip(memory=memory, reason="is stored as it is")
        elif memory.status is Status.SUPERSEDED and before.status is not Status.SUPERSEDED:
            yield Supersede(
                memory=memory,
                by=verdict.by,
                reason=verdict.why or "its session no longer supports it",
            )
        else:
            yield Update(memory=memory, before=before, reason=_update_reason(memory, before))


def _update_reason(memory: Memory, before: Memory) -> str:
    if memory.status is Status.ACTIVE and before.status is Status.SUPERSEDED:
        return "what took its place is gone"
    if (memory.title, memory.body) != (before.title, before.body):
        return "its session says it otherwise now"
    return (
        "its evidence is known better now"
        if memory.sources != before.sources
        else "its place among the others changed"
    )
