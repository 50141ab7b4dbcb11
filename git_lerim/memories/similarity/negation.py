"""Find out whether a title says something else than the text that it should restate."""

import re
from collections.abc import Iterable

from git_lerim.memories.checks.denials import REMINDS, denies_elsewhere
from git_lerim.memories.similarity.claim import claim, content

_ALSO = re.compile(
    r"\b(?:none|nobody|nothing|forbidden|banned|prohibited|disallowed|out of|instead of|"
    r"rather than|in place of|against|hates?|dislikes?)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:()!?\n]|\.(?!\w)|\s[-–—]\s|\b(?=instead of|rather than|in place of)|"
    r"\b(?:but|except|other than|unless|until|and|because|since|so)\b",
    re.IGNORECASE,
)


_NARROW_NOTHING = content("all any each every")


def states(said: Iterable[str], title: str) -> bool:
    """Return whether the sentences `said` say all that a title does.

    One of them must have the words of each clause, and must not oppose it.
    """
    sentences = [(sentence, content(sentence) | _NARROW_NOTHING) for sentence in said]
    clauses = [(clause, content(_ALSO.sub(" ", clause))) for clause in _clauses(title)]
    return any(words for _, words in clauses) and all(
        any(words <= known and not opposes(clause, sentence) for sentence, known in sentences)
        for clause, words in clauses
    )


def opposes(title: str, said: str) -> bool:
    """Return whether a title affirms what the text `said` denies, or denies what it affirms."""
    (yes, no), (affirmed, denied) = _sides(title), _sides(said)
    same = (yes & affirmed) | (no & denied)
    return len(((yes & denied) | (no & affirmed)) - same) > len(same)


def _sides(text: str) -> tuple[set[str], set[str]]:
    """Return the content words of the clauses that affirm, and of those that deny."""
    sides: tuple[set[str], set[str]] = (set(), set())
    for clause in _clauses(text):
        stated = claim(clause)
        denies = stated.negative or denies_elsewhere(clause) or _ALSO.search(clause) is not None
        sides[denies].update(stated.words)
    return sides


def _clauses(text: str) -> list[str]:
    return _CLAUSE.split(REMINDS.sub("", text))
