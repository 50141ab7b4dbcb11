"""Order what was found by the words that each memory has; `recall/close.py` then looks at the best of them closely.

Imports almost nothing: a search runs before anything else is loaded.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import log

from git_lerim.recall.reader import length_of

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
if TYPE_CHECKING:
    from git_lerim.recall.reader import Reader

# BM25: how soon more of a word says nothing more, and how much longer texts need more of it.
K1 = 0.9
B = 0.5
DEEP = 100  # documents that are looked at closely
# Documents that words may bring in; beyond, a frequent word only moves the best that rarer ones brought.
ADMITTED = 20_000
KEPT = 1000

Worth = dict[str, tuple[float, int]]


class _Weights(dict[int, float]):
    """What a term's count in a document of some length adds, by the code of both."""

    def __init__(self, value: float, average: float) -> None:
        """Take what the term is worth, and how long a document is on average."""
        super().__init__()
        self._value = value
        self._average = average

    def __missing__(self, code: int) -> float:
        count, length = code >> 8, length_of(code & 255)
        self[code] = found = self._value * saturated(count, length / self._average, B)
        return found


def saturated(count: float, length: float, b: float) -> float:
    """Return what a word's count says, in a text of some length (1 is the average)."""
    return count * (K1 + 1) / (count + K1 * (1 - b + b * length))


def rarity(count: int, frequency: int) -> float:
    """Return what a word is worth that so many of all have."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def worth(index: "Reader", areas: Sequence[int], asked: dict[str, int]) -> Worth:
    """Return what each term is worth by its rarity and by how often it is asked for, and how many have it; the rarest first."""
    count, _ = index.size(areas)
    found = {}
    for term, times in asked.items():
        frequency = index.frequency(areas, term)
        if frequency:
            found[term] = (rarity(count, frequency) * times**0.5, frequency)
    return dict(sorted(found.items(), key=lambda item: (item[1][1], item[0])))


def scores(index: "Reader", areas: Sequence[int], values: Worth, allowed: set[int] | None) -> dict[int, float]:
    """Return what the words of a query say of each document that has one; of very many, of the best and the newest."""
    count, words = index.size(areas)
    average = max(words / max(count, 1), 1.0)
    found: dict[int, float] = {}
    admitted = 0
    for term, (value, frequency) in values.items():
        weights = _Weights(value, average)
        if admitted and admitted + frequency > ADMITTED:
            found = {key: found[key] for key in best(found, KEPT)}
            _move(index, areas, term, weights, found)
            continue
        for keys, codes in index.entries(areas, term):
            if found:
                for key, weight in zip(keys, map(weights.__getitem__, codes), strict=True):
                    found[key] = found.get(key, 0.0) + weight
            else:
                found = dict(zip(keys, map(weights.__getitem__, codes), strict=True))
            admitted += len(keys)
            if admitted > ADMITTED and allowed is None:  # else those that are wanted may all be older
                break
        if allowed is not None:
            found = {key: score for key, score in found.items() if key in allowed}
            admitted = len(found)
    return found


def _move(index: "Reader", areas: Sequence[int], term: str, weights: _Weights, found: dict[int, float]) -> None:
    """Add what a frequent term says of the documents that are there."""
    wanted = sorted(found)
    for keys, codes in index.entries(areas, term, wanted[0], wanted[-1]):
        for key in wanted[bisect_left(wanted, keys[0]) : bisect_left(wanted, keys[-1] + 1)]:
            at = bisect_left(keys, key)
            if keys[at] == key:
                found[key] += weights[codes[at]]


def best(found: dict[int, float], limit: int) -> list[int]:
    """Return the keys with the highest scores, of equals the newest first."""
    chosen: Iterable[int] = found
    if len(found) > 8 * limit:
        sample = sorted(array("d", found.values())[::8], reverse=True)
        least = sample[limit // 4]  # twice as many are above it, give or take some
        above = [key for key, score in found.items() if score >= least]
        chosen = above if len(above) >= limit else found
    return sorted(chosen, key=lambda key: (-found[key], -key))[:limit]
