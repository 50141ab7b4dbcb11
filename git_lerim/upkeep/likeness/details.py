"""Find differences in detail that keep memories from being merged, whatever a model says."""

import re
from functools import lru_cache

from git_lerim.memories.memory import Memory
from git_lerim.memories.similarity.claim import CACHED, content, names
from git_lerim.tokens import words

_NUMBER = re.compile(r"(?<![\w.])v?(\d+(?:[.,:]\d+)*)(?=[a-z%]{0,3}\b|%)", re.IGNORECASE)
_FLAG = re.compile(r"(?<![\w-])--?[^\W\d_][\w-]*")
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        words("two three four five six seven eight nine ten eleven twelve"), start=2
    )
}
_ASIDE = re.compile(r",\s*(?:and\s+)?(?:not|never)\b.*", re.IGNORECASE)
_NEGATION = re.compile(
    r"not|never|no|none|neither|nor|cannot|cant|dont|doesnt|isnt|wont|\w+n['’]t|avoid(?:s|ing)?|"
    r"forbids?|forbidden|disallow(?:s|ed)?|prohibit(?:s|ed)?|den(?:y|ies|ied)|disabl(?:e|es|ed)|"
    r"refus(?:e|es|ed)|reject(?:s|ed)?|ban(?:s|ned)?",
    re.IGNORECASE,
)


def differ(one: Memory, other: Memory) -> bool:
    """Return whether two memories differ in a negation, number, flag or name.

    A detail that only one of them contains is not a difference: that memory is only more exact.
    """
    if _is_negative(one.title) != _is_negative(other.title):
        return True
    ours, theirs = f"{one.title}\n{one.body}", f"{other.title}\n{other.body}"
    mine, its = _figures(ours), _figures(theirs)
    if _figures(one.title) - its or _figures(other.title) - mine or (mine - its and its - mine):
        return True
    return bool(names(one.title) - _content(theirs) and names(other.title) - _content(ours))


@lru_cache(CACHED)
def _content(text: str) -> frozenset[str]:
    return content(text.replace("`", " "))


@lru_cache(CACHED)
def _figures(text: str) -> frozenset[str]:
    """Return the numbers and flags of a text."""
    spelled = (_SPELLED.get(word.lower()) for word in _WORD.findall(text))
    return frozenset([*_NUMBER.findall(text), *filter(None, spelled), *_FLAG.findall(text)])


@lru_cache(CACHED)
def _is_negative(title: str) -> bool:
    """Return whether a title denies something; two negations cancel each other."""
    said = _WORD.findall(_ASIDE.sub("", title))
    return sum(_NEGATION.fullmatch(word) is not None for word in said) % 2 == 1
