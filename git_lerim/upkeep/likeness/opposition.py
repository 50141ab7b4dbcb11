"""Decide whether a later memory contradicts an earlier one; if in doubt, say no.

This is looser than the check in a sync (`contradicts`), because these pairs are shown to people.
Only if a title itself says that something is no longer true (`gives_up`) may the later memory
replace the earlier one without asking anybody.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.memory import Memory
from git_lerim.memories.similarity.similarity import contradicts
from git_lerim.upkeep.likeness import frames
from git_lerim.upkeep.likeness.wording import Wording, content, numbers, wording

_UNITS = content(
    "second minute hour day week month year megabyte gigabyte kilobyte mb gb kb ms percent line"
    " character time thread"
)
_IDENTIFIED = re.compile(
    r"(?:#|\b(?:issue|pr|ticket|step|phase|chapter|adr|rfc|bug|story|sprint|http|status|port|"
    r"line)\s*#?)\s*\d",
    re.IGNORECASE,
)
_FAILS_ON = re.compile(  # on `Node 18`, and perhaps on `Node 22`, too
    r"\b(?:break|fail|crash|hang|chok)\w* (?:on|in|under|with) [^\W\d]\w* v?\d", re.IGNORECASE
)
_FROM = re.compile(r"\bfrom (?P<old>.+?) (?:over )?to (?P<new>.+)", re.IGNORECASE)
_OF = re.compile(r"(?<!instead)(?<!in place) of ", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?P<old>[\w.+-]+) (?:is|are|was|were|has been|have been) (?:gone|dropped|removed|"
    r"deprecated|retired)\b",
    re.IGNORECASE,
)
_HOW = r"(?:with|by|via|using|in|on|to|through)"
_DONE = (
    "stor|sav|keep|kept|log|deploy|host|hash|encrypt|render|build|built|send|sent|serv|manag|"
    "format|sort|pars|track|run|lint"
)
_NAMING = (
    re.compile(
        r"(?:we |now |always )*(?:use|adopt|prefer|choose|pick) (?P<value>.+?) (?:for|as|"
        r"to) (?P<topic>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<topic>.+?) (?:now )?(?:uses?|relies on|is based on|are based on) (?P<value>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<topic>.*\b(?:default|primary|preferred|standard|minimum|maximum|"
        r"official)\b.*?) (?:is|are)(?: now)? (?P<value>.+)",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<topic>.+? (?:is|are) (?:{_DONE})\w* {_HOW}) (?P<value>.+)", re.IGNORECASE),
    re.compile(rf"(?P<topic>(?:{_DONE})\w* .+? {_HOW}) (?P<value>.+)", re.IGNORECASE),
)
_OPPOSITE = (
    "synchronous asynchronous/synchronously asynchronously/sync async/public private/required"
    " optional/mandatory optional"
)
_ANTONYMS = [content(pair) for pair in _OPPOSITE.split("/")]
_LONGEST = 3  # words of a choice


class _Choice(NamedTuple):
    pattern: int  # index of the pattern in _NAMING that matched
    topic: frozenset[str]
    value: frozenset[str]


def opposed(later: Memory, earlier: Memory) -> bool:
    """Return whether two memories contradict each other."""
    if later.primitive is not earlier.primitive or later.created <= earlier.created:
        return False
    if contradicts(later, earlier):
        return True
    one, other = later.title, earlier.title
    return (
        gives_up(later, earlier)
        or _denies(one, other)
        or _measures(one, other)
        or _chooses(later, earlier)
        or _turns(one, other)
        or frames.instead(later, earlier)
    )


def gives_up(later: Memory, earlier: Memory) -> bool:
    """Return whether a later title says that an earlier title is no longer true."""
    a, b = wording(later.title), wording(earlier.title)
    if b.is_negative or not (a.is_change or a.aside):
        return False
    if a.is_change and a.is_negative and _covers(_head(later.title), b):
        return True
    old = a.aside or _given_up(later.title)
    topic = b.kinds - old
    new = a.kinds - topic - old - a.tail
    is_limited = bool((a.tail if a.aside else a.limits) - b.kinds) or bool(_OF.search(later.title))
    return (
        bool(old and topic)
        and old <= b.kinds
        and topic <= a.kinds
        and len(new) <= _LONGEST
        and not is_limited
    )


def keys(title: str) -> Iterator[object]:
    """Yield keys for a title; titles that differ in a number, choice or antonym share a key."""
    what, figures, _ = _measure(title)
    if figures:
        yield "measure", what
    yield from (("choice", choice.topic) for choice in _choices(title))
    words = wording(title).kinds
    yield from (("turn", frozenset(words - pair)) for pair in _ANTONYMS if words & pair)


def probes(title: str) -> Iterator[Collection[str]]:
    """Yield sets of a title's words, by which contradicting titles can be found.

    Of two contradicting titles, one contains all words of a set that the other one yields.
    """
    yield wording(title).kinds
    yield _head(title).kinds


def _given_up(title: str) -> frozenset[str]:
    found = _FROM.search(title) or _GONE.search(title)
    return content(found["old"]) if found and wording(title).is_change else frozenset()


@lru_cache(1 << 16)
def _head(title: str) -> Wording:
    return wording(_first(title))


def _first(title: str) -> str:
    return re.split(r"[;:,]", title, maxsplit=1)[0]


def _denies(later: str, earlier: str) -> bool:
    """Return whether one title denies what the other says, in the same words."""
    a, b, first = wording(later), wording(earlier), _head(later)
    if first.is_negative == b.is_negative or not a.numbers <= b.numbers | first.numbers:
        return False
    return _covers(first, b) if first.is_negative else _covers(a, b) and _covers(b, a)


def _covers(denied: Wording, stated: Wording) -> bool:
    """Return whether a denial covers the whole statement, and not only a special case."""
    own, other = denied.kinds, stated.kinds
    same_clause = not denied.clauses or denied.clauses == stated.clauses
    return (
        bool(own)
        and own <= other
        and len(other - own) <= 1
        and same_clause
        and denied.contrasts <= stated.contrasts
    )


@lru_cache(1 << 16)
def _measure(title: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return what a title measures, its numbers, and its units."""
    words = content(title)
    if _IDENTIFIED.search(title) or _FAILS_ON.search(title):
        return words, frozenset(), frozenset()
    figures = numbers(title) | wording(title).numbers
    units = words & _UNITS
    return words - figures - units, figures or (frozenset("1") if units else frozenset()), units


