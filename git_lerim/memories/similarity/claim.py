"""Find out what a title states (its claim), in words that can be compared with other titles."""

import re
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.similarity.changes_of_mind import change_of_mind
from git_lerim.memories.similarity.refusal_phrases import wanted_after_all
from git_lerim.memories.similarity.replacement_phrases import (
    CHOOSING,
    MOVED,
    MOVING,
    bare,
    replacement,
)
from git_lerim.memories.similarity.revocation_phrases import revoked
from git_lerim.tokens import words

CACHED = 1 << 16

_TOKEN = re.compile(r"`[^`\n]+`|--?[^\W_][\w-]*|\w+(?:[./:='’_-]\w+)*")

_CODE = re.compile(r"`([^`\n]+)`")

_SIGNS = re.compile(r"[\W_]+")

_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_NUMBER = re.compile(r"v?\d+(?:[.,:]\d+)*[a-z%]{0,3}")

_REJECTED = re.compile(
    r"\b(?:instead of|rather than|in place of)\b|,\s*(?:and\s+)?not\b", re.IGNORECASE
)

_REASON = re.compile(
    r"[,;]?\s+(?:because|since|so (?:that|it|they|we|you)|otherwise|in order to|"
    r"as (?:it|they|we|this|that)\b|"
    # but not what a thing is chosen as: `as the cache`
    r"as the\b(?! (?:[\w-]*[^\Ws] )?[\w-]+(?<!ed)(?:[,;:.]|\s*\Z| (?:for|in|on|at)\b)))(?!\w)",
    re.IGNORECASE,
)

_MEASURE = re.compile(
    r"\b(?:to|at|is|be|most|least|than|under|below|above|over|every|within|of)\s+\d|=\s*\d",
    re.IGNORECASE,
)

_CHOICE = re.compile(
    r"(?:(?:we|always|now|will|should|must)\s+)*(?:use|using|choose|adopt|prefer|pick|go with|"
    r"stay with|switch to|rely on)\s+(?P<value>.+?)\s+(?:for|as|to)\s+(?P<purpose>(?:the|this|our|"
    r"its|all|every|each)\s.+|.+\s.+)",
    re.IGNORECASE,
)

# what a thing is chosen as, `as the runtime`, says nothing about where it is used
_ROLE = re.compile(
    r"(\b(?:use|take|choose|pick|prefer|keep|go with) (?:\S+ ){1,3}?)as (?:the|our|an?) "
    r"(?P<role>[^,]+?)(?=\s+(?:for|in|on|at)\b|,|\s*\Z)",
    re.IGNORECASE,
)

_STOP = frozenset(
    words(
        "a an and any are as at be been but by can could do does for from had has have how if in"
        " into is it its may might more must of on or our should so such than that the their then"
        " there these they this those to up was we were what when where which while will with would"
        " you your always now also only just use uses used using add adds keep keeps need needs"
        " make makes made"
    )
)

_NEGATIVE = frozenset(
    words(
        "not no never without avoid avoids avoiding cannot can't cant don't dont doesn't doesnt"
        " didn't isn't isnt aren't won't wont wouldn't shouldn't mustn't stop drop drops remove"
        " removes removed reject rejects forbid forbids neither nor"
    )
)

_OPPOSITE = {
    "after": "before",
    "disable": "enable",
    "disabled": "enabled",
    "deny": "allow",
    "disallow": "allow",
    "private": "public",
    "asynchronous": "synchronous",
    "async": "sync",
    "decrease": "increase",
    "optional": "required",
    "invalid": "valid",
    "unsafe": "safe",
}

# the ending that makes a noun of a verb: `indentation`
_MADE_NOUN = re.compile(r"(?<=\w{4})ation\Z")

_DIRECTED = frozenset({"before", "over", "than", "from", "into", "to"})

