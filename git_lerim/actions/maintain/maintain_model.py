"""Let the model judge pairs of memories that the rules cannot judge.

It says whether two memories say the same, whether the later one replaces the earlier one, or
whether both are true. Many pairs are sent in one call, the most similar first and each only once.
The verdicts are stored in the later memory's file; this and later runs derive merges and
contradictions from them. If the model fails, only the rules decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from git_lerim.actions.models.asking import Asking, size_of
from git_lerim.actions.models.judge_pairs import judge_pairs
from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model import compare
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.compare import Judged, Question
from git_lerim.extraction.by_model.neighbours import neighbours
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.merging.compared import COMPARED, Compared, Comparisons, Relation
from git_lerim.tokens import counted
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.likeness.sameness import same
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

# Minimum likeness of a pair. Each memory is compared only with the nearest one of its primitive.
NEAR = 0.15

Pair = tuple[Memory, Memory]  # the later memory, the earlier one


class Comparing:
    """One run in which a model compares pairs of memories."""

    def __init__(self, ws: Workspace, asking: Asking) -> None:
        self._ws = ws
        self._asking = asking
        self.trouble = ""  # why some pairs were not judged

    def comparing(self, memories: Mapping[str, Memory]) -> Iterator[Step]:
        """Ask the model about pairs; for each successful call, yield a step with its verdicts."""
        # a memory can be in pairs of several calls, and keeps the verdicts of each
        changed: dict[str, Memory] = {}
        for some in _batches(memories):
            if self.trouble:
                return
            if step := self._compared(
                [(changed.get(later.id, later), earlier) for later, earlier in some]
            ):
                changed |= {memory.id: memory for memory in step.memories}
                yield step

    def _compared(self, pairs: Sequence[Pair]) -> Step | None:
        try:
            judged = self._judged(_question(self._ws, pairs))
        except (ModelFailed, Unusable) as error:
            self.trouble = (
                f"{counted(len(pairs), 'pair')} and all later ones were not compared: {error}"
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
        summary = f"compare {counted(len(judged), 'pair')} of memories, by {self._asking.name}"
        return Step(
            operation="compare",
            summary=summary,
            memories=changed,
            reasons=tuple(map(_said, changed)),
            model=self._asking.name,
        )

    def _judged(self, question: Question) -> list[Judged]:
        """Return the model's verdicts on pairs; ask again if its answer cannot be parsed.

        In a pair that the answer omits, both memories count as true. Raises ModelFailed, Unusable.
        """
        found = judge_pairs(question, self._asking.ask)[0]
        named = {(one.new, one.other) for one in found}
        return found + [
            _both(*pair) for pair in question.pairs if (pair[0].id, pair[1].id) not in named
        ]


def estimate(ws: Workspace, memories: Mapping[str, Memory]) -> list[int]:
    """Estimate the tokens of each request about pairs, without sending any request."""
    return [size_of(_question(ws, pairs).messages()) for pairs in _batches(memories)]


def _batches(memories: Mapping[str, Memory]) -> Iterator[Sequence[Pair]]:
    """Yield the pairs that have not been judged yet, in batches of one request each."""
    waiting = open_pairs(memories)
    yield from (waiting[at : at + compare.MOST] for at in range(0, len(waiting), compare.MOST))


def _question(ws: Workspace, pairs: Sequence[Pair]) -> Question:
    return Question(
        [(gated(later, ws.redactor)[0], gated(earlier, ws.redactor)[0]) for later, earlier in pairs]
    )


def open_pairs(memories: Mapping[str, Memory]) -> list[Pair]:
    """Return the similar pairs that neither rules nor a model have judged, most similar first."""
    active = [
        memory
        for memory in memories.values()
        if memory.status is Status.ACTIVE and may_change(memory)
    ]
    known = Comparisons(memories.values())
    found: dict[frozenset[str], Pair] = {}
    for one, other in _nearest(active):
        earlier, later = sorted((one, other), key=lambda memory: (memory.created, memory.id))
        if earlier.id not in known.partners(later.id) and not same(one, other):
            found.setdefault(frozenset((one.id, other.id)), (later, earlier))
    return list(found.values())


def _nearest(memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Yield each memory and the most similar one of its type, the most similar pairs first."""
    found = []
    for primitive in Primitive:
        own = [memory for memory in memories if memory.primitive is primitive]
        found += neighbours(own, own, each=1, least=NEAR)
    for _, one, other in sorted(found, key=lambda pair: -pair[0]):
        yield one, other


def _both(later: Memory, earlier: Memory) -> Judged:
    """Return the verdict "both are true" for a pair that the model's answer omits."""
    return Judged(new=later.id, other=earlier.id, later=later.id, verdict=Relation.BOTH, reason="")


def _with_rows(memory: Memory, judged: Sequence[Judged]) -> Memory:
    rows = [Compared(other=one.other, verdict=one.verdict) for one in judged]
    return replace(memory, compared=COMPARED.clean((*memory.compared, *rows)))


def _said(memory: Memory) -> str:
    return ", ".join(f"{row.verdict} {row.other}" for row in memory.compared)
