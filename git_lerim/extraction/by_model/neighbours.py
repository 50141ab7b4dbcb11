"""Find stored memories that share rare words, names and files with a new one."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Memory

EACH = 4  # neighbours of one memory
# Least similarity of neighbours, measured on real sessions: each of 25 memories reaches it with the
# one among 110 others that says the same; of 1,157 pairs from different sessions, 25 reach it.
LIKE = 0.1
# How much likelier two memories say the same if their sessions share a record, because one session
# is a fork or a continuation of the other.
_OF_ONE_RECORD = 2


def neighbours(
    new: Sequence[Memory], stored: Sequence[Memory], *, each: int = EACH, least: float = LIKE
) -> list[tuple[float, Memory, Memory]]:
    """Return pairs of a new memory and a similar stored one, each with its similarity.

    A new memory is paired with at most `each` stored memories, whose similarity is at least
    `least`. First come the pairs of each new memory and the stored one most similar to it, sorted
    by similarity, then the pairs with the second most similar one, and so on.
    """
    counted = {memory.id: _counted(memory) for memory in [*stored, *new]}
    spread = Counter(term for counts in counted.values() for term in counts)
    weighed = {ident: _weighed(counts, spread, len(counted)) for ident, counts in counted.items()}
    holders = defaultdict(list)
    for memory in stored:
        for term in weighed[memory.id]:
            holders[term].append(memory.id)
    by_id = {memory.id: memory for memory in stored}
    found = []
    for memory in new:
        near = sorted(
            (-like * _by_evidence(memory, by_id[ident]), ident)
            for ident, like in _like(weighed[memory.id], weighed, holders).items()
            if ident != memory.id
        )
        found += [
            (place, like, memory, by_id[ident])
            for place, (like, ident) in enumerate(near[:each])
            if -like >= least
        ]
    found.sort(key=lambda pair: (pair[0], pair[1], pair[2].id, pair[3].id))
    return [(-like, memory, other) for _, like, memory, other in found]


def _by_evidence(one: Memory, other: Memory) -> float:
    """Return the factor by which common evidence raises the similarity of two memories.

    If two memories from different sessions of one agent have the same time, they come from a record
    that both sessions contain: one session is a fork or continuation of the other.
    """
    if one.created != other.created:
        return 1
    ours, theirs = ({(s.agent, s.session) for s in memory.sources} for memory in (one, other))
    is_fork = not ours & theirs and {agent for agent, _ in ours} & {agent for agent, _ in theirs}
    return _OF_ONE_RECORD if is_fork else 1


def _counted(memory: Memory) -> Counter[str]:
    """Count the words and files of a memory; a word in both title and body counts twice."""
    files = {f"file:{anchor.path}" for anchor in memory.anchors}
    return Counter([*set(terms(memory.title)), *set(terms(memory.body)), *files])


def _weighed(
    counts: Mapping[str, int], spread: Mapping[str, int], memories: int
) -> dict[str, float]:
    """Return a unit vector of the words' weights; rarer words weigh more (TF-IDF)."""
    weights = {
        term: count * math.log(1 + memories / spread[term]) for term, count in counts.items()
    }
    length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {term: weight / length for term, weight in weights.items()}


def _like(
    own: Mapping[str, float],
    others: Mapping[str, Mapping[str, float]],
    holders: Mapping[str, Iterable[str]],
) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for term in sorted(own):  # fixed order: float sums depend on it
        for ident in holders.get(term, ()):
            found[ident] += own[term] * others[ident][term]
    return {ident: round(like, 9) for ident, like in found.items()}
