"""Which names of authors are safe to show: whoever commits chooses the name, and agents read it."""

import re

from git_lerim.git.running.process import plain

NOBODY = "somebody"  # for a name that git lacks, that says more than a name, or claims a role
_LONGEST = 80  # characters of a name or an address
_WORDS = 5
_FEW = 2  # words that need no capital letters
_NOT_IN_NAMES = re.compile(r"[:;/\\~`$|<>{}!?]|https?")
_SAYS_MORE = re.compile(
    # whom an agent obeys
    r"(?<![\w'])(?:you|users?|human|system|assistant|developer|tool|owner|maintainer|^(?:me|i)$|"
    # what makes an order, or claims one
    r"always|never|must|should|shall|please|ignore|disregard|forget|skip|run|use|don't|execute|"
    r"install|curl|push|commit|upload|send|delete|remove|disable|before|after|instead|approved|"
    r"said|says|wants|allowed|this|that|these|everything|instructions)(?![\w'])",
    re.IGNORECASE,
)
# lower case in names that are written with capitals
_PARTICLE = re.compile(
    r"a[flv]?|and|ben|bin|d[aeiou]|d[ae]l|della|de[nr]|dos|e|el|ibn|l[ae]|los|of|san|st|te?|te[nr]|"
    r"the|und|v[ao]n|ver|y|zu[mr]?"
)


def named(name: str) -> str:
    """Return an author's name that is safe to show an agent.

    A name that contains more than a name, or claims to be the user, becomes NOBODY.
    """
    shown = plain(name)[:_LONGEST] or "nobody"
    words = shown.split()
    is_no_name = (
        len(words) > _WORDS
        or _NOT_IN_NAMES.search(shown)
        or _SAYS_MORE.search(shown.replace("_", " "))
        or (len(words) > _FEW and not all(map(_is_capital, words)))
    )
    return NOBODY if is_no_name else shown


def mailed(mail: str) -> str:
    """Return an address that is safe to show, or an empty string."""
    shown = plain(mail)
    return shown if len(shown) <= _LONGEST and not re.search(r"\s", shown) else ""


def ident(author: str) -> str:
    """Return `Name <mail>` with both safe to show."""
    name, _, mail = author.partition(" <")
    shown = mailed(mail.rstrip(">"))
    return f"{named(name)} <{shown}>" if shown else named(name)


def _is_capital(word: str) -> bool:
    first = next(filter(str.isalpha, word), "")
    return not first.islower() or bool(_PARTICLE.fullmatch(word))
