"""Developers' English: related words, pairs such as `check out`, and words that say little.

The file `thesaurus.txt` lists them. Only lines that may contain a word of the question are split
into terms: splitting all lines would take longer than answering the question.
"""

from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from git_lerim.recall.index.stemmer import stem
from git_lerim.recall.index.terms import plain_words, terms

_stem = lru_cache(1 << 16)(stem)
_FILE = Path(__file__).with_name("thesaurus.txt")
_WHOLE = 6  # letters: stems are cut to eight, so a compound with a longer first word says no more
_PREFIX = 4  # first letters of a term by which lines are found: the end of a stem may differ


@lru_cache(1 << 12)
def related(term: str) -> frozenset[str]:
    """Return the terms with which a memory may answer a question that contains this term."""
    found: set[str] = set()
    beginning = f" {term[: max(2, min(_PREFIX, len(term) - 1))]}"
    for line in _lines()[""]:
        if beginning in line:
            head, broad, narrow = line.partition(":")
            group = _group(narrow if broad else line)
            if term in (_group(head) if broad else group):
                found |= group
    return frozenset(found - {term})


@lru_cache(1 << 12)
def is_light(term: str) -> bool:
    """Return whether a term says little about the subject of a question."""
    return term in _light()


def joined(text: str) -> list[str]:
    """Return the words of a text, with pairs such as `check out` joined to one word."""
    found: list[str] = []
    words, pairs = plain_words(text), _pairs()
    at = 0
    while at < len(words):
        one = pairs.get((_stem(words[at]), _stem(words[at + 1]))) if at + 1 < len(words) else None
        found.append(one or words[at])
        at += 2 if one else 1
    return found


def compounds(ordered: list[str]) -> set[str]:
    """Return the terms that neighbouring words form together: `worktree` for `work tree`."""
    return {_stem(f"{one}{other}") for one, other in pairwise(ordered) if len(one) < _WHOLE}


@cache
def _lines() -> dict[str, list[str]]:
    """Return the lines of the file by kind: groups, pairs of words, and words that say little."""
    found: dict[str, list[str]] = {"": [], "=": [], "~": []}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind = "~" if line.startswith("~") else "=" if " = " in line else ""
            found[kind].append(f" {line}")
    return found


@cache
def _pairs() -> dict[tuple[str, str], str]:
    found = {}
    for line in _lines()["="]:
        one, other, _, word = line.split()
        found[_stem(one), _stem(other)] = word
    return found


@cache
def _light() -> frozenset[str]:
    return frozenset(terms(" ".join(_lines()["~"])))


def _group(words: str) -> set[str]:
    """Return the terms of a group of words; a compound such as `test_runner` is a single term."""
    return {terms(word)[-1] for word in words.split() if terms(word)}
