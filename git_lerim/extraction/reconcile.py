"""Decide what becomes of a session's memories beside those that are stored. Decisions are values; nothing is done here.

Which memories are active is a function of the *set* of memories, worked out in the order of their evidence; the order of
syncing cannot matter. So everything that is supported by its session is stored, also what loses against another: as
`superseded`, to come back by itself when the other goes.

What sync decided and what a person decided are told apart by `touched`: sync leaves `updated` equal to `created`, a person
and maintenance do not. Sync derives `status`, `supersedes` and `related` of what nobody touched from the set, and may change
them at any later sync. What was touched, or cites no session because a person wrote it, is never changed. A memory that its
own session took back has the confidence 0: it stays superseded whatever else happens to the set.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from git_lerim.memories.clean import clean
from git_lerim.memories.memory import Memory, Source, Status
from git_lerim.memories.merging import redactions
from git_lerim.memories.similarity import Neighbours, contradicts, near_duplicate

_Session: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Store a new memory; superseded at once where another says the same or decided otherwise later."""

    memory: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Write a stored memory anew, or make it active again."""

    memory: Memory
    before: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Take a stored memory out of use."""

    memory: Memory
    by: str | None  # id of the memory that takes its place; None where its own session took it back
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Leave things as they are."""

    memory: Memory
    reason: str


Action: TypeAlias = Add | Update | Supersede | Skip


def reconcile(
    candidates: Sequence[Memory],
    session: _Session,
    stored: Mapping[str, Memory],
    was_read: Callable[[Memory], bool] = lambda _: True,
) -> list[Action]:
    """Decide about all memories of one session, given in full, and about the stored ones that they bear on.

    `was_read` tells whether the records that a stored memory cites were read this time: agents delete old transcripts,
    and what could not be read is no reason to take a memory back.
    """
    merged = {ident: m.id for m in stored.values() for ident in m.merged_from if ident not in stored}
    given = {memory.id: clean(memory) for memory in candidates}
    kept = {
        ident: _joined(memory, stored.get(ident), session)
        for ident, memory in given.items()
        if ident not in merged and not (ident in stored and _left_alone(stored[ident]))
    }
    gone = {
        m.id: _taken_back(m, session)
        for m in stored.values()
        if m.id not in given and _cites(m, session) and not _left_alone(m) and was_read(m)
    }
    changed = {ident for ident, memory in {**kept, **gone}.items() if _set_apart(memory) != _set_apart(stored.get(ident))}
    everything = {**stored, **kept, **gone}
    final = _judge(everything, {*kept, *gone, *_unexplained(everything, changed)}, changed, stored)
    skips = [Skip(memory=m, reason=_why_not(m.id, stored, merged)) for m in given.values() if m.id not in kept]
    return sorted([*_actions(final, kept, stored), *skips], key=lambda action: (action.memory.created, action.memory.id))


def settle(stored: Mapping[str, Memory], changed: Iterable[str] | None = None) -> list[Action]:
    """Decide about a store anew, as after two stores became one; what each session says of its own stays.

    Give the ids that differ from a store that was settled, and only what they bear on is looked at.
    """
    ids = set(stored) if changed is None else {ident for ident in changed if ident in stored}
    return list(_actions(_judge(stored, ids | _unexplained(stored, ids), ids, stored), {}, stored))


# --- what a session says of its own memories


def _left_alone(memory: Memory) -> bool:
    return memory.touched or not memory.sources


def _cites(memory: Memory, session: _Session) -> bool:
    return any(source.session == session[1] and source.agent == session[0] for source in memory.sources)


def _why_not(ident: str, stored: Mapping[str, Memory], merged: Mapping[str, str]) -> str:
    if ident in merged:
        return f"was merged into {merged[ident]}"
    return "is archived" if stored[ident].status is Status.ARCHIVED else "stands as a person left it"


def _joined(memory: Memory, before: Memory | None, session: _Session) -> Memory:
    """Join what a session says with what is stored under the id: by an earlier sync, or by a session that it is a fork of."""
    memory = replace(
        memory,
        status=Status.SUSPECT if memory.suspect or memory.status is Status.SUSPECT else Status.ACTIVE,
        updated=memory.created,
        confidence=max(memory.confidence, 0.01),
        sources=memory.sources or (Source(agent=session[0], session=session[1]),),
        supersedes=(),
        related=(),
    )
    if before is None:
        return memory
    memory = replace(memory, last_accessed=before.last_accessed, merged_from=before.merged_from, unknown=before.unknown)
    others = tuple(s for s in before.sources if (s.agent, s.session) != session) if before.confidence else ()
    if any((s.agent, s.session) < session for s in others):  # the text is that of the session whose name is first
        status = Status.SUSPECT if before.suspect else Status.ACTIVE
        return clean(replace(before, status=status, sources=others + memory.sources, supersedes=(), related=()))
    own = tuple(s for s in before.sources if s not in others)
    if redactions(before) > redactions(memory):
        memory = replace(memory, title=before.title, body=before.body)
    if _reading(memory, memory.sources) == _reading(before, own):  # the first commits and anchors stay
        memory = replace(memory, anchors=before.anchors, sources=own)
    return clean(replace(memory, sources=memory.sources + others))


def _reading(memory: Memory, sources: Iterable[Source]) -> tuple[object, ...]:
    """Return what two readings of the same evidence agree in, whoever reads it and wherever."""
    return (memory.title, memory.body, memory.kind, memory.created, {(s.agent, s.session, s.part, s.records) for s in sources})


def _taken_back(memory: Memory, session: _Session) -> Memory:
    """Return a memory that its session no longer supports; it stays where a fork of the session still supports it."""
    others = tuple(s for s in memory.sources if (s.agent, s.session) != session)
    if others:
        return replace(memory, sources=others)
    return replace(memory, status=Status.SUPERSEDED, confidence=0.0, supersedes=(), related=())


# --- which of the set are active


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What the set makes of one of its memories."""

    memory: Memory
    by: str | None = None  # what it lost against
    why: str = ""


