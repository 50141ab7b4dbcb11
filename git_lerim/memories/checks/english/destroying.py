"""Find orders to delete, skip or switch off something for which no reason is given."""

import re
from collections.abc import Sequence

from git_lerim.memories.checks.english.statements import is_statement
from git_lerim.memories.checks.linear_search import Search

_ASKS = (
    r"^[-*•>#\s\d.)\"'“(]*(?:(?:please|always|first|then|also|now|just|simply|"
    r"(?:be sure|make sure|remember|don[’']t forget) to)\s+|"
    r"(?:before|after|when|whenever|if|once|on|for) [^,]{1,80}, |"
    r"(?:(?:every|all|each) )?(?:agents?|you|we) (?:must|should|(?:have|need) to)\s+){0,4}"
    r"(?:delete|drop|remove|wipe|purge|erase|truncate|destroy|clear|reset|overwrite|disable|skip|"
    r"omit|empty|revert|discard|uninstall|(?:turn|switch) off|force-push)\b"
)
_DESTROYS = Search(_ASKS, re.IGNORECASE)
_DESTROYS_THIS = Search(
    rf"{_ASKS} (?:the|an?|all|any|every|each|our|your|its|this|that|these|those|`|\S+/|\S+\.\w)",
    re.IGNORECASE,
)
_EACH_TIME = Search(
    r"\b(?:(?:before|after|on|in|at|for|with|between|from) (?:each|every|any|all)|whenever|always|"
    r"every (?:time|day|week|\w+day)|from now on|by default)\b",
    re.IGNORECASE,
)
_SAYS_WHY = Search(
    r"\b(?:because|since|so|otherwise|or else|due to|instead of|rather than|"
    r"to (?:avoid|prevent|keep|ensure|make sure)|(?:if|when|once|or|until) [^;]*\b(?:fail\w*|stale|"
    r"broken|breaks?|hangs?|corrupt\w*|crash\w*|errors?|stuck|out of date|unused|obsolete|"
    r"expire\w*))\b|"
    r"\w\s[—–-]\s|: ",
    re.IGNORECASE,
)


def destroys(title: str, said: Sequence[str]) -> bool:
    """Return whether a title asks to destroy something, or a sentence asks to do so every time.

    A sentence with a reason does not count. `said` are the body's sentences; if one of them begins
    with the title, the whole sentence is judged.
    """
    whole = next((one for one in said if one.startswith(title)), title)
    asks = [one for one in (whole, *said) if _DESTROYS.search(one) and _EACH_TIME.search(one)]
    asks += [whole] if _DESTROYS_THIS.search(whole) else []
    return not all(_SAYS_WHY.search(one) or is_statement(one) for one in asks)
