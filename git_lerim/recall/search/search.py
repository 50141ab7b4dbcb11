"""Find memories: score each by the words of the query, best first.

This module imports little, so that `git lerim search` starts quickly.
"""

from _sqlite3 import DatabaseError
from collections.abc import Sequence

from git_lerim.errors import Unreadable
from git_lerim.memories.format.body import body_itself
from git_lerim.recall.index.index_reader import Document, Reader, any_of, mark
from git_lerim.recall.index.terms import plain_words, terms
from git_lerim.recall.search import rerank
from git_lerim.recall.search.filters import Conditions, Filters
from git_lerim.recall.search.query import Query, parse

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from git_lerim.recall.index.index_reader import Candidate

    Near = Callable[[set[int]], list[int]]

PREFIXED = 64  # words that a prefix can match
PATHS = 50  # files being worked on that are considered
FUSED = 60  # the constant of reciprocal rank fusion: a place is worth 1 / (60 + place)
JUDGED = 3  # top hits by words, in which `_coverage` looks for the query's words
LEAST = 0.1  # least weight of the ranking by meaning
WORKED_ON = 1.25  # factor of a memory's score for each file being worked on that it is about
DEEP = 40  # documents that are reranked
_HEADINGS = ("# ", "## ", "### ")
KEPT = 1000  # documents that are searched for a phrase
# Documents that bm25() may visit: the rarest words of a query are searched up to this number, and
# the more frequent words only reorder the hits.
VISITED = 5_000


class Hit(Document):
    """A memory that matches a query."""

    __slots__ = ("found_by", "line", "score")

    found_by: tuple[str, ...]  # words, meaning or both
    line: str  # the best matching line of the body
    score: float  # comparable only within one result


def search(  # noqa: PLR0913 options with defaults
    index: Reader,
    query: str | Query,
    *,
    limit: int = 10,
    filters: Filters | None = None,
    paths: Sequence[str] = (),
    now: "datetime | None" = None,
    near: "Near | None" = None,
) -> list[Hit]:
    """Return the memories that match a query, best first; of equal matches, the newest first.

    `paths` are the files being worked on; memories about them rank higher. `near` gets the keys of
    active memories, and returns those nearest to the query in meaning
    (`recall/search/embeddings.py`). If no memory contains a phrase quoted in a longer query, its
    words are searched for like the others. Confidence and age do not affect scores: there is no
    data that shows whether that would help.
    """
    parsed = query if isinstance(query, Query) else parse(query)
    filters = filters or Filters()
    moment = now.timestamp() if now else None
    try:
        hits = _search(index, parsed, limit, filters, paths, moment, near)
        if hits or not parsed.quotes:
            return hits
        parsed.phrases = []
        return _search(index, parsed, limit, filters, paths, moment, near)
    except (DatabaseError, ValueError) as error:  # a malformed value is damage, too
        if not index.heal():
            raise Unreadable(f"the search index: {error}") from error
        return _search(index, parsed, limit, filters, paths, moment, near)


def _search(  # noqa: PLR0913, PLR0917 what search was given
    index: Reader,
    query: Query,
    limit: int,
    filters: Filters,
    paths: Sequence[str],
    now: float | None,
    near: "Near | None",
) -> list[Hit]:
    conditions = Conditions(query, filters, now)
    frequencies = _frequencies(index, conditions.areas, query)
    count, _ = index.size(conditions.areas)
    values = {
        term: rerank.rarity(count, found) * query.terms.get(term, 1) ** 0.5
        for term, found in frequencies.items()
    }
    deep = max(DEEP, 2 * limit)
    if values:
        keys = _keys(index, conditions, frequencies, KEPT if query.phrases else deep)
        if query.phrases:
            keys = _with_phrases(index, keys, query.phrases, deep)
        scores = _by_words(index, conditions, keys, query, values)
        _raise_worked_on(index, conditions.areas, scores, paths)
    else:
        scores = _newest(index, conditions, query, deep)
    ranked = rerank.best(scores, deep)
    found_by = {"words": ranked}
    if near is not None and 0 in conditions.areas:
        if not values and any(conditions.fields.values()):
            found_by["words"] = []  # these are the newest, not the best matches
        found_by["meaning"] = near(set(index.newest([0], -1, conditions.all, conditions.since)))
        scores = _fuse(index, conditions.areas, query, found_by["words"], found_by["meaning"])
        ranked = rerank.best(scores, deep)
    hits = index.documents(ranked if query.phrases else ranked[:limit], Hit)
    hits = [hit for hit in hits if all(_holds(hit, phrase) for phrase in query.phrases)][:limit]
    _describe(index, conditions.areas, hits, values)
    for hit in hits:
        hit.score = scores[hit.key]
        hit.found_by = tuple(name for name, keys in found_by.items() if hit.key in keys)
    return hits


def _by_words(
    index: Reader, conditions: Conditions, keys: list[int], query: Query, values: rerank.Worth
) -> dict[int, float]:
    count, words = index.size(conditions.areas)
    candidates = _candidates(index, conditions, keys)
    return rerank.scores(candidates, query, values, max(words / max(count, 1), 1.0))


def _raise_worked_on(
    index: Reader, areas: list[int], scores: dict[int, float], paths: Sequence[str]
) -> None:
    """Raise the scores of memories that are about one of the files being worked on."""
    for path in paths[:PATHS]:
        for key in scores.keys() & set(index.having(areas, mark("path", path))):
            scores[key] *= WORKED_ON


