"""Which of a set of memories are in force, independent of the order of syncing.

Memories are processed in the order of `created` and id. One that says the same as another in force
never comes into force. Every other does, and withdraws for good all in force that it contradicts:
what it withdrew does not return when a third memory withdraws it in turn, and what is said again
after being withdrawn is in force again. A memory that a person decided on is left as it is; later
ones that say the same stay out of force as long as it is in force, even if it is reworded.

Whether two memories say the same, or contradict each other, follows from their words, or from a
model's verdict if it compared the two.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.compared import Comparisons, Relation
from git_lerim.memories.similarity import Neighbours, contradicts, near_duplicate

IMPORTED = "import"  # the `agent` of a source that is an imported file


def left_alone(memory: Memory) -> bool:
    """Return whether sync must not judge a memory: a person changed it, or wrote it."""
    by_hand = not memory.sources and memory.origin is not Origin.AGENT
    return memory.touched or by_hand or any(source.agent == IMPORTED for source in memory.sources)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one memory."""

    memory: Memory
    by: str | None = None  # what it lost against
    why: str = ""


def _counts(memory: Memory) -> bool:
    """Return whether a memory affects others: not if suspect, withdrawn or replaced for good."""
    return (
        memory.status is not Status.SUSPECT
        and not _retired(memory)
        and (memory.touched or memory.confidence > 0.0)
    )


def _retired(memory: Memory) -> bool:
    """Return whether an archived memory was out of force before it was archived.

    Its session had withdrawn it, or it names its replacement.
    """
    # related while it was active
    unsure = {row.other for row in memory.compared if row.verdict is Relation.UNSURE}
    replaced = set(memory.related) - unsure or not memory.confidence
    return memory.status is Status.ARCHIVED and memory.edited is None and bool(replaced)


def _put_away(memory: Memory) -> bool:
    """Return whether a person or maintenance took a memory out of use."""
    return memory.touched and memory.status is not Status.ACTIVE


def _set_apart(memory: Memory | None) -> tuple[object, ...]:
    """Return all of a memory that others can depend on."""
    if memory is None or not _counts(memory):
        return ()
    fixed = (memory.status, memory.updated) if left_alone(memory) else ()
    return (memory.primitive, memory.title, memory.body, memory.created, memory.compared, *fixed)


def judge(
    everything: Mapping[str, Memory], seeds: Iterable[str], before: Mapping[str, Memory]
) -> dict[str, Verdict]:
    """Judge the seeds and all that differs from a settled store, and what that affects.

    A memory's outcome depends on earlier memories near it and on later ones that contradict it. If
    none of these changed while it is in force, its outcome is unchanged. So only neighbours of
    memories whose outcome changed are judged, and the result equals judging the whole set. Earlier
    outcomes are read from the links of `before`, which must be the result of one judgement: the
    links of two merged stores do not tell when a memory was in force.
    """
    near = Neighbours(memory for memory in everything.values() if _counts(memory))
    held = _held(everything, before)
    said, settled = _Said(everything), _Settled(before)

    def linked(memory: Memory) -> list[Memory]:
        both = (
            sorted([*near.near(memory), *said.partners(memory)], key=_when)
            if _counts(memory)
            else []
        )
        found = {other.id: other for other in both}
        return [*(found | {ident: everything[ident] for ident in held.get(memory.id, ())}).values()]

    changed, unsure = _changed(everything, before), settled.unexplained()
    bore = {ident for ident in changed if settled.span(ident)} | (changed & unsure)
    bore_on = [
        other.id
        for ident in bore
        for other in [*near.near(before[ident]), *settled.said.partners(before[ident])]
    ]
    waiting = {*seeds, *changed, *unsure, *bore_on} & everything.keys()
    links: dict[str, list[Memory]] = {}
    while True:
        links |= {ident: linked(everything[ident]) for ident in waiting}
        edge = {
            other.id: other
            for others in links.values()
            for other in others
            if other.id not in links
        }
        known = {ident: settled.course(ident) for ident in edge}
        run = _Run([*[everything[i] for i in links], *edge.values()], links, known, held, said)
        spans = {ident: _span(everything[ident], run.course(ident)) for ident in links}
        moved = [
            i
            for i, span in spans.items()
            if i in unsure or (span if i in changed else span != settled.span(i))
        ]
        waiting = {other.id for ident in moved for other in links[ident] if other.id not in links}
        if not waiting:
            return {ident: run.verdict(everything[ident]) for ident in links}


