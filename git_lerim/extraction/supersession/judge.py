"""Decide which of a set of memories are in force, independently of the order of syncing.

Memories are processed in the order of `created` and id. A memory that says the same as one in force
never comes into force. Any other memory comes into force, and withdraws for good all memories in
force that it contradicts: they do not return if it is itself withdrawn later. A memory that says
again what was withdrawn comes into force. A memory that takes back what a person said withdraws
only what it names best, so all that it may name is judged with it. A memory that a person decided
on keeps its status; as long as it is in force, later memories that say the same and earlier ones
that it withdrew stay out of force, even if it is reworded.

Whether two memories say the same, or contradict each other, follows from their words, or from a
model's verdict if it compared the two. What one person said stays in force beside a memory of
somebody else that says the same.
"""

from collections.abc import Iterable, Mapping

from git_lerim.extraction.supersession.force import (
    counts,
    decided_by_person,
    keeps_out,
    keeps_replaced,
    order_key,
    replaced_by,
    span_of,
)
from git_lerim.extraction.supersession.ordered_pass import Pass, Verdict
from git_lerim.extraction.supersession.relations import Relations
from git_lerim.extraction.supersession.settled import SettledStore
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.similarity import Neighbours
from git_lerim.memories.similarity.taking_back import may_end_others
from git_lerim.memories.writers import Author, only_user


def judge(
    everything: Mapping[str, Memory],
    seeds: Iterable[str],
    before: Mapping[str, Memory],
    author: Author = only_user,
) -> dict[str, Verdict]:
    """Return the verdicts on `seeds`, which differ from `before`, and on all memories they affect.

    A memory's outcome depends on earlier memories that are similar, and on later ones that
    contradict it. If none of these changed while the memory is in force, its outcome is unchanged.
    So memories are judged only if they are similar to one whose outcome changed, or were compared
    with it; the result equals judging the whole set. Earlier outcomes are read from the links of
    `before`, whose memories must all have been judged together: the links of two merged stores do
    not show when a memory was in force.
    """
    graph, settled = _Graph(everything, before, author), SettledStore(before)
    changed, unsure = _changed(everything, before), settled.unexplained()
    mattered = {ident for ident in changed if settled.span(ident)} | (changed & unsure)
    affected = [
        other.id
        for ident in mattered
        for other in [*graph.near.near(before[ident]), *settled.relations.partners(before[ident])]
    ]
    waiting = {*seeds, *changed, *unsure, *affected} & everything.keys()
    links: dict[str, list[Memory]] = {}
    while True:
        links |= {ident: graph.linked(everything[ident]) for ident in waiting}
        judged = graph.judged(links, settled)
        spans = {ident: span_of(everything[ident], judged.course(ident)) for ident in links}
        moved = [
            ident
            for ident, span in spans.items()
            if ident in unsure
            or _may_take_back(everything[ident])
            or (span if ident in changed else span != settled.span(ident))
        ]
        waiting = {other.id for ident in moved for other in links[ident] if other.id not in links}
        if not waiting:
            return {ident: judged.verdict(everything[ident]) for ident in links}


class _Graph:
    """A graph that links each memory to the memories that it is judged against."""

    def __init__(
        self, everything: Mapping[str, Memory], before: Mapping[str, Memory], author: Author
    ) -> None:
        self._everything = everything
        self.near = Neighbours(memory for memory in everything.values() if counts(memory))
        self._held = _held(everything, before)
        self._relations = Relations(everything, author)

    def linked(self, memory: Memory) -> list[Memory]:
        """Return the memories that a memory is judged against."""
        near: list[Memory] = []
        if counts(memory):
            near = [*self.near.near(memory), *self._relations.partners(memory)]
        found = {other.id: other for other in sorted(near, key=order_key)}
        held = {ident: self._everything[ident] for ident in self._held.get(memory.id, ())}
        return [*(found | held).values()]

    def judged(self, links: Mapping[str, list[Memory]], settled: SettledStore) -> Pass:
        """Judge the memories in `links`; others that they link to keep their settled outcome."""
        edge = {
            other.id: other
            for others in links.values()
            for other in others
            if other.id not in links
        }
        known = {ident: settled.course(ident) for ident in edge}
        memories = [*[self._everything[ident] for ident in links], *edge.values()]
        return Pass(memories, links, known, self._held, self._relations)


def _may_take_back(memory: Memory) -> bool:
    """Return whether a memory may take back several others, of which it takes back the best one."""
    return bool(claim(memory.title).taken_back) or may_end_others(memory)


def _held(everything: Mapping[str, Memory], before: Mapping[str, Memory]) -> dict[str, set[str]]:
    """Pair each memory that a person keeps in force with those that lost against it.

    The result maps each memory's id to the ids of its partners. The memories may have been reworded
    since, so that their texts no longer say the same or contradict each other.
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
                and not decided_by_person(memory)
                and keeps_out(winner, memory)
            ):
                held.setdefault(memory.id, set()).add(winner.id)
                held.setdefault(winner.id, set()).add(memory.id)
    for winner in everything.values():
        for memory in (everything[ident] for ident in replaced_by(winner) if ident in everything):
            if keeps_replaced(winner, memory):
                held.setdefault(memory.id, set()).add(winner.id)
                held.setdefault(winner.id, set()).add(memory.id)
    return held


def _changed(everything: Mapping[str, Memory], before: Mapping[str, Memory]) -> set[str]:
    """Return the ids of memories that changed in a way that can affect others."""
    pairs = (
        (ident, everything.get(ident), before.get(ident))
        for ident in everything.keys() | before.keys()
    )
    return {
        ident for ident, now, was in pairs if now is not was and _set_apart(now) != _set_apart(was)
    }


def _set_apart(memory: Memory | None) -> tuple[object, ...]:
    """Return all fields of a memory that the outcome of others can depend on."""
    if memory is None or not counts(memory):
        return ()
    by_person = decided_by_person(memory)
    fixed = (memory.status, memory.updated, replaced_by(memory)) if by_person else ()
    return (memory.primitive, memory.title, memory.body, memory.created, memory.compared, *fixed)
