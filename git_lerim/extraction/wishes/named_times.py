"""Tell the times that a product is about, such as `today's totals`, from the moment of speaking."""

import re

OCCASIONS = r"(?:demo|call|meeting|presentation|screenshot|video|interview|workshop)"
_TIME = (
    r"(?:today|tonight|tomorrow|yesterday|(?:this|next) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)"
    r"day|week|weekend|month|quarter|year|morning|afternoon|evening|night))\b"
)
# what a time belongs to when it is no adverb: `the orders of today`, `Include tomorrow`
_BEFORE = (
    r"(?:of|with|than|between|over|within|as|only|default to|includ(?:e|es|ing)|exclud(?:e|es|ing)|"
    r"highlight|show|display|hide|count|treat|mark|omit|select|cover|compare|make)"
)
_PERIOD = rf"(?:the )?(?:{_TIME}|(?:last|previous|past|whole|current) )"
_NAMED = re.compile(
    rf"\b(?P<belongs>{_BEFORE} ){_TIME}(?![’']s\b)|"
    rf"\b{_TIME}(?=[’']s\b(?! (?:\w+ )?(?:{OCCASIONS}|session|work|run|release|deploy\w*)\b))|"
    rf"(?<=[\"“`]){_TIME}(?=[\"”`])|"
    r"\b(?P<rate>\d+ [\w-]+ (?:\w+ )?)in (?:a|one) minute\b|"
    rf"\b(?P<period>for ){_TIME}(?= (?:instead of|rather than) (?:for )?{_PERIOD})",
    re.IGNORECASE,
)


def without_named_times(text: str) -> str:
    """Return a text with "the day" for each time that it names as a thing, not as the moment."""
    return _NAMED.sub(
        lambda found: f"{found['belongs'] or found['rate'] or found['period'] or ''}the day",
        text,
    )
