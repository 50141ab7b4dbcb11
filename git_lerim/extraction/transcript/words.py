"""Find the topical words of a text, and its identifiers."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import TypeVar

T = TypeVar("T")

_TOKEN = re.compile(r"[A-Za-z0-9_][\w./:#@=-]*[\w)]|[A-Za-z]|[^\W\d_a-zA-Z]{2,}")
_IDENTIFIER = re.compile(r"[a-z][A-Z]|[_/#@=]|\w\.\w|\w-\w|\d|^[A-Z]{2,}|\w\(\)")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly")
_TAG = re.compile(r"^[a-z][a-z0-9_.-]{2,29}$")
_WHOLE_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z]{4,}(?![^\W\d_])")  # no part of `código`
_TAGS = 4
_MOST = 32768  # cached words
_STOP = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being
    below between both but
    by can can't cannot could did do does doing don't done down each else even ever every few for
    from further get gets go
    going good got had has have having he her here how i i'd i'll i'm i've if in into is isn't it
    it's its just know let
    let's like look make makes may me might more most much must my need needs new no nor not now of
    off ok on once one
    only or other our out over own please right same see she should so some still such sure take
    than that that's the
    their them then there there's these they they're this those through to too two under until up
    us use used uses using
    very want was way we we're well were what what's when where which while who why will with
    without work works would yes
    yet you you're your
    """.split()  # noqa: SIM905
)


class _Known(dict[str, T]):
    """A cache of a function's result for each word, faster than `lru_cache`."""

    def __init__(self, find_out: Callable[[str], T]) -> None:
        super().__init__()
        self._find_out = find_out

    def __missing__(self, token: str) -> T:
        if len(self) >= _MOST:
            self.clear()
        return self.setdefault(token, self._find_out(token))


@lru_cache(maxsize=8192)
def terms(text: str) -> tuple[str, ...]:
    """Return the topical words of a text, lower case and crudely stemmed, in order."""
    return tuple([stem for token in _TOKEN.findall(text) if (stem := _STEMS[token])])


def _stem(token: str) -> str:
    low = token.lower().strip(".:-/")
    if len(low) < 2 or low in _STOP:
        return ""
    if low.endswith(_ENDINGS):
        return next(
            (
                low[: -len(ending)]
                for ending in _ENDINGS
                if low.endswith(ending) and len(low) - len(ending) >= 4
            ),
            low,
        )
    return low


def identifiers(*texts: str) -> list[str]:
    """Return the words that look like names of code, files, commands or tickets, each once."""
    return list(dict.fromkeys(chain.from_iterable(map(_named, texts))))


@lru_cache(maxsize=8192)
def _named(text: str) -> tuple[str, ...]:
    return tuple([name for token in _TOKEN.findall(text) if (name := _NAMES[token])])


def _name(token: str) -> str:
    return token.strip(".:-") if _IDENTIFIER.search(token) else ""


def topic_tags(title: str) -> tuple[str, ...]:
    """Return a few lower-case words of a title as a memory's tags, identifiers first."""
    own = [word for word in _WHOLE_WORD.findall(title) if terms(word)]
    lowered = (word.strip("`()").lower() for word in [*identifiers(title), *own])
    return tuple(dict.fromkeys(tag for tag in lowered if _TAG.match(tag)))[:_TAGS]


_STEMS = _Known(_stem)
_NAMES = _Known(_name)
