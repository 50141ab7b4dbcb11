"""Reduce a sentence in English to the wish in it, without what is only around it."""

import re

from git_lerim.extraction.wishes.english_forms import NOT, PLEASE, VERB

_LASTING = r"(?:from now on|in (?:the )?future|going forward|next time)\b"
# `Could you always …?`
_POLITE = re.compile(
    rf"^(?P<lead>{PLEASE})(?:can|could|would|will|won't|can't) you(?: please| pls| plz)?,? "
    rf"(?=(?:always|never)\b(?! (?:see|get|find|reproduce|rely|tell|be)\b)|(?:stop|quit) \w+ing\b|"
    rf".*\b{_LASTING})",
    re.IGNORECASE,
)
# `Can you please not …?`
_POLITELY_NOT = re.compile(
    rf"^(?P<lead>{PLEASE})(?:can|could|would|will) you(?: please| pls| plz)? not "
    r"(?!(?:just|simply|also|even|only|see|find|tell)\b)",
    re.IGNORECASE,
)
# `…, ok?`
_TAG = re.compile(
    r",? (?:ok(?:ay)?|please|pls|plz|deal|understood|got (?:it|that)|all ?right) ?\?+$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:(?:code |coding )?style|formatting|naming|wording|tone|testing|workflow|preferences?|"
    r"conventions?)(?:[:：]| [–—-]) ?",
    re.IGNORECASE,
)
# `I review on a phone so …`: why a wish holds, not what was just found
_HENCE = re.compile(
    r"^(?:(?:i|we)(?:'m|'re)?(?! (?:\w+ing|in|on|at|off|out|late|busy|away)\b)|you|nobody|"
    r"(?:the |our |all )?[\w-]+s) "
    r"(?!.*\b(?:now|already|still|again|need|want|got|had|was|were|ha(?:s|ve)|fail|break|crash|"
    r"complain|\w+ed)\b.* so )"
    rf"[^.;]{{4,80}}?,? so (?=(?:please |pls |plz )?(?:{NOT}|always|never|{VERB}))",
    re.IGNORECASE,
)
# what happened too often, and what somebody likes: reasons that make an order last
_GRIEVANCE = re.compile(
    r",(?: because| since| as)? (?:[^,]+ (?:twice|(?:two|three|several|many|\d+) times|"
    r"last (?:week|month|year))(?: now| already)?|you (?:keep|kept) [^,]+|"
    r"(?:i|we) (?:really |still )?(?:want (?!to\b)|like|hate|love|prefer|can't (?:stand|read))"
    r"[^,]+)$",
    re.IGNORECASE,
)


def without_question(text: str) -> str:
    """Return a wish in the form of a question as an order; other questions stay what they are."""
    text = _POLITELY_NOT.sub(r"\g<lead>please do not ", text)
    return (
        _POLITE.sub(r"\g<lead>please ", _TAG.sub("", text)).rstrip("? ")
        if (_TAG.search(text) or _POLITE.match(text) or text.startswith("please do not "))
        else text
    )


def essence(text: str) -> str:
    """Return what a sentence says without the label before it and the reason beside it."""
    return _GRIEVANCE.sub("", _HENCE.sub("", _LABEL.sub("", text)))
