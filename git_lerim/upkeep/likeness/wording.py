"""Normalise titles for comparison: merge synonyms and word forms, drop function words."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from git_lerim.upkeep.likeness.vocabulary import (
    CONTRASTING,
    HELPING,
    NEGATIVE,
    NUMBERS,
    POLAR,
    SAME,
)

_CACHED = 1 << 16
_CODE = re.compile(r"`([^`\n]+)`")
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|--?[^\W_][\w-]*|[^\W\d_]\w*(?:[./:'’_+#-]\w+)*[+#]*|\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SIDE = re.compile(
    r"\b(?:instead of|rather than|in place of|as opposed to)\b|,\s*(?:and\s+)?(?:not|never)\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(prefer|favou?r)\w*\b(.*?)\bover\b", re.IGNORECASE)
_FIRST = re.compile(
    r"\s*(before|after|until|when|if|unless|while|once)\b(.*?)[,:](.*)", re.IGNORECASE
)
# not the middle of a name, as in `Retry-After`, and no duration, as in `after 30 seconds`
_CLAUSE = re.compile(
    r"(?<![\w-])(?!after\s+\d)(before|after|until|unless|except|without)\b(?!-)(.*)", re.IGNORECASE
)
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:in|on|for|during|when|if|under|within|at)\b", re.IGNORECASE)
CHANGE = re.compile(
    r"\b(?:no longer|any ?more|gone|moved?|moves|switch(?:ed|es)?|replac\w+|supersed\w+|formerly|"
    r"previously|used to|deprecat\w+|obsolete)\b",
    re.IGNORECASE,
)
# can also be written as one word
_APART = re.compile(r"\b(check|time)(?:s|d|ed|ing)? out\b", re.IGNORECASE)
_MUST = re.compile(r"\b(?:has|have|had|needs?|needed|wants?|ought|going) to\b", re.IGNORECASE)
_OUT = re.compile(r"\b(?:keep|leave|stay)\w*\b(.*?)\bout of\b", re.IGNORECASE)


_NAMES = frozenset({"US", "IT"})  # names if in capitals, not pronouns
_SKIPPED = HELPING | NEGATIVE | POLAR
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "ed", "es", "s")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a title, grouped by their role."""

    words: Counter[str]  # content words, without what is rejected
    kinds: frozenset[str]  # the same as a set
    aside: frozenset[str]  # what is rejected: B of `A instead of B`
    tail: frozenset[str]  # what follows the rejected part and limits it
    clauses: tuple[tuple[str, frozenset[str]], ...]  # what follows `before`, `after`, `unless`, …
    numbers: frozenset[str]
    names: frozenset[str]  # words of identifiers, paths, code
    is_negative: bool
    limits: frozenset[str]  # words after the last `in`, `on`, `for`, `during`
    contrasts: frozenset[str]  # small words that have an opposite: `read`, `on`, `from`
    is_change: bool  # it says that something is no longer true


@lru_cache(_CACHED)
def wording(title: str) -> Wording:
    """Group the words of a title by their role."""
    text = _CODE.sub(lambda found: found[1], _joined(title).strip().rstrip("."))
    is_change, text = CHANGE.search(text) is not None, _NO_LONGER.sub("not", text)
    names = frozenset(
        _canonical(word) for found in _CODE.findall(title) for word in _TOKEN.findall(found)
    )
    main, clauses = _split_clauses(text)
    before, aside, tail = _split_aside(_OVER.sub(r"\1\2 instead of ", main))
    counts, negations = _words(_OUT.sub(r"not \1 ", before))
    tokens = _TOKEN.findall(text)
    spelled = {_canonical(word) for word in tokens if _is_name(word)}
    return Wording(
        words=counts,
        kinds=frozenset(counts),
        aside=frozenset(_words(aside)[0]),
        tail=frozenset(_words(tail)[0]),
        clauses=clauses,
        numbers=frozenset(_canonical(word) for word in tokens if _is_number(word)),
        names=names | spelled,
        is_negative=negations % 2 == 1,
        limits=frozenset(_words(_limits(before))[0]),
        contrasts=frozenset(
            word
            for token in (_TOKEN.findall(_MUST.sub(" ", text)) if _MUST.search(text) else tokens)
            if (word := token.lower()) in CONTRASTING
        ),
        is_change=is_change,
    )


