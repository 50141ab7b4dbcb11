"""A session's earlier memories: how a model sees them, and which one a new memory restates."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_lerim.extraction.base import Brief, Candidate
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Origin, Primitive, Source, Status
from git_lerim.memories.similarity.similarity import alike
from git_lerim.sessions.session import Session
from git_lerim.tokens import span

ALIKE = 0.15  # least similarity at which two memories from the same records say the same
# Likewise for memories from any records: 1 of 1,157 unrelated pairs reaches it, and 23 of 24
# restatements do.
ANYWHERE = 0.2
OF_USER = {Origin.HUMAN, Origin.ANSWER}  # origins of memories that quote the user


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What is already stored when a session is read: memories, a summary, used ids, the code."""

    memories: tuple[Memory, ...] = ()  # those citing the session, of any status
    users: frozenset[str] = frozenset()  # ids of those that quote the user
    dropped: tuple[Memory, ...] = ()  # those of the session that the user dropped in triage
    brief: Brief | None = None  # of the session
    others: Mapping[str, Memory] = field(default_factory=dict)  # those of other sessions, by id
    taken: frozenset[str] = frozenset()  # ids that must not be reused
    # whether a command runs only what the repository has
    is_own: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An earlier memory of a session, as it is shown to a model under a short name."""

    name: str  # K1, K2, …
    type: str
    title: str
    body: str
    records: tuple[tuple[int, int], ...]
    state: str = ""  # why it cannot be changed
    memory: Memory | None = None  # the stored one; None for a candidate of an earlier window
    is_users: bool = False  # it quotes the user, so only they can change it or take it back

    @property
    def last(self) -> int:
        """The last record that it cites."""
        return max(last for _, last in self.records)

    def shown(self) -> str:
        """Return the text that shows this memory to the model."""
        ranges = ", ".join(span(pair) for pair in self.records)
        state = f"; {self.state}" if self.state else "; the user's own words" * self.is_users
        body = " ".join(self.body.split())
        return f"{self.name} ({self.type}, records {ranges}{state}): {self.title}\n {body}"


def known(session: Session, before: Before) -> list[Known]:
    """Return a session's stored and dropped memories, as shown to a model, in order of evidence."""
    mine = [
        *((m, _state(m)) for m in before.memories if m.confidence > 0),
        *((m, "dropped by the user: never offer it again") for m in before.dropped),
    ]
    mine = [(memory, state) for memory, state in mine if _ranges(memory, session)]
    unique = {memory.id: (memory, state) for memory, state in mine}
    ordered = sorted(unique.values(), key=lambda pair: (_ranges(pair[0], session), pair[0].id))
    return [
        Known(
            name=f"K{number}",
            type=memory.kind or memory.primitive,
            title=memory.title,
            body=memory.body,
            records=_ranges(memory, session),
            state=state,
            memory=memory,
            is_users=memory.id in before.users and not state,
        )
        for number, (memory, state) in enumerate(ordered, 1)
    ]


def identified(
    session: Session, candidates: Sequence[Candidate], before: Before
) -> list[Candidate]:
    """Return the candidates, each with the id of the memory it restates, or with a new id.

    No candidate gets the id of a memory that quotes the user, whose text it would replace.
    """
    by_id = {memory.id: memory for memory in before.memories}
    found = {index: c.ident for index, c in enumerate(candidates) if c.ident}
    kept = {m.id for m in before.memories if m.id in before.users and not m.touched}
    open_ids = by_id.keys() - kept - set(found.values())
    pairs = [
        (-_likeness(candidate, by_id[ident]), index, ident)
        for index, candidate in enumerate(candidates)
        for ident in open_ids
        if not candidate.ident and _same_evidence(session, candidate, by_id[ident])
    ]
    for likeness, index, ident in sorted(pairs):
        if -likeness >= ALIKE and index not in found and ident not in found.values():
            found[index] = ident
    used = {*by_id, *before.taken, *(ident for ident in found.values() if ident)}
    result = []
    for index, candidate in enumerate(candidates):
        ident = found.get(index) or _free(session, candidate, used, before.others)
        used.add(ident)
        result.append(replace(candidate, ident=ident))
    return result


def restated(session: Session, candidate: Candidate, written: Iterable[Memory]) -> str:
    """Return the id of the first memory in `written` that a candidate restates, or "" if none.

    The candidate was found by rules and the memories were written by a model, or vice versa.
    """
    for memory in written:
        least = ALIKE if _same_evidence(session, candidate, memory) else ANYWHERE
        if _likeness(candidate, memory) >= least:
            return memory.id
    return ""


def _free(
    session: Session, candidate: Candidate, used: Collection[str], others: Mapping[str, Memory]
) -> str:
    """Return the first unused id for a candidate's evidence.

    An id also counts as unused if a fork of the session gave it to a memory that says the same.
    """
    ordinal = 1
    while True:
        ident = naming.memory_id(session.agent, candidate.origin, candidate.primitive, ordinal)
        if ident not in used and (
            ident not in others or _likeness(candidate, others[ident]) >= ALIKE
        ):
            return ident
        ordinal += 1


def _state(memory: Memory) -> str:
    if memory.status is Status.ARCHIVED:
        return "taken out of use by a person: never offer it again"
    return "a person wrote or changed it: keep" if memory.touched else ""


def _ranges(memory: Memory, session: Session) -> tuple[tuple[int, int], ...]:
    return tuple(
        sorted(pair for source in _own(memory.sources, session) for pair in source.records)
    )


def _own(sources: Iterable[Source], session: Session) -> Iterable[Source]:
    return (
        s for s in sources if (s.agent, s.session) == (session.agent, session.id) and s.part is None
    )


def _same_evidence(session: Session, candidate: Candidate, memory: Memory) -> bool:
    if memory.primitive is not candidate.primitive or memory.primitive is Primitive.SUMMARY:
        return False
    cited = [
        pair
        for evidence in candidate.evidence
        if evidence.part is None
        for pair in evidence.records
    ]
    return any(
        a <= last and first <= b for a, b in cited for first, last in _ranges(memory, session)
    )


def _likeness(candidate: Candidate, memory: Memory) -> float:
    return alike(replace(memory, title=candidate.title, body=candidate.body), memory)
