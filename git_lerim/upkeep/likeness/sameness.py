"""Decide whether two memories make the same claim in different words; if in doubt, say no.

This is stricter than the check in a sync: any difference that could matter counts. One title may
have an extra word if the bodies agree. Each title may have words that the other lacks if the other
memory's body has all of them, but no word may take the place of another.
"""

from git_lerim.memories.memory import Memory
from git_lerim.upkeep.likeness.vocabulary import OPPOSITES
from git_lerim.upkeep.likeness.wording import Wording, content, numbers, wording

_AGREE = 0.2  # share of common words in the bodies, for each extra word in a title
_MORE = 2  # extra words in one title, at most


def same(one: Memory, other: Memory) -> bool:
    """Return whether two memories make the same claim."""
    if one.primitive is not other.primitive:
        return False
    a, b = wording(one.title), wording(other.title)
    if not a.kinds or not b.kinds or _is_far(a, b) or _stance(a) != _stance(b):
        return False
    if not _same_clauses(a, b) or _gives_up_otherwise(a, b) or _contrast(a, b):
        return False
    if _numbers_differ(one, other):
        return False
    ours, theirs = a.words - b.words, b.words - a.words
    if ours and theirs:
        return _said_in_bodies(one, other)
    more, longer, shorter = (ours, a, other) if ours else (theirs, b, one)
    return not more or (
        more.total() <= min(_MORE, wording(shorter.title).words.total())
        and not more.keys() & longer.names
        and more.keys() & longer.limits <= content(shorter.body)
        and _agreement(one, other) >= _AGREE * more.total()
    )


def _is_far(a: Wording, b: Wording) -> bool:
    """Return whether two titles share less than a third of the shorter title's words."""
    both = a.kinds & b.kinds
    least = min(len(a.kinds), len(b.kinds))
    return 3 * len(both) < least  # so neither has all words of the other


def _said_in_bodies(one: Memory, other: Memory) -> bool:
    """Return whether each body has the words that only the other memory's title has."""
    a, b = wording(one.title), wording(other.title)
    ours, theirs, both = a.kinds - b.kinds, b.kinds - a.kinds, a.kinds & b.kinds
    # `the export runs at night`, `the backup runs at night`
    is_swap = len(ours) == len(theirs) == 1 and len(both) > 1
    is_named = bool(ours & a.names and theirs & b.names)  # each has a name that the other lacks
    limits = a.limits == b.limits or not (a.limits - both or b.limits - both)
    if is_swap or is_named or not limits:
        return False
    explained = ours <= content(other.body) and theirs <= content(one.body)
    return explained and _agreement(one, other) >= _AGREE


def _stance(title: Wording) -> tuple[object, ...]:
    return (title.is_negative, title.is_change, title.numbers)


def _contrast(a: Wording, b: Wording) -> bool:
    """Return whether one title has a word such as `read`, and the other `write` instead."""
    ours, theirs = a.contrasts - b.contrasts, b.contrasts - a.contrasts
    return any(
        (one in ours and other in theirs) or (other in ours and one in theirs)
        for one, other in OPPOSITES
    )


def _same_clauses(a: Wording, b: Wording) -> bool:
    """Return whether both titles have the same condition (`before`, `unless`, …), or none."""
    if not a.clauses or not b.clauses:
        return a.clauses == b.clauses
    (word, words), (other_word, other) = a.clauses[0], b.clauses[0]
    return word == other_word and bool(words & other) and (words <= other or other <= words)


def _gives_up_otherwise(a: Wording, b: Wording) -> bool:
    """Return whether two titles reject different things, or one rejects the other's choice."""
    if a.aside & b.words.keys() - a.words.keys() or b.aside & a.words.keys() - b.words.keys():
        return True
    return bool(a.aside and b.aside and not a.aside & b.aside)


def _numbers_differ(one: Memory, other: Memory) -> bool:
    """Return whether the bodies give different numbers, and the first title gives none."""
    a, b = numbers(one.body), numbers(other.body)
    return bool(a - b and b - a) and not numbers(one.title) and len(a) == len(b) == 1


def _agreement(one: Memory, other: Memory) -> float:
    a, b = content(f"{one.title}\n{one.body}"), content(f"{other.title}\n{other.body}")
    title = content(one.title) | content(other.title)
    a, b = a - title, b - title
    return len(a & b) / len(a | b) if a | b else 0.0
