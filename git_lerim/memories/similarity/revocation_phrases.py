"""Find what a title takes back: `tabs` in `Forget what I said about tabs, use spaces`."""

import re
from typing import NamedTuple

_RULE = r"(?:rule|wish|preference|instruction|convention)s?"
_WHICH = r"(?:the|that|this|my|our)(?: (?:old|earlier|former|previous))?"
_SAID = r"(?:what|everything|whatever) (?:i|we)(?:['’]ve| have)? (?:said|told you|wrote|asked for)"
_ON = r"(?:about|on|regarding|concerning)"
_FORGET = r"(?:forget|ignore|disregard|scratch|never ?mind|drop|scrap|cancel|revoke|retract)"
_TAKE = r"(?:['’]ll| will| want to| have to)? (?:take|took) back"
_WHEN = r"(?: (?:earlier|before|last time))?"
_AFTER = r"(?:because|since|from now on|any ?more|again|after all)"
_REVOKES = re.compile(
    r"(?:(?:please|ok(?:ay)?|sorry|actually|no|now|oh|well|so|and|but|also|you can)[,:]? )*"
    rf"(?:(?:{_FORGET}(?: about)?|(?:i|we){_TAKE}) (?:{_SAID}|(?P<rule>{_WHICH} {_RULE})){_WHEN}"
    rf" (?:{_ON}|(?(rule)(?:to|that)))|"
    rf"(?:i|we)(?:['’]ve| have)? changed (?:my|our) mind {_ON}) (?P<subject>.+?)"
    rf"(?=\s*(?:[,;:.](?=\s|\Z)|[()])|\s+[–—-]\s|\s+{_AFTER}\b|\s*\Z)",
    re.IGNORECASE,
)
# lifts what was forbidden: `Default exports are fine again, drop that rule`
_LIFTS = re.compile(
    r"(?P<subject>[^,;:.!?]+?) (?:is|are) (?:(?:fine|ok(?:ay)?|good) again"
    rf"(?:,? (?:and|so|you can|please))*,? {_FORGET} (?:the|that|this|my|our) (?:\w+ )?{_RULE}|"
    rf"(?:allowed|permitted|welcome) again)(?=\s*(?:[,;:.!]|\Z))",
    re.IGNORECASE,
)
# what says that the earlier words will hold again, or still hold elsewhere
_FOR_NOW = re.compile(
    r"\b(?:(?:for|right|just) now|for (?:once|the moment|the time being|a (?:moment|minute|while|"
    r"bit))|at the moment|today|tonight|tomorrow|(?<!from )here|until|till|temporarily|currently|"
    r"meanwhile|in the meantime|(?:just|only) once|"
    r"this (?:once|(?:one )?time|week|morning|afternoon|evening)|"
    r"(?:for|in|on|during) (?:(?:just|only) )?(?:this|that|the current|these|those) (?:[\w-]+ )?"
    r"(?:tasks?|prs?|pull requests?|commits?|sessions?|branch(?:es)?|tickets?|issues?|chats?|"
    r"changes?|fix(?:es)?|files?|cases?|runs?|sprints?|releases?|features?|ones?))\b",
    re.IGNORECASE,
)
# what says that a rule stands in a file: then it is code, not what the user said
_IN_FILE = re.compile(
    r"(?:^|[\s(“\"'`/])[\w-]*\.[a-z]\w*|[\w-]/[\w-]|\b(?:from|in|of|on) `|\blines? \d|"
    r"\b(?:from|in|of|to) (?:(?:the|this|that|our|my|an?|its)\b )?(?:[\w-]+ ){0,2}"
    r"(?:file|folder|config|configuration|linter|makefile|dockerfile|readme|changelog)\b|"
    r"\bfrom (?:the|this|that|our|my) (?:\w+ )?(?:docs?|list|guide|page|pipeline|workflow|ci)\b",
    re.IGNORECASE,
)


class Revocation(NamedTuple):
    """What a sentence takes back: `tabs` in `Forget what I said about tabs, use spaces`."""

    subject: str
    clause: str  # `Forget what I said about tabs`
    rest: str  # `use spaces`


def revocation(sentence: str) -> Revocation | None:
    """Return what a sentence takes back of what was said earlier, or None."""
    found = _REVOKES.match(sentence)
    said = found or _LIFTS.match(sentence)
    in_file = bool(found and found["rule"] and _IN_FILE.search(sentence))
    if not said or in_file or is_for_now(sentence):
        return None
    return Revocation(said["subject"], said[0], sentence[said.end() :].strip(" ,;:.()–—-"))


def lifts(title: str) -> bool:
    """Return whether a title takes back a prohibition only: `Tabs are allowed again`."""
    return _LIFTS.match(title) is not None


def looks_like_one(sentence: str) -> bool:
    """Return whether a sentence begins like a revocation, also if it is not one for good."""
    return bool(_REVOKES.match(sentence) or _LIFTS.match(sentence))


def is_for_now(sentence: str) -> bool:
    """Return whether a sentence says that something holds only for a time, a task or a place."""
    return _FOR_NOW.search(sentence) is not None


def revoked(title: str) -> str:
    """Return the subject of the earlier words that a title takes back, or an empty string."""
    found = revocation(title)
    return found.subject if found else ""
