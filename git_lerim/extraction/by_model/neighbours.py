"""Find stored memories that share rare words, names and files with a new one."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Memory

EACH = 4  # neighbours of one memory
# least cosine similarity: gives about one pair per memory on 259 memories
LIKE = 0.08


def neighbours(
    new: Sequence[Memory], stored: Sequence[Memory]
) -> list[tuple[float, Memory, Memory]]:
    """Return the pairs of a new and a similar stored memory with their similarity, best first."""
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
            (-like, ident)
            for ident, like in _like(weighed[memory.id], weighed, holders).items()
            if like >= LIKE
        )
        found += [(-like, memory, by_id[ident]) for like, ident in near if ident != memory.id][
            :EACH
        ]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].id, pair[2].id))


def _counted(memory: Memory) -> Counter[str]:
    """Count the words of a memory, those of the title twice, and its files."""
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
