"""Decide which of a session's memories to add, update or supersede, given the stored ones.

The decisions are returned as actions; nothing is stored here. Which memories are active depends
only on the *set* of memories and the times of their evidence, never on the order of syncing.
Therefore every memory that its session supports is stored, even if it loses against another memory:
it is then stored as `superseded`, and becomes active when the other memory is gone.

`touched` marks a person's decision: they edited, protected or archived a memory. A touched memory,
or one that cites no session because a person wrote it, is never changed. For all other memories,
sync derives `status`, `supersedes` and `related` from the set, and may change them at any later
sync. A memory that its own session withdrew has confidence 0 and stays superseded.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from git_lerim.extraction.supersession.force import decided_by_person
from git_lerim.extraction.supersession.judge import judge
from git_lerim.extraction.supersession.ordered_pass import Verdict
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import COLUMNS, Memory, Origin, Source, Status
from git_lerim.memories.merging.merging import redactions, text_order
from git_lerim.memories.writers import Author, only_user

ARCHIVED = "is archived"  # the reason of a skip
_Session: TypeAlias = tuple[str, str]
# Fields set by reading a session or derived from the set; all others are carried over.
_GIVEN = {
    "id", "primitive", "kind", "title", "body", "status", "created", "updated", "confidence",
    "worth", "origin", "edited", "protected",
    "suspect", "tags", "sources", "anchors", "supersedes", "related", "compared",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """The decision to store a new memory, which may be superseded at once by another one."""

    sign: ClassVar[str] = "+"
    memory: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """The decision to rewrite a stored memory, or to make it active again."""

    sign: ClassVar[str] = "~"
    memory: Memory
    before: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """The decision to mark a stored memory as superseded."""

    sign: ClassVar[str] = "-"
    memory: Memory
    by: str | None  # id of its replacement; None if its own session withdrew it
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """The decision to leave a memory unchanged, with the reason."""

    sign: ClassVar[str] = "="
    memory: Memory
    reason: str
    is_news: bool = False  # whether sync names it without being asked


Action: TypeAlias = Add | Update | Supersede | Skip


def reconcile(
    candidates: Sequence[Memory],
    session: _Session,
    stored: Mapping[str, Memory],
    was_read: Callable[[Memory], bool] = lambda _: True,
    author: Author = only_user,
) -> list[Action]:
    """Decide on all memories of one session, and on the stored ones that they affect.

    `candidates` must be all memories that the session yields. `was_read` returns whether the
    records that a stored memory cites were read this time. If they were not, the memory is not
    withdrawn, since agents delete old transcripts.
    """
    # ids can be predicted: what a colleague claims to have merged is only replaced
    own = (m for m in stored.values() if m.merged_from and not author(m.id))
    merged = {ident: m.id for m in own for ident in m.merged_from if ident not in stored}
    given = {memory.id: clean(memory) for memory in candidates}
    kept = {
        ident: _joined(memory, stored.get(ident), session)
        for ident, memory in given.items()
        if ident not in merged and not (ident in stored and decided_by_person(stored[ident]))
    }
    gone = {
        m.id: _taken_back(m, session)
        for m in stored.values()
        if not _is_given(m, given)
        and _cites(m, session)
        and not decided_by_person(m)
        and was_read(m)
    }
    final = judge({**stored, **kept, **gone}, {*kept, *gone}, stored, author)
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
    author: Author = only_user,
) -> list[Action]:
    """Return the actions that withdraw all memories that their sessions no longer yield.

    No memory is added or reworded. `given` maps each session to the ids of the memories that it
    still yields.
    """
    gone: dict[str, Memory] = {}
    for memory in stored.values():
        for session in {source.reading for source in memory.sources} & given.keys():
            if (
                not _is_given(memory, given[session])
                and not decided_by_person(memory)
                and was_read(session, memory)
            ):
                gone[memory.id] = _taken_back(gone.get(memory.id, memory), session)
    return list(_actions(judge({**stored, **gone}, gone, stored, author), {}, stored))


def settle(
    stored: Mapping[str, Memory],
    before: Mapping[str, Memory] | None = None,
    author: Author = only_user,
) -> list[Action]:
    """Recompute the status of all memories in a store, for example after merging two stores.

    No session's own memories are withdrawn or reworded. `before` is the settled store that `stored`
    was made from (after a merge, either of the two). If it is given, only the memories that the
    changes affect are judged.
    """
    before = {} if before is None else before
    differs = {ident for ident, memory in stored.items() if memory != before.get(ident)}
    return list(_actions(judge(stored, differs, before, author), {}, stored))


# --- what a session says about its own memories


def _is_given(memory: Memory, given: Collection[str]) -> bool:
    """Return whether `given` has the id of a memory, or of one that was merged into this memory."""
    return memory.id in given or any(id_ in given for id_ in memory.merged_from)


def _cites(memory: Memory, session: _Session) -> bool:
    return any(source.reading == session for source in memory.sources)


def _why_not(ident: str, stored: Mapping[str, Memory], merged: Mapping[str, str]) -> str:
    if ident in merged:
        return f"was merged into {merged[ident]}"
    return ARCHIVED if stored[ident].status is Status.ARCHIVED else "was edited by a person"


def _joined(memory: Memory, before: Memory | None, session: _Session) -> Memory:
    """Combine a session's memory with the one stored under its id.

    The stored memory is from an earlier sync of the session, of its fork, or of its original.
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
    said = {row.other for row in memory.compared}  # memories that were compared again
    rows = (*memory.compared, *(row for row in before.compared if row.other not in said))
    return _with_stored(memory, replace(before, compared=rows), session)


