"""Look closely at the best documents: their passages, words side by side, the letters of words, and what stands next to them.

Imports almost nothing: a search runs before anything else is loaded.

The numbers were chosen on one half of LoCoMo's conversations (`benchmarks/retrieval.py --ablation` measures each part on the
other half). Tried there and left out, because they gave nothing or took something away: feedback from the best answers (RM3, by
document and by passage), a bonus for the share of the query that a memory has, other powers of rarity, a second index of whole
words, near spellings of unknown words, support between neighbouring sessions, synonyms; what the person said whom the query
names, less worth for the words that English has most of, rarity by lines, more passages or wider ones, a language model beside
BM25 (Dirichlet), five equal beginnings, the letters of stems, the day that a query names.
"""

from functools import lru_cache
from itertools import chain, islice, pairwise

from git_lerim.recall.rank import B, Worth, rarity, saturated
from git_lerim.recall.stems import stem
from git_lerim.recall.terms import STOP, terms

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_lerim.recall.reader import Look, Reader

# A text of several lines is worth what its best passage says, too: a line with its neighbours, and half as much the second best.
PASSAGE = 0.4
AROUND = (1.0, 0.4, 0.2)
FEWEST, MOST = 4, 400  # lines of a text
PASSAGE_B = 0.3

# Two words of a query that stand side by side in a text, too; half as much with one between. Stop words are not counted.
PAIR = 1.5
PAIRS = 48  # of a query
REACH = 60  # characters in which the second word has to begin
OFTEN = 32  # times that a pair is looked for in a text: more say no more

# The letters of a query's words in a text of several lines, by fours: `painter` is near to `painting`, `fesetival` to `festival`.
# Only what is beyond the average of these texts counts: short ones beside them would come too late. Letters say nothing of those.
LETTERS = 0.125
RUN = 4
LONGEST = 1 << 16  # characters of a text

# What a memory's neighbours in the same session are worth to it, by the records between them; and the best of its session.
NEIGHBOUR = (0.3, 0.3, 0.15)
SESSION = 0.2
CROWD = 4  # neighbours on each side that are asked


def closer(  # noqa: PLR0913, PLR0917 what a search knows
    index: "Reader", areas: "Sequence[int]", values: Worth, words: list[str], found: dict[int, float], top: "list[Look]"
) -> dict[int, float]:
    """Return the scores of the best documents, looked at closely, and of their neighbours; `words` are the query's, in order."""
    looked = {key: found[key] for key, *_ in top}
    texts = {key: f" {title} {body[:LONGEST]} ".lower().replace("\n", " ") for key, _, _, title, body in top}
    several = {key: body for key, _, _, _, body in top if body.count("\n") >= FEWEST - 1}
    for weight, said in (
        (PASSAGE, passages(several, values)),
        (PAIR, side_by_side(texts, pairs(words, values))),
        (LETTERS, letters({key: texts[key] for key in several}, words)),
    ):
        for key, score in said.items():
            looked[key] += weight * score
    return _supported(index, areas, looked, found, top)


def passages(texts: dict[int, str], values: Worth) -> dict[int, float]:
    """Return what the best passages of each text say."""
    counts = {key: [counted(line) for line in text.split("\n", MOST)[:MOST] if line] for key, text in texts.items()}
    lines = [line for text in counts.values() for line in text]
    average = sum(length for _, length in lines) / max(len(lines), 1) or 1.0
    shared = {key: [values.keys() & line.keys() for line, _ in text] for key, text in counts.items()}
    frequency: dict[str, int] = {}
    for found in shared.values():
        for term in chain.from_iterable(found):
            frequency[term] = frequency.get(term, 0) + 1
    value = {term: rarity(len(lines), count) for term, count in frequency.items()}
    said = {
        key: [
            sum(value[term] * saturated(line[term], length / average, PASSAGE_B) for term in found) if found else 0.0
            for found, (line, length) in zip(shared[key], text, strict=True)
        ]
        for key, text in counts.items()
    }
    return {key: _best_passages(lines) for key, lines in said.items()}


