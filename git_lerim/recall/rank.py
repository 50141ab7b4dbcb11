"""Order what was found: by the words each memory has, by its best passages, and by what stands next to it in its session.

Imports almost nothing: a search runs before anything else is loaded.

The numbers were chosen on one half of LoCoMo's conversations (`benchmarks/retrieval.py --ablation` measures each part on the
other half). Tried there and left out, because they gave nothing or took something away: feedback from the best answers (RM3, by
document and by passage), words that stand close together, a bonus for the share of the query that a memory has, other powers of
rarity, a second index of whole words, near spellings of unknown words, support between neighbouring sessions.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log

from git_lerim.recall.reader import length_of
from git_lerim.recall.terms import terms

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
if TYPE_CHECKING:
    from git_lerim.recall.reader import Reader

    Look = tuple[int, str | None, int | None, str]  # key, session, record, body

# BM25: how soon more of a word says nothing more, and how much longer texts need more of it.
K1 = 0.9
B = 0.5
DEEP = 100  # documents that are looked at closely
# Documents that words may bring in; beyond, a frequent word only moves the best that rarer ones brought.
ADMITTED = 20_000
KEPT = 1000

# A text of several lines is worth what its best passage says, too: a line with its neighbours, and half as much the second best.
PASSAGE = 0.4
AROUND = (1.0, 0.4, 0.2)
FEWEST, MOST = 4, 400  # lines of a text
PASSAGE_B = 0.3

# What a memory's neighbours in the same session are worth to it, by the records between them; and the best of its session.
NEIGHBOUR = (0.3, 0.3, 0.15)
SESSION = 0.2
CROWD = 4  # neighbours on each side that are asked

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
            if admitted > ADMITTED:
                break
        if allowed is not None:
            found = {key: score for key, score in found.items() if key in allowed}
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


def closer(index: "Reader", areas: Sequence[int], values: Worth, found: dict[int, float], top: "list[Look]") -> dict[int, float]:
    """Return the scores of the best documents, looked at closely, and of their neighbours."""
    looked = {key: found[key] for key, *_ in top}
    for key, passage in _passages(top, values).items():
        looked[key] += PASSAGE * passage
    return _supported(index, areas, looked, found, top)


def _passages(top: "list[Look]", values: Worth) -> dict[int, float]:
    """Return what the best passages say of the texts that have several lines."""
    bodies = ((key, body.split("\n", MOST)) for key, _, _, body in top if body.count("\n") >= FEWEST - 1)
    texts = {key: [_counts(line, values) for line in lines[:MOST] if line] for key, lines in bodies}
    lines = [line for text in texts.values() for line in text]
    average = sum(length for _, length in lines) / max(len(lines), 1) or 1.0
    frequency: dict[str, int] = {}
    for counts, _ in lines:
        for term in counts:
            frequency[term] = frequency.get(term, 0) + 1
    value = {term: rarity(len(lines), frequency[term]) for term in frequency}
    return {key: _best_passages([_said(line, value, average) for line in text]) for key, text in texts.items()}


def _counts(line: str, values: Worth) -> tuple[dict[str, int], int]:
    counts, length = counted(line)
    return {term: counts[term] for term in values if term in counts}, length


@lru_cache(1 << 12)
def counted(line: str) -> tuple[dict[str, int], int]:
    """Return how often each term is in a line, and how many terms it has."""
    found = terms(line)
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = counts.get(term, 0) + 1
    return counts, len(found)


def _said(line: tuple[dict[str, int], int], value: dict[str, float], average: float) -> float:
    counts, length = line
    return sum(value[term] * saturated(count, length / average, PASSAGE_B) for term, count in counts.items())


def _best_passages(said: list[float]) -> float:
    if len(said) < 2:
        return 0.0
    reach = len(AROUND) - 1
    around = sorted(
        (
            sum(AROUND[abs(at - other)] * said[other] for other in range(max(at - reach, 0), min(at + reach + 1, len(said))))
            for at in range(len(said))
        ),
        reverse=True,
    )
    return (around[0] + 0.5 * around[1]) / 1.5


def _supported(
    index: "Reader", areas: Sequence[int], looked: dict[int, float], found: dict[int, float], top: "list[Look]"
) -> dict[int, float]:
    """Return the scores with what the neighbours in the same session add: what was said together often answers together."""
    spans: dict[str, list[int]] = {}
    for _, session, record, _ in top:
        if session and record is not None:
            spans.setdefault(session, []).append(record)
    reach = len(NEIGHBOUR) - 1
    lone = dict(looked)
    result = {}
    for session, records in spans.items():
        near = [
            (record, key, looked.get(key, found.get(key, 0.0)))
            for key, record in index.session(areas, session, min(records) - reach, max(records) + reach)
            if key in found
        ]
        for at, (record, key, score) in enumerate(near):
            lone.pop(key, None)
            others = near[max(at - CROWD, 0) : at] + near[at + 1 : at + 1 + CROWD]
            result[key] = score + sum(
                NEIGHBOUR[abs(other - record)] * support for other, _, support in others if abs(other - record) <= reach
            )
        highest = max((result[key] for _, key, _ in near), default=0.0)
        for _, key, _ in near:
            result[key] += SESSION * highest
    for key, score in lone.items():
        result[key] = score * (1 + SESSION)
    return result
