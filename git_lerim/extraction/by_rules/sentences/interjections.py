"""Leave out the sounds and asides that a sentence begins with, which say nothing themselves."""

import re

_ASIDES = (
    r"ah+|oh+|(?:ah |oh )?right(?=,)|ok(?:ay)?|hm+|um+|uh+|btw|by the way|fyi|ffs|also|and|plus|"
    r"before i forget|one (?:more|last) thing|(?:and )?another thing|"
    r"übrigens|ach(?: ja)?|außerdem|noch was|und|"
    r"au fait|d['’]ailleurs|autre chose|por cierto|otra cosa|además|aliás|outra coisa|"
    r"a proposito|un['’]altra cosa|inoltre|trouwens|nog iets|przy okazji|jeszcze jedno|"
    r"кстати|и ещё|и еще|ещё одно"
)
# what may deny, limit or point to something that was said before
_TURNS = (
    r"but|so|no|not|nor|or|if (?:so|not)|yet|that|this|it|they|aber|doch|nicht|mais|pero|mas|ma|"
    r"maar|ale|но"
)
_LEAD = re.compile(
    rf"(?:(?:{_ASIDES})(?:[,:!] ?| [–—-] |(?=\s)) ?)++(?!(?:{_TURNS})\b)(?=\S)", re.IGNORECASE
)


def without_interjection(sentence: str) -> str:
    """Return a sentence without words such as `btw` and `also` before it.

    A word that may deny or limit what follows, such as `no` or `but`, is never left out.
    """
    return _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence
