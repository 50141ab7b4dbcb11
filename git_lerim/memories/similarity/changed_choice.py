"""Decide whether a person later chose something else than what an earlier title chose."""

import re

from git_lerim.memories.similarity.claim import claim, content, role
from git_lerim.memories.similarity.given_up import FILLERS
from git_lerim.memories.similarity.refusal_phrases import limit, refused, wanted_after_all
from git_lerim.memories.similarity.replacement_phrases import bare, replacement, without_remark

# what a thing is, or the whole project: neither says where it is used
_ANYWHERE = content(
    "repo repository project codebase database language runtime framework library tool manager"
)
_PLACES = content("service server app application package module component system layer client")

# A title without a topic holds everywhere only if it says nothing but what is chosen, and instead
# of what: unlike `Run the demo against A instead of B`.
_PLAIN = re.compile(
    r"(?:(?:always|just|please|now|i|we|let['’]?s)[, ]+)*(?:(?:use|adopt|prefer|choose|pick|take|"
    r"(?:switch|move|go)(?: back| over)? to|go with|st(?:ay|ick) (?:to|with))"
    r"(?: (?!(?:for|in|on|at|with|from|into|via|by|against|through|when|if|per|as)(?![\w-]))"
    r"[^\s,]+){1,4}?"
    r",? (?:instead of|rather than|over|(?:and )?not|but)|"
    r"(?:switch|move|migrate|change)(?: over| away)? from|forget|scrap|drop|replace|swap)\b",
    re.IGNORECASE,
)

_PLAIN_ELSEWHERE = re.compile(
    r"(?:(?:immer|bitte|siempre|sempre|toujours|altijd|zawsze|всегда|por favor|doch lieber)[, ]+)*"
    r"(?:(?:verwende|nutze|benutze|nimm|utilise[zr]?|usa|usad|use|usar|usare|gebruik|używaj|"
    r"используй(?:те)?) )?\S+(?: \S+)? (?:(?:an)?statt|anstelle von|au lieu de|plutôt que|en lugar|"
    r"en vez|em vez|ao invés|invece|al posto|in plaats|zamiast|вместо)(?: \S+){1,3}",
    re.IGNORECASE,
)

_TELLS = re.compile(r"(?:they|he|she|it|you|someone|people)\b", re.IGNORECASE)
_EVEN = re.compile(r", even (?:when|if|though) (.+)", re.IGNORECASE)


def chooses_otherwise(later: str, earlier: str) -> bool:
    """Return whether a title gives up what an earlier one chose, or wants what it refused."""
    return _wants_refused(later, earlier) or _gives_up_choice(later, earlier)


def _gives_up_choice(later: str, earlier: str) -> bool:
    """Return whether a title gives up, for the same topic, what an earlier title chose.

    The later one must name what it gives up, and must not be about less than the earlier one. Its
    new choice may name the topic: `the in-process cache instead of Redis`.
    """
    later = _as_replaced(later)
    a = claim(later)
    b = claim(without_remark(earlier))
    if not a.replaced or not a.replaced <= b.chosen or claim(_as_chosen(earlier)).negative:
        return False
    if _is_put_in_its_place(later, earlier) or _is_practice_now(later, earlier):
        return True
    topic, kept = _topic(a.topic), _topic(b.chosen - a.replaced)
    if _PLAIN_ELSEWHERE.fullmatch(bare(later)):
        return kept - FILLERS <= a.chosen
    if not (topic or _PLAIN.match(bare(later)) or _PLAIN.match(later)):
        return False
    if b.replaced and b.replaced <= a.chosen:  # `A over B`, then `B instead of A`
        return topic == _topic(b.topic)
    return topic - role(earlier) <= kept <= a.chosen


def _wants_refused(later: str, earlier: str) -> bool:
    """Return whether a title wants exactly what an earlier one refused, within the same limits."""
    wanted, found = wanted_after_all(later), replacement(later)
    if not wanted and not found:
        return False
    no = {content(each) - FILLERS for each in refused(earlier)} - {frozenset()}
    where = content(limit(earlier)) - FILLERS
    if wanted:
        return content(wanted.new) - FILLERS in no and content(wanted.limit) - FILLERS == where
    if not found or where or content(limit(bare(later))) - FILLERS:
        return False
    new, old = content(found.new) - FILLERS, content(found.old) - FILLERS
    if new not in no or not old or not old <= content(earlier):
        return False
    # it may add what a thing is for if its name says so: `tests` with `pytest`
    said = bare(later).split(maxsplit=1)[-1]  # without the verb
    added = claim(said).chosen - FILLERS - new - content(earlier)
    return all(any(word in name for name in new | old) for word in added)


def _is_practice_now(later: str, earlier: str) -> bool:
    """Return whether a title without a topic says what is used now instead of an earlier answer.

    That is so if what it replaces is all that the answer says.
    """
    asked, sign, behind = earlier.rpartition("? " if "? " in earlier else ": ")
    answer = behind if asked and sign else ""
    a = claim(later)
    is_all = bool(answer) and content(answer) - FILLERS == a.replaced
    return is_all and not _topic(a.topic) and bool(_PLAIN.match(bare(later)))


def _as_chosen(title: str) -> str:
    """Return a title without its reason, which may deny something: `because it needs no server`."""
    return bare(without_remark(title))


def _as_replaced(title: str) -> str:
    """Return a title without the remark behind it, if what it replaces stands before that."""
    short = without_remark(title)
    return short if replacement(short) else title


def _is_put_in_its_place(later: str, earlier: str) -> bool:
    """Return whether a title says the same as an earlier one but for the new choice.

    `Write tests with B instead of A` does so after `Write tests with A`.
    """
    found, even = replacement(later), _EVEN.search(earlier)
    a, b = claim(later), claim(without_remark(earlier))
    kept = b.chosen - a.replaced - FILLERS
    if not found or not kept or not kept <= a.chosen or _TELLS.match(bare(later)):
        return False
    added = a.chosen - FILLERS - kept - (content(even[1]) if even else frozenset())
    return added <= content(found.new)


def _topic(words: frozenset[str]) -> frozenset[str]:
    """Return the words that say where a choice holds: `orders` of `the database of the orders`."""
    narrow = words - _ANYWHERE
    return narrow - _PLACES or narrow
