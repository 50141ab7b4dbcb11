"""Judge memories one by one in their order; see `judge.py` for the rule."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from git_lerim.extraction.supersession.force import (
    Loss,
    counts,
    decided_by_person,
    keeps_out,
    keeps_replaced,
    order_key,
)
from git_lerim.extraction.supersession.relations import Relations
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.merging.compared import Relation
from git_lerim.memories.similarity.taking_back import may_be_inactive, named_best, only_takes_back

_ENDS = "it only says that others no longer hold"
_WOULD_END = "it would only count if it ended an earlier wish; git lerim restore brings it into use"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one memory: its status and links, and why it lost, if it did.

    `spared` has what it would withdraw, had no person decided on that, each with the reason.
    """

    memory: Memory
    by: str | None = None  # id of the memory that it lost against
    why: str = ""
    spared: tuple[tuple[Memory, str], ...] = ()


class Pass:
    """One pass over memories in order, which decides for each if it comes into force.

    A memory that comes into force withdraws those that it contradicts.
    """

    def __init__(
        self,
        memories: Sequence[Memory],
        links: Mapping[str, Sequence[Memory]],
        known: Mapping[str, Loss | None],
        held: Mapping[str, Collection[str]],
        said: Relations,
    ) -> None:
        """Judge the memories that have links; the outcome of the others is already known."""
        self._known = known
        self._held = held
        self._relations = said
        self._alone = {m.id for m in memories if decided_by_person(m)}
        self._in_force = {
            m.id for m in memories if m.id in self._alone and m.status is Status.ACTIVE
        }
        self._lost: dict[str, Loss] = {}
        self._took: dict[str, list[str]] = {}
        self._spared: dict[str, tuple[tuple[Memory, str], ...]] = {}
        self._in_doubt: set[str] = set()  # those that may name several, or none for sure
        near = {memory.id: list(links.get(memory.id, ())) for memory in memories}
        for memory in memories:
            for other in links.get(memory.id, ()):
                if other.id in known:
                    near[other.id].append(memory)
        for memory in sorted(memories, key=order_key):
            if self._comes_into_force(memory, near[memory.id]):
                self._take_back(memory, near[memory.id])

    def _comes_into_force(self, memory: Memory, near: Sequence[Memory]) -> bool:
        if memory.id in self._alone or not counts(memory):
            return memory.id in self._in_force
        if memory.id in self._known:
            loss = self._known[memory.id]
        else:
            # prefer a memory that keeps this one out even if it was reworded
            held = self._held.get(memory.id, ())
            first = sorted(near, key=lambda other: other.id not in held)
            said = next((other for other in first if self._says_it_already(other, memory)), None)
            loss = Loss(said.id, order_key(said), same=True) if said else None
            self._lost |= {memory.id: loss} if loss else {}
        if loss is None or not loss.same:
            self._in_force.add(memory.id)
        return memory.id in self._in_force

    def _says_it_already(self, other: Memory, memory: Memory) -> bool:
        """Return whether another memory says the same, so that this one stays out of force.

        The other memory is in force, or a person settled the matter by deciding on it.
        """
        return (
            (other.id in self._held.get(memory.id, ()) and keeps_out(other, memory))
            or self._relations.for_good(other, memory)
            or (self._stands(other, memory) and self._relations.same(other, memory))
        ) and self._relations.says_it_for(other, memory)

    def _stands(self, other: Memory, now: Memory) -> bool:
        loss = self._known.get(other.id)
        return other.id in self._in_force and (loss is None or order_key(now) <= loss.when)

    def _take_back(self, memory: Memory, near: Sequence[Memory]) -> None:
        taken = self._taken_back(memory, near)
        standing = (other for other in near if self._stands(other, memory))
        if not taken and any(self._relations.may_name(memory, other) for other in standing):
            self._in_doubt.add(memory.id)
        for other in taken:
            loss = Loss(memory.id, order_key(memory), same=False)
            if other.id not in self._known:
                self._in_force.remove(other.id)
                self._lost[other.id] = loss
            if self._known.get(other.id, loss) == loss:
                self._took.setdefault(memory.id, []).append(other.id)

    def _taken_back(self, memory: Memory, near: Sequence[Memory]) -> list[Memory]:
        """Return what a memory withdraws; of several that it may name, the one it names best."""
        found = [
            other
            for other in near
            if self._stands(other, memory)
            and (keeps_replaced(memory, other) or self._relations.takes_back(memory, other))
        ]
        named = [other for other in found if self._relations.names(memory, other)]
        best = named_best(memory, named)
        meant = [
            other
            for other in found
            if other is best or other not in named or keeps_replaced(memory, other)
        ]
        self._spared[memory.id] = tuple(
            (other, _why_spared(other, memory)) for other in meant if other.id in self._alone
        )
        return [other for other in meant if other.id not in self._alone]

    def course(self, ident: str) -> Loss | None:
        """Return what put a memory out of force in this pass; None if it is in force."""
        return self._lost.get(ident)

    def verdict(self, memory: Memory) -> Verdict:
        """Return the verdict on a memory, with the status and the links to store."""
        if memory.id in self._alone or not counts(memory):
            return Verdict(memory)
        loss, took = self._lost.get(memory.id), tuple(sorted(self._took.get(memory.id, ())))
        if not loss:
            idle = self._is_idle(memory)
            status = Status.SUPERSEDED if idle else Status.ACTIVE
            return Verdict(
                replace(memory, status=status, supersedes=took, related=self._unsure(memory)),
                why=(_ENDS if took else _WOULD_END) if idle else "",
                spared=self._spared.get(memory.id, ()),
            )
        # The winner names what it withdrew. If it merely came first, or must not be changed, the
        # loser names the winner.
        named = (loss.by,) if loss.same or loss.by in self._alone else ()
        why = f"says the same as {loss.by}" if loss.same else f"{loss.by} says otherwise later"
        return Verdict(
            replace(memory, status=Status.SUPERSEDED, supersedes=took, related=named), loss.by, why
        )

    def _is_idle(self, memory: Memory) -> bool:
        """Return whether a memory that takes back other memories, or none, can be hidden.

        If it may mean a memory that is still in force, people must see both.
        """
        if memory.id in self._took:
            return only_takes_back(memory)
        return may_be_inactive(memory) and memory.id not in self._in_doubt

    def _unsure(self, memory: Memory) -> tuple[str, ...]:
        """Return the ids of memories that a model compared with this one without a clear verdict.

        Memories that never came into force are left out.
        """
        rows = (row.other for row in memory.compared if row.verdict is Relation.UNSURE)
        return tuple(sorted(ident for ident in rows if self._was_in_force(ident)))

    def _was_in_force(self, ident: str) -> bool:
        loss = self._known.get(ident, self._lost.get(ident))
        return ident in self._in_force or bool(loss and not loss.same)


def _why_spared(memory: Memory, later: Memory) -> str:
    return (
        f"{later.id} says otherwise later, but a person wrote or changed this one; to archive it:"
        f" git lerim forget {memory.id}"
    )