@lru_cache(1 << 12)
def counted(line: str) -> tuple[dict[str, int], int]:
    """Return how often each term is in a line, and how many terms it has."""
    found = terms(line)
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = counts.get(term, 0) + 1
    return counts, len(found)


def _best_passages(said: list[float]) -> float:
    if len(said) < 2:
        return 0.0
    reach = len(AROUND) - 1
    padded = [*[0.0] * reach, *said, *[0.0] * reach]
    around = [AROUND[0] * score for score in said]
    for off, share in enumerate(AROUND[1:], 1):
        beside = zip(around, padded[reach - off :], padded[reach + off :], strict=False)
        around = [score + share * (before + after) for score, before, after in beside]
    second, first = sorted(around)[-2:]
    return (first + 0.5 * second) / 1.5


def pairs(words: list[str], values: Worth) -> list[tuple[str, str]]:
    """Return how the words of a query begin that stand side by side in it and that some document has."""
    said = [(word, stem(word)) for word in words if word not in STOP]
    begins = [(root if word.startswith(root) else word, root) for word, root in said]
    found = {(one, other): None for (one, a), (other, b) in pairwise(begins) if a in values and b in values}
    return list(found)[:PAIRS]


def side_by_side(texts: dict[int, str], begins: list[tuple[str, str]]) -> dict[int, float]:
    """Return how many of some pairs of words stand side by side in each text; many times says little more than once."""
    found = {}
    for key, text in texts.items():
        times = [sum(islice(_together(text, one, other), OFTEN)) for one, other in begins]
        found[key] = sum(count / (count + 1) for count in times)
    return found


def _together(text: str, one: str, other: str) -> "Iterator[float]":
    at = text.find(f" {one}")
    while at >= 0:
        if text.find(f" {other}", at + 1, at + REACH) >= 0:
            after = [word for word in text[at : at + REACH].split()[1:] if word not in STOP][:2]
            near = [word.startswith(other) for word in after]
            if any(near):
                yield 1.0 if near[0] else 0.5
        at = text.find(f" {one}", at + 1)


def letters(texts: dict[int, str], words: list[str]) -> dict[int, float]:
    """Return what the letters of a query's words say of each text beyond the average, by the rarity of each run of them."""
    long = dict.fromkeys(word for word in words if len(word) >= RUN and word not in STOP)
    runs = dict.fromkeys(f" {word} "[at : at + RUN] for word in long for at in range(len(word) + 3 - RUN))
    split = {key: _split(text) for key, text in texts.items()}
    having = _having(runs, set().union(*split.values()) - STOP)
    counts: dict[int, dict[str, int]] = {}
    frequency = dict.fromkeys(runs, 0)
    for key, mine in split.items():
        counts[key] = {}
        for word in mine & having.keys():
            for run in having[word]:
                counts[key][run] = counts[key].get(run, 0) + 1
        for run in counts[key]:
            frequency[run] += 1
    value = {run: rarity(len(texts), frequency[run]) for run in runs}
    average = sum(map(len, split.values())) / max(len(texts), 1) or 1.0
    length = {key: len(mine) / average for key, mine in split.items()}
    said = {
        key: sum(value[run] * saturated(count, length[key], B) for run, count in mine.items()) for key, mine in counts.items()
    }
    usual = sum(said.values()) / max(len(said), 1)
    return {key: score - usual for key, score in said.items()}


@lru_cache(1 << 7)
def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _having(runs: dict[str, None], words: set[str]) -> dict[str, list[str]]:
    """Return the words that have one of some runs of letters, each with those that it has."""
    text = f" {' '.join(words)} "
    found: dict[str, list[str]] = {}
    for run in runs:
        at = text.find(run)
        while at >= 0:
            end = text.find(" ", at + 1)
            begin = text.rfind(" ", 0, at + 1) + 1
            if end - begin >= RUN:
                found.setdefault(text[begin:end], []).append(run)
            at = text.find(run, end)
    return found


def _supported(
    index: "Reader", areas: "Sequence[int]", looked: dict[int, float], found: dict[int, float], top: "list[Look]"
) -> dict[int, float]:
    """Return the scores with what the neighbours in the same session add: what was said together often answers together."""
    spans: dict[str, list[int]] = {}
    for _, session, record, *_ in top:
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