def _counts(memory: Memory) -> bool:
    """Tell whether a memory bears on others: suspect ones and those that were taken back do not."""
    return memory.status is not Status.SUSPECT and (memory.touched or memory.confidence > 0.0)


def _put_away(memory: Memory) -> bool:
    """Tell whether a person or maintenance took a memory out of use."""
    return memory.touched and memory.status is not Status.ACTIVE


def _set_apart(memory: Memory | None) -> tuple[object, ...]:
    """Return all of a memory that others can depend on."""
    return (memory.title, memory.body, memory.created, _counts(memory)) if memory else ()


def _unexplained(everything: Mapping[str, Memory], changed: set[str]) -> set[str]:
    """Return what stands as it does because of a memory that has changed, or may have."""
    links = [m for m in everything.values() if (m.supersedes or m.related) and m.id not in changed and not _left_alone(m)]
    explained = {ident for m in links for ident in m.supersedes}
    for memory in links:
        by = [everything.get(ident) for ident in memory.related]
        if by and all(other and other.id not in changed and not _left_alone(other) for other in by):
            explained.add(memory.id)
    lost = {m.id for m in everything.values() if m.status is Status.SUPERSEDED and m.confidence and not _left_alone(m)}
    stale = {m.id for m in links if not changed.isdisjoint(m.supersedes + m.related)}
    return (lost - explained) | stale


def _judge(
    everything: Mapping[str, Memory], seeds: Iterable[str], changed: set[str], stored: Mapping[str, Memory]
) -> dict[str, _Verdict]:
    """Judge the seeds, then the neighbours of each whose course has changed, until nothing changes any more.

    A memory's course follows from what is near it and earlier, or opposes it later; where none of these changed their
    course, it keeps its own. So this gives what judging the whole set would give.
    """
    near = Neighbours(memory for memory in everything.values() if _counts(memory))
    took_by = {ident: m for m in stored.values() if not _left_alone(m) for ident in m.supersedes}
    links: dict[str, list[Memory]] = {}
    waiting = set(seeds)
    while True:
        links |= {ident: near.near(everything[ident]) if _counts(everything[ident]) else [] for ident in waiting}
        edge = {other.id: other for others in links.values() for other in others if other.id not in links}
        courses = {ident: _course_of(memory, took_by, stored) for ident, memory in edge.items()}
        run = _Run([*[everything[ident] for ident in links], *edge.values()], links, courses)
        moved = [i for i in links if i in changed or i not in stored or run.course(i) != _course_of(stored[i], took_by, stored)]
        waiting = {other.id for ident in moved for other in links[ident] if other.id not in links}
        if not waiting:
            return {ident: run.verdict(everything[ident]) for ident in links}


def _when(memory: Memory) -> tuple[datetime, str]:
    return (memory.created, memory.id)


@dataclass(frozen=True, slots=True)
class _Loss:
    """What takes a memory out of force: one that says the same, from the start; or one that opposes it later."""

    by: str
    when: tuple[datetime, str]
    same: bool


def _course_of(memory: Memory, took_by: Mapping[str, Memory], stored: Mapping[str, Memory]) -> _Loss | None:
    """Return how a stored memory was judged by the last sync, as its links tell; None where it is in force."""
    if _left_alone(memory) or memory.status is not Status.SUPERSEDED:
        return None
    if winner := took_by.get(memory.id):
        return _Loss(winner.id, _when(winner), same=False)
    winner = next((stored[ident] for ident in memory.related if ident in stored), memory)
    return _Loss(winner.id, _when(winner), same=near_duplicate(winner, memory))


