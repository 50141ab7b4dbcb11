"""Merge memories that say the same thing: keep one, and add to it what only the others have.

The choice depends only on fields that never change later, so that machines which merge separately
choose the same one. If they saw different memories, `_fold` and `_revive` reconcile the results.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories import feedback
from git_lerim.memories.format import frontmatter
from git_lerim.memories.format.frontmatter import HEAD_LIMIT
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.compared import Comparisons
from git_lerim.memories.merging.merging import join_sources, redactions
from git_lerim.memories.plain_tags import is_plain
from git_lerim.memories.similarity.similarity import alike
from git_lerim.memories.writers import BY_PERSON, Author, only_user, takes_others_words
from git_lerim.tokens import counted
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.likeness.details import differ
from git_lerim.upkeep.likeness.pairs import Near
from git_lerim.upkeep.likeness.sameness import same

# best first: what people said or imported, which no agent's note replaces
_BEST = sorted(Origin, key=lambda origin: origin not in BY_PERSON)
_ORDER = {origin: place for place, origin in enumerate(_BEST)}
_ROOM = HEAD_LIMIT * 3 // 4  # bytes of a merged memory's front matter, leaving room for feedback


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A merge: the memory that is kept, and its duplicates, which are archived."""

    kept: Memory  # the new version
    others: tuple[Memory, ...]  # the new versions
    reason: str


def rank(memory: Memory) -> tuple[Any, ...]:
    """Return the sort key for duplicates, best first: origin, redactions, date, id."""
    return (_ORDER[memory.origin], -redactions(memory), memory.created, memory.id)


def merges(memories: Mapping[str, Memory], near: Near, author: Author = only_user) -> list[Merge]:
    """Return the merges to make: those left unfinished when stores were joined, or else new ones.

    Memories in the words of different people are not merged.
    """
    if unfinished := [*_revive(memories), *_fold(memories)]:
        return unfinished
    return [_merge(group) for group in _groups(memories, near, author)]


def _groups(memories: Mapping[str, Memory], near: Near, author: Author) -> Iterator[list[Memory]]:
    """Yield groups of two or more duplicates, the best memory first; no memory is in two."""
    compared = Comparisons(memories.values(), author)
    repeated = _repetitions(memories, compared)
    active = {id_: m for id_, m in memories.items() if may_change(m) and m.status is Status.ACTIVE}
    taken: set[str] = set()
    for memory in sorted(active.values(), key=rank):
        if memory.id in taken:
            continue
        close = {*near.get(memory.id, ()), *compared.partners(memory.id)}
        ids = sorted(id_ for id_ in close if id_ in active and id_ not in taken)
        group = [
            memory,
            *(other for id_ in ids if _says_the_same(memory, other := active[id_], compared)),
        ]
        group += [copy for each in group for copy in repeated.get(each.id, ())]
        group = [each for each in group if not takes_others_words(memory, each, author)]
        taken.update(each.id for each in group)
        if len(group) > 1:
            yield from _fitting(sorted(group, key=rank))


def _says_the_same(stays: Memory, goes: Memory, compared: Comparisons) -> bool:
    """Return whether two memories say the same thing, by a model's verdict or else their words.

    Memories whose words differ in a detail are never merged, whatever the verdict.
    """
    verdict = compared.same(stays, goes) if stays.primitive is goes.primitive else None
    return same(stays, goes) if verdict is None else verdict and not differ(stays, goes)


def _repetitions(memories: Mapping[str, Memory], compared: Comparisons) -> dict[str, list[Memory]]:
    """Map the id of a memory to those that a sync superseded as repetitions of that memory."""
    opposed = {id_ for memory in memories.values() for id_ in memory.supersedes}
    found: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories.values():
        if (
            memory.status is not Status.SUPERSEDED
            or not memory.confidence
            or memory.id in opposed
            or not may_change(memory)
        ):
            continue
        winner = memories.get(memory.related[0]) if len(memory.related) == 1 else None
        if (
            winner
            and winner.status is Status.ACTIVE
            and may_change(winner)
            and (compared.same(winner, memory) or same(winner, memory))
        ):
            found[winner.id].append(memory)
    return found


def _fitting(group: Sequence[Memory]) -> Iterator[list[Memory]]:
    """Yield a group without the members that would make the merged memory too large."""
    kept = [group[0]]
    for other in group[1:]:
        if _fits(_unite([*kept, other])):
            kept.append(other)
    if len(kept) > 1:
        yield kept


def _fits(memory: Memory) -> bool:
    try:
        return len(frontmatter.render(memory)) - len(memory.body.encode()) <= _ROOM
    except BadMemory:
        return False


