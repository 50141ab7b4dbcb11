"""Find what a wish is about in the sentence before it: `The migrations. Always run them …`."""

import re

from git_lerim.extraction.by_rules.sentences.imperatives import is_order
from git_lerim.extraction.by_rules.sentences.interjections import without_interjection
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE
from git_lerim.extraction.by_rules.sentences.statements import leans, title_of
from git_lerim.extraction.transcript.text import plain
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.requests import without_tag
from git_lerim.extraction.wishes.says import Wish, wish_in
from git_lerim.memories.checks.noise import noise

# a word for what only the sentence before names; `that script` names it itself
_POINTS = re.compile(
    r"\b(?:it|them|they|ones|(?P<one>one)(?=[,;.!]|\Z)|(?P<at_end>(?<=\bfor )(?:that|this)\Z)|"
    r"(?:that|this|these|those)(?=[,;:.!]|\Z|\s(?:again|ever|any ?more|any longer|in|into|to|for|"
    r"on|at|from|with|before|after|when|unless|if|like|way|either|please|pls|and|or)\b))\b",
    re.IGNORECASE,
)
# a measure of something: `3 sentences max`
_MEASURE = re.compile(
    r"(?:(?:from (?:now|here) on|please|pls|always|just),? )*(?:at (?:most|least)|max(?:imum)?|"
    r"min(?:imum)?|no more than|only|\d+)\b(?P<what>[^,;:.]*?)"
    r"(?=[,;:.]|\Z| (?:unless|if|when|except|but|from now)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|be|has|have|had|do|does|can|could|will|would|must|should|may|needs?|use|keep|"
    r"\w+n[’']t)\b",
    re.IGNORECASE,
)
# what is wrong, and so what a measure is for
_COMPLAINS = re.compile(
    r"\b(?:too|way|so|keeps?|kept|again|still|hate|hard|hurts?|annoy\w*|terrible|awful|ugly|"
    r"unreadable|endless|huge|long|large|forg[eo]t\w*|can(?:[’']?t|not))\b",
    re.IGNORECASE,
)
# the verb of an order, and what makes it a rule
_VERB_FIRST = re.compile(
    r"(?:(?:from (?:now|here) on|in (?:the )?future|please|pls|always|never|ever|only|just|do not|"
    r"don[’']?t),? )*\S+ ?",
    re.IGNORECASE,
)
# an order that does not say to what: `lets retry with backoff for 24h and then drop`
_NO_OBJECT = re.compile(
    r"(?:(?:let[’']?s|we|please|pls|then|now|just|rather|instead),? )*(?!(?:go|switch|move|stick|"
    r"stay|start|begin|work|log|answer|be)\b)[a-z]+ (?:with|after|for|and|then|until|every|once|"
    r"only (?:when|if|after|once))\b",
    re.IGNORECASE,
)
# the first clause of what is said to be wrong
_WRONG = re.compile(
    r"(?P<what>(?:the|our|my|this|all|every) [^,;:.!?]+? (?:is|are|was|were|does|do|did|has|have|"
    r"\w+n[’']?t)\b[^,;:.!?]*)",
    re.IGNORECASE,
)
_MOST = 80  # characters of the sentence before


def lacks_subject(sentence: str, before: str) -> bool:
    """Return whether only the sentence before a wish names what the wish is about."""
    said = _bare(sentence)
    points, measure = _POINTS.search(said), _MEASURE.match(said)
    if points:
        is_sure = points["one"] or points["at_end"]
        return bool(is_sure) or not terms(_VERB_FIRST.sub("", said[: points.start()], count=1))
    return bool(measure and not _VERB.search(measure["what"]) and _COMPLAINS.search(before))


def with_subject(sentence: str, before: str) -> str:
    """Return a title for a wish and the sentence before it that names its subject, or "".

    `before` must be a plain statement that needs no other sentence itself.
    """
    named = _bare(before)
    if (
        not lacks_subject(sentence, before)
        or before.endswith(("?", "？", ":", "："))
        or not terms(named)
        or len(named) > _MOST
        or leans(named)
        or _POINTS.search(named)
        or CHORE.match(named)
        or is_order(named, done=True)
        or wish_in(named) >= Wish.RULE
    ):
        return ""
    title = title_of(f"{named}: {_lower(_bare(sentence))}", wish=True)
    return "" if noise(title) else title


def with_object(order: str, before: str) -> str:
    """Return a title for an order without an object, and what was wrong before it; or ""."""
    wrong = _WRONG.match(_bare(before))
    what = wrong["what"] if wrong else ""
    if not what or not _NO_OBJECT.match(_bare(order)) or len(what) > _MOST or _POINTS.search(what):
        return ""
    return title_of(f"{what}: {_lower(_bare(order))}", wish=True)


def _bare(sentence: str) -> str:
    return without_interjection(without_tag(plain(sentence).strip(" .!。！")))


def _lower(sentence: str) -> str:
    """Return a sentence for the middle of another one; what may be a name stays as it is."""
    first, *_ = sentence.split()
    is_word = first[1:].islower() or first[1:].replace("'", "").replace("’", "").islower()
    return sentence[:1].lower() + sentence[1:] if is_word else sentence
