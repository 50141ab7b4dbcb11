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
    rf"(?:{_FORGET}(?: about)? (?:{_SAID}|{_WHICH} {_RULE}){_WHEN} {_ON}|"
    rf"(?:i|we)(?:['’]ve| have)? changed (?:my|our) mind {_ON}) (?P<subject>.+?)"
    rf"(?=\s*[,;:.()]|\s+[–—-]\s|\s+{_AFTER}\b|\s*\Z)",
    re.IGNORECASE,
)


def revoked(title: str) -> str:
    """Return the subject of the earlier words that a title takes back, or an empty string."""
    found = _REVOKES.match(title)
    return found["subject"] if found else ""
