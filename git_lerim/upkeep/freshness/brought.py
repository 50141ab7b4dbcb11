"""Tell whether a change of a file brought what a memory names. Pure functions."""

from collections.abc import Collection, Sequence

from git_lerim.upkeep.freshness.claims import Word, names_of, occurs
from git_lerim.upkeep.freshness.rejected import claimed_words


def brought(title: str, body: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether something that a memory names is new in a file, as the memory names it.

    It is not if the file has a name that the memory gives a value, but another value: then the
    change was made by somebody else, or changed again before it was committed.
    """
    words = claimed_words(title, body, after)
    there = _occurring(words, after)
    new = there - _occurring(there, before)
    return bool(new) and not any(_contradicts(word, new) for word in set(words) - there)


def _contradicts(missing: Word, new: Collection[Word]) -> bool:
    """Return whether a value that a file lacks belongs to a name that is new in the file."""
    names = {word.text for word in new if not word.literal and not word.verbatim}
    if missing.verbatim:
        return not names.isdisjoint(names_of(missing.text))
    return missing.literal and missing.text[:1].isdigit() and len(names) == len(new)


def _occurring(words: Collection[Word], rows: Sequence[str]) -> set[Word]:
    text = "\n".join(rows)
    return {
        word
        for word in words
        if (any(occurs(word, row) for row in rows) if word.verbatim else occurs(word, text))
    }