class _Run:
    """Let memories come in the order of their evidence: each is said already, or comes into force and takes back others."""

    def __init__(
        self, memories: Sequence[Memory], links: Mapping[str, Sequence[Memory]], known: Mapping[str, _Loss | None]
    ) -> None:
        """Judge those that have links; of the others the course is known."""
        self._known = known
        self._alone = {m.id for m in memories if _left_alone(m)}
        self._in_force = {m.id for m in memories if m.id in self._alone and m.status is Status.ACTIVE}
        self._lost: dict[str, _Loss] = {}
        self._took: dict[str, list[str]] = {}
        near = {memory.id: list(links.get(memory.id, ())) for memory in memories}
        for memory in memories:
            for other in links.get(memory.id, ()):
                if other.id in known:
                    near[other.id].append(memory)
        for memory in sorted(memories, key=_when):
            if self._comes_into_force(memory, near[memory.id]):
                self._take_back(memory, near[memory.id])

    def _comes_into_force(self, memory: Memory, near: Sequence[Memory]) -> bool:
        if memory.id in self._alone or not _counts(memory):
            return memory.id in self._in_force
        if memory.id in self._known:
            loss = self._known[memory.id]
        else:
            said = next((other for other in near if self._says_it_already(other, memory)), None)
            loss = _Loss(said.id, _when(said), same=True) if said else None
            self._lost |= {memory.id: loss} if loss else {}
        if loss is None or not loss.same:
            self._in_force.add(memory.id)
        return memory.id in self._in_force

    def _says_it_already(self, other: Memory, memory: Memory) -> bool:
        """Tell whether a memory is said by one in force, or was, by one that a person has put away since."""
        away = _put_away(other) and _when(other) < _when(memory)
        away = away and (memory.created <= other.updated or other.updated == other.created)
        return (away or self._stands(other, memory)) and near_duplicate(other, memory)

    def _stands(self, other: Memory, now: Memory) -> bool:
        loss = self._known.get(other.id)
        return other.id in self._in_force and (loss is None or _when(now) <= loss.when)

    def _take_back(self, memory: Memory, near: Sequence[Memory]) -> None:
        for other in near:
            if other.id in self._alone or not self._stands(other, memory) or not contradicts(memory, other):
                continue
            loss = _Loss(memory.id, _when(memory), same=False)
            if other.id not in self._known:
                self._in_force.remove(other.id)
                self._lost[other.id] = loss
            if self._known.get(other.id, loss) == loss:
                self._took.setdefault(memory.id, []).append(other.id)

    def course(self, ident: str) -> _Loss | None:
        """Return how a memory was judged."""
        return self._lost.get(ident)

    def verdict(self, memory: Memory) -> _Verdict:
        """Return a memory as it is to be stored."""
        if memory.id in self._alone or not _counts(memory):
            return _Verdict(memory)
        loss, took = self._lost.get(memory.id), tuple(sorted(self._took.get(memory.id, ())))
        if not loss:
            return _Verdict(replace(memory, status=Status.ACTIVE, supersedes=took, related=()))
        # The winner names what it took back; where it merely came first, or must not be written, the loser names the winner.
        named = (loss.by,) if loss.same or loss.by in self._alone else ()
        why = f"says the same as {loss.by}" if loss.same else f"{loss.by} says otherwise later"
        return _Verdict(replace(memory, status=Status.SUPERSEDED, supersedes=took, related=named), loss.by, why)


# --- from verdicts to actions


def _actions(final: Mapping[str, _Verdict], kept: Mapping[str, Memory], stored: Mapping[str, Memory]) -> Iterator[Action]:
    for ident, verdict in final.items():
        memory, before = verdict.memory, stored.get(ident)
        if before is None:
            yield Add(memory=memory, reason=verdict.why or (f"is suspect: {memory.suspect}" if memory.suspect else "is new"))
        elif memory == before:
            if ident in kept:
                yield Skip(memory=memory, reason="is stored as it is")
        elif memory.status is Status.SUPERSEDED and before.status is not Status.SUPERSEDED:
            yield Supersede(memory=memory, by=verdict.by, reason=verdict.why or "its session no longer supports it")
        else:
            yield Update(memory=memory, before=before, reason=_update_reason(memory, before))


def _update_reason(memory: Memory, before: Memory) -> str:
    if memory.status is Status.ACTIVE and before.status is Status.SUPERSEDED:
        return "what took its place is gone"
    if (memory.title, memory.body) != (before.title, before.body):
        return "its session says it otherwise now"
    return "its evidence is known better now" if memory.sources != before.sources else "its place among the others changed"
