"""Find memories: what each word of a query says of each memory, added up, best first.

Imports almost nothing: a search runs before anything else is loaded.
"""

from _sqlite3 import DatabaseError
from collections.abc import Sequence

from git_lerim.errors import Unreadable
from git_lerim.recall import close, rank
from git_lerim.recall.query import Query, parse
from git_lerim.recall.reader import KEY_BITS, Document, Reader
from git_lerim.recall.terms import fold, plain_words, terms

TYPE_CHECKING = False  # as in typing, which takes longer to load than a search to run
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    Near = Callable[[set[int]], list[int]]

PREFIXED = 64  # words that `begin*` can stand for
PATHS = 50  # of the files being worked on, those that are looked at
FUSED = 60  # what a place in one of two rankings is added to, before it counts as one over that (reciprocal rank fusion)
JUDGED = 3  # of the best by words: what they speak of is what the words say of a query
LEAST = 0.1  # what meaning counts in any case
WORKED_ON = 1.25  # what a memory about one of them counts, once for each
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

    __slots__ = ("found_by", "line", "score")

    found_by: tuple[str, ...]  # words, meaning or both
    line: str  # the line of the body that fits best, as it stands there
    score: float  # how well it fits, among the others of its answer


def search(  # noqa: PLR0913 options with defaults
    index: Reader,
    query: str,
    *,
    limit: int = 10,
    filters: Filters | None = None,
    paths: Sequence[str] = (),
    now: "datetime | None" = None,
    near: "Near | None" = None,
) -> list[Hit]:
    """Return the memories that fit a query, best first, of equals the newest; `paths` are files being worked on.

    Where no memory has a phrase that a longer query quotes, its words are looked for as the others are.

    `near` returns, of some active memories, those nearest to the query in meaning (`recall/meaning.py`).

    Confidence and age do not move the order: there is no data to measure by whether that would help.
    """
    parsed, filters = parse(query), filters or Filters()
    moment = now.timestamp() if now else None
    try:
        hits = _search(index, parsed, limit, filters, paths, moment, near)
        if hits or not parsed.quotes:
            return hits
        parsed.phrases = []
        return _search(index, parsed, limit, filters, paths, moment, near)
    except (DatabaseError, ValueError) as error:  # a value of another form than we write is damage, too
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
    wanted = _wanted(query, filters)
    areas = _areas(wanted, everything=filters.everything)
    allowed = _allowed(index, areas, query, wanted)
    values = rank.worth(index, areas, _asked(index, areas, query))
    deep = max(rank.DEEP, 2 * limit)
    if values:
        scores = _since(wanted, rank.scores(index, areas, values, allowed), now)
        if query.phrases:
            scores = _with_phrases(index, scores, query.phrases, deep)
        scores = close.closer(index, areas, values, query.words, scores, index.looks(rank.best(scores, deep)))
        for path in paths[:PATHS]:
            for key in _having(index, areas, _mark("path", path)) & scores.keys():
                scores[key] *= WORKED_ON
    else:
        keys = index.newest(areas, deep) if allowed is None else sorted(allowed, reverse=True)
        scores = _since(wanted, dict.fromkeys(keys, 0.0), now)
        if query.words and not any(wanted.values()):
            scores = _with_words(index, scores, query.words)
    ranked = rank.best(scores, deep)
    found_by = {"words": ranked}
    if near is not None and 0 in areas:
        among = index.newest([0], 1 << 60) if allowed is None else allowed
        told = ranked if values or not any(wanted.values()) else []  # else these are the newest, whatever they say
        found_by = {"words": told, "meaning": near(set(_since(wanted, dict.fromkeys(among, 0.0), now)))}
        scores = _fused(told, found_by["meaning"], 1 - _said(index, areas, query, told[:JUDGED]))
        ranked = rank.best(scores, deep)
    hits = index.documents(ranked if query.phrases else ranked[:limit], Hit)
    hits = [hit for hit in hits if all(_holds(hit, phrase) for phrase in query.phrases)][:limit]
    for hit in hits:
        hit.score, hit.line = scores[hit.key], matching_line(hit, values)
        hit.found_by = tuple(name for name, keys in found_by.items() if hit.key in keys)
    return hits


