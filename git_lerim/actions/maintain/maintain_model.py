"""Ask the model about memories that words leave open: whether two say the same, or the later takes
the place of the earlier.

Many pairs a call, the nearest first, each pair once: the verdicts become rows of the later memory's
file, from which the merges and contradictions of this run and of each later one follow. A model
that fails leaves all to the words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model import compare
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.compare import Judged, Question
from git_lerim.extraction.by_model.neighbours import neighbours
from git_lerim.llm.base import Answer, Model
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.merging.compared import COMPARED, Compared, Comparisons, Relation
from git_lerim.tokens import counted
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.likeness.sameness import same
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

# the cosine of two memories, from which on they are asked about: 1.2 pairs a memory in a store of
# 1,000, each once
NEAR = 0.15
_CHARACTERS = 4  # of a token, about

Pair = tuple[Memory, Memory]  # the later memory, the earlier one


class Asking:
    """What one run asks the model, within the budget of tokens for a run."""

    def __init__(self, ws: Workspace) -> None:
        """Take the model that is set. Raises ModelFailed, BadSetting."""
        self._ws = ws
        self._model: Model = ws.model
        self._left: int | None = ws.settings["budgetTokens"]
        self.trouble = ""  # why pairs were left open

    def comparing(self, memories: Mapping[str, Memory]) -> Iterator[Step]:
        """Yield a step for each call that the model answered, with the verdicts on its pairs."""
        waiting = open_pairs(memories)
        changed: dict[
            str, Memory
        ] = {}  # a memory stands in pairs of several calls, and keeps the verdicts of each
        while waiting and not self.trouble:
            some, waiting = waiting[: compare.MOST], waiting[compare.MOST :]
            if step := self._compared(
                [(changed.get(later.id, later), earlier) for later, earlier in some]
            ):
                changed |= {memory.id: memory for memory in step.memories}
                yield step

    def _compared(self, pairs: Sequence[Pair]) -> Step | None:
        redactor = self._ws.redactor
        question = Question(
            [(gated(later, redactor)[0], gated(earlier, redactor)[0]) for later, earlier in pairs]
        )
        try:
            judged = self._judged(question)
        except (ModelFailed, Unusable) as error:
            self.trouble = (
                f"{counted(len(pairs), 'pair')} and those after them were not compared: {error}"
            )
            return None
        later = {memory.id: memory for memory, _ in pairs}
        new = {
            id_: _with_rows(memory, [one for one in judged if one.new == id_])
            for id_, memory in later.items()
        }
        changed = tuple(memory for id_, memory in new.items() if memory != later[id_])
        if not changed:
            return None
        summary = f"compare {counted(len(judged), 'pair')} of memories, by {self._model.name}"
        return Step(
            operation="compare",
            summary=summary,
            memories=changed,
            reasons=tuple(map(_said, changed)),
        )

    def _judged(self, question: Question) -> list[Judged]:
        """Ask, and once more where the answer cannot be read. Raises ModelFailed, Unusable."""
        said, schema = question.messages(), compare.schema()
        first = self._asked(said, schema)
        try:
            found = question.read(first.text, is_cut=first.is_cut)[0]
        except Unusable as fault:
            again = self._asked(
                [*said, ("assistant", first.text), ("user", compare.repair(fault))], schema
            )
            found = question.read(again.text, is_cut=again.is_cut)[0]
        named = {(one.new, one.other) for one in found}
        return found + [
            _both(*pair) for pair in question.pairs if (pair[0].id, pair[1].id) not in named
        ]

    def _asked(self, said: list[tuple[str, str]], schema: dict[str, object]) -> Answer:
        least = sum(len(text) for _, text in said) // _CHARACTERS
        if self._left is not None and least > self._left:
            raise ModelFailed(
                "the budget of tokens for one run does not cover it",
                hint="raise lerim.budgetTokens",
            )
        found = self._model.ask(said, schema)
        if self._left is not None:
            self._left -= (found.tokens_in + found.tokens_out) or least
        return found


def open_pairs(memories: Mapping[str, Memory]) -> list[Pair]:
    """Return the pairs of memories near each other that neither words nor a model settled, the
    nearest first.
    """
    active = [
        memory
        for memory in memories.values()
        if memory.status is Status.ACTIVE and may_change(memory)
    ]
    known = Comparisons(memories.values())
    found: dict[frozenset[str], Pair] = {}
    for like, one, other in neighbours(active, active):
        if like < NEAR:
            break
        earlier, later = sorted((one, other), key=lambda memory: (memory.created, memory.id))
        if (
            one.primitive is other.primitive
            and earlier.id not in known.partners(later.id)
            and not same(one, other)
        ):
            found.setdefault(frozenset((one.id, other.id)), (later, earlier))
    return list(found.values())


def _both(later: Memory, earlier: Memory) -> Judged:
    """Return the verdict on a pair that the model left out: it may do so where both hold."""
    return Judged(new=later.id, other=earlier.id, later=later.id, verdict=Relation.BOTH, reason="")


def _with_rows(memory: Memory, judged: Sequence[Judged]) -> Memory:
    rows = [Compared(other=one.other, verdict=one.verdict) for one in judged]
    return replace(memory, compared=COMPARED.clean((*memory.compared, *rows)))


def _said(memory: Memory) -> str:
    return ", ".join(f"{row.verdict} {row.other}" for row in memory.compared)
