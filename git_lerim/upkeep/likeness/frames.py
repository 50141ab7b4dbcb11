"""Decide whether a later memory replaces a value that an earlier memory names.

The titles differ in one place only: `X listens on port 8080`, `X listens on port 9090`. That alone
proves nothing, since X may listen on both. So one of the texts has to say that there is a choice,
or the later one has to say that something changed.
"""

import re
from collections.abc import Iterator, Sequence

from git_lerim.memories.memory import Kind, Memory, Primitive
from git_lerim.upkeep.likeness.wording import CHANGE, content, sequence, wording

_LONGEST = 3  # words of a value
_SHORTEST = 2  # words around it
_NEW = re.compile(
    r"\b(?:now|(?:was|were|has|has been|have been) (?:changed|moved|switched)|these days|"
    r"other than before)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:not|never|no longer|instead of|rather than|other than before|in place of)\b",
    re.IGNORECASE,
)
# both values hold; "too" only where it ends a clause: "too slow" is a reason for a change
_BOTH = re.compile(r"\b(?:also|both|as well|too(?=[.,;:!?)\n]|$))", re.IGNORECASE)
# the word that follows is the topic of a title, not a value
_ABOUT = re.compile(r"\b(?:of|for)\s+(?:(?:the|an?|our|this|each|every)\s+)?(\S+)", re.IGNORECASE)


def instead(later: Memory, earlier: Memory) -> bool:
    """Return whether a later memory replaces the value that an earlier memory gives.

    The texts must also show that only one of the values holds.
    """
    a, b = wording(later.title), wording(earlier.title)
    if a.is_negative or b.is_negative or a.clauses != b.clauses or later.kind is not earlier.kind:
        return False
    place = _place(later.title, earlier.title)
    if place is None:
        return False
    new, old, start, is_late = place
    text = f"{later.title}\n{later.body}"
    if _BOTH.search(text):
        return False
    is_topic = start in _topics(later.title)
    if new <= content(earlier.body) and old <= content(text):  # each memory mentions both values
        return not is_topic and (
            later.primitive is Primitive.DECISION or later.kind is Kind.PREFERENCE
        )
    if old <= content(text) and (_GIVEN_UP.search(text) or CHANGE.search(text)):
        return True
    return is_late and not is_topic and bool(_NEW.search(text))


def keys(title: str) -> Iterator[object]:
    """Yield keys for a title; titles that differ in only one place have a key in common."""
    words = sequence(title)
    for length in range(1, _LONGEST + 1):
        if _is_enough(len(words) - length, length):
            for start in range(len(words) - length + 1):
                yield words[:start], words[start + length :]


def _is_enough(around: int, longest: int) -> bool:
    """Return whether two titles have enough equal words around the place where they differ.

    They must have more in common than their subject: more words must be equal than different.
    """
    return around >= max(_SHORTEST, longest + 1)


def _topics(title: str) -> frozenset[str]:
    return content(" ".join(_ABOUT.findall(title)))


def _place(later: str, earlier: str) -> tuple[frozenset[str], frozenset[str], str, bool] | None:
    """Return how two titles differ, or None if they differ in more than one place.

    The result has the words of the later and of the earlier title at that place, the first of the
    later title's, and whether the place is in the second half of the later title.
    """
    a, b = sequence(later), sequence(earlier)
    start = _common(a, b)
    stop = _common(a[start:][::-1], b[start:][::-1])
    new, old = a[start : len(a) - stop], b[start : len(b) - stop]
    longest = max(len(new), len(old))
    if not new or not old or longest > _LONGEST or not _is_enough(start + stop, longest):
        return None
    return frozenset(new), frozenset(old), new[0], 2 * start >= len(a)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal words at the beginning of two titles."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
