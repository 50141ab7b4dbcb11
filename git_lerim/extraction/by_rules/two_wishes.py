"""Split a finding whose sentence is two wishes: `Always use X, and never commit to main`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.wishes.english_forms import VERB
from git_lerim.extraction.wishes.says import Wish, wish_in
from git_lerim.memories.memory import Kind

_AND = re.compile(
    r", and (?=(?:please )?(?:always|never) (?!(?:with|when|in|on|for|after|before|at|by|as|if|to|"
    rf"from|under|inside|outside|only|just)\b){VERB} \w+)",
    re.IGNORECASE,
)
# a first half that holds only somewhere, as then the second may, too
_SCOPE = re.compile(
    r"^(?:with|before|after)\b|\b(?:when|whenever|where|if|unless|in|inside|within|under|for|on|"
    r"during|while)\b",
    re.IGNORECASE,
)
_OWN_WORD = re.compile(r"\b(?:always|never|from now on)\b", re.IGNORECASE)
# what the first half would have to explain
_POINTS = re.compile(
    r"\b(?:it|its|them|their|they|this|that|these|those|there|one|ones|either|both|instead)\b",
    re.IGNORECASE,
)


def each_wish(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, each wish as one of its own; the body still quotes the whole sentence."""
    for one in found:
        halves = _halves(one.said) if one.kind is Kind.PREFERENCE else ()
        titles = [title_of(half, wish=True) for half in halves]
        if not titles or not all(titles):
            yield one
            continue
        first, second = titles
        yield replace(one, title=second, said=halves[1], place=f"{one.place} and")
        yield replace(one, title=first, said=halves[0])


def _halves(sentence: str) -> tuple[str, ...]:
    """Return the two wishes of a sentence; () if one is not complete without the other."""
    halves = tuple(_AND.split(sentence))
    complete = (
        len(halves) == 2
        and not _SCOPE.search(halves[0])
        and all(_OWN_WORD.search(half) and wish_in(half) is Wish.EXPLICIT for half in halves)
        and not _POINTS.search(halves[1])
    )
    return halves if complete else ()
