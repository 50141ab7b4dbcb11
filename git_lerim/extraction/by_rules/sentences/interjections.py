"""Leave out the sounds and asides around a sentence, which say nothing themselves."""

import re

_ASIDES = (
    r"ah+|oh+|(?:ah |oh )?right(?=,)|ok(?:ay)?|hm+|um+|uh+|btw|by the way|fyi|ffs|also|and|plus|"
    r"before i forget|one (?:more|last) thing|(?:and )?another thing|"
    r"übrigens|ach(?: ja)?|außerdem|noch was|und|"
    r"au fait|d['’]ailleurs|autre chose|por cierto|otra cosa|además|aliás|outra coisa|"
    r"a proposito|un['’]altra cosa|inoltre|trouwens|nog iets|przy okazji|jeszcze jedno|"
    r"кстати|и ещё|и еще|ещё одно"
)
_LEAD = re.compile(rf"(?:(?:{_ASIDES})(?:[,:!] ?| [–—-] |(?=\s)) ?)+(?=\S)", re.IGNORECASE)
# what limits the rest, or points to something that was said before
_TURNS = re.compile(
    r"(?:but|so|nor|or|if (?:so|not)|yet|that|this|it|they|aber|doch|mais|pero|mas|ma|maar|ale|"
    r"но)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"(?:no|not|nicht|kein\w*|pas|não|non|niet|nie|не|нет)\b", re.IGNORECASE)

_THANKS = re.compile(
    r"(?<=\w), (?:many )?(?:thanks|thx|ty|thank you|cheers|danke|merci|gracias|obrigad[oa]|"
    r"grazie|bedankt|dzięki|спасибо)(?=[.!]*\Z)",
    re.IGNORECASE,
)


def without_interjection(sentence: str) -> str:
    """Return a sentence without words such as `btw` before it, and without thanks behind it.

    A word that may deny or limit what follows is never left out, and nothing is left out before a
    denial that is not set apart: `also: no mocks`, but not `and not on Fridays`.
    """
    sentence = _THANKS.sub("", sentence)
    lead = _LEAD.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    is_apart = bool(lead) and sentence[: len(sentence) - len(rest)].rstrip()[-1] in ",:!–—-"
    if _TURNS.match(rest) or (_DENIES.match(rest) and not is_apart):
        return sentence
    return rest