def _newest(index: Reader, conditions: Conditions, query: Query, limit: int) -> dict[int, float]:
    """Return the newest documents with their scores, for a query without terms."""
    scores = dict.fromkeys(
        index.newest(conditions.areas, limit, conditions.all, conditions.since), 0.0
    )
    if query.words and not any(conditions.fields.values()):
        return _with_words(index, scores, query.words)
    return scores


def _describe(index: Reader, areas: list[int], hits: list[Hit], values: rerank.Worth) -> None:
    """Set the best matching line of each hit."""
    keys = [hit.key for hit in hits] if values else []
    bodies = {one.key: one.body for one in index.candidates(areas, keys)}
    for hit in hits:
        hit.line = matching_line(hit, bodies.get(hit.key, ""), values)


def _fuse(
    index: Reader, areas: list[int], query: Query, words: list[int], nearest: list[int]
) -> dict[int, float]:
    """Return the combined score of two rankings: by words and by meaning.

    The weight of meaning is the share of the query that the hits by words do not contain. At full
    weight, two small models (static vectors, MiniLM) lowered recall on single turns of LoCoMo, a
    benchmark, by 9 to 15 points of 60; at this weight, by 2 to 7.
    """
    weight = max(1 - _coverage(index, areas, query, words[:JUDGED]), LEAST)
    scores: dict[int, float] = {}
    for ranking, worth in ((words, 1.0), (nearest, weight)):
        for place, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + worth / (FUSED + place)
    return scores


def _coverage(index: Reader, areas: list[int], query: Query, keys: list[int]) -> float:
    """Return the greatest share (0 to 1) of a query's words that one hit contains.

    Rare words count for more.
    """
    count, _ = index.size(areas)
    weights = {term: rerank.rarity(count, index.frequency(areas, term)) for term in query.terms}
    texts = (
        f"{document.title}\n{document.tags}\n{body_itself(document.body)}"
        for document in index.documents(keys, Document)
    )
    shares = (sum(weights[term] for term in weights.keys() & set(terms(text))) for text in texts)
    return max(shares, default=0.0) / (sum(weights.values()) or 1.0)


def _frequencies(index: Reader, areas: list[int], query: Query) -> dict[str, int]:
    """Map each term of the query to the number of documents with it, the rarest term first."""
    asked = dict(query.terms)
    for prefix in query.prefixes:
        asked |= dict.fromkeys(index.beginning(areas, prefix, PREFIXED), 1)
    found = {term: index.frequency(areas, term) for term in asked}
    return dict(
        sorted(
            ((term, number) for term, number in found.items() if number),
            key=lambda item: (item[1], item[0]),
        )
    )


def _keys(
    index: Reader, conditions: Conditions, frequencies: dict[str, int], limit: int
) -> list[int]:
    """Return the keys to rerank, best first, or newest first if every word is very frequent."""
    chosen: list[str] = []
    visited = 0
    for term, frequency in frequencies.items():
        visited += frequency
        if chosen and visited > VISITED:
            break
        chosen.append(term)
    # documents that pass the filters may have only the frequent words
    if conditions.expression and len(chosen) < len(frequencies):
        keys = index.newest(
            conditions.areas, limit, conditions.also(any_of(frequencies)), conditions.since
        )
        if len(keys) < limit:
            return keys
    find = index.newest if frequencies[chosen[0]] > VISITED else index.best
    return find(
        conditions.areas,
        limit=limit,
        expression=conditions.also(any_of(chosen)),
        since=conditions.since,
    )


def _candidates(index: Reader, conditions: Conditions, keys: list[int]) -> "list[Candidate]":
    """Return the documents to rerank, with those close to the best ones in the same sessions."""
    areas = conditions.areas
    found = index.candidates(areas, keys)
    best = set(keys[: rerank.NEAR])
    near = rerank.neighbours(index, areas, (one for one in found if one.key in best)) - set(keys)
    near = {key for key in near if key >= conditions.since}
    if near and conditions.expression:
        near &= set(index.newest(areas, -1, conditions.expression))
    return found + index.candidates(areas, near) if near else found


def _with_words(index: Reader, scores: dict[int, float], words: list[str]) -> dict[int, float]:
    """Score documents by shared words, for a query of nothing but stop words."""
    found = {}
    for document in index.documents(scores, Document):
        has = set(plain_words(f"{document.title} {body_itself(document.body)}"))
        shared = len(has.intersection(words))
        if shared:
            found[document.key] = float(shared)
    return found


def _with_phrases(
    index: Reader, keys: list[int], phrases: list[list[str]], enough: int
) -> list[int]:
    """Return the best documents that contain all phrases; stop when there are `enough`."""
    found: list[int] = []
    for start in range(0, len(keys), enough):
        some = index.documents(keys[start : start + enough], Document)
        found += [one.key for one in some if all(_holds(one, phrase) for phrase in phrases)]
        if len(found) >= enough:
            break
    return found


def _holds(document: Document, phrase: list[str]) -> bool:
    text = f"{document.title}\n{document.tags}\n{body_itself(document.body)}\n{document.anchors}"
    return f" {' '.join(phrase)} " in f" {' '.join(plain_words(text))} "


def matching_line(document: Document, body: str, values: rerank.Worth) -> str:
    """Return the line of the body that best matches the terms, or else its first line of text."""
    lines = document.body.split("\n")
    worth = [
        sum(map(values.__getitem__, values.keys() & of_line.split()))
        for of_line in body.split("\n")
    ]
    best = max(range(len(worth)), key=worth.__getitem__)
    if worth[best]:
        return lines[best]
    filled = list(filter(str.strip, lines))
    return next((line for line in filled if not line.startswith(_HEADINGS)), "".join(filled[:1]))
