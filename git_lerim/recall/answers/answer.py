"""Answer a question without a model, by quoting the sentences that cover most of it."""

import re
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

from git_lerim.recall.answers.evidence import Evidence, QuestionTerms
from git_lerim.recall.answers.question import Question
from git_lerim.recall.answers.quotation import Quotation, quote
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.terms import terms
from git_lerim.recall.search.fair_search import fair, search_fairly
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.query import parse
from git_lerim.recall.search.search import Hit

if TYPE_CHECKING:
    from git_lerim.recall.search.embeddings import Near

# A logistic curve estimates how likely a memory answers a question. Its weights are fitted on half
# of LoCoMo, a benchmark of long conversations: each question, with names removed, is asked of its
# own conversation and of another one. They are also fitted on questions about four repositories
# whose wording differs from the memories. On the other half of LoCoMo, 70 of 100 questions whose
# memory is found get an answer, and 8 of 100 that belong to another conversation
# (benchmarks/answers.py).
ENOUGH = 0.5  # least probability for an answer
SENTENCE, TITLE, PAIR, SCORE, LACKS, LEAST = 0.197, 0.086, 0.264, 0.548, -1.7, -2.78
LOOKED_AT = 12  # memories from a search
OTHERS = 24  # memories from a search by related words
MEMORIES = 3  # memories quoted at most
NEARLY = 0.6  # share of the best memory's probability that another memory must reach
SAYS = 0.6  # share of the best quotation's worth that another quotation must reach
LONG = 10  # a question with so many words can be answered without its identifiers
MOSTLY = 0.5  # share of such a question's words, by weight, that a memory must then contain
NEAR = 0.2  # share of a question's words, by weight, that a memory in `nearest` must contain
REPEATED = 0.75  # a quotation with this share of a title's words repeats the title

# --flag, snake_case, call()
_IDENTIFIER = re.compile(r"--[A-Za-z][\w-]+|\b\w*[^\W_]_[^\W_]\w*|\b\w+(?=\(\))")
_JOINTS = re.compile(r"[\W_]+")
# don't, I'm, and the verb of "May I …?": words that are not about the subject
_AUXILIARY = re.compile(
    r"\b\w+n['’]t\b|['’](?:m|d|ll|re|ve)\b|(?:^|[.!?,:;]\s)\W*(?:may|might|must|shall)\b",
    re.IGNORECASE,
)

NOTHING = "Nothing in memory about this."
NO_ANSWER = "No memory clearly answers this."  # but some memories are near


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """The sentences quoted from one memory."""

    hit: Hit
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The quotations that answer a question; empty if no memory answers it."""

    quoted: tuple[Quoted, ...]
    confidence: float  # 0 to 1: how likely the best memory answers
    nearest: tuple[Hit, ...] = ()  # if no memory answers: those that share the most words


def answer(
    index: Reader, question: str, *, filters: Filters | None = None, near: "Near | None" = None
) -> Answer:
    """Return the quotations that answer a question, best first.

    `near` (see `search`) can add memories and change their order, but each quoted memory still has
    to share enough words with the question.
    """
    asked = Question(index, parse(_AUXILIARY.sub("", question)))
    hits = search_fairly(index, question, limit=LOOKED_AT, filters=filters, near=near)
    by_words = search_fairly(index, question, limit=LOOKED_AT, filters=filters) if near else hits
    scores = {hit.id: hit.score for hit in by_words}
    least = min(scores.values(), default=0.0)
    known = {hit.id for hit in hits}
    if asked.known:
        others = search_fairly(index, asked.instead(), limit=OTHERS, filters=filters)
        hits += [hit for hit in others if hit.id not in known]
    named = {_squeezed(name) for name in _IDENTIFIER.findall(question)}
    judged = [
        (likely(hit, asked, scores.get(hit.id, least)), hit)
        for hit in hits
        if _speaks_of(hit, named, asked)
    ]
    best = max((likely for likely, _ in judged), default=0.0)
    chosen = [
        (hit, quote(hit.title, hit.body, asked, question))
        for likely, hit in judged
        if likely >= max(ENOUGH, NEARLY * best)
    ]
    most = max((found.worth for _, found in chosen), default=0.0)
    ranked = sorted(
        (pair for pair in chosen if pair[1].worth >= SAYS * most),
        key=lambda pair: (-pair[1].worth, bool(pair[0].author)),
    )
    kept = {hit.key for hit in fair([hit for hit, _ in ranked], MEMORIES)}
    quoted = tuple(
        Quoted(hit=hit, text=_quoted(hit, found)) for hit, found in ranked if hit.key in kept
    )
    nearest = () if quoted else _nearest([hit for _, hit in judged], asked)
    return Answer(quoted=quoted, confidence=round(best, 2), nearest=nearest)


def _nearest(hits: list[Hit], asked: QuestionTerms) -> tuple[Hit, ...]:
    """Return the memories closest to a question, if they share enough of its words."""
    least = NEAR * sum(asked.weights.values())
    shares = [(Evidence(hit, asked).sentence, hit) for hit in hits]
    ranked = sorted(
        (pair for pair in shares if pair[0] >= least),
        key=lambda pair: (-pair[0], bool(pair[1].author)),
    )
    return tuple(fair([hit for _, hit in ranked], MEMORIES)) if least else ()


def _speaks_of(hit: Hit, named: set[str], asked: QuestionTerms) -> bool:
    """Return whether a memory contains an identifier from the question, in any spelling.

    This is also true if the question contains no identifier, or if it is long and the memory
    contains most of its other words.
    """
    text = _squeezed(f"{hit.title} {hit.body}")
    if not named or any(name in text for name in named):
        return True
    weights = asked.weights
    return len(weights) >= LONG and Evidence(hit, asked).sentence >= MOSTLY * sum(weights.values())


def _squeezed(text: str) -> str:
    return _JOINTS.sub("", text).casefold()


def likely(hit: Hit, asked: Question, score: float) -> float:
    """Return the probability (0 to 1) that a memory answers a question.

    `score` is the memory's score in a search by words.
    """
    found = Evidence(hit, asked)
    if not found.sentence or (len(asked.weights) == 1 and not found.title):
        return 0.0  # one word is too little, unless it is in the title
    worth = (
        SENTENCE * found.sentence
        + TITLE * found.title
        + PAIR * found.pairs
        + SCORE * score / asked.whole
        + LACKS * asked.lacks(f"{hit.title} {hit.body}")
        + LEAST
    )
    return 1 / (1 + exp(-worth))


def _quoted(hit: Hit, found: Quotation) -> str:
    """Prefix a quotation with its heading, and with the memory's title unless it repeats that."""
    title = set(terms(hit.title))
    says = len(title.intersection(terms(found.best))) >= REPEATED * len(title)
    says |= found.text.startswith(hit.title.rstrip(".…"))
    names = [
        *([] if says else [hit.title]),
        *([found.heading] if found.heading and found.heading != hit.title else []),
    ]
    name = " › ".join(names)
    return (
        f"{name}{'' if name.endswith(('.', '!', '?')) else '.'} {found.text}".strip()
        if names
        else found.text
    )
