"""Tell whether an order is for the moment, or about one small thing, whatever reason it gives."""

import re

from git_lerim.extraction.wishes.named_times import OCCASIONS, without_named_times

# how a clause ends that is about the moment: not `is down every night`
_NOW = (
    r"(?=\s*(?:[,.;:!)]|$|(?:and|but|so|until|till|since|again|right|at the moment|today|tonight|"
    r"now|this|for (?:now|today|maintenance))\b))"
)
# what the people who work on the product need at all times: `we need to know which clerk paid`
_LASTING_NEED = (
    r"(?:(?:i|we) (?:need|have) to (?:know|see|check|find out|compare|show) "
    r"(?:who|whom|whose|which|what|where|when|how (?:many|much|long|often))\b|"
    r"we (?:need|have) to show (?!(?:it|this|that)\b))"
)
_MOMENT = re.compile(
    rf"\b(?!{_LASTING_NEED})(?:i|we)(?:[’']d)? (?:just |only |really |first |still )*(?:want|need|"
    r"have|like) to (?:see|look|check|try|test|find out|know|compare|show|demo|debug|play|"
    r"experiment|take a)\b|"
    r"\bi(?: a|[’'])m (?:in|on|at|out|away|leaving|late|tired|curious|about to|(?:just |"
    r"still )?(?:debugging|testing|trying|presenting|showing|recording|travell?ing|sharing|"
    r"waiting|experimenting))\b|"
    r"\bso (?:that )?i can (?:see|look|check|try|test|debug|compare|show|copy|paste|demo)\b|"
    r"(?<!have )(?<!has )(?<!need )(?<!needs )(?<!able )(?<!want )(?<!wants )\bto see (?:how|"
    r"whether|if|what)\b|\bcurious\b|"
    r"\b(?:for|in|during|before|until|after) (?:the|my|our|a|(?:today|tomorrow)[’']s) (?:\w+ )?"
    rf"{OCCASIONS}\b|"
    r"\b(?:this|next|by|until) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|weekend)\b|"
    r"\b(?:right now|today|tonight|tomorrow|at the moment|for now|for the moment|temporarily|"
    r"for the time being|this (?:morning|afternoon|evening|time|once)|in a (?:minute|moment|"
    r"hurry)|(?:now )?(?:instead of|rather than) (?:later|now))\b|"
    r"(?<!who )(?<!that )(?<!which )(?<!when )(?<!while )\b(?:is|are) (?:still |just )?(?:down|"
    rf"offline|on (?:holiday|vacation)|out sick|sick|ill)\b{_NOW}|"
    r"\bmy (?:[\w-]+ )?(?:laptop|phone|machine|terminal|screen|monitor|computer|battery|wifi|"
    r"connection|keyboard|mac|pc|desktop|disk|vpn|key|token|account|branch)\b"
    r"(?! (?:page|menu|tab|section|view|link|area|button|panel|form|dialog|widget|filter|"
    r"list)s?\b)",
    re.IGNORECASE,
)
_ENDS = (
    r"(?=\s+(?:in|on|at|of|to|from|into|before|after|above|below|between|with|for|by|instead|"
    r"rather|because|since|so|and|as|out|here|there|up|down|\d+)\b|[,.;:!]|\s*$)"
)
_ARTICLE = r"(?:the|this|that|an?|one|my|another)"
_WHICH = r"(?:first|last|second|blank|empty|extra|unused|local|same|debug)"
_TEXT = r"(?:line|comma|semicolon|whitespace|paragraph|sentence|bullet|todo)"
# `… the comma from the CSV header`, not from a file
_OF_PRODUCT = (
    r" (?:of \d|(?:from|in|of|on|between|after|before|above|below|at|to|into) (?:the|our|each|"
    r"every|all|an?) (?!(?:[\w./-]+ ){0,2}?(?:files?|functions?|methods?|class|tests?|docstrings?|"
    r"comments?|readme|changelog|docs?|documentation|modules?|code|scripts?|config|imports?|"
    r"statements?|lines?|paragraphs?|end|start|[\w-]+\.\w+)\b)|in (?:bold|red|italics|colou?r)\b)"
)
_SMALL = re.compile(
    r"\b(?:on|in|at|from|of|to|delete|remove|change|rename|move) lines? \d+|"
    rf"\w+ {_ARTICLE}(?: {_WHICH}| two| three)? (?:variable|typo|fixture|sleep|print|breakpoint)"
    rf"(?: (?:statement|call)s?)?{_ENDS}|"
    rf"(?:add|change|delete|drop|move|remove|sort) {_ARTICLE}(?: {_WHICH})? imports?{_ENDS}|"
    rf"\w+ {_ARTICLE} {_WHICH} {_TEXT}{_ENDS}(?! of \d)|"
    rf"\w+ {_ARTICLE} {_TEXT}{_ENDS}(?!{_OF_PRODUCT})|"
    r"(?:write|draft|phrase|word|translate|rewrite|shorten|compose|answer|send|reply to) (?:the|"
    r"this|that|an?|my|your) (?:\w+ )?(?:e-?mail|mail|letter|message|reply|note|invitation)"
    r"(?: (?:to|for|from) (?:(?-i:[A-Z])[a-z]+|him|her|them|my|(?:the|our) (?:team|boss|client|"
    r"manager|support|vendor))\b| in (?-i:[A-Z])[a-z]+\b)",
    re.IGNORECASE,
)


def is_one_off(order: str, reason: str) -> bool:
    """Return whether an order concerns one line or one mail, or its reason only the moment.

    `reason` is the order with the sentence after it that gives the reason.
    """
    return bool(_SMALL.search(order) or _MOMENT.search(without_named_times(reason)))
