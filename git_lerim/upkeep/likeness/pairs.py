"""Find pairs of memories that may repeat or contradict each other, without comparing all.

This misses no pair that `same` or `opposed` would accept, unless very many titles differ in one
place only. Of two memories that say the same thing, one has all words of the other, at least in its
body. Two that contradict each other share one of their rarer words, or all words except those at
one place. So it is enough to look up memories by such words.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from git_lerim.memories.memory import Memory
from git_lerim.memories.similarity.claim import Claim, claim
from git_lerim.upkeep.likeness import frames, opposition
from git_lerim.upkeep.likeness.sameness import same
from git_lerim.upkeep.likeness.wording import content, wording

_FRAMED = 100  # titles that differ in one place only: if there are more, they are a list

Near = Mapping[str, Collection[str]]  # id → ids of the memories to compare it with


def near(memories: Iterable[Memory]) -> Near:
    """Map the id of each memory to the ids of those that may say the same or contradict it."""
    known = list(memories)
    titles = {memory.id: memory.title for memory in known}
    found: dict[str, set[str]] = defaultdict(set)
    claims = {id_: claim(title) for id_, title in titles.items()}
    for one, other in (*_pairs(claims), *_containing(titles), *_framed(titles), *_restated(known)):
        found[one].add(other)
        found[other].add(one)
    return found


def related(memories: Iterable[Memory]) -> Near:
    """Map the id of each memory to the ids of those that do say the same or contradict it."""
    known = {memory.id: memory for memory in memories}
    found: dict[str, set[str]] = defaultdict(set)
    for id_, others in near(known.values()).items():
        for other in others:
            if id_ < other and _are_related(known[id_], known[other]):
                found[id_].add(other)
                found[other].add(id_)
    return found


def _are_related(one: Memory, other: Memory) -> bool:
    later, earlier = (one, other) if one.created > other.created else (other, one)
    return same(one, other) or same(other, one) or opposition.opposed(later, earlier)


def _pairs(claims: Mapping[str, Claim]) -> Iterator[tuple[str, str]]:
    yield from _alike(claims)
    for keys in (_by_choice, _by_replacement):
        yield from _grouped((key, id_) for id_, each in claims.items() for key in keys(each))
    yield from _rejecting({id_: each for id_, each in claims.items() if each.rejected})


def _rejecting(claims: Mapping[str, Claim]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of titles that each reject a word of the other one."""
    by_word: dict[str, list[str]] = defaultdict(list)
    for id_, each in claims.items():
        for word in each.words:
            by_word[word].append(id_)
    for id_, each in claims.items():
        for other in {other for word in each.rejected for other in by_word[word]}:
            if id_ < other and claims[other].rejected & each.words:
                yield id_, other


def _grouped(keyed: Iterable[tuple[object, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of ids with a common key; an id may have the same key twice."""
    groups: dict[object, dict[str, None]] = defaultdict(dict)
    for key, id_ in keyed:
        groups[key][id_] = None
    for group in groups.values():
        yield from combinations(group, 2)


def _framed(titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of titles that differ in one place only, unless very many do."""
    groups: dict[object, dict[str, None]] = defaultdict(dict)
    for id_, title in titles.items():
        for key in frames.keys(title):
            groups[key][id_] = None
    for group in groups.values():
        if 1 < len(group) <= _FRAMED:
            yield from combinations(group, 2)


def _containing(titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of titles that share a key of `opposition.keys`, or a rare word.

    Of each set of words from `opposition.probes`, the rarest word counts.
    """
    yield from _grouped(
        (key, id_) for id_, title in titles.items() for key in opposition.keys(title)
    )
    by_word: dict[str, list[str]] = defaultdict(list)
    for id_, title in titles.items():
        for word in content(title):
            by_word[word].append(id_)
    for id_, title in titles.items():
        for words in opposition.probes(title):
            rarest = min(words, key=lambda word: (len(by_word[word]), word), default=None)
            yield from (
                (id_, other) for other in (by_word[rarest] if rarest else ()) if other != id_
            )


def _restated(memories: Collection[Memory]) -> Iterator[tuple[str, str]]:
    """Yield the pairs in which each memory contains all words of the other's title."""
    titles = {memory.id: wording(memory.title).kinds for memory in memories}
    texts = {memory.id: titles[memory.id] | content(memory.body) for memory in memories}
    by_word: dict[str, list[str]] = defaultdict(list)
    for id_, words in texts.items():
        for word in words:
            by_word[word].append(id_)
    for id_, words in titles.items():
        rarest = min(words, key=lambda word: (len(by_word[word]), word), default=None)
        for other in by_word[rarest] if rarest else ():
            if id_ < other and words <= texts[other] and titles[other] <= texts[id_]:
                yield id_, other


def _alike(claims: Mapping[str, Claim]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of titles whose common words are at least two fifths of both titles' words.

    With fewer, their similarity is below `OPPOSED`. In such a pair, each title has at least two
    thirds of the other's words, and so at least one of the rarest third.
    """
    rarity = Counter(word for each in claims.values() for word in each.words)
    by_word: dict[str, list[str]] = defaultdict(list)
    sizes = {id_: len(each.words) for id_, each in claims.items()}
    words = {id_: each.words for id_, each in claims.items()}
    for id_, each in claims.items():
        size = sizes[id_]
        rare = sorted(each.words, key=lambda word: (rarity[word], word))[
            : size - -(-2 * size // 3) + 1
        ]
        others = {other for word in rare for other in by_word[word]}
        for other in others:
            if 5 * len(each.words & words[other]) >= 2 * (size + sizes[other]):
                yield id_, other
        for word in rare:
            by_word[word].append(id_)


def _by_choice(made: Claim) -> Iterator[object]:
    """Yield keys that titles have in common if they make different choices for the same purpose.

    A key is the purpose, or all words except the numbers.
    """
    if made.measured:
        yield made.words - made.numbers
    if made.purpose:
        yield made.purpose


def _by_replacement(made: Claim) -> Iterator[object]:
    """Yield keys that a title which gives up a choice shares with a title that made the choice."""
    yield made.chosen
    if made.replaced:
        yield made.topic | made.replaced
