"""Decide whether two memories say the same or contradict each other."""

from collections.abc import Mapping

from git_lerim.extraction.supersession.force import (
    counts,
    decided_by_person,
    is_put_away,
    order_key,
)
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.merging.compared import Comparisons
from git_lerim.memories.similarity.similarity import contradicts, near_duplicate
from git_lerim.memories.similarity.taking_back import (
    may_be_inactive,
    may_mean,
    only_takes_back,
    takes_back,
)
from git_lerim.memories.writers import Author, may_not_withdraw, only_user, takes_others_words


class Relations:
    """The relations between memories: which say the same or contradict each other.

    A model's verdict decides or, if the two were not compared, their wording.
    """

    def __init__(self, memories: Mapping[str, Memory], author: Author = only_user) -> None:
        self._memories = memories
        self._author = author
        self._compared = Comparisons(memories.values(), author)

    def partners(self, memory: Memory) -> list[Memory]:
        """Return the other memories of the set that this memory was compared with."""
        found = (self._memories.get(ident) for ident in self._compared.partners(memory.id))
        return [other for other in found if other and counts(other)]

    def same(self, stays: Memory, goes: Memory) -> bool:
        """Return whether the second memory says the same as the first."""
        if may_be_inactive(stays) or may_be_inactive(goes):
            return False
        verdict = self._compared.same(stays, goes)
        return near_duplicate(stays, goes) if verdict is None else verdict

    def says_it_for(self, other: Memory, memory: Memory) -> bool:
        """Return whether `other` may replace a memory that says the same.

        It may not replace what a different person said.
        """
        return not takes_others_words(other, memory, self._author)

    def takes_back(self, later: Memory, earlier: Memory) -> bool:
        """Return whether a later memory withdraws an earlier one.

        What an agent noted or said withdraws nothing that a person said.
        """
        if only_takes_back(earlier) or may_not_withdraw(later, earlier):
            return False
        verdict = self._compared.replaces(later, earlier)
        if verdict is not None:
            return verdict
        return contradicts(later, earlier) and (
            self.says_it_for(later, earlier) or not takes_back(later, earlier)
        )

    def names(self, later: Memory, earlier: Memory) -> bool:
        """Return whether a later memory takes back an earlier one only because it names it."""
        return self._compared.replaces(later, earlier) is None and takes_back(later, earlier)

    def may_name(self, later: Memory, earlier: Memory) -> bool:
        """Return whether a later memory may mean to take back an earlier one."""
        if only_takes_back(earlier) or later.created <= earlier.created:
            return False
        return self.names(later, earlier) or may_mean(later, earlier)

    def for_good(self, other: Memory, memory: Memory) -> bool:
        """Return whether a person's decision on `other` settles a memory that says the same.

        That is so if the person keeps `other` in force, or took it out of use after `memory` was
        created.
        """
        if not decided_by_person(other) or not counts(other):
            return False
        away = is_put_away(other) and order_key(other) < order_key(memory)
        away = away and (memory.created <= other.updated or other.updated == other.created)
        return (away or other.status is Status.ACTIVE) and self.same(other, memory)