def _held(everything: Mapping[str, Memory], before: Mapping[str, Memory]) -> dict[str, set[str]]:
    """Return the pairs, both ways by id, of memories of which a person left one in force.

    The other said the same, perhaps in words that have changed since.
    """
    held: dict[str, set[str]] = {}
    for memory in (
        m
        for known in (everything, before)
        for m in known.values()
        if m.related and m.id in everything
    ):
        for winner in (everything[ident] for ident in memory.related if ident in everything):
            if (
                memory.status is Status.SUPERSEDED
                and not left_alone(memory)
                and _keeps_out(winner, memory)
            ):
                held.setdefault(memory.id, set()).add(winner.id)
                held.setdefault(winner.id, set()).add(memory.id)
    return held


def _keeps_out(winner: Memory, memory: Memory) -> bool:
    """Return whether the winner a memory names said the same: what opposes it came later."""
    return left_alone(winner) and winner.status is Status.ACTIVE and _when(winner) < _when(memory)


def _changed(everything: Mapping[str, Memory], before: Mapping[str, Memory]) -> set[str]:
    """Return the ids of memories that changed in a way others can depend on."""
    pairs = (
        (ident, everything.get(ident), before.get(ident))
        for ident in everything.keys() | before.keys()
    )
    return {
        ident for ident, now, was in pairs if now is not was and _set_apart(now) != _set_apart(was)
    }


_FOREVER = (datetime.max.replace(tzinfo=UTC), "")


def _when(memory: Memory) -> tuple[datetime, str]:
    return (memory.created, memory.id)


@dataclass(frozen=True, slots=True)
class _Loss:
    """What puts a memory out of force: one that says the same, or a later contradiction."""

    by: str
    when: tuple[datetime, str]
    same: bool


def _span(memory: Memory, loss: _Loss | None) -> tuple[datetime, str] | None:
    """Return until when a memory is in force, all its neighbours depend on; None if never."""
    if not _counts(memory) or (loss and loss.same):
        return None
    return loss.when if loss else _FOREVER


class _Said:
    """Which memories say the same or contradict each other, by a model's verdict or their words."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._memories = memories
        self._compared = Comparisons(memories.values())

    def partners(self, memory: Memory) -> list[Memory]:
        """Return the memories in the set that this one was compared with."""
        found = (self._memories.get(ident) for ident in self._compared.partners(memory.id))
        return [other for other in found if other and _counts(other)]

    def same(self, stays: Memory, goes: Memory) -> bool:
        """Return whether the second memory says what the first says."""
        verdict = self._compared.same(stays, goes)
        return near_duplicate(stays, goes) if verdict is None else verdict

    def takes_back(self, later: Memory, earlier: Memory) -> bool:
        """Return whether a later memory withdraws an earlier one."""
        verdict = self._compared.replaces(later, earlier)
        return contradicts(later, earlier) if verdict is None else verdict

    def for_good(self, other: Memory, memory: Memory) -> bool:
        """Return whether a person settled this memory, through another that says the same.

        The person left the other in force, or put it away after this one was created.
        """
        if not left_alone(other) or not _counts(other):
            return False
        away = _put_away(other) and _when(other) < _when(memory)
        away = away and (memory.created <= other.updated or other.updated == other.created)
        return (away or other.status is Status.ACTIVE) and self.same(other, memory)


class _Settled:
    """A store written by one judgement, so that its links tell the outcome of each memory."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._memories = memories
        self.said = _Said(memories)
        self._took_by = {
            ident: m for m in memories.values() if not left_alone(m) for ident in m.supersedes
        }

    def course(self, ident: str) -> _Loss | None:
        """Return what a memory lost against; None if it is in force."""
        memory = self._memories[ident]
        if left_alone(memory) or memory.status is not Status.SUPERSEDED:
            return None
        if winner := self._took_by.get(ident):
            return _Loss(winner.id, _when(winner), same=False)
        winner = next(
            (self._memories[other] for other in memory.related if other in self._memories), memory
        )
        return _Loss(
            winner.id,
            _when(winner),
            same=_keeps_out(winner, memory) or self.said.same(winner, memory),
        )

    def span(self, ident: str) -> tuple[datetime, str] | None:
        """Return until when a memory was in force; None if never, or if it is new."""
        return _span(self._memories[ident], self.course(ident)) if ident in self._memories else None

    def unexplained(self) -> set[str]:
        """Return the superseded memories whose links do not explain it: they may be in force now.

        A loss is explained by exactly one link to a memory that no person touched since, or that
        keeps this one out.
        """
        takers = Counter(
            ident
            for memory in self._memories.values()
            if not left_alone(memory)
            for ident in memory.supersedes
        )
        lost = [
            m
            for m in self._memories.values()
            if m.status is Status.SUPERSEDED and m.confidence and not left_alone(m)
        ]
        return {memory.id for memory in lost if not self._explained(memory, takers[memory.id])}

    def _explained(self, memory: Memory, takers: int) -> bool:
        named = [self._memories.get(ident) for ident in memory.related]
        kept = [
            other
            and (
                not left_alone(other)
                or _keeps_out(other, memory)
                or self.said.for_good(other, memory)
            )
            for other in named
        ]
        return takers + len(named) == 1 and all(kept)