def _merge(group: Sequence[Memory]) -> Merge:
    kept = _unite(group)
    others = tuple(
        clean(replace(each, status=Status.ARCHIVED, related=(kept.id,))) for each in group[1:]
    )
    return Merge(kept=kept, others=others, reason=_reason(group))


def _reason(group: Sequence[Memory]) -> str:
    sessions = len(
        {(source.agent, source.session) for memory in group for source in memory.sources}
    )
    least = min(alike(group[0], other) for other in group[1:])
    where = f" in {counted(sessions, 'session')}" if sessions else ""
    return (
        f"{len(group)} say the same thing{where}, at least {least:.2f} alike; kept the first with"
        f" origin {group[0].origin}"
    )


def _unite(group: Sequence[Memory]) -> Memory:
    """Return the first memory of a group, with what the others add to it.

    The others add their sources, links and feedback, and those of their tags that are simple words.
    If one of them was created later, the first memory counts as used on that day.
    """
    kept, others = group[0], group[1:]
    ids = {each.id for each in group}
    later = [f"{other.created:%Y-%m-%d}" for other in others if other.created > kept.created]
    days = [each.last_accessed for each in group if each.last_accessed] + later
    # a memory that may be the user's own gets tags of other people
    tags = [tag for other in others for tag in other.tags if is_plain(tag)]
    return clean(
        replace(
            kept,
            status=Status.ACTIVE,
            related=(),
            sources=join_sources(source for each in group for source in each.sources),
            tags=(*kept.tags, *tags),
            anchors=next((each.anchors for each in group if each.anchors), ()),
            supersedes=tuple({id_ for each in group for id_ in each.supersedes} - ids),
            merged_from=tuple(
                (ids | {id_ for each in group for id_ in each.merged_from}) - {kept.id}
            ),
            feedback=tuple(feedback.joined(row for each in group for row in each.feedback)),
            last_accessed=max(days, default=None),
        )
    )


# --- reconcile merges made on separate machines


def _fold(memories: Mapping[str, Memory]) -> Iterator[Merge]:
    """Yield merges for memories whose duplicates absorbed more memories on another machine."""
    for memory in memories.values():
        if memory.merged_from and memory.status is Status.ACTIVE and may_change(memory):
            missing = _absorbed(memory, memories) - {memory.id, *memory.merged_from}
            if missing:
                merged = _unite([memory, *(memories[id_] for id_ in sorted(missing))])
                if not _fits(merged):
                    continue
                yield Merge(
                    kept=merged,
                    others=(),
                    reason=f"takes over {counted(len(missing), 'memory')} merged elsewhere",
                )


def _absorbed(memory: Memory, memories: Mapping[str, Memory]) -> set[str]:
    """Return the ids of all memories merged into a memory, directly or indirectly."""
    found: set[str] = set()
    waiting = [memory.id]
    while waiting:
        for id_ in memories[waiting.pop()].merged_from:
            if id_ in memories and id_ not in found and memories[id_].status is Status.ARCHIVED:
                found.add(id_)
                waiting.append(id_)
    return found


def _revive(memories: Mapping[str, Memory]) -> Iterator[Merge]:
    """Yield merges that reactivate the best of several memories merged into each other."""
    lost = _merged_in_circles(memories)
    while lost:
        group = _connected(min(lost), lost, memories)
        lost -= group
        members = sorted((memories[id_] for id_ in group), key=rank)
        merged = _unite(members)
        others = tuple(replace(each, related=(merged.id,), merged_from=()) for each in members[1:])
        yield Merge(
            kept=merged,
            others=others,
            reason=f"{counted(len(members), 'memory')} were merged into each other",
        )


def _merged_in_circles(memories: Mapping[str, Memory]) -> set[str]:
    """Return the ids of archived memories that were merged only into one another."""
    holders: dict[str, set[str]] = defaultdict(set)
    for memory in memories.values():
        for id_ in memory.merged_from:
            if id_ in memories and id_ != memory.id:
                holders[id_].add(memory.id)
    lost = {
        id_
        for id_ in holders
        if memories[id_].status is Status.ARCHIVED and memories[id_].edited is None
    }
    while held := {id_ for id_ in lost if holders[id_] - lost}:
        lost -= held
    return lost


def _connected(start: str, among: Collection[str], memories: Mapping[str, Memory]) -> set[str]:
    links: dict[str, set[str]] = defaultdict(set)
    for id_ in among:
        for other in memories[id_].merged_from:
            if other in among:
                links[id_].add(other)
                links[other].add(id_)
    return _reached(start, links)


def _reached(start: str, links: Mapping[str, Iterable[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = set(links.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return found
