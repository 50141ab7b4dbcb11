"""Find what a message wants instead of a wish that it takes back: a way of working, no edit."""

import re

from git_lerim.extraction.by_rules.sentences.imperatives import is_order
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE, rank_of
from git_lerim.extraction.by_rules.sentences.statements import capital, title_of
from git_lerim.extraction.wishes.says import Wish, wish_in
from git_lerim.memories.similarity.revocation_phrases import Revocation

_POINTS = re.compile(r"\b(?:it|them|this|that|these|those)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"^instead,? |,? instead$", re.IGNORECASE)
# an order that is carried out once: `Drop the debug column`, `Rename Foo to Bar`
_ONCE = re.compile(
    r"(?:please |now |then )*(?:(?:add|build|bump|change|clean|convert|create|delete|drop|extract|"
    r"fix|implement|inline|insert|install|merge|migrate|move|refactor|remove|rename|replace|"
    r"restore|revert|rewrite|split|swap|undo|update|upgrade)\b|"
    r"(?!(?:use|prefer|choose|take|go|stick|stay|keep|follow|avoid|default)\b)[a-z]+ "
    r"(?:the|this|that|these|those|my|it|them)\b)",
    re.IGNORECASE,
)

_USES = re.compile(
    r"(?:please )?(?:use|go with|stick to|stay with) "
    r"(?!(?:the|an?|this|that|these|those|my|it|them)\b)[\w-]+",
    re.IGNORECASE,
)


def replaces(sentence: str, before: Revocation | None, *, is_wish: bool) -> str:
    """Return the title of a sentence that says what to do instead of what `before` takes back.

    `Use spaces` in `Forget what I said about tabs. Use spaces instead.`; "" if it says no such
    thing. `before` is what the sentence before it takes back.
    """
    said = sentence.rstrip(".!")
    new = _INSTEAD.sub("", said)
    told = new != said or is_wish or _USES.match(new)
    if not (before and told and is_order(new, done=True)):
        return ""
    level = wish_in(new)
    if CHORE.match(new) or is_one_off(new, new) or is_done_once(new, level):
        return ""
    return _title(new, level)


def rest_of(taken_back: Revocation) -> str:
    """Return the title of what the same sentence wants instead of what it takes back, or ""."""
    new = taken_back.rest
    if not new:
        return ""
    level = wish_in(new)
    wanted = (level or _USES.match(new)) and not is_done_once(new, level)
    return _title(new, level) if wanted or rank_of(new, new, refused=False) else ""


def is_done_once(order: str, level: Wish) -> bool:
    """Return whether an order, which is a wish of a level, is carried out once."""
    return level < Wish.RULE and _ONCE.match(order) is not None


def _title(new: str, level: Wish) -> str:
    # what it replaces makes `use spaces` clear
    clear = (level or _USES.match(new)) and not _POINTS.search(new)
    return title_of(new, wish=True) or (capital(new) if clear else "")
