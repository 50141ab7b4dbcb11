"""Read the outcome of each memory from the links of a settled store."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from git_lerim.extraction.supersession.force import (
    Loss,
    decided_by_person,
    keeps_out,
    order_key,
    span_of,
)
from git_lerim.extraction.supersession.relations import Relations
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.similarity.taking_back import may_be_inactive, only_takes_back


class SettledStore:
    """A store whose memories were all judged together, so that their links show their outcomes."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._memories = memories
        self.relations = Relations(memories)
        self._took_by = {
            ident: m
            for m in memories.values()
            if not decided_by_person(m)
            for ident in m.supersedes
        }

    def course(self, ident: str) -> Loss | None:
        """Return what put a memory out of force; None if it is in force."""
        memory = self._memories[ident]
        if (
            decided_by_person(memory)
            or memory.status is not Status.SUPERSEDED
            or only_takes_back(memory)
        ):
            return None
        if winner := self._took_by.get(ident):
            return Loss(winner.id, order_key(winner), same=False)
        if may_be_inactive(memory) and not memory.related:
            return None
        winner = next(
            (self._memories[other] for other in memory.related if other in self._memories), memory
        )
        return Loss(
            winner.id,
            order_key(winner),
            same=keeps_out(winner, memory) or self.relations.same(winner, memory),
        )

    def span(self, ident: str) -> tuple[datetime, str] | None:
        """Return when a memory stopped being in force, or None if it never was or is new."""
        return (
            span_of(self._memories[ident], self.course(ident)) if ident in self._memories else None
        )

    def unexplained(self) -> set[str]:
        """Return the ids of superseded memories whose links do not show what superseded them.

        They have to be judged again. The links show it if there is exactly one link between the
        memory and another that may have superseded it, and the other was not decided on by a
        person, or still keeps this memory out of force.
        """
        takers = Counter(
            ident
            for memory in self._memories.values()
            if not decided_by_person(memory)
            for ident in memory.supersedes
        )
        lost = [
            m
            for m in self._memories.values()
            if m.status is Status.SUPERSEDED
            and m.confidence
            and not decided_by_person(m)
            and not only_takes_back(m)
        ]
        return {memory.id for memory in lost if not self._explained(memory, takers[memory.id])}

    def _explained(self, memory: Memory, takers: int) -> bool:
        named = [self._memories.get(ident) for ident in memory.related]
        kept = [
            other
            and (
                not decided_by_person(other)
                or keeps_out(other, memory)
                or self.relations.for_good(other, memory)
            )
            for other in named
        ]
        return takers + len(named) == 1 and all(kept)
