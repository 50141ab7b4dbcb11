"""Make author names safe to show to agents: a committer can choose any text as a name."""

import re
from unicodedata import normalize

from git_lerim.git.running.process import plain

NOBODY = "somebody"  # shown if a name is missing, contains more than a name, or names a role
CLAIMED = " (says an export)"  # follows a name that git does not confirm
_LONGEST = 80  # characters of a name or an address
_WORDS = 5
_FEW = 2  # a name of at most this many words needs no capital letters
_NOT_IN_NAMES = re.compile(r"[:;/\\~`$|<>{}!?]|https?")
_W = r"[\w'’]+"
_MAIL = re.compile(rf"{_W}(?:(?:[-.+]+{_W}){{0,3}}(?:\[bot\])?@{_W}(?:[-.]+{_W}){{0,6}})?")
_SAYS_MORE = re.compile(
    # people whom an agent obeys
    r"(?<![\w'])(?:you|users?|human|system|assistant|developer|tool|owner|maintainer|^(?:me|i)$|"
    # words that give an order, or claim that somebody gave one
    r"always|never|must|should|shall|please|ignore|disregard|forget|skip|run|use|don't|execute|"
    r"install|curl|push|commit|upload|send|delete|remove|disable|before|after|instead|approved|"
    r"said|says|wants|allowed|this|that|these|everything|instructions)(?![\w'])",
    re.IGNORECASE,
)
# parts of a name that stay in lower case, such as `van`
_PARTICLE = re.compile(
    r"a[flv]?|and|ben|bin|d[aeiou]|d[ae]l|della|de[nr]|dos|e|el|ibn|l[ae]|los|of|san|st|te?|te[nr]|"
    r"the|und|v[ao]n|ver|y|zu[mr]?"
)


def named(name: str) -> str:
    """Return an author's name that is safe to show an agent.

    A text that is more than a name, or that claims to be the user, becomes NOBODY. Other forms of
    letters, such as full-width ones, become plain ones, so that no two names only look different.
    """
    if name.endswith(CLAIMED):
        base = named(name.removesuffix(CLAIMED))
        return base if base == NOBODY else base + CLAIMED
    shown = plain(normalize("NFKC", name))[:_LONGEST] or "nobody"
    words = shown.split()
    is_no_name = (
        len(words) > _WORDS
        or _NOT_IN_NAMES.search(shown)
        or _SAYS_MORE.search(shown.replace("_", " "))
        or (len(words) > _FEW and not all(map(_is_capital, words)))
    )
    return NOBODY if is_no_name else shown


def mailed(mail: str) -> str:
    """Return a mail address for comparison; empty if it contains white space or is too long."""
    given = plain(mail)
    return given if len(given) <= _LONGEST and not re.search(r"\s", given) else ""


def signature(name: str, mail: str) -> str:
    """Return `Name <mail>` with both parts safe to show.

    An address that does not look like one is left out, as it could contain an order to an agent.
    """
    given = mailed(mail)
    return f"{named(name)} <{given}>" if _MAIL.fullmatch(given) else named(name)


def ident(author: str) -> str:
    """Return an author as `Name <mail>`, with both parts safe to show."""
    name, _, mail = author.partition(" <")
    shown = mailed(mail.rstrip(">"))
    return f"{named(name)} <{shown}>" if shown else named(name)


def _is_capital(word: str) -> bool:
    first = next(filter(str.isalpha, word), "")
    return not first.islower() or bool(_PARTICLE.fullmatch(word))
