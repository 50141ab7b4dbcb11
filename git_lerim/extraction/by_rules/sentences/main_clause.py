"""Find the wish that a sentence ends with, where its first clause only leads to it.

`We are five with different editors, so rubocop has to be clean before a commit`.
"""

import re

from git_lerim.extraction.by_rules.sentences.interjections import without_interjection
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.wishes.requests import without_tag
from git_lerim.extraction.wishes.says import Wish, looks_like_one, wish_in

_SO = (
    r"so|hence|therefore|donc|alors|así que|por eso|por isso|então|quindi|perciò|dus|daarom|więc|"
    r"dlatego|поэтому|так что"
)
_JOINS = re.compile(
    rf"(?:,|;| [–—-])? (?:and |und |et |y |e |en |i |и )?(?:{_SO}),? |[:;] | [–—-] |，所以|：",
    re.IGNORECASE,
)
# what gives the clause behind it to somebody else, or to the work at hand
_ELSEWHERE = re.compile(
    r"\b(?:for now|just for|today|tomorrow|this time|at the moment|says?|said|asked|told|wants?|"
    r"wrote|thinks?|maybe|perhaps|heute|aujourd['’]hui|hoy|hoje|oggi|vandaag|dziś|сегодня)\b|今天",
    re.IGNORECASE,
)
# how a clause begins that limits the one behind it
_LIMITS = re.compile(
    r"(?:^|, |\b(?:and|but) )(?:please |and |but |also |btw |so )*(?:if|when\w*|unless|until|while|"
    r"once|as long as|except|only|wenn|falls|nur|si|quand|seulement|cuando|sólo|solo|quando|só|se|"
    r"als|alleen|jeśli|gdy|tylko|если|когда|только)\b|如果|只",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"(?:for|in|on|at|within|during|with|regarding|about|as for|für|bei|im|in|pour|dans|para|en|"
    r"per|nel|voor|bij|dla|w|для|в)\b",
    re.IGNORECASE,
)
_MOST = 4  # clauses of a sentence


def wish_title(sentence: str) -> str:
    """Return the title of a wish, "" if it has none that says what is wanted."""
    title = title_of(sentence, wish=True)
    if len(title) >= len(without_interjection(without_tag(sentence).strip("¿¡ .!?。！？"))):
        return title
    return wish_at_end(sentence) or (title if wish_in(title) else "")  # it may be cut off


def wish_at_end(sentence: str) -> str:
    """Return the title of the wish that is all of a sentence behind its first clauses, or ""."""
    for joint in list(_JOINS.finditer(sentence))[:_MOST]:
        before, behind = sentence[: joint.start()], sentence[joint.end() :]
        if any(each.search(before) for each in (_ELSEWHERE, _LIMITS)) or _PLACES.match(before):
            return ""
        title = title_of(behind, wish=True)
        is_whole = len(title) >= len(behind.strip(" .!。！"))
        if is_whole and wish_in(behind) >= Wish.RULE and not looks_like_one(behind):
            return title
    return ""
