"""Find memories: what each word of a query says of each memory, added up, best first.

Imports almost nothing: a search runs before anything else is loaded.
"""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

from git_lerim.errors import Unreadable
from git_lerim.recall.query import Query, parse, seconds
from git_lerim.recall.reader import KEY_BITS, Document, Reader
from git_lerim.recall.terms import fold, plain_words, terms

if TYPE_CHECKING:
    from datetime import datetime

K1 = 1.2
B = 0.6
DEEP = 100  # documents that are looked at closely
ADMITTED = 30_000  # documents that words may bring in; beyond, a frequent word only moves those that rarer ones brought
KEPT = 500  # of those, the best, that frequent words then move
PREFIXED = 64  # words that `begin*` can stand for
NOTES = {"summary", "handoff"}


class Filters:
    """What narrows a search; `everything` is also suspect, superseded and archived memories."""

    __slots__ = ("agent", "everything", "kind", "path", "primitive", "since", "tag")

    def __init__(  # noqa: PLR0913 each narrows by itself
        self,
        *,
        primitive: str | None = None,
        kind: str | None = None,
        tag: str | None = None,
        agent: str | None = None,
        path: str | None = None,
        since: str | None = None,
        everything: bool = False,
    ) -> None:
        """Take what is wanted: `everything` is also suspect, superseded and archived ones."""
        self.primitive = primitive
        self.kind = kind
        self.tag = tag
        self.agent = agent
        self.path = path
        self.since = since
        self.everything = everything


class Hit(Document):
    """One memory that was found."""

    __slots__ = ("line", "score")

    line: str  # the line of the body that fits best, as it stands there
    score: float  # how well it fits, among the others of its answer


def search(  # noqa: PLR0913 options with defaults
    index: Reader,
    query: str,
    *,
    limit: int = 10,
    filters: Filters | None = None,
    paths: Sequence[str] = (),  # noqa: ARG001
    now: "datetime | None" = None,  # noqa: ARG001
) -> list[Hit]:
    """Return the memories that fit a query, best first; `paths` are files being worked on."""
    parsed, filters = parse(query), filters or Filters()
    try:
        return _search(index, parsed, limit, filters)
    except Unreadable:
        if not index.heal():
            raise
        return _search(index, parsed, limit, filters)


def _search(index: Reader, query: Query, limit: int, filters: Filters) -> list[Hit]:
    wanted = _wanted(query, filters)
    areas = _areas(wanted, everything=filters.everything)
    allowed = _allowed(index, areas, query, wanted)
    worth = _worth(index, areas, query)
    if worth:
        scores = _scores(index, areas, worth, allowed)
    else:
        keys = index.newest(areas, DEEP) if allowed is None else sorted(allowed, reverse=True)[: max(DEEP, limit)]
        scores = dict.fromkeys(keys, 0.0)
        if query.words and not any(wanted.values()):
            scores = _with_words(index, scores, query.words)
    since = _since(wanted)
    if since is not None:
        scores = {key: score for key, score in scores.items() if key >> KEY_BITS >= since}
    best = _best(scores, max(DEEP, limit))
    documents = index.documents(best, Hit)
    if query.phrases:
        documents = [document for document in documents if all(_holds(document, phrase) for phrase in query.phrases)]
    values = {term: value for term, (value, _) in worth.items()}
    for hit in documents[:limit]:
        hit.score, hit.line = scores[hit.key], matching_line(hit, values)
    return documents[:limit]


def _wanted(query: Query, filters: Filters) -> dict[str, list[str]]:
    wanted = {name: list(values) for name, values in query.fields.items()}
    for name in ("primitive", "kind", "tag", "agent", "path", "since"):
        value = getattr(filters, name)
        if value is not None:
            wanted.setdefault(name, []).append(str(value))
    return wanted


def _areas(wanted: dict[str, list[str]], *, everything: bool) -> list[int]:
    asked = {fold(value) for name in ("primitive", "kind") for value in wanted.get(name, ())}
    notes = asked & NOTES
    areas = [1] if notes else [0]
    return [*areas, areas[0] + 2] if everything else areas


def _since(wanted: dict[str, list[str]]) -> int | None:
    moments = [moment for value in wanted.get("since", ()) if (moment := seconds(value)) is not None]
    return max(moments, default=None)


def _allowed(index: Reader, areas: list[int], query: Query, wanted: dict[str, list[str]]) -> set[int] | None:
    """Return the documents that the filters leave; None where nothing narrows."""
    allowed: set[int] | None = None
    for name, values in wanted.items():
        for value in values:
            if name != "since" and value:
                found = _having(index, areas, _mark(name, value))
                allowed = found if allowed is None else allowed & found
    for phrase in query.phrases:
        for term in terms(" ".join(phrase)):
            if term in query.terms:
                found = _having(index, areas, term)
                allowed = found if allowed is None else allowed & found
    for term in query.without:
        found = _having(index, areas, term)
        allowed = (set(index.newest(areas, 1 << 60)) if allowed is None else allowed) - found
    return allowed


