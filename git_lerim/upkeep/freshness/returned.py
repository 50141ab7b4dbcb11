"""Find words that a memory wants replaced, and that are in the code again. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from git_lerim.upkeep.freshness.claims import Word, code_of, occurs
from git_lerim.upkeep.freshness.rejected import replaced_words
from git_lerim.upkeep.freshness.staleness import Lost


@dataclass(frozen=True, slots=True, order=True)
class Returned(Lost):
    """A word that a memory wants replaced, and that came back after it was gone from the code."""

    def holds(self, rows: Sequence[str]) -> bool:
        """Return whether a version of the file is still without the word."""
        return not _has(rows, Word(self.text))


def returned(
    title: str, body: str, then: Sequence[str], now: Sequence[str]
) -> tuple[Returned, ...]:
    """Return the names that a memory wants replaced and that only the newer version of a file has.

    The older version is the one that the memory is about: its session had replaced them there.
    """
    names = _names(title, body, now)
    return tuple(sorted(Returned(w.text) for w in names if _has(now, w) and not _has(then, w)))


def carried_out(title: str, body: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether a change removed all names from a file that a memory wants replaced."""
    names = _names(title, body, before)
    return any(_has(before, w) for w in names) and not any(_has(after, w) for w in names)


def _names(title: str, body: str, rows: Sequence[str]) -> list[Word]:
    """Return the names, without literals, that a memory wants replaced."""
    words = replaced_words(title, body, rows)
    return [word for word in words if not word.literal and not word.verbatim]


def _has(rows: Sequence[str], word: Word) -> bool:
    return occurs(word, _text(tuple(rows)))


@lru_cache(64)
def _text(rows: tuple[str, ...]) -> str:
    return "\n".join(code_of(rows))
