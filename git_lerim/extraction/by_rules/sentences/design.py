"""Recognize, by its words, an order that settles a design question and gives the reason."""

from git_lerim.extraction.by_rules.sentences.clauses import DECISIONS
from git_lerim.extraction.by_rules.sentences.imperatives import is_order, without_lead
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE, REPORTS, TWEAK
from git_lerim.extraction.by_rules.sentences.statements import LIMIT, title_of
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.wishes.says import looks_like_one

# the first score finds two in five design orders by words alone, and 1 in 260 other sentences
_ENOUGH, _ENOUGH_OF_ORDER = -0.7, -1.3


def settled(sentence: str) -> str:
    """Return the title of an order that settles a design question, else ""."""
    order = spelled_out(without_lead(sentence))
    is_other = CHORE.match(order) or REPORTS.search(order) or TWEAK.search(order)
    if is_other or is_one_off(order, order) or looks_like_one(sentence):
        return ""
    least = _ENOUGH_OF_ORDER if is_order(order, done=True) else _ENOUGH
    if DECISIONS.score(sentence) <= least:
        return ""
    bare = without_lead(sentence)
    return title_of(bare, wish=len(bare) > LIMIT)  # of a long one, the first clauses