# with which somebody repeats a wish: `I told you never to push`
_INSISTS = re.compile(
    r"^(?:(?:and|but|as|like),? )*i(?:['’]ve| have)? (?:already |just )?(?:said|told you|asked you|"
    r"mentioned)(?: (?:before|already|last time))?(?: that)?[,:]? "
    r"(?!(?:we|you|it|yes|that|this|about|before|to)\b)",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """What a title states, in stemmed words grouped by their role."""

    order: tuple[str, ...]  # stems in order, without stop words, negations and what was rejected
    words: frozenset[str]  # the same stems as a set
    names: frozenset[str]  # the stems of identifiers, paths and flags
    parts: frozenset[str]  # the words in these
    numbers: frozenset[str]
    measured: bool  # a number is what was chosen: `to 30 seconds`, not `issue 30`
    negative: bool
    directed: bool  # the order of the words matters: `A before B`
    value: frozenset[str]  # of `use VALUE for PURPOSE`
    purpose: frozenset[str]
    rejected: frozenset[str]  # of `A instead of B`
    replaced: frozenset[str]  # A of `Switch TOPIC from A to B`, `B instead of A for TOPIC`
    topic: frozenset[str]  # TOPIC of these titles
    revoked: frozenset[str]  # TOPIC of `Forget what I said about TOPIC`
    taken_back: frozenset[str]  # the same, and TOPIC of `We no longer use TOPIC`, `TOPIC after all`
    chosen: frozenset[str]  # what the title chooses, and its topic: A and TOPIC of `TOPIC uses A`


class _Word(NamedTuple):
    """The role of a word in a claim."""

    stem: str  # empty for a stop word and a negation
    flips: bool  # it negates the statement
    name: bool
    number: bool
    directed: bool


@lru_cache(CACHED)
def claim(title: str) -> Claim:
    """Return what a title states, in words that can be compared with those of other titles."""
    title = _INSISTS.sub("", title, count=1)
    head, *tail = _REJECTED.split(title, maxsplit=1) if _may_reject(title.lower()) else [title]
    said = [_word(token) for token in _TOKEN.findall(head)]
    order = tuple([word.stem for word in said if word.stem])
    chosen = _CHOICE.fullmatch(head.strip().rstrip(".")) if " " in head else None
    given_up = replacement(title)
    replaced = content(given_up.old) if given_up else frozenset()
    named = frozenset([word.stem for word in said if word.name and word.stem])
    change, again = change_of_mind(title), content(revoked(title))
    wanted = wanted_after_all(title)
    named_again = change.subject if change else wanted.new if wanted else ""
    return Claim(
        order=order,
        words=frozenset(order),
        names=named,
        parts=content(_SIGNS.sub(" ", " ".join(named))) - named if named else named,
        numbers=(numbers := frozenset([word.stem for word in said if word.number])),
        measured=bool(numbers and _MEASURE.search(head)),
        negative=sum([word.flips for word in said]) % 2 == 1,
        directed=True in [word.directed for word in said],
        value=content(chosen["value"]) if chosen else frozenset(),
        purpose=content(chosen["purpose"]) if chosen else frozenset(),
        rejected=content(tail[0]) if tail else frozenset(),
        replaced=replaced if len(replaced) <= _NAMED else frozenset(),
        topic=content(given_up.topic) - _CHOOSING - _MOVING if given_up else frozenset(),
        revoked=again,
        taken_back=again | as_verbs(again) | content(named_again),
        chosen=content(_ROLE.sub(r"\1", _REJECTED.sub(" ", bare(title))))
        - replaced
        - (_CHOOSING | _MOVING if given_up or MOVED.search(title) else _CHOOSING),
    )


def without_reason(title: str) -> str:
    """Return a title without the reason that it ends with, if any."""
    return _REASON.split(title.strip().rstrip("."), maxsplit=1)[0]


@lru_cache(CACHED)
def subject(title: str) -> frozenset[str]:
    """Return the stems by which another title can name what this one says, not why it says so."""
    bare = without_reason(title)
    given_up = replacement(bare)
    topic = content(given_up.topic) if given_up else frozenset()
    return content(_REJECTED.split(bare, maxsplit=1)[0]) | (topic - _CHOOSING - _MOVING)


def role(title: str) -> frozenset[str]:
    """Return the stems of what a title chooses a thing as: `cache` of `Use Redis as the cache`."""
    found = _ROLE.search(title)
    return content(found["role"]) if found else frozenset()


def denies(title: str) -> bool:
    """Return whether a title says no; unlike a claim, regardless of words such as `after`."""
    said = (token.strip("`").lower().replace("’", "'") for token in _TOKEN.findall(title))
    return sum(word in _NEGATIVE for word in said) % 2 == 1


def _may_reject(title: str) -> bool:
    return " of " in title or " than " in title or ("," in title and "not" in title)


@lru_cache(CACHED)
def _word(written: str) -> _Word:
    bare = written.strip("`")
    lower = bare.lower().replace("’", "'")
    number = _NUMBER.fullmatch(lower) is not None
    name = (
        written[0] == "`"
        or not _PLAIN_WORD.fullmatch(bare)
        or (bare[1:] != bare[1:].lower() and "'" not in bare)
    )
    left_out = lower in _STOP or lower in _NEGATIVE
    return _Word(
        stem="" if left_out else _stem(lower),
        flips=lower in _NEGATIVE or lower in _OPPOSITE,
        name=name and not number,
        number=number,
        directed=lower in _DIRECTED or lower in _OPPOSITE,
    )


def _stem(word: str) -> str:
    """Strip common English endings, so that `tests` and `test`, `run` and `running` are equal."""
    word = _OPPOSITE.get(word, word)
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    word = word.rstrip("ey") or word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_NAMED = 3  # words: if what is replaced has more, it is not a name

_CHOOSING, _MOVING = (frozenset(map(_stem, words(said))) for said in (CHOOSING, MOVING))


def content(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(stem for token in _TOKEN.findall(text) if (stem := _word(token).stem))


def as_verbs(stems: frozenset[str]) -> frozenset[str]:
    """Return stems, those of nouns replaced by those of their verbs: `indent` of `indentation`."""
    return frozenset(_MADE_NOUN.sub("", stem) for stem in stems)


@lru_cache(CACHED)
def names(title: str) -> frozenset[str]:
    """Return the stems of the words in a title that name something.

    These are words in code, words that look like names, and capitalized words, unless most words of
    the title are capitalized.
    """
    code = [token for part in _CODE.findall(title) for token in _TOKEN.findall(part)]
    plain = _TOKEN.findall(_CODE.sub(" ", title))
    lower = sum(token.islower() and bool(_word(token).stem) for token in plain[1:])
    capital = [token for token in plain[1:] if token[0].isupper()]
    found = [*code, *[token for token in plain if _word(token).name]]
    found += capital if lower >= len(capital) else []
    return frozenset(stem for token in found if (stem := _word(token).stem))
