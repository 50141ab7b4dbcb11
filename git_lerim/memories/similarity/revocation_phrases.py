"""Find what a title takes back: `tabs` in `Forget what I said about tabs, use spaces`."""

import re

_RULE = r"(?:rule|wish|preference|instruction|convention)s?"
_WHICH = r"(?:the|that|this|my|our)(?: (?:old|earlier|former|previous))?"
_SAID = r"(?:what|everything|whatever) (?:i|we)(?:['’]ve| have)? (?:said|told you|wrote|asked for)"
_ON = r"(?:about|on|regarding|concerning)"
_FORGET = r"(?:forget|ignore|disregard|scratch|never ?mind|drop|scrap|cancel|revoke|retract)"
_WHEN = r"(?: (?:earlier|before|last time))?"
_AFTER = r"(?:because|since|from now on|any ?more|again|after all)"
_REVOKES = re.compile(
    r"(?:(?:please|ok(?:ay)?|sorry|actually|no|you can)[,:]? )*"
    rf"(?:{_FORGET}(?: about)? (?:{_SAID}|(?P<rule>{_WHICH} {_RULE})){_WHEN} {_ON}|"
    rf"(?:i|we)(?:['’]ve| have)? changed (?:my|our) mind {_ON}) (?P<subject>.+?)"
    rf"(?=\s*[,;:.()]|\s+[–—-]\s|\s+{_AFTER}\b|\s*\Z)",
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


def revoked(title: str) -> str:
    """Return the subject of the earlier words that a title takes back, or an empty string."""
    found = _REVOKES.match(title)
    if not found or (found["rule"] and _IN_FILE.search(title)):
        return ""
    return found["subject"]
