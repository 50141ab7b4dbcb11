"""Expand a question with a thesaurus, so that memories in other words can answer it."""

import re
from collections.abc import Iterable
from itertools import pairwise

from git_lerim.recall.answers.evidence import (
    OTHER,
    UNSEEN,
    QuestionTerms,
    alternatives,
    subject,
    words_of,
)
from git_lerim.recall.answers.thesaurus import compounds, is_light, joined, related
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.terms import terms
from git_lerim.recall.search.query import MOST, Query
from git_lerim.recall.search.rerank import rarity

LIGHT = 0.4  # weight of a word that says little about the subject

_PREFIXES = ("un", "non", "auto", "multi")
_REST = 4  # letters that must remain without the prefix

_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")  # `go-git's` has the term `go-git`

_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|big|large|old)|versions?|cost|size|length|limit|timeout|minimum"
    r"|maximum)\b"
)
_NUMBER = re.compile(
    r"\b\d|\b(?:one|two|three|four|five|six|ten|dozen|hundred|twice|half|unlimited|single|both|none"
    r")\b",
    re.IGNORECASE,
)
_ASKS_PERSON = re.compile(r"^(?:by |to |from |with )?(?:who|whom|whose)\b")
# A capitalised word counts as a name only inside a sentence, because any word may begin one.
_PERSON = re.compile(
    r"@\w|(?<![\w:/.-])(?i:i|we|teams?|users?|owners?|authors?|maintainers?|reviewers?|developers?"
    r"|operators?|contributors?|admins?|agents?|bots?|workers?|humans?|customers?|everyone"
    r"|everybody|anyone|anybody|nobody)\b|(?<=[a-z,] )[A-Z][a-z]+\b"
)
_NEEDS = ((_ASKS_NUMBER, _NUMBER), (_ASKS_PERSON, _PERSON))  # pairs: question, need of its answer


class Question(QuestionTerms):
    """The words that a question asks about, and the words with which a memory may answer it."""

    __slots__ = ("known", "needs", "query", "vocabulary")

    def __init__(self, index: Reader, query: Query) -> None:
        """Weigh the words by their rarity; words that say little about the subject weigh less.

        A word that no memory contains weighs as much as the most frequent of its related terms.
        """
        self.query = query
        count, _ = index.size([0])
        ordered = _without_parts(_with_pairs(query), index)
        self.others = _others(query, ordered)
        found = {term: index.frequency([0], term) for term in ordered}
        instead = {term: _frequencies(index, self.others[term]) for term in ordered}
        # related terms that occur in memories, with their frequencies
        self.known = {other: n for others in instead.values() for other, n in others.items()}
        self.weights: dict[str, float] = {}
        self.whole = 0.0
        for term, number in found.items():
            most = number or max(instead[term].values(), default=0)
            weight = LIGHT if is_light(term) else 1.0
            self.weights[term] = weight * rarity(count + UNSEEN, most)
            self.whole += weight * rarity(count, most) * (1 if number or not most else OTHER)
        self.whole = self.whole or 1.0
        self.pairs = [pair for pair in pairwise(ordered) if pair[0] != pair[1]]
        self.vocabulary = frozenset(self.weights).union(*self.others.values())
        words = " ".join(query.words)
        self.needs = [has for asks, has in _NEEDS if asks.search(words)]

    def instead(self) -> Query:
        """Return a query in which related terms replace the question's words, the rarest first."""
        query = Query()
        query.fields, query.without = self.query.fields, self.query.without
        query.phrases = self.query.phrases
        ordered = sorted(self.known, key=lambda one: (self.known[one], one))
        query.terms = dict.fromkeys(ordered[:MOST], 1)
        return query

    def read(self, text: str) -> list[str]:
        """Return a sentence's terms, and those terms of the question that it has in another form.

        These are compounds (`checkout` if the sentence has `check out`), and words without a prefix
        (`tested` if it has `untested`).
        """
        found = words_of(_POSSESSIVE.sub("", text))
        more = {*compounds(found), *(term for word in joined(text) for term in terms(word))}
        more |= {rest for term in found for rest in _unprefixed(term)}
        return [*found, *sorted((more & self.vocabulary).difference(found))]

    def lacks(self, text: str) -> bool:
        """Return whether the question asks for a number or a person that a text lacks."""
        return any(has.search(text) is None for has in self.needs)


def _unprefixed(term: str) -> list[str]:
    """Return a term without its prefix: `tested` for `untested`; empty if it has none."""
    rest = next((term[len(one) :] for one in _PREFIXES if term.startswith(one)), "")
    return [rest] if len(rest) >= _REST else []


def _with_pairs(query: Query) -> list[str]:
    """Return the terms of a query's subject, with pairs such as `check out` joined to one word."""
    asked = subject(query)
    spoken = [term for word in query.words for term in terms(word)]
    found = [term for word in joined(" ".join(query.words)) for term in terms(word)]
    wholes = [term for term in asked if term not in spoken]  # whole identifiers
    kept = [term for term in found if term in asked or term not in spoken]
    return list(dict.fromkeys([*kept, *wholes])) or asked


def _without_parts(ordered: list[str], index: Reader) -> list[str]:
    """Drop the parts of a name that is known as a whole, such as `git` and `hub` of `GitHub`."""
    known = {
        term for term in ordered if index.frequency([0], term) or _frequencies(index, related(term))
    }
    parts = {
        part
        for one in ordered
        for other in ordered
        if one != other and (compounds([one, other]) & known) - {one, other}
        for part in (one, other)
    }
    return [term for term in ordered if term not in parts]


def _others(query: Query, ordered: list[str]) -> dict[str, frozenset[str]]:
    """Map each term of a question to the terms that a memory may contain instead of it.

    These are its related terms and the word on the other side of an `or`; if it forms a compound
    with its neighbour (`checkout` for `check out`), also the compound and the terms related to
    that.
    """
    instead = alternatives(query.words)
    found = {term: related(term) for term in ordered}
    for one, other in pairwise(ordered):
        for whole in compounds([one, other]):
            for term in (one, other):
                found[term] |= related(whole) | {whole}
    asked = frozenset(ordered)  # one word of a memory must not count for two of the question
    return {term: others - asked | instead.get(term, frozenset()) for term, others in found.items()}


def _frequencies(index: Reader, of: Iterable[str]) -> dict[str, int]:
    return {term: number for term in of if (number := index.frequency([0], term))}