def _with_stored(memory: Memory, before: Memory, session: _Session) -> Memory:
    """Combine a memory with the one stored under its id.

    `before.compared` must already list the comparisons of both with other memories.
    """
    memory = replace(memory, **carried(before), compared=before.compared)
    if before.merged_from:  # keep the tags of memories merged into it
        memory = replace(memory, tags=(*memory.tags, *before.tags))
    others = tuple(s for s in before.sources if s.reading != session) if before.confidence else ()
    # of several sessions that support a memory, the first by name determines its text
    if any(s.reading < session for s in others):
        status = Status.SUSPECT if before.suspect else Status.ACTIVE
        return clean(
            replace(
                before, status=status, sources=others + memory.sources, supersedes=(), related=()
            )
        )
    own = tuple(s for s in before.sources if s not in others)
    if redactions(before) > redactions(memory) or _outranks(before, memory):
        text = {
            name: getattr(before, name) for name in ("title", "body", "kind", "origin", "worth")
        }
        memory = replace(memory, **text, confidence=before.confidence or memory.confidence)
    # if the reading is the same, keep the commits, and the anchors with lines, stored first
    if _reading(memory, memory.sources) == _reading(before, own):
        is_new = memory.has_lines and not before.has_lines and not before.feedback
        memory = replace(memory, anchors=(memory if is_new else before).anchors, sources=own)
    return clean(replace(memory, sources=memory.sources + others))


def carried(before: Memory) -> dict[str, Any]:
    """Return the fields of a stored memory that do not change when its evidence is read again."""
    return {
        each.name: getattr(before, each.name) for each in COLUMNS if each.name not in _GIVEN
    } | {"unknown": before.unknown}


def _outranks(before: Memory, memory: Memory) -> bool:
    """Return whether a stored text takes precedence over a new one by a model, or by the rules."""
    return (
        before.origin in {Origin.AGENT, Origin.MODEL} or memory.origin is Origin.MODEL
    ) and text_order(before)[1] > text_order(memory)[1]


def _reading(memory: Memory, sources: Iterable[Source]) -> tuple[object, ...]:
    """Return the parts of a memory that do not depend on which machine read its session."""
    return (
        memory.title,
        memory.body,
        memory.kind,
        memory.created,
        {(s.agent, s.session, s.part, s.records) for s in sources},
    )


def _taken_back(memory: Memory, session: _Session) -> Memory:
    """Return a memory without a session's support, superseded if no other session supports it."""
    others = tuple(s for s in memory.sources if s.reading != session)
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
            yield from (Skip(memory=m, reason=why, is_news=True) for m, why in verdict.spared)
        elif before == replace(memory, updated=before.updated):  # an undo may have dated it anew
            if ident in kept:
                yield Skip(memory=memory, reason="is stored already")
        elif memory.status is Status.SUPERSEDED and before.status is not Status.SUPERSEDED:
            yield Supersede(
                memory=memory,
                by=verdict.by,
                reason=verdict.why or "no longer supported by its session",
            )
        else:
            yield Update(memory=memory, before=before, reason=_update_reason(memory, before))


def _update_reason(memory: Memory, before: Memory) -> str:
    if memory.status is Status.ACTIVE and before.status is Status.SUPERSEDED:
        return "its replacement is gone"
    if (memory.title, memory.body) != (before.title, before.body):
        return "changed in its session"
    return (
        "updated with new evidence"
        if memory.sources != before.sources
        else "its relations to other memories changed"
    )
