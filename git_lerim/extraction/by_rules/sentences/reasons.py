"""Find the sentence after an order that gives the reason for it."""

import re
from collections.abc import Sequence

from git_lerim.extraction.by_rules.from_user.corrections import confirms
from git_lerim.extraction.by_rules.sentences.clauses import lasts, tells
from git_lerim.extraction.by_rules.sentences.imperatives import (
    PREDICATE,
    is_order,
    order_in,
    without_lead,
)
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.wishes.says import Wish, looks_like_one, takes_instead, wish_in
from git_lerim.sessions.session import Record

_GIVES_REASON = re.compile(
    r"^(?:because|since|otherwise|that[’']?(?:ll|s| will| is| way| would)|this (?:will|would|"
    r"makes|means|way|ensures|aligns)|it (?:will|would|makes|leaves)|we (?:want|don[’']t want)|"
    r"the (?:risk|reason|idea)|so that|they are|they[’']re)\b",
    re.IGNORECASE,
)
# what nobody wants, as the reason for an order: `We don't want to operate a broker`
_UNWANTED = re.compile(
    r"we (?:do not|don[’']t) want (?:to|an?|another|the|more|extra)\b", re.IGNORECASE
)
# an order that takes one thing for another: `Drop the ORM, write SQL`, `Move it from A to B`
_SWAPS = re.compile(
    r"\b(?:instead of|rather than|(?:and|but) not)\b|, not\b|"
    r"^(?:replace|swap|exchange) .+ (?:with|by|for) |"
    r"^(?:move|switch|change|migrate|convert|port) .+ from .+ (?:in)?to |"
    r"^(?:drop|remove|delete|ditch|scrap|kill|dump|get rid of|do away with) [^,]+, (?:and |just )?"
    r"(?:use|write|run|load|read|pass|put|keep|store|take|go with|make|do|build|send|call) ",
    re.IGNORECASE,
)
# what is told of things: `The generated queries took 40 seconds`
_TELLS = re.compile(
    r"(?!(?:i|i[’']\w+|you|then|also|now|please|if|when|and|but|or|thanks|here|there|this|see|let|"
    r"next|first|after|before|maybe|not)\b)"
    r"(?!.*\b(?:needs?|should|must|have to|could|would|might|may|will|please)\b)"
    rf"[^,;:?]{{2,60}}? (?:{PREDICATE}|(?:left|had|ran|grew|kept|hung|made|got|fell|went|gave|cost|"
    r"sent|hit|ate|froze|\w\w+ed)\b)",
    re.IGNORECASE,
)
_SHORT = 3  # most sentences of a message with one order and its reason
_LONGEST = 320  # characters in which an order says what it takes instead of what


def with_reason(records: Sequence[Record], turn: Turn, said: Sequence[str]) -> str:
    """Return an order with the sentence after it, if that says why, or if the agent agreed to it.

    `said` is the order and the sentence after it, if there is one.
    """
    order, following = said[0], spelled_out("".join(said[1:]))
    done = any(records[index].files for index in turn.body)
    if (done and _explains(turn, order, following)) or confirms(records, turn, following):
        return f"{order} because {following}"
    return f"{order} {following}" if _GIVES_REASON.match(following) else order


def swaps(order: str) -> bool:
    """Return whether an order takes one thing for another: `Use A instead of B`."""
    order = order_in(order)[:_LONGEST]
    return bool(_SWAPS.search(without_lead(spelled_out(order))) or takes_instead(order))


def rejects(sentence: str) -> bool:
    """Return whether a sentence says what nobody wants: `We don't want to operate a broker`."""
    return _UNWANTED.match(spelled_out(sentence)) is not None


def told_after(turn: Turn, order: str, following: str) -> bool:
    """Return whether the sentence after an order gives its reason, in a short message.

    In a longer message, such a sentence usually goes on with the specification.
    """
    short = sum(map(len, paragraphs(turn.said.text))) <= _SHORT
    return short and lasts(order) and tells(following)


def _explains(turn: Turn, order: str, following: str) -> bool:
    """Return whether a sentence gives the reason for the order before it."""
    if rejects(following):
        return True
    told = _TELLS.match(following) if swaps(order) else told_after(turn, order, following)
    return bool(
        told
        and not following.endswith("?")
        and not is_order(following, done=True)
        and not looks_like_one(following)
        and wish_in(following) < Wish.RULE
    )
