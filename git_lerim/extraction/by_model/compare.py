"""Ask a model how a session's new memories relate to those of other sessions.

All pairs are sent in one call. A pair in the answer that was not asked about is refused; a pair
that the answer lacks has no verdict. Which memory of a pair is superseded follows from their times,
never from the model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from git_lerim.extraction.by_model.answer import decoded
from git_lerim.extraction.by_model.neighbours import neighbours
from git_lerim.extraction.by_model.prompt import (
    TEXT,
    array_schema,
    enum_schema,
    object_schema,
    prompt_text,
)
from git_lerim.llm.base import Message
from git_lerim.memories.memory import Memory
from git_lerim.memories.merging.compared import Relation
from git_lerim.tokens import clip

MOST = 24  # pairs of one call
_BODY = 600  # characters
_REASON = 200


class _Item(msgspec.Struct, kw_only=True):
    earlier: str
    later: str
    verdict: Relation
    reason: str = ""


class _Reply(msgspec.Struct, kw_only=True):
    pairs: list[_Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model's verdict on one pair of a new and a stored memory."""

    new: str  # id of the memory of the session that was read
    other: str  # id of the stored memory
    later: str  # id of the later one of these two
    verdict: Relation
    reason: str


@dataclass(frozen=True)
class Question:
    """A question to a model: how new memories relate to similar stored ones, pair by pair."""

    pairs: Sequence[tuple[Memory, Memory]]

    @cached_property
    def names(self) -> dict[str, Memory]:
        """Map each name that the model sees to its memory; the names are numbered by time.

        A1, A2, … are memories of the session, B1, B2, … those of other sessions.
        """
        found: dict[str, Memory] = {}
        for letter, place in (("A", 0), ("B", 1)):
            unique = {pair[place].id: pair[place] for pair in self.pairs}
            found |= {
                f"{letter}{number}": memory
                for number, memory in enumerate(sorted(unique.values(), key=_when), 1)
            }
        return found

    @cached_property
    def asked(self) -> dict[tuple[str, str], tuple[Memory, Memory]]:
        """Map each pair of names (the earlier memory's first) to the new and the stored memory."""
        name = {memory.id: name for name, memory in self.names.items()}
        found: dict[tuple[str, str], tuple[Memory, Memory]] = {}
        for new, other in self.pairs:
            earlier, later = sorted((new, other), key=_when)
            found[name[earlier.id], name[later.id]] = (new, other)
        return found

    def messages(self) -> list[Message]:
        """Return the request to the model; the same memories always yield the same request."""
        lines = [_shown(name, memory) for name, memory in self.names.items()]
        pairs = [f"{earlier}, {later}" for earlier, later in sorted(self.asked, key=_numbers)]
        told = "\n".join(
            ["MEMORIES", *lines, "END OF MEMORIES", "", "PAIRS (earlier, later)", *pairs]
        )
        return [("system", prompt_text("compare.md")), ("user", told)]

    def read(self, text: str, *, is_cut: bool) -> tuple[list[Judged], list[str]]:
        """Return the verdicts of an answer, and the pairs in it that were not asked about.

        Raises Unusable if the answer cannot be parsed.
        """
        found: dict[tuple[str, str], Judged] = {}
        refused = []
        for item in decoded(text, _Reply, is_cut=is_cut).pairs:
            key = (item.earlier.strip(), item.later.strip())
            if key not in self.asked:
                refused.append(clip(f"{item.earlier}, {item.later}", 40))
                continue
            new, other = self.asked[key]
            reason = clip(" ".join(item.reason.split()), _REASON)
            one = Judged(
                new=new.id,
                other=other.id,
                later=self.names[key[1]].id,
                verdict=item.verdict,
                reason=reason,
            )
            found[key] = min(
                one, found.get(key, one), key=lambda each: [*Relation].index(each.verdict)
            )
        return list(found.values()), refused


def question(new: Sequence[Memory], stored: Sequence[Memory]) -> Question | None:
    """Return the question about new memories and similar stored ones; None if none are similar."""
    near = [(memory, other) for _, memory, other in neighbours(new, stored)][:MOST]
    return Question(near) if near else None


def schema() -> dict[str, Any]:
    """Return the JSON schema that the model's answer must fit."""
    pair = {
        "earlier": TEXT,
        "later": TEXT,
        "reason": TEXT,
        "verdict": enum_schema(sorted(Relation)),
    }
    return object_schema({"pairs": array_schema(object_schema(pair))})


def _when(memory: Memory) -> tuple[Any, str]:
    return (memory.created, memory.id)


def _numbers(pair: tuple[str, str]) -> list[tuple[str, int]]:
    return sorted((name[0], int(name[1:])) for name in pair)


def _shown(name: str, memory: Memory) -> str:
    """Return a memory on one line, so that no part of it can look like another memory."""
    body = clip(" ".join(memory.body.split()), _BODY)
    return (
        f"{name} ({memory.kind or memory.primitive}, {memory.created:%Y-%m-%d %H:%M}):"
        f" {' '.join(memory.title.split())} | {body}"
    )
