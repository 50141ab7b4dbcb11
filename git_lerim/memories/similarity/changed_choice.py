"""Decide whether a person later chose something else than what an earlier title chose."""

import re

from git_lerim.memories.similarity.claim import claim, content

# what a thing is, or the whole project: neither says where it is used
_ANYWHERE = content(
    "repo repository project codebase database language runtime framework library tool manager"
)
_PLACES = content("service server app application package module component system layer client")

# such an earlier choice holds in all places of a kind, and such a later one in all places
_FOR_ALL = re.compile(r"\b(?:for|in|on|with) (?:all|every|any)\b|\beverywhere\b", re.IGNORECASE)
_SWEEPING = re.compile(
    r"\b(?:switch|move|migrate|change)\b.* from\b|\bfrom now on\b|\beverywhere\b", re.IGNORECASE
)


def chooses_otherwise(later: str, earlier: str) -> bool:
    """Return whether a title gives up, for the same topic, what an earlier title chose.

    The later one must name what it gives up, and must not be about less than the earlier one. Its
    new choice may name the topic: `the in-process cache instead of Redis`.
    """
    a, b = claim(later), claim(earlier)
    if not a.replaced or b.negative or not a.replaced <= b.chosen:
        return False
    topic, kept = _topic(a.topic), _topic(b.chosen - a.replaced)
    if b.replaced and b.replaced <= a.chosen:  # `A over B`, then `B instead of A`
        return not topic or topic == _topic(b.topic)
    if not topic and _FOR_ALL.search(earlier) and _SWEEPING.search(later):
        return True
    return topic <= kept <= a.chosen


def _topic(words: frozenset[str]) -> frozenset[str]:
    """Return the words that say where a choice holds: `orders` of `the database of the orders`."""
    narrow = words - _ANYWHERE
    return narrow - _PLACES or narrow
