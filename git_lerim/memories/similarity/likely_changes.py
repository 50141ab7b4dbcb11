"""Judge by the words whether what a person says later ends an earlier wish or choice of theirs.

A logistic regression on pairs of prompts (`benchmarks/changes_of_mind.py`): the features are the
words of the later text, and how many words of the earlier title it has, and how telling they are.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from git_lerim.memories.checks.learned.weights import Weights
from git_lerim.memories.similarity.claim import CACHED, content
from git_lerim.memories.similarity.given_up import FILLERS

WEIGHTS = Weights(files(__package__) / "changes.tsv")
_POSSIBLE = -6.0  # minimum score by the later text alone
# minimum score with the overlap: of a text that says nothing else, and of one that is wanted anyway
_HINT, _WISH = 0.3, -0.4
_STEM, _CYRILLIC_STEM = 5, 4  # letters of a word that count
_ENDINGS = "аеиоуыэюяьйё"
_RAREST = 8.0
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LONGEST = 1000  # characters of a later text


def may_end(later: str) -> bool:
    """Return whether a text may end a person's earlier wish, judging by its words alone."""
    return likelihood(later) > _POSSIBLE


def ends(later: str, earlier: str, *, is_wish: bool = False) -> bool:
    """Return whether a person's later text probably ends what an earlier title of theirs says.

    It has words of that title, since it may as well be about the work at hand. For one that is a
    wish itself (`is_wish`), a lower score is enough.
    """
    if not may_end(later) or not stems(later) & stems(earlier):
        return False
    least = _WISH if is_wish else _HINT
    return likelihood(later) + WEIGHTS.total(overlap(later, earlier)) > least


@lru_cache(CACHED)
def likelihood(later: str) -> float:
    """Return the logarithm of the odds that a text ends a wish, judging by its words alone."""
    return WEIGHTS.score(later[:_LONGEST])


def overlap(later: str, earlier: str) -> Mapping[str, float]:
    """Return how many words of a title a later text has, and how telling they are."""
    said, about = stems(later), stems(earlier)
    telling = {word: _telling(word) for word in about}
    shared = sorted((telling[word] for word in about & said), reverse=True)
    return {
        "<share>": sum(shared) / (sum(telling.values()) or 1),
        "<rarest>": sum(shared[:1]) / 10,
        "<second>": sum(shared[1:2]) / 10,
        "<shared>": len(shared) / 5,
    }


@lru_cache(CACHED)
def stems(text: str) -> frozenset[str]:
    """Return the beginnings of a text's words, and the pairs of its East Asian characters."""
    runs = _EAST_ASIAN.findall(text)
    pairs = (run[n : n + 2] for run in runs for n in range(len(run) - 1))
    words = content(_EAST_ASIAN.sub(" ", text)) - FILLERS
    return frozenset((*pairs, *map(_beginning, words)))


def _beginning(word: str) -> str:
    if _CYRILLIC.match(word):  # short words are inflected, too: `тест`, `тесты`
        return word[:_CYRILLIC_STEM].rstrip(_ENDINGS) or word
    return word[:_STEM]


def _telling(stem: str) -> float:
    return _frequent().get(stem, _RAREST)


@cache
def _frequent() -> dict[str, float]:
    """Return how telling each frequent word is: the negative logarithm of its frequency."""
    rows = (files(__package__) / "frequent_words.tsv").read_text("utf-8").splitlines()
    return {stem: float(telling) for telling, stem in (row.split("\t") for row in rows)}
