"""Answer a question without a model: the sentences of the memory that say most of what is asked, or that there is nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from typing import TYPE_CHECKING

from git_lerim.recall.filters import Filters
from git_lerim.recall.query import Query, parse
from git_lerim.recall.reader import Reader
from git_lerim.recall.rerank import rarity
from git_lerim.recall.search import Hit, search
from git_lerim.recall.synonyms import synonyms
from git_lerim.recall.terms import terms
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.recall.meaning import Near

# A memory answers where a logistic curve says that it more likely does than not. What goes into it, and the weights, are fitted
# on one half of LoCoMo, each question asked of its own conversation and of another one, without names. On the other half of
# its turns, 72 of 100 questions whose memory is found are answered, and 9 of 100 that belong elsewhere (benchmarks/answers.py).
ENOUGH = 0.5
SENTENCE, PAIR, SCORE, LEAST = 0.34, 0.13, 1.45, -5.25
OTHER = 0.7  # what another word for the same counts
UNSEEN = 200  # documents without a word of the question that are added to those there are: in a small store no word is rare
LOOKED_AT = 12  # memories that a search brings
MEMORIES = 3  # that an answer uses
NEARLY = 0.85  # of how likely the best memory answers: as likely another one must
SENTENCES = 2  # of one memory
REPEATED = 0.75  # of the words of a title: sentences that have as many say the same
LONGEST = 400  # characters of one

NOTHING = "Nothing in memory about this."

# What a question says about asking, and not about its matter.
_ASKING = frozenset(
    terms(
        "decide decided decision choose chose chosen choice pick picked prefer happen happened reason explain tell know known "
        "remember learn learned mean use used using handle handled please anything something everything want wanted need needed "
        "difference differ compare way thing kind sort type format exactly actually currently work works"
    )
)
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"'”’»)\]]))\s+(?=[\"'“‘«(\[`]*[A-Z0-9`])|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """What an answer takes from one memory."""

    hit: Hit
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the memory says to a question; nothing quoted where it says nothing."""

    quoted: tuple[Quoted, ...]
    confidence: float  # 0 to 1: how likely the best memory answers


def answer(index: Reader, question: str, *, filters: Filters | None = None, near: "Near | None" = None) -> Answer:
    """Return what the memory says to a question.

    `near` (see `search`) may bring memories in and move them up; what is quoted shares enough words with the question anyway.
    """
    asked = _asked(index, parse(question))
    hits = search(index, question, limit=LOOKED_AT, filters=filters, near=near)
    by_words = search(index, question, limit=LOOKED_AT, filters=filters) if near else hits
    scores = {hit.id: hit.score for hit in by_words}
    least = min(scores.values(), default=0.0)
    known = {hit.id for hit in hits}
    others = " ".join(sorted(other for term in asked.weights for other in synonyms(term)))
    hits += [hit for hit in search(index, f"{question} {others}", limit=LOOKED_AT, filters=filters) if hit.id not in known]
    judged = [(_likely(hit, asked, scores.get(hit.id, least)), hit) for hit in hits]
    best = max((likely for likely, _ in judged), default=0.0)
    ranked = sorted((pair for pair in judged if pair[0] >= max(ENOUGH, NEARLY * best)), key=lambda pair: -pair[0])
    quoted = tuple(Quoted(hit=hit, text=_quote(hit, asked)) for _, hit in ranked[:MEMORIES])
    return Answer(quoted=quoted, confidence=round(best, 2))


def sentences(text: str) -> list[str]:
    """Split a text into sentences; a line ends one, a block of code is one, and what is quoted stays with who said it."""
    found: list[str] = []
    for n, part in enumerate(re.split(r"^ *```[^\n]*\n", text, flags=re.MULTILINE)):
        found += [part.strip()] if n % 2 else [one for line in part.split("\n") for one in _unquoted(_END.split(line))]
    return [plain for one in found if (plain := one.strip().removeprefix("- ").removeprefix("* "))]


def _unquoted(parts: list[str]) -> list[str]:
    """Return the parts of a line, those joined again that split a quotation."""
    found: list[str] = []
    open_from: int | None = None
    for part in parts:
        found.append(part)
        start = len(found) - 1 if open_from is None else open_from
        if _is_open(" ".join(found[start:])):
            open_from = start
        else:
            found[start:] = [" ".join(found[start:])]
            open_from = None
    return found


def _is_open(text: str) -> bool:
    """Tell whether a quotation begins in a text that does not end in it."""
    return text.count('"') % 2 == 1 or any(text.count(left) > text.count(right) for left, right in ("“”", "„“", "«»", "「」"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a question asks for."""

    weights: Mapping[str, float]  # of its terms, by rarity; a word that no memory has weighs most of all
    pairs: tuple[tuple[str, str], ...]  # of terms that stand side by side in it
    whole: float  # what a search makes of all of its terms


def _asked(index: Reader, query: Query) -> _Asked:
    count, _ = index.size([0])
    asked = [term for term in query.terms if term not in _ASKING] or list(query.terms)
    frequencies = {term: index.frequency([0], term) for term in asked}
    weights = {term: rarity(count + UNSEEN, found) for term, found in frequencies.items()}
    whole = sum(
        rarity(count, found) * (OTHER if not found and any(index.frequency([0], other) for other in synonyms(term)) else 1)
        for term, found in frequencies.items()
    )
    said = [term for word in query.words for term in terms(word) if term in weights]
    return _Asked(weights=weights, pairs=tuple(pair for pair in pairwise(said) if pair[0] != pair[1]), whole=whole or 1.0)


def _likely(hit: Hit, asked: _Asked, score: float) -> float:
    """Return how likely a memory answers a question: 0 to 1."""
    said = [terms(f"{hit.title} {sentence}") for sentence in sentences(hit.body) or [""]]
    if len(asked.weights) == 1 and not asked.weights.keys() & terms(hit.title):
        return 0.0  # one word says too little, unless the memory is about it
    sentence = max(_said(asked, frozenset(words)) for words in said)
    if not sentence:
        return 0.0
    pairs = sum(min(asked.weights[one], asked.weights[other]) for one, other in asked.pairs if _beside(said, one, other))
    return 1 / (1 + exp(-(SENTENCE * sentence + PAIR * pairs + SCORE * score / asked.whole + LEAST)))


def _said(asked: _Asked, words: frozenset[str]) -> float:
    """Return what a sentence has of a question: the weights of its words; less where it has another word for the same."""
    there = asked.weights.keys() & words
    other = sum(weight for term, weight in asked.weights.items() if term not in there and synonyms(term) & words)
    return sum(asked.weights[term] for term in there) + OTHER * other


def _beside(said: Iterable[list[str]], one: str, other: str) -> bool:
    return any(term == one and other in words[max(at - 1, 0) : at + 3] for words in said for at, term in enumerate(words))


def _quote(hit: Hit, asked: _Asked) -> str:
    """Return the sentences of a memory that say most, in its order; before them its title, unless they say the same."""
    rows = [clip(row, LONGEST) for row in sentences(hit.body)]
    shares = [_said(asked, frozenset(terms(row))) for row in rows]
    ranked = sorted(range(len(rows)), key=lambda n: (-shares[n], n))
    chosen = sorted(n for n in ranked[:SENTENCES] if shares[n] > 0) or [0][: len(rows)]
    text = " ".join(rows[n] for n in chosen)
    title = set(terms(hit.title))
    if len(title.intersection(terms(text))) >= REPEATED * len(title):
        return text
    return f"{hit.title}{'' if hit.title.endswith(('.', '!', '?')) else '.'} {text}".strip()
