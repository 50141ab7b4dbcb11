"""Rank documents that FTS5 found, by whole text, best passage, word pairs, spelling and session.

This module imports little, so that `git lerim search` starts quickly.

Short and long texts are scored by the same rules: the score of the whole, normalised by length,
plus the score of its best passage. The numbers were chosen on half of the conversations of LoCoMo,
a benchmark, cut into texts of several lengths (`benchmarks/retrieval.py --ablation` measures each
part). The following were tried and left out, because they had no effect or made results worse:
feedback from the best answers (RM3), a bonus for the share of the query that a memory contains,
other exponents of rarity, synonyms, comparing the letters of stems, pairs weighted by rarity, and
passages with the lines around them.
"""

from itertools import chain, pairwise
from math import log

from git_lerim.recall.index.terms import STOP, terms

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from git_lerim.recall.index.index_reader import Candidate, Reader
    from git_lerim.recall.search.query import Query

# BM25: saturation of a word's count, and normalisation by length.
K1 = 0.9
B = 0.75
# Weight of a word in each field; 1 in the body, less in a long one.
TITLE = 3
ASIDE = 2  # in tags, and in the paths and symbols of anchors

# Weight of a text's best passage, compared to the whole text.
PASSAGE = 1.0
PASSAGE_B = 0.3
PART = 40  # terms in a passage; longer lines are split

# Weight of two adjacent words of a query that are adjacent in a passage; half with a word between
# them or in reverse order. Stop words do not count.
PAIR = 1.5
PAIRS = 48  # of a query

# Weight of shared runs of four letters: `painter` matches `painting`, `fesetival` `festival`.
LETTERS = 0.15
LETTERS_B = 0.5
RUN = 4
LONGEST = 1 << 16  # characters of a text that are compared

# Shares of other scores in its session that a document gets as a bonus: of its neighbours' scores,
# by distance in records, and of the session's best score.
NEIGHBOUR = (0.0, 0.3, 0.15)
SESSION = 0.2
NEAR = 50  # best documents whose neighbours are added

Worth = dict[str, float]  # the weight of each term of a query


def saturated(count: float, length: float, b: float) -> float:
    """Return the BM25 weight of a word that occurs `count` times in a text.

    `length` is the text's length relative to the average, and `b` is how much it matters.
    """
    return count * (K1 + 1) / (count + K1 * (1 - b + b * length))


def rarity(count: int, frequency: int) -> float:
    """Return the inverse document frequency of a word in `frequency` of `count` documents."""
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def best(found: dict[int, float], limit: int) -> list[int]:
    """Return the keys with the highest scores, the newest first if scores are equal."""
    return sorted(found, key=lambda key: (-found[key], -key))[:limit]


def neighbours(
    index: "Reader", areas: "Sequence[int]", candidates: "Iterable[Candidate]"
) -> set[int]:
    """Return the keys of documents within a few records of a candidate, in the same session."""
    reach = len(NEIGHBOUR) - 1
    placed = ((one.session, one.record) for one in candidates)
    return index.from_records(
        areas, {(name, at - reach, at + reach) for name, at in placed if name and at is not None}
    )


class DocumentTerms:
    """The counts of a query's terms in one document, by field and by passage."""

    __slots__ = ("aside", "key", "length", "parts", "title")

    def __init__(self, candidate: "Candidate", values: "Collection[str]") -> None:
        """Count the terms in a document, considering only those in `values`."""
        wanted = frozenset(values)
        self.key = candidate.key
        self.aside = counted(candidate.aside.split(), wanted)
        title, lines = candidate.title.split(), list(map(str.split, candidate.body.split("\n")))
        self.title = counted(title, wanted)
        self.length = sum(map(len, lines))
        parts = (
            line[at : at + PART]
            for line in lines
            if not wanted.isdisjoint(line)
            for at in range(0, len(line), PART)
        )
        self.parts = [(part, counts) for part in parts if (counts := counted(part, wanted))]
        if self.title:  # the title is a passage
            self.parts.insert(0, (title, self.title))


def counted(part: list[str], wanted: frozenset[str]) -> dict[str, int]:
    """Return how often each wanted term occurs in a part of a text."""
    return {term: part.count(term) for term in wanted.intersection(part)}


def scores(
    candidates: "Sequence[Candidate]", query: "Query", values: Worth, average: float
) -> dict[int, float]:
    """Return the score of each candidate that contains a word of the query.

    `values` is the weight of each term, and `average` the mean length of a body, in words.
    """
    documents = [
        document
        for one in candidates
        if (document := DocumentTerms(one, values)).parts or document.aside
    ]
    found = {document.key: whole(document, values, average) for document in documents}
    for weight, scored in (
        (PASSAGE, passages(documents, values)),
        (PAIR, side_by_side(documents, pairs(query.words, values))),
        (
            LETTERS,
            letters({one.key: one.text for one in candidates if one.key in found}, query.words),
        ),
    ):
        for key, score in scored.items():
            found[key] += weight * score
    return supported([one for one in candidates if one.key in found], found)


def whole(document: DocumentTerms, values: Worth, average: float) -> float:
    """Return the score of a whole document: its title, tags, code and body."""
    longer = 1 - B + B * document.length / average
    counts = {term: TITLE * count for term, count in document.title.items()}
    for term, count in document.aside.items():
        counts[term] = counts.get(term, 0) + ASIDE * count
    sums: dict[str, float] = dict(counts)
    for _, of_part in document.parts[1 if document.title else 0 :]:  # the first is the title
        for term, count in of_part.items():
            sums[term] = sums.get(term, 0.0) + count / longer
    return sum(values[term] * saturated(count, 1, 0) for term, count in sums.items())


def passages(documents: "Iterable[DocumentTerms]", values: Worth) -> dict[int, float]:
    """Return the score of the best passage of each document, its title included."""
    parts = [
        (document.key, len(part), counts)
        for document in documents
        for part, counts in document.parts
    ]
    average = sum(length for _, length, _ in parts) / max(len(parts), 1)
    found: dict[int, float] = {}
    for key, length, counts in parts:
        scored = sum(
            values[term] * saturated(count, length / average, PASSAGE_B)
            for term, count in counts.items()
        )
        found[key] = max(found.get(key, 0.0), scored)
    return found


def pairs(query: list[str], values: Worth) -> list[tuple[str, str]]:
    """Return the pairs of adjacent query terms, if both terms occur in documents."""
    asked = [term for word in query for term in terms(word)]
    return list(
        {pair: None for pair in pairwise(asked) if pair[0] != pair[1] and values.keys() >= {*pair}}
    )[:PAIRS]


def side_by_side(
    documents: "Iterable[DocumentTerms]", asked: list[tuple[str, str]]
) -> dict[int, float]:
    """Score each document by how many pairs of terms occur close together in it.

    Repetitions of a pair add little.
    """
    found = {}
    for document in documents:
        times = [
            sum(_together(part, *pair) for part, has in document.parts if has.keys() >= {*pair})
            for pair in asked
        ]
        found[document.key] = sum(count / (count + 1) for count in times)
    return found


def _together(part: list[str], first: str, second: str) -> float:
    found = 0.0
    for at, term in enumerate(part):
        if term == first:
            near = part[at + 1 : at + 2] == [second]
            found += 1.0 if near else 0.5 if second in part[max(at - 1, 0) : at + 3] else 0.0
    return found


def letters(texts: dict[int, str], query: list[str]) -> dict[int, float]:
    """Score each text by the runs of letters that it shares with the query.

    Rare runs count for more.
    """
    long = dict.fromkeys(word for word in query if len(word) >= RUN and word not in STOP)
    runs = dict.fromkeys(
        f" {word} "[at : at + RUN] for word in long for at in range(len(word) + 3 - RUN)
    )
    split = {key: set(text[:LONGEST].lower().split()) for key, text in texts.items()}
    having = _having(runs, set().union(*split.values()) - STOP)
    known = frozenset(having)
    counts = {
        key: _counts(chain.from_iterable(map(having.__getitem__, mine & known)))
        for key, mine in split.items()
    }
    frequency = _counts(chain.from_iterable(counts.values()))
    value = {run: rarity(len(texts), number) for run, number in frequency.items()}
    average = sum(map(len, split.values())) / max(len(texts), 1) or 1.0
    return {
        key: sum(
            value[run] * saturated(count, len(split[key]) / average, LETTERS_B)
            for run, count in mine.items()
        )
        for key, mine in counts.items()
    }


def _counts(runs: "Iterable[str]") -> dict[str, int]:
    """Count items; `collections.Counter` takes longer to load."""
    found: dict[str, int] = {}
    for run in runs:
        found[run] = found.get(run, 0) + 1
    return found


def _having(runs: dict[str, None], of: "Collection[str]") -> dict[str, list[str]]:
    """Map each word to those of the runs of letters that it contains; skip words without any."""
    text = f" {' '.join(of)} "
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


def supported(candidates: "Iterable[Candidate]", found: dict[int, float]) -> dict[int, float]:
    """Return the scores with a bonus for memories that share a session with others.

    The closer together they are in the session, the larger the bonus: memories from one exchange
    often answer a query together.
    """
    sessions: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for one in candidates:
        if one.session and one.record is not None:
            # others can name any session as theirs
            sessions.setdefault((one.author, one.session), []).append((one.record, one.key))
    result = {key: score + SESSION * score for key, score in found.items()}  # as if alone in one
    for members in sessions.values():
        at: dict[int, float] = {}  # the sum of the scores of each record's memories
        for record, key in members:
            at[record] = at.get(record, 0.0) + found[key]
        beside = {
            record: sum(
                part * (at.get(record - off, 0.0) + at.get(record + off, 0.0))
                for off, part in enumerate(NEIGHBOUR)
                if off
            )
            for record in at
        }
        near = {key: found[key] + beside[record] for record, key in members}
        highest = max(near.values())
        result |= {key: score + SESSION * highest for key, score in near.items()}
    return result
