"""Measure how much of a question a memory covers, sentence by sentence.

This module imports little, because hooks load it each time the user prompts an agent.
"""

import re
from itertools import pairwise

from git_lerim.memories.format.body import body_itself
from git_lerim.recall.index.index_reader import ALL, Document, Reader, quoted
from git_lerim.recall.index.synonyms import synonyms
from git_lerim.recall.index.terms import terms
from git_lerim.recall.search.query import Query
from git_lerim.recall.search.rerank import rarity

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Iterable

OTHER = 0.7  # weight of a synonym
WRAPPED = 40  # characters: shorter lines were not wrapped by an editor
# Added to the number of documents when rarity is computed: in a small store no word would be rare.
UNSEEN = 200

# Words about asking, not about the subject of a question.
_ASKING = frozenset(
    terms(
        "decide decided decision choose chose chosen choice pick picked prefer happen happened"
        " reason explain tell know known remember learn learned mean use used using handle handled"
        " please anything something everything want wanted need needed difference differ compare"
        " way thing kind sort type format exactly actually currently work works look looks looking"
        " require required requires many much often"
    )
)
VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\b|\b\d+(?:\.\d+)*\+|[~^]\d|>=\s*\d")
_OF_VERSION = terms("version")
_LIKE = frozenset(terms("like"))
_LOOKS = frozenset(("look", "looks", "looking"))
_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][\"'”’»)\]]))\s+(?=[\"'“‘«(\[`]*[A-Z0-9`])|(?<=[。！？])|\n+"
)


class QuestionTerms:
    """The words that a question or a prompt asks about, with their weights."""

    __slots__ = ("others", "pairs", "weights", "whole")

    def __init__(self, index: Reader, query: Query, whose: str = ALL, without: str = "") -> None:
        """Weigh the words of a query by their rarity; a word that no memory has weighs most.

        With `OWN` as `whose`, only the user's memories count, so that words are not common because
        others use them. Memories with the term `without` do not count either.
        """
        among = quoted(whose) + (f" NOT {quoted(without)}" if without else "")
        count = index.count(0, among) if without else index.frequency([0], whose)
        frequencies = {term: _frequency(index, term, among) for term in subject(query)}
        self.weights = {term: rarity(count + UNSEEN, found) for term, found in frequencies.items()}
        unknown = {term for term, found in frequencies.items() if not found}
        others = {
            term for term in unknown if any(index.frequency([0], other) for other in synonyms(term))
        }
        worth = (
            rarity(count, found) * (OTHER if term in others else 1)
            for term, found in frequencies.items()
        )
        self.whole = sum(worth) or 1.0  # the best possible score in a search
        ordered = [term for word in query.words for term in terms(word) if term in self.weights]
        self.pairs = [pair for pair in pairwise(ordered) if pair[0] != pair[1]]
        instead = alternatives(query.words)
        # for each term of the question, the terms that count in its place
        self.others = {term: synonyms(term) | instead.get(term, set()) for term in self.weights}

    def read(self, text: str) -> list[str]:
        """Return the terms of a sentence, for comparison with those of the question."""
        return words_of(text)

    def weight_of(self, words: frozenset[str]) -> float:
        """Return the total weight of the question's words that a sentence contains.

        A word counts less if the sentence contains only a synonym of it, or only the word on the
        other side of an `or` in the question.
        """
        return sum(
            weight if term in words else OTHER * weight
            for term, weight in self.weights.items()
            if term in words or not self.others[term].isdisjoint(words)
        )


def _frequency(index: Reader, term: str, among: str) -> int:
    """Return how many active memories contain a term, and match the FTS5 expression `among`."""
    if among == quoted(ALL):
        return index.frequency([0], term)
    return index.count(0, f"{quoted(term)} AND ({among})")


def subject(query: Query) -> list[str]:
    """Return a query's terms except those that only ask, such as `explain`; all if none remain."""
    looks = "like" in query.words and _LOOKS.intersection(query.words)
    asking = _ASKING | _LIKE if looks else _ASKING
    return [term for term in query.terms if term not in asking] or list(query.terms)


def alternatives(words: list[str]) -> dict[str, frozenset[str]]:
    """Map the terms before and after each `or` to each other: an answer may have only one."""
    found: dict[str, frozenset[str]] = {}
    for left, middle, right in zip(words, words[1:], words[2:], strict=False):
        if middle == "or":
            one, other = frozenset(terms(left)), frozenset(terms(right))
            found |= dict.fromkeys(one, other) | dict.fromkeys(other, one)
    return found


def words_of(text: str) -> list[str]:
    """Return the terms of a sentence, with the term `version` added if it has a version number."""
    return [*terms(text), *_OF_VERSION] if VERSION.search(text) else terms(text)


class Evidence:
    """How well one memory covers a question."""

    __slots__ = ("pairs", "sentence", "title")

    def __init__(self, document: Document, asked: QuestionTerms) -> None:
        """Score a memory; each of its sentences is read together with its title."""
        texts = [
            asked.read(f"{document.title} {sentence}")
            for sentence in sentences(body_itself(document.body)) or [""]
        ]
        self.title = asked.weight_of(frozenset(asked.read(document.title)))
        self.sentence = max(
            asked.weight_of(frozenset(words)) for words in texts
        )  # of the best sentence
        beside = (pair for pair in asked.pairs if _adjacent(texts, *pair))
        self.pairs = sum(min(asked.weights[one], asked.weights[other]) for one, other in beside)


def _adjacent(sentences: "Iterable[list[str]]", one: str, other: str) -> bool:
    return any(
        term == one and other in words[max(at - 1, 0) : at + 3]
        for words in sentences
        for at, term in enumerate(words)
    )


def sentences(text: str) -> list[str]:
    """Split a text into sentences.

    The end of a paragraph also ends a sentence. A code block is one sentence, and quotations are
    not split.
    """
    found: list[str] = []
    for n, part in enumerate(re.split(r"^ *```[^\n]*\n", text, flags=re.MULTILINE)):
        found += (
            [part.strip()]
            if n % 2
            else [one for line in _unwrapped(part) for one in _unquoted(_END.split(line))]
        )
    return [plain for one in found if (plain := one.strip().removeprefix("- ").removeprefix("* "))]


def _unwrapped(text: str) -> list[str]:
    """Return the lines of a text, with hard-wrapped lines joined.

    A line continues if it is long and the next one starts in lower case.
    """
    found = [""]
    for line in text.split("\n"):
        last = found[-1].rstrip()
        goes_on = (
            len(last) >= WRAPPED
            and (last[-1].isalnum() or last[-1] in ",)`")
            and line.lstrip()[:1].islower()
        )
        found[-1:] = [f"{last} {line.strip()}"] if goes_on else [last, line]
    return found


def _unquoted(parts: list[str]) -> list[str]:
    """Rejoin the parts of a line that were split inside a quotation."""
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
    """Return whether a text opens a quotation without closing it."""
    return text.count('"') % 2 == 1 or any(
        text.count(left) > text.count(right) for left, right in ("“”", "„“", "«»", "「」")
    )