def content(text: str) -> frozenset[str]:
    """Return the normalised words of a text."""
    return _content(text)


@lru_cache(_CACHED)
def sequence(title: str) -> tuple[str, ...]:
    """Return the normalised words of a title in order, without what it rejects."""
    kept = _split_aside(_CODE.sub(r"\1", _joined(title)))[0]
    return tuple(word for token in _TOKEN.findall(kept) if (word := _content_word(token)))


@lru_cache(_CACHED)
def _content(text: str) -> frozenset[str]:
    return frozenset(_words(_joined(text).replace("`", " "))[0])


@lru_cache(_CACHED)
def numbers(text: str) -> frozenset[str]:
    """Return the numbers in a text."""
    return frozenset(_canonical(word) for word in _TOKEN.findall(text) if _NUMBER.fullmatch(word))


def _joined(text: str) -> str:
    """Return a text with uniform apostrophes and one spelling of `checked out` and `checkout`."""
    return _APART.sub(r"\1out", text.replace("’", "'"))


def _split_clauses(text: str) -> tuple[str, tuple[tuple[str, frozenset[str]], ...]]:
    if first := _FIRST.fullmatch(text):
        text = f"{first[3]} {first[1]} {first[2]}"
    clause = _CLAUSE.search(text)
    if clause is None:
        return text, ()
    return text[: clause.start()], ((clause[1].lower(), frozenset(_words(clause[2])[0])),)


def _split_aside(text: str) -> tuple[str, str, str]:
    """Split `A instead of B, C` into the accepted text, the rejected B, and the rest."""
    parts = _SIDE.split(text, maxsplit=1)
    if len(parts) == 1:
        return text, "", ""
    aside = _LIMIT.split(parts[1], maxsplit=1)[0]
    tail = parts[1][len(aside) :]
    return f"{parts[0]} {tail}", aside, tail


def _limits(text: str) -> str:
    found = _LIMIT.split(text)
    return found[-1] if len(found) > 1 and found[0].strip() else ""


def _words(text: str) -> tuple[Counter[str], int]:
    """Return the content words of a text with their counts, and its number of negations."""
    found = [_content_word(token) for token in _TOKEN.findall(text)]
    return Counter([word for word in found if word]), found.count(None)


@lru_cache(_CACHED)
def _content_word(token: str) -> str | None:
    """Return a word normalised; empty for a function word, and None for a negation."""
    lower = token.lower()
    if lower in NEGATIVE:
        return None
    return _canonical(token) if token in _NAMES or lower not in _SKIPPED else ""


@lru_cache(_CACHED)
def _is_number(token: str) -> bool:
    return bool(_NUMBER.fullmatch(token)) or token.lower() in NUMBERS


@lru_cache(_CACHED)
def _is_name(token: str) -> bool:
    """Return whether a word is spelled like code: `user_id`, `TZ=UTC`, `--force`, `OAuth2`."""
    inner = token[1:]
    return not token.replace("'", "").isalpha() or inner != inner.lower()


@lru_cache(_CACHED)
def _canonical(token: str) -> str:
    lower = token.lower().removesuffix("'s")
    if lower in NUMBERS:
        return NUMBERS[lower]
    if lower in SAME:
        return SAME[lower]
    stem = _stem(lower)
    return SAME.get(stem, _STEMS.get(stem, stem))


def _stem(word: str) -> str:
    """Remove the most common English endings."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    word = word[:-1] if len(word) > 3 and word[-1] in "ey" else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_STEMS = {_stem(word): first for word, first in SAME.items()}