class _Run:
    """One pass over memories in order: each comes into force and withdraws others, or does not."""

    def __init__(
        self,
        memories: Sequence[Memory],
        links: Mapping[str, Sequence[Memory]],
        known: Mapping[str, _Loss | None],
        held: Mapping[str, Collection[str]],
        said: _Said,
    ) -> None:
        """Judge the memories that have links; the outcome of the others is known."""
        self._known = known
        self._held = held
        self._said = said
        self._alone = {m.id for m in memories if left_alone(m)}
        self._in_force = {
            m.id for m in memories if m.id in self._alone and m.status is Status.ACTIVE
        }
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
            # prefer a link by which a reworded memory holds this one
            held = self._held.get(memory.id, ())
            first = sorted(near, key=lambda other: other.id not in held)
            said = next((other for other in first if self._says_it_already(other, memory)), None)
            loss = _Loss(said.id, _when(said), same=True) if said else None
            self._lost |= {memory.id: loss} if loss else {}
        if loss is None or not loss.same:
            self._in_force.add(memory.id)
        return memory.id in self._in_force

    def _says_it_already(self, other: Memory, memory: Memory) -> bool:
        """Return whether a memory in force, or one a person put away since, says the same."""
        if other.id in self._held.get(memory.id, ()) and _keeps_out(other, memory):
            return True
        return self._said.for_good(other, memory) or (
            self._stands(other, memory) and self._said.same(other, memory)
        )

    def _stands(self, other: Memory, now: Memory) -> bool:
        loss = self._known.get(other.id)
        return other.id in self._in_force and (loss is None or _when(now) <= loss.when)

    def _take_back(self, memory: Memory, near: Sequence[Memory]) -> None:
        for other in near:
            if (
                other.id in self._alone
                or not self._stands(other, memory)
                or not self._said.takes_back(memory, other)
            ):
                continue
            loss = _Loss(memory.id, _when(memory), same=False)
            if other.id not in self._known:
                self._in_force.remove(other.id)
                self._lost[other.id] = loss
            if self._known.get(other.id, loss) == loss:
                self._took.setdefault(memory.id, []).append(other.id)

    def course(self, ident: str) -> _Loss | None:
        """Return what a memory lost against in this pass."""
        return self._lost.get(ident)

    def verdict(self, memory: Memory) -> Verdict:
        """Return a memory with the status and links to store."""
        if memory.id in self._alone or not _counts(memory):
            return Verdict(memory)
        loss, took = self._lost.get(memory.id), tuple(sorted(self._took.get(memory.id, ())))
        if not loss:
            return Verdict(
                replace(memory, status=Status.ACTIVE, supersedes=took, related=self._unsure(memory))
            )
        # The winner names what it withdrew. If it merely came first, or must not be changed, the
        # loser names the winner.
        named = (loss.by,) if loss.same or loss.by in self._alone else ()
        why = f"says the same as {loss.by}" if loss.same else f"{loss.by} says otherwise later"
        return Verdict(
            replace(memory, status=Status.SUPERSEDED, supersedes=took, related=named), loss.by, why
        )

    def _unsure(self, memory: Memory) -> tuple[str, ...]:
        """Return the memories compared without a clear verdict that were once in force."""
        rows = (row.other for row in memory.compared if row.verdict is Relation.UNSURE)
        return tuple(sorted(ident for ident in rows if self._was_in_force(ident)))

    def _was_in_force(self, ident: str) -> bool:
        loss = self._known.get(ident, self._lost.get(ident))
        return ident in self._in_force or bool(loss and not loss.same)
