"""A model's verdicts on memories from different sessions, from which syncs derive links.

The verdicts are rows in the memories' files. A row does not say which memory is the earlier; that
follows from `created`. So the order of reading sessions does not matter.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from git_lerim.memories.format.columns import Row, Rows, column
from git_lerim.memories.format.forms import ID, Member

if TYPE_CHECKING:
    from git_lerim.memories.memory import Memory
    from git_lerim.memories.writers import Author

_A_PERSONS = {"human", "answer"}  # a person's words: a model alone never takes them out of use


class Relation(StrEnum):
    """How two memories relate; if verdicts conflict, the one that is listed first here wins.

    Those that keep both memories in use are therefore listed first.
    """

    BOTH = "both"  # both hold
    UNSURE = "unsure"
    SAME = "same"  # they say the same
    REPLACES = "replaces"  # the later takes the place of the earlier


_ORDER = {relation: place for place, relation in enumerate(Relation)}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Compared:
    """A model's verdict on how a memory relates to another one."""

    other: str = field(metadata=column(ID))
    verdict: Relation = field(metadata=column(Member(Relation)))


def joined(rows: Iterable[Compared]) -> list[Compared]:
    """Return one row for each other memory, with the verdict that wins.

    Joining is commutative, associative and idempotent.
    """
    found: dict[str, Compared] = {}
    for row in rows:
        found[row.other] = min(
            row, found.get(row.other, row), key=lambda each: _ORDER[each.verdict]
        )
    return list(found.values())


COMPARED = Rows(Row(Compared, named=False, words=lambda row: f"{row.verdict}, {row.other}"), joined)


class Comparisons:
    """The verdicts on pairs of memories.

    If a memory was merged into another one, the verdicts on it count for the other one.
    """

    def __init__(self, memories: Iterable["Memory"], author: "Author | None" = None) -> None:
        """Collect the verdicts in all of these memories; `author` says who wrote each of them."""
        self._author = author
        self._by_pair: dict[frozenset[str], Relation] = {}
        self._partners: dict[str, set[str]] = defaultdict(set)
        memories = list(memories)
        holders = [memory for memory in memories if memory.compared]
        stayed = (
            {ident: memory.id for memory in memories for ident in memory.merged_from}
            if holders
            else {}
        )
        for memory in holders:
            for row in memory.compared:
                self._note(
                    stayed.get(memory.id, memory.id), stayed.get(row.other, row.other), row.verdict
                )

    def _note(self, one: str, other: str, verdict: Relation) -> None:
        pair = frozenset((one, other))
        if len(pair) == 2:
            self._by_pair[pair] = min(
                verdict, self._by_pair.get(pair, verdict), key=_ORDER.__getitem__
            )
            self._partners[one].add(other)
            self._partners[other].add(one)

    def partners(self, ident: str) -> Collection[str]:
        """Return the ids of the memories that a memory was compared with."""
        return self._partners.get(ident, ())

    def same(self, stays: "Memory", goes: "Memory") -> bool | None:
        """Return whether two memories say the same, or None if no verdict counts.

        A verdict does not count if it would take a person's words out of use, or replace a memory
        by one that a colleague shared.
        """
        return self._is(Relation.SAME, stays, goes)

    def replaces(self, later: "Memory", earlier: "Memory") -> bool | None:
        """Return whether the later memory replaces the earlier, or None if no verdict counts.

        The same verdicts as for `same` do not count.
        """
        return self._is(Relation.REPLACES, later, earlier) and (later.created, later.id) > (
            earlier.created,
            earlier.id,
        )

    def _is(self, relation: Relation, stays: "Memory", goes: "Memory") -> bool | None:
        verdict = self._by_pair.get(frozenset((stays.id, goes.id)))
        takes_out = verdict in (Relation.SAME, Relation.REPLACES)
        if verdict is None or (takes_out and self._is_protected(stays, goes)):
            return None
        return verdict is relation

    def _is_protected(self, stays: "Memory", goes: "Memory") -> bool:
        """Return whether no verdict may put `goes` out of use in favour of `stays`.

        That is so if `goes` has a person's words, or if a colleague shared `stays` and did not also
        share `goes`.
        """
        if goes.origin in _A_PERSONS or self._author is None:
            return goes.origin in _A_PERSONS
        whose = self._author(stays.id)  # a colleague may have forged the verdict
        return whose != "" and whose != self._author(goes.id)

    def opposed(self, later: "Memory", earlier: "Memory") -> bool | None:
        """Return whether a model said that the later memory replaces the earlier one.

        It does not matter who wrote the memories. The result is None if there is no verdict.
        """
        verdict = self._by_pair.get(frozenset((later.id, earlier.id)))
        return None if verdict is None else verdict is Relation.REPLACES
