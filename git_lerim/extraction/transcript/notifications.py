"""Recognize mails in which a forge tells what somebody did to an issue or a pull request."""

import re
from collections.abc import Sequence
from itertools import pairwise

from git_lerim.extraction.transcript.text import LIST_ITEM

_NAME = r"(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w.'’-]*){1,2}"
_WHO = (
    r"(?!(?:I|we|you|he|she|it|they|this|that|who|somebody|someone|nobody|the|an?|our|my)\b)"
    rf"(?:\*\*@?[\w.-]+\*\*|@?[\w.-]+(?:\[bot\])?|{_NAME})(?: bot)?"
)
_DID = (
    r"(?:commented|replied|reviewed|approved|merged|closed|reopened|opened|created|mentioned you|"
    r"(?:left|added) (?:an?|\d+) (?:review |inline )?(?:comments?|reviews?|notes?)|"
    r"requested (?:changes|a review|your review)|"
    r"started (?:a|an) (?:new )?(?:thread|discussion|review)|pushed \d+ commits?|"
    r"resolved (?:a|the) (?:comment|thread|discussion)|assigned you)"
)
_OBJECT = (
    r"(?:(?:pull|merge) request|issue|discussion|thread|commit|diff|review|comment|work item|"
    r"PR|MR)"
)
_FILE = r"(?:[\w.~-]*/)*[\w-][\w.-]*\.\w{1,5}"
_TO = (
    rf"(?: (?:(?:on|in|to|for) )?(?:(?:(?:this|an?|the|your) )?(?:new )?{_OBJECT}|"
    rf"{_FILE}(?::\d+)?))"
)
_PLACE = (
    r"(?:[:,]? <?https?://\S+| \(?[\w.-]+/[\w.-]+[#!]\d+\)?|"
    r" \[\([\w.-]+/[\w.-]+[#!]\d+\)\]\(https?://\S+\)| [#!]\d+(?:: [^:!?]{1,80})?)"
)
_EVENT = r"(?:(?:PR|MR|issue|review|repository|pull request) )?(?:activity|update|notification): "
# what shows, of a line that users write, too, that a program wrote it
_MARKED = re.compile(r"@|\*\*|.*(?:https?://|\([\w.-]+/[\w.-]+[#!]\d+\))")
# `@eve requested changes on this pull request.`, `eve left a comment (acme/shop#12)`
# and Gerrit's `Patch Set 2: Code-Review-1`
_HEAD = re.compile(
    rf"(?:{_EVENT})?{_WHO} {_DID}{_TO}?{_PLACE}?[.:]?$|Patch ?Set \d+:(?: [\w-]+[+-]\d)*$",
    re.IGNORECASE,
)
# `In src/pay.py:` above a quoted line of a diff
_IN_FILE = re.compile(rf"In {_FILE}(?: [<(]https?://\S+)?[:：]$")
_QUOTED_DIFF = re.compile(r" {0,3}> ?[-+@]")
_FOOTER = re.compile(
    r"(?:Reply to this (?:e-?mail|message|notification) directly\b|"
    r"You(?:['’]re| are) receiving this (?:e-?mail )?because\b|"
    r"This (?:e-?mail|message) was sent (?:by|from) (?-i:[A-Z]))",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\w")


def begins_notification(line: str, next_line: str, following: str) -> bool:
    """Return whether a line tells what somebody did, and their words stand below it.

    `following` is the first line below that is not empty. Users tell such things, too, but rarely
    with a handle or an address, or on a line of their own with an empty line below.
    """
    if _IN_FILE.match(line):
        return _QUOTED_DIFF.match(following) is not None
    is_marked = not next_line or _MARKED.match(line)
    return bool(following and is_marked and _HEAD.match(line))


def ends_notification(line: str) -> bool:
    """Return whether a line stands below the words of somebody else in a mail of a forge."""
    return _FOOTER.match(line) is not None


def above_footer(lines: Sequence[str]) -> int:
    """Return how many of the lines above the footer of a mail stand before the mail.

    The mail begins below the first line that announces something other than a list, such as
    `Here is the mail:`. Without one, all of them may be the mail's.
    """
    end = len(lines)
    while end and not _LETTER.search(lines[end - 1]):
        end -= 1
    text = [number for number in range(end) if lines[number].strip()]
    for number, below in pairwise(text):
        if lines[number].rstrip().endswith((":", "：")) and not LIST_ITEM.match(lines[below]):
            return number + 1
    return 0