def _mark(name: str, value: str) -> str:
    if name == "path":
        return "=path:" + value.strip("/").removeprefix("./")
    folded = fold(value)
    return f"={'primitive' if folded in NOTES or folded in {'decision', 'learning'} else name}:{folded}"


def _having(index: Reader, areas: list[int], term: str) -> set[int]:
    found: set[int] = set()
    for keys, _ in index.entries(areas, term):
        found.update(keys)
    return found


def _worth(index: Reader, areas: list[int], query: Query) -> dict[str, tuple[float, int]]:
    """Return what each term is worth by its rarity, and how many have it, the rarest first."""
    count, _ = index.size(areas)
    asked = dict(query.terms)
    for prefix in query.prefixes:
        asked |= dict.fromkeys(index.beginning(areas, prefix, PREFIXED), 1)
    found = {}
    for term, times in asked.items():
        frequency = index.frequency(areas, term)
        if frequency:
            found[term] = (log(1 + (count - frequency + 0.5) / (frequency + 0.5)) * times**0.5, frequency)
    return dict(sorted(found.items(), key=lambda item: (item[1][1], item[0])))


class _Weights(dict[int, float]):
    """What a term's count in a document of some length adds, by the code of both."""

    def __init__(self, value: float, average: float) -> None:
        """Take what the term is worth, and how long a document is on average."""
        super().__init__()
        self._value = value
        self._average = average

    def __missing__(self, code: int) -> float:
        count, length = (code >> 8) / 2, _length(code & 255)
        self[code] = found = self._value * count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._average))
        return found


def _length(code: int) -> float:
    return code if code < 64 else 64 * 2 ** ((code - 63.5) / 16)


def _scores(index: Reader, areas: list[int], worth: dict[str, tuple[float, int]], allowed: set[int] | None) -> dict[int, float]:
    count, words = index.size(areas)
    average = max(words / max(count, 1), 1.0)
    scores: dict[int, float] = {}
    admitted = 0
    for term, (value, frequency) in worth.items():
        weights = _Weights(value, average)
        if admitted and admitted + frequency > ADMITTED:
            scores = dict.fromkeys([], 0.0) | {key: scores[key] for key in _best(scores, KEPT)}
            _move(index, areas, term, weights, scores)
            continue
        for keys, codes in index.entries(areas, term):
            for key, weight in zip(keys, map(weights.__getitem__, codes), strict=True):
                scores[key] = scores.get(key, 0.0) + weight
            admitted += len(keys)
            if admitted > ADMITTED:
                break
        if allowed is not None:
            scores = {key: score for key, score in scores.items() if key in allowed}
    return scores


def _move(index: Reader, areas: list[int], term: str, weights: _Weights, scores: dict[int, float]) -> None:
    """Add what a frequent term says of the documents that are there."""
    wanted = sorted(scores)
    for keys, codes in index.entries(areas, term):
        low, high = bisect_left(wanted, keys[0]), bisect_left(wanted, keys[-1] + 1)
        for key in wanted[low:high]:
            at = bisect_left(keys, key)
            if keys[at] == key:
                scores[key] += weights[codes[at]]


def _best(scores: dict[int, float], limit: int) -> list[int]:
    """Return the keys with the highest scores, of equals the newest first."""
    if len(scores) > 4 * limit:
        sample = sorted(array("d", scores.values())[::8])
        least = sample[-min(limit // 4 + 8, len(sample))]
        chosen = [key for key, score in scores.items() if score >= least]
        if len(chosen) >= limit:
            return sorted(chosen, key=lambda key: (-scores[key], -key))[:limit]
    return sorted(scores, key=lambda key: (-scores[key], -key))[:limit]


def _with_words(index: Reader, scores: dict[int, float], words: list[str]) -> dict[int, float]:
    """Return those of the newest that have one of the words: there are no terms in the query, only the commonest words."""
    found = {}
    for document in index.documents(scores, Document):
        has = set(plain_words(f"{document.title} {document.body}"))
        shared = len(has.intersection(words))
        if shared:
            found[document.key] = float(shared)
    return found


def _holds(document: Document, phrase: list[str]) -> bool:
    text = f"{document.title}\n{document.tags}\n{document.body}\n{document.anchors}"
    return f" {' '.join(phrase)} " in f" {' '.join(plain_words(text))} "


def matching_line(document: Document, values: dict[str, float]) -> str:
    """Return the line of the body that says most of what is looked for; the first one where none says any."""
    lines = [line for line in document.body.split("\n") if line.strip()] or [""]
    if len(lines) == 1:
        return lines[0]
    return max(lines, key=lambda line: sum(values.get(term, 0.0) for term in set(terms(line))))
