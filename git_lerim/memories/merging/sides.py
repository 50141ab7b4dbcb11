"""The two sides of a merge, and the texts that it drops."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from git_lerim.memories.memory import COLUMNS, Edited, Memory
from git_lerim.memories.merging import also_recorded

_FORMS = {each.name: each.form for each in COLUMNS}

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a merge: its version of a memory, and its last author according to git."""

    memory: Memory
    by: str
    by_hand: Edited | None = None  # the last commit of it that a person made without git-lerim
    is_undo: bool = False  # an earlier state that an undo brings back, so nobody's new words

    def since(self, base: Memory | None) -> "Side":
        """Return this side, marked as edited if a person changed its words by hand.

        Only a change since `base`, made in a commit without git-lerim, counts.
        """
        hand, memory = self.by_hand, self.memory
        said = (memory.title, memory.body)
        if hand is None or base is None or said == (base.title, base.body):
            return self
        edited = max(memory.edited or hand, hand, key=lambda each: (each.at, each.by))
        updated = max(memory.updated, hand.at)
        return replace(self, memory=memory.having(edited=edited, updated=updated))

    @property
    def name(self) -> str:
        """The author according to git, or else the person named in the memory."""
        edited = self.memory.edited
        return self.by or (edited.by.partition(" <")[0] if edited else "")


@dataclass
class ThreeWay:
    """A base and two changed versions, the older and the newer."""

    base: Memory
    older: Side
    newer: Side
    lost: list[str] = field(default_factory=list)  # entries of `## Also recorded`

    def of(self, name: str) -> tuple[Any, Any, Any]:
        """Return the base value of a field and those of both sides."""
        return (
            getattr(self.base, name),
            getattr(self.older.memory, name),
            getattr(self.newer.memory, name),
        )

    def pick(
        self,
        name: str,
        values: Sequence[Value],
        show: Callable[[Value], str],
        key: Callable[[Value], Any] = lambda value: value,
    ) -> Value:
        """Return the value that one side changed; if both did, the newer value.

        In the latter case, the older value is recorded. `values` are those of the base, the older
        and the newer side.
        """
        was, old, new = map(key, values)
        if old not in (was, new) and new != was and not bares(show(values[1]), show(values[2])):
            self.note(self.older, show(values[1]), name)
        return values[1] if new == was else values[2]

    def pick_column(self, name: str) -> Any:
        """Return the changed value of a field; if both sides changed it, the newer."""
        return self.pick(name, self.of(name), lambda value: ", ".join(_FORMS[name].lines(value)))

    def note(self, side: Side, text: str, name: str = "") -> None:
        """Record a dropped text if a person wrote it; what a sync wrote can be created again."""
        if side.memory.edited and not side.is_undo:
            self.lost.append(also_recorded.entry(side.memory.updated, side.name, text, name))


def bares(text: str, other: str) -> bool:
    """Return whether a text has fewer redactions than another, so that it may expose secrets."""
    return text.count("[REDACTED:") < other.count("[REDACTED:")
