"""Find active memories that contradict each other: the later one wins, or people decide."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from git_lerim.memories.feedback import last_confirmed
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.compared import Comparisons
from git_lerim.memories.similarity.similarity import contradicts
from git_lerim.memories.writers import Author, may_not_withdraw, only_user
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.likeness.details import differ
from git_lerim.upkeep.likeness.opposition import gives_up, opposed
from git_lerim.upkeep.likeness.pairs import Near

_ORDER = {origin: place for place, origin in enumerate(Origin)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """A replacement: a later memory that supersedes an earlier one."""

    winner: Memory  # the new version
    loser: Memory  # the new version
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Pair:
    """Two memories that people have to decide about."""

    later: str
    earlier: str


def contradictions(
    memories: Mapping[str, Memory], near: Near, author: Author = only_user
) -> tuple[list[Replace], list[Pair]]:
    """Return the replacements to make, at most one per memory, and the pairs left to people.

    A memory that a colleague shared replaces only the colleague's own earlier ones, because its
    time and evidence may be forged. What an agent noted or said replaces nothing
    that a person said, unless a person confirmed it.
    """
    replaced: list[Replace] = []
    left: list[Pair] = []
    busy: set[str] = set()
    compared = Comparisons(memories.values(), author)
    for later, earlier in _opposed(memories, near, compared):
        if last_confirmed(later.feedback) and last_confirmed(earlier.feedback):
            continue  # people confirmed both
        whose = author(later.id)
        by_same = not whose or whose == author(earlier.id)
        is_fit = bool(last_confirmed(later.feedback)) or not may_not_withdraw(later, earlier)
        may_replace = by_same and is_fit
        if not (may_replace and _decides(later, earlier, compared)):
            left.append(Pair(later=later.id, earlier=earlier.id))
        elif not {later.id, earlier.id} & busy:
            busy |= {later.id, earlier.id}
            replaced.append(_replaced(later, earlier))
    return replaced, sorted(left)


def _opposed(
    memories: Mapping[str, Memory], near: Near, compared: Comparisons
) -> Iterator[tuple[Memory, Memory]]:
    """Yield the pairs of active memories that contradict each other, the latest first.

    If a model compared the two, its verdict counts, unless it called them the same although they
    differ in a detail. Pairs that the model was unsure about are left out.
    """
    active = {id_: memory for id_, memory in memories.items() if memory.status is Status.ACTIVE}
    for later in sorted(
        active.values(), key=lambda memory: (memory.created, memory.id), reverse=True
    ):
        for id_ in sorted({*near.get(later.id, ()), *compared.partners(later.id)} & active.keys()):
            earlier = active[id_]
            is_later = (later.created, later.id) > (earlier.created, id_)
            verdict = compared.opposed(later, earlier)
            if compared.same(earlier, later) and differ(earlier, later):
                verdict = None  # they are not merged, so their words decide
            if opposed(later, earlier) if verdict is None else is_later and verdict:
                yield later, earlier


def _decides(later: Memory, earlier: Memory, compared: Comparisons) -> bool:
    """Return whether a memory can replace an earlier one without asking a person.

    Maintenance must be allowed to change both, and no person may have confirmed the earlier one.
    Then it is enough that a person confirmed the later one. It is also enough that the earlier one
    has no person's own words and no stronger origin, and that a model or the later one's words say
    that it replaces or contradicts the earlier one.
    """
    if not (may_change(later) and may_change(earlier)) or last_confirmed(earlier.feedback):
        return False
    if last_confirmed(later.feedback):
        return True
    if earlier.origin is Origin.HUMAN:
        return False
    says_so = (
        compared.replaces(later, earlier) or contradicts(later, earlier) or gives_up(later, earlier)
    )
    return _ORDER[later.origin] <= _ORDER[earlier.origin] and says_so


def _replaced(later: Memory, earlier: Memory) -> Replace:
    evidence = (
        "a person confirmed it"
        if last_confirmed(later.feedback)
        else f"its origin, {later.origin}, is no weaker than {earlier.origin}"
    )
    return Replace(
        winner=replace(later, supersedes=tuple(sorted({*later.supersedes, earlier.id}))),
        loser=replace(earlier, status=Status.SUPERSEDED, related=()),
        reason=(
            f"{later.id} says otherwise {max((later.created - earlier.created).days, 0)} days"
            f" later; {evidence}"
        ),
    )