def _fused(words: list[int], nearest: list[int], weight: float) -> dict[int, float]:
    """Return what the places in two rankings are worth together.

    Meaning counts as much as the words leave unsaid. Counted in full, two small models that were tried (static vectors, MiniLM)
    cost 9 to 15 of 60 points of recall on LoCoMo's turns; weighed so, 2 to 7.
    """
    scores: dict[int, float] = {}
    for ranking, worth in ((words, 1.0), (nearest, max(weight, LEAST))):
        for place, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + worth / (FUSED + place)
    return scores


def _said(index: Reader, areas: list[int], query: Query, keys: list[int]) -> float:
    """Return how much of a query the best of some memories speaks of, by the rarity of its words: 0 to 1."""
    count, _ = index.size(areas)
    weights = {term: rank.rarity(count, index.frequency(areas, term)) for term in query.terms}
    texts = (f"{document.title}\n{document.tags}\n{document.body}" for document in index.documents(keys, Document))
    shares = (sum(weights[term] for term in weights.keys() & set(terms(text))) for text in texts)
    return max(shares, default=0.0) / (sum(weights.values()) or 1.0)


def _asked(index: Reader, areas: list[int], query: Query) -> dict[str, int]:
    asked = dict(query.terms)
    for prefix in query.prefixes:
        asked |= dict.fromkeys(index.beginning(areas, prefix, PREFIXED), 1)
    return asked


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


def _since(wanted: dict[str, list[str]], scores: dict[int, float], now: float | None) -> dict[int, float]:
    moments = [moment for value in wanted.get("since", ()) if (moment := _moment(value, now)) is not None]
    if not moments:
        return scores
    since = max(moments)
    return {key: score for key, score in scores.items() if key >> KEY_BITS >= since}


def _moment(text: str, now: float | None) -> float | None:
    """Return the time that a text means; None where it means none: a query is one, whatever it holds."""
    from git_lerim.git import dates  # noqa: PLC0415 few queries need it

    try:
        return dates.moment(text, now=now)
    except ValueError:
        return None


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


def _with_words(index: Reader, scores: dict[int, float], words: list[str]) -> dict[int, float]:
    """Return those of the newest that have one of the words: there are no terms in the query, only the commonest words."""
    found = {}
    for document in index.documents(scores, Document):
        has = set(plain_words(f"{document.title} {document.body}"))
        shared = len(has.intersection(words))
        if shared:
            found[document.key] = float(shared)
    return found


def _with_phrases(index: Reader, scores: dict[int, float], phrases: list[list[str]], enough: int) -> dict[int, float]:
    """Return the best that have all phrases, of those that have their words; of very many, not all are read."""
    found: dict[int, float] = {}
    keys = rank.best(scores, rank.KEPT)
    for start in range(0, len(keys), enough):
        some = index.documents(keys[start : start + enough], Document)
        found |= {one.key: scores[one.key] for one in some if all(_holds(one, phrase) for phrase in phrases)}
        if len(found) >= enough:
            break
    return found


def _holds(document: Document, phrase: list[str]) -> bool:
    text = f"{document.title}\n{document.tags}\n{document.body}\n{document.anchors}"
    return f" {' '.join(phrase)} " in f" {' '.join(plain_words(text))} "


def matching_line(document: Document, values: rank.Worth) -> str:
    """Return the line of the body that says most of what is looked for; the first one where none says any."""
    lines = [line for line in document.body.split("\n") if line.strip()] or [""]
    if len(lines) == 1:
        return lines[0]
    return max(lines, key=lambda line: sum(values[term][0] for term in values.keys() & close.counted(line)[0].keys()))
