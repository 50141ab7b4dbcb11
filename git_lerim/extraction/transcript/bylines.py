"""Recognize the lines above a mail or a comment that tell who wrote it, and when."""

import re

_FULL_NAME = r"(?-i:[A-Z])[\w.'’-]*(?:,? (?-i:[A-Z])[\w.'’-]*){1,2}"
_NAME = rf"(?:@?[\w.-]+(?:\[bot\])?|{_FULL_NAME}(?: bot)?)"
_DATE = (
    r"(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|[^\W\d]{3,10}\.? \d{1,2}(?:, \d{4})?|"
    r"\d{1,2}\.? [^\W\d]{3,10}\.?(?: \d{4})?)"
)
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[ \u202f]?[AP]M)?"
_SENT = rf"(?:[^\W\d]{{2,10}}\.?,? )?(?:{_DATE},? (?:(?:at|um|à) )?)?{_CLOCK}"
_AGO = r"(?:(?:about |over )?(?:\d{1,3} ?[a-z]{1,7}\.?|an? [a-z]{4,6}) ago|just now)"
_WHEN = rf"(?:{_AGO}|yesterday|last (?:week|month|year)|on \w+ \d{{1,2}}(?:, \d{{4}})?)"
_DID = r"(?:commented|replied|reviewed|requested changes|approved these changes|left a comment)"
_SENDER = r"[^<>:@\n]{1,60}<[^<>@\s]+@[^<>\s]+>"
_RECIPIENT = (
    r"(?:(?:to|an|à|para|aan) (?:me|mich|moi|mí|mim|mij)|"
    r"(?:To|Cc|An|À|Para|Aan|Til|Till|Komu|Кому) ?[:：]\s*[^\s.!?][^.!?\n]*(?:@[^\s@]+)?)"
)
# as mail programs and forges write it: `10:42 AM (2 hours ago)`, `eve reviewed 2 hours ago`
# `Posted by Bob on Hacker News 3 hours ago | 14 comments`, `12 points by bob 3 hours ago | hide`
_HEAD = re.compile(
    rf"(?:(?:\S{{1,30}} [·•|] ?)?(?:posted|submitted|published|written) (?:by|on) \S.{{0,80}}?|"
    rf"\d{{1,5}} points? by \S{{1,40}}) (?:{_AGO}|(?:on )?{_DATE})(?: *[|·•(].{{0,60}})?$|"
    rf"{_SENT} \((?:{_AGO}|(?:vor|hace|há|il y a) [^()\n]{{1,20}}|\d+ \w+ (?:fa|geleden))\)$|"
    rf"(?!(?:I|we|you) )(?:\**{_NAME}\** (?:bot )?)?{_DID} {_WHEN}$|{_NAME} {{2,3}}{_AGO}$|"
    rf"{_FULL_NAME} {_AGO}$|{_NAME} {_AGO} \| .*\[[–+-]\]$",
    re.IGNORECASE,
)
# each with what has to be on the line below it
_PAIRS = tuple(
    (re.compile(rf"{above}$", re.IGNORECASE), re.compile(rf"{below}$", re.IGNORECASE))
    for above, below in (
        (_SENDER, rf"(?:{_RECIPIENT}|A ?: *\S.*|{_SENT})"),
        (_SENT, _RECIPIENT),
        (_RECIPIENT, _SENT),
        (_DID, _WHEN),
        (_FULL_NAME, rf"{_CLOCK} (?:today|yesterday)"),  # on a page of a document
        (r"(?:@[\w.-]+|[•·—])", _AGO),
    )
)


def begins_post(line: str, following: str) -> bool:
    """Return whether a line, with the one below it, is the head of a mail or of a comment."""
    if _HEAD.match(line):
        return bool(following)
    return any(above.match(line) and below.match(following) for above, below in _PAIRS)