def _measures(later: str, earlier: str) -> bool:
    """Return whether two titles give different numbers for the same thing."""
    (what, figures, _), (other, others, _) = _measure(later), _measure(earlier)
    if not (figures and others) or figures & others or what != other or not what:
        return False
    return wording(later).is_negative == wording(earlier).is_negative


def _turns(later: str, earlier: str) -> bool:
    """Return whether two titles differ in only one word, each having the other's antonym."""
    a, b = wording(later), wording(earlier)
    pair = a.kinds ^ b.kinds
    is_pair = len(pair) == 2 and pair in _ANTONYMS and not (pair <= a.kinds or pair <= b.kinds)
    return is_pair and (a.is_negative, a.clauses, a.numbers) == (
        b.is_negative,
        b.clauses,
        b.numbers,
    )


def _chooses(later: Memory, earlier: Memory) -> bool:
    """Return whether two titles choose different things for the same purpose."""
    a, b = wording(later.title), wording(earlier.title)
    if a.is_negative or b.is_negative or a.clauses != b.clauses:
        return False
    ours, theirs = _choices(later.title), _choices(earlier.title)
    return any(
        one.topic == other.topic
        and not one.value & other.value
        # `use SQLite for the catalog` and `the catalog uses long polling` can both be true
        and (
            one.pattern == other.pattern
            or one.value <= content(earlier.body)
            or other.value <= content(later.body)
        )
        for one in ours
        for other in theirs
    )


@lru_cache(1 << 16)
def _choices(title: str) -> tuple[_Choice, ...]:
    text = _first(title).rstrip(".")
    found = (pattern.fullmatch(text) for pattern in _NAMING)
    made = (
        _Choice(number, content(each["topic"]), content(each["value"]))
        for number, each in enumerate(found)
        if each
    )
    return tuple(each for each in made if each.topic and 0 < len(each.value) <= _LONGEST)
