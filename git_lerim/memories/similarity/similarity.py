"""Measure the similarity of two memories by their words alone, so that it is reproducible."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate

from git_lerim.memories.memory import Memory, Origin, Primitive
from git_lerim.memories.quotes import without_leads
from git_lerim.memories.similarity.changed_choice import chooses_otherwise
from git_lerim.memories.similarity.claim import CACHED, Claim, claim, content
from git_lerim.memories.similarity.likely_changes import stems
from git_lerim.memories.similarity.taking_back import (
    is_wanted,
    may_end_others,
    may_limit,
    may_mean,
    said_in,
    takes_back,
)

# Measured on 110 hand-labelled memories of 17 sessions, all of them different (5,995 pairs), and on
# the pairs in the tests: no pair of the former reaches `alike` 0.45; in the latter, every pair that
# a reader considers the same does.
SURE = 0.8  # similarity of titles that make the same claim, whatever the bodies say
LIKELY = 0.5  # similarity of titles that make the same claim if the bodies are similar, too
SHARED_BODY = 0.3  # similarity of bodies that is enough for LIKELY titles
SAME_BODY = 0.6  # the same for titles that differ in one word, which may be the one that matters
OPPOSED = 0.8  # similarity of two titles, one of them negated, that contradict each other


@lru_cache(CACHED)
def _body_words(body: str) -> frozenset[str]:
    return content(without_leads(body))


def _titles(a: Claim, b: Claim) -> float:
    """Return the share of words common to two titles; names count twice."""
    common = a.words & b.words
    if not common:
        return 0.0
    names = a.names | b.names
    return (len(common) + len(common & names)) / (
        len(a.words) + len(b.words) - len(common) + len(names)
    )


def _bodies(one: Memory, other: Memory) -> float:
    a, b = _body_words(one.body), _body_words(other.body)
    if one.origin is other.origin is Origin.HUMAN:  # a quotation of the title adds nothing to it
        a, b = a - claim(one.title).words, b - claim(other.title).words
    return len(a & b) / len(a | b) if a or b else 0.0


def alike(one: Memory, other: Memory) -> float:
    """Return the similarity of two memories from 0 to 1, mostly by their titles."""
    return 0.7 * _titles(claim(one.title), claim(other.title)) + 0.3 * _bodies(one, other)


def near_duplicate(one: Memory, other: Memory) -> bool:
    """Return whether two memories say the same, so that one is enough."""
    if one.primitive is not other.primitive:
        return False
    a, b = claim(one.title), claim(other.title)
    titles = _titles(a, b)
    if titles < LIKELY or _differ(a, b) or replaces(a, b) or replaces(b, a):
        return False
    shared, is_said = _bodies(one, other), one.origin is other.origin is Origin.HUMAN
    if _swapped(a, b):  # a person who gives the same reason twice may mean two things
        return shared >= SAME_BODY and not is_said
    return titles >= SURE or shared >= SHARED_BODY


def least_shared(one: Memory) -> int:
    """Return how many words of its title the title of a near duplicate has at least.

    By the formula of `_titles`, the words in common are a quarter of both titles' words, or more.
    """
    return len(claim(one.title).words) // 4 + 1


def _swapped(a: Claim, b: Claim) -> bool:
    """Return whether titles differ in one word, as `upload timeout` and `download timeout` do."""
    return len(a.words - b.words) == len(b.words - a.words) == 1


def _differ(a: Claim, b: Claim) -> bool:
    """Return whether two similar titles make different statements."""
    if (
        a.revoked != b.revoked
        or a.negative != b.negative
        or _both_but_different(a.numbers, b.numbers)
    ):
        return True
    if a.names - b.words and b.names - a.words:  # each names a thing that the other does not
        return True
    if (
        (a.topic and b.topic and not a.topic & b.topic)  # `A instead of B for X`, and for Y
        or (a.value and b.value and not a.value & b.value)
        or a.rejected & b.words
        or b.rejected & a.words
    ):
        return True
    return (a.directed or b.directed) and _common(a, b) != _common(b, a)


def _both_but_different(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and one != other


def _common(a: Claim, b: Claim) -> tuple[str, ...]:
    return tuple(word for word in dict.fromkeys(a.order) if word in b.words)


def contradicts(later: Memory, earlier: Memory) -> bool:
    """Return whether a later memory contradicts or takes back an earlier one; False if in doubt."""
    if later.created <= earlier.created:
        return False
    return (
        takes_back(later, earlier)
        or (later.primitive is earlier.primitive and _opposed(later, earlier))
        or (
            is_wanted(later)
            and is_wanted(earlier)
            and chooses_otherwise(later.title, earlier.title)
        )
    )


def replaces(a: Claim, b: Claim) -> bool:
    """Return whether one title explicitly replaces what another one chose for the same topic."""
    return (
        bool(a.replaced)
        and not b.negative
        and a.replaced <= b.chosen
        and b.chosen - a.replaced == a.topic
    )


def _opposed(one: Memory, other: Memory) -> bool:
    """Return whether two memories contradict each other, whichever of them is later."""
    a, b = claim(one.title), claim(other.title)
    if one.primitive is Primitive.DECISION and (
        replaces(a, b) or replaces(b, a)
    ):  # `B instead of A` and `A`
        return True
    if a.negative != b.negative:
        return _titles(a, b) >= OPPOSED and not _both_but_different(a.numbers, b.numbers)
    if one.primitive is not Primitive.DECISION or a.negative:
        return False
    if a.purpose and a.purpose == b.purpose and not a.value & b.value:  # `use A for X`, `use B …`
        return True
    if a.rejected & b.words and b.rejected & a.words:  # `A instead of B`, `B instead of A`
        return True
    chosen = a.measured and b.measured and a.numbers != b.numbers
    return chosen and a.words - a.numbers == b.words - b.numbers != frozenset()


def related(one: Memory, other: Memory) -> bool:
    """Return whether two memories may be duplicates or contradict each other."""
    return near_duplicate(one, other) or any(
        contradicts(a, b) or may_mean(a, b) for a, b in ((one, other), (other, one))
    )


class Neighbours:
    """An index of memories by the words of their titles."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        """Index the memories; if several have the same id, only the last one counts."""
        self._memories: list[Memory] = []  # the tables below contain positions in this list
        self._claims: list[Claim] = []
        self._sizes: list[int] = []
        self._plain_sizes: list[int] = []  # the number of words less the number of names
        self._names: set[str] = set()
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_choice: dict[frozenset[str], list[int]] = defaultdict(list)
        self._by_replaced: dict[str, list[int]] = defaultdict(list)
        self._by_taken_back: dict[str, list[int]] = defaultdict(list)
        self._by_stem: dict[str, list[int]] = defaultdict(list)
        self._by_ending: dict[str, list[int]] = defaultdict(list)
        self._rejecting: list[int] = []
        for memory in {memory.id: memory for memory in memories}.values():
            self.add(memory)

    def add(self, memory: Memory) -> None:
        """Add one more memory to the index; its id must be new."""
        place, said = len(self._memories), claim(memory.title)
        self._memories.append(memory)
        self._claims.append(said)
        self._sizes.append(len(said.words))
        self._plain_sizes.append(len(said.words) - len(said.names))
        self._names |= said.names
        for word in said.words | said.chosen | said.parts:
            self._by_word[word].append(place)
        for choice in _choices(said):
            self._by_choice[choice].append(place)
        if said.replaced:
            self._by_replaced[min(said.replaced)].append(place)
        for word in said.taken_back:
            self._by_taken_back[word].append(place)
        if said.rejected:
            self._rejecting.append(place)
        if is_wanted(memory):
            for stem in stems(memory.title):
                self._by_stem[stem].append(place)
        for stem in _concerned(memory):
            self._by_ending[stem].append(place)

    def near(self, memory: Memory) -> list[Memory]:
        """Return the other memories that are related to this memory, oldest first."""
        said = claim(memory.title)
        places = self._alike(said) | self._opposed(said) | self._changed(memory)
        return self._accepted(memory, places, related)

    def same(self, memory: Memory) -> list[Memory]:
        """Return the other memories that say the same as this memory, oldest first."""
        return self._accepted(memory, self._alike(claim(memory.title)), near_duplicate)

    def _accepted(
        self, memory: Memory, places: Iterable[int], accept: Callable[[Memory, Memory], bool]
    ) -> list[Memory]:
        others = (self._memories[place] for place in places)
        return sorted(
            (other for other in others if other.id != memory.id and accept(memory, other)),
            key=lambda other: (other.created, other.id),
        )

    def _alike(self, said: Claim) -> set[int]:
        """Return the positions of the memories whose titles are at least `LIKELY` alike.

        Two such titles have so many words in common that these cannot all be among the most
        frequent words of this title. So only memories with one of its other words are examined. How
        many words are left out follows from the formula of `_titles`.
        """
        size, sizes, plain_sizes = len(said.words), self._sizes, self._plain_sizes
        names = said.names | (said.words & self._names)
        words = sorted(said.words, key=lambda word: len(self._by_word.get(word, ())), reverse=True)
        brought = accumulate(3 if word in names else 2 for word in words)
        frequent = sum(1 for total in brought if total < size)
        shared: Counter[int] = Counter()
        for word in words[frequent:]:
            shared.update(self._by_word.get(word, ()))
        least, plain_least = size - 4 * frequent, size - len(said.names) - 3 * frequent
        return {
            place
            for place, count in shared.items()
            if 3 * count - plain_sizes[place] >= plain_least
            and 4 * count - sizes[place] >= least
            and _titles(said, self._claims[place]) >= LIKELY
        }

    def _opposed(self, said: Claim) -> set[int]:
        """Return the positions of memories that may contradict a title without being similar."""
        naming = said.words | said.chosen | said.parts
        found = {place for choice in _choices(said) for place in self._by_choice.get(choice, ())}
        found.update(*(self._by_replaced[word] for word in said.chosen & self._by_replaced.keys()))
        found.update(self._by_word.get(min(said.replaced), ()) if said.replaced else ())
        found.update(*(self._by_taken_back.get(word, ()) for word in naming))
        found.update(*(self._by_word.get(word, ()) for word in said.taken_back))
        found.update(self._rejecting if said.rejected else ())
        return found

    def _changed(self, memory: Memory) -> set[int]:
        """Return the positions of the wishes that a memory may end, and of what may end it."""
        found: set[int] = set()
        if is_wanted(memory):
            found.update(*(self._by_ending.get(stem, ()) for stem in stems(memory.title)))
        found.update(*(self._by_stem.get(stem, ()) for stem in _concerned(memory)))
        return found


def _concerned(memory: Memory) -> frozenset[str]:
    """Return the stems of what a memory says of which it may end something, or limit it."""
    concerned = may_end_others(memory) or may_limit(memory)
    return stems(said_in(memory)) if concerned else frozenset()


def _choices(said: Claim) -> list[frozenset[str]]:
    """Return sets of words; a title that makes a different choice may have one in common.

    The sets are the words of the title's purpose, and all of its words except numbers.
    """
    bare = [said.words - said.numbers] if said.measured else []
    return [*bare, said.purpose] if said.purpose else bare
