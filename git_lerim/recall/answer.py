"""Answer a question without a model: the sentences of the memory that say most of what is asked, or that there is nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from git_lerim.recall.filters import Filters
from git_lerim.recall.query import Query, parse
from git_lerim.recall.reader import Reader
from git_lerim.recall.search import Hit, search
from git_lerim.recall.terms import terms
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.recall.meaning import Near

# How much of a question the best memory must speak of, by the weight of its words. Chosen on one half of LoCoMo's turns, each
# question asked of its own conversation and of another one, without names. On the other half, 79 of 100 questions whose
# memory is found are answered, and 20 of 100 that belong elsewhere (benchmarks/answers.py).
ENOUGH = 0.5
LOOKED_AT = 12  # memories that a search brings
MEMORIES = 4  # that an answer uses
NEARLY = 0.7  # of what the best memory says: as much another one must say
SENTENCES = 2  # of one memory
LONGEST = 400  # characters of one

NOTHING = "Nothing in memory about this."

# What a question says about asking, and not about its matter.
_ASKING = frozenset(
    terms(
        "decide decided decision choose chose chosen choice pick picked prefer happen happened reason explain tell know known "
        "remember learn learned mean use used using handle handled please anything something everything"
    )
)
_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[`]*[A-Z0-9`])|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """What an answer takes from one memory."""

    hit: Hit
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the memory says to a question; nothing quoted where it says nothing."""

    quoted: tuple[Quoted, ...]
    confidence: float  # 0 to 1: how much of the question the best memory speaks of


def answer(index: Reader, question: str, *, filters: Filters | None = None, near: "Near | None" = None) -> Answer:
    """Return what the memory says to a question.

    `near` (see `search`) may bring memories in and move them up; what is quoted shares enough words with the question anyway.
    """
    query = parse(question)
    hits = search(index, question, limit=LOOKED_AT, filters=filters, near=near)
    weights = _weights(index, query)
    shares = [(covered(_all(hit), weights), hit) for hit in hits]
    best = max((share for share, _ in shares), default=0.0)
    if best < ENOUGH:
        return Answer(quoted=(), confidence=round(best, 2))
    used = [hit for share, hit in shares if share >= max(ENOUGH, NEARLY * best)][:MEMORIES]
    return Answer(quoted=tuple(Quoted(hit=hit, text=_quote(hit, weights)) for hit in used), confidence=round(best, 2))


def covered(words: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return how much of a question some terms make up: 0 to 1."""
    whole = sum(weights.values())
    found = set(words)
    return sum(weight for term, weight in weights.items() if term in found) / whole if whole else 0.0


def sentences(text: str) -> list[str]:
    """Split a text into sentences; a line ends one, a block of code is one."""
    found: list[str] = []
    for n, part in enumerate(re.split(r"^ *```[^\n]*\n", text, flags=re.MULTILINE)):
        found += [part.strip()] if n % 2 else _END.split(part)
    return [plain for one in found if (plain := one.strip().removeprefix("- ").removeprefix("* "))]


def _weights(index: Reader, query: Query) -> dict[str, float]:
    """Return what each term of a question weighs by its rarity; a word that no memory has weighs most of all."""
    count, _ = index.size([0])
    asked = [term for term in query.terms if term not in _ASKING] or list(query.terms)
    frequencies = {term: index.frequency([0], term) for term in asked}
    return {term: log(1 + (count - found + 0.5) / (found + 0.5)) for term, found in frequencies.items()}


def _all(hit: Hit) -> Iterator[str]:
    for text in (hit.title, hit.tags, hit.body, *(path for path, _ in hit.places)):
        yield from terms(text)


def _quote(hit: Hit, weights: Mapping[str, float]) -> str:
    """Return the sentences of a memory that say most, in its order; its title before them where that says more."""
    rows = [clip(row, LONGEST) for row in sentences(hit.body)]
    shares = [covered(terms(row), weights) for row in rows]
    ranked = sorted(range(len(rows)), key=lambda n: (-shares[n], n))
    chosen = sorted(n for n in ranked[:SENTENCES] if shares[n] > 0) or [0][: len(rows)]
    text = " ".join(rows[n] for n in chosen)
    said = covered(terms(text), weights)
    if covered(terms(f"{hit.title} {text}"), weights) <= said:
        return text
    return f"{hit.title}{'' if hit.title.endswith(('.', '!', '?')) else '.'} {text}".strip()
