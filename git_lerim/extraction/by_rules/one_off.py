"""Tell whether an order is for the moment, or about one small thing, whatever reason it gives."""

import re

_MOMENT = re.compile(
    r"\b(?:i|we)(?:[’']d)? (?:just |only |really |first |still )*(?:want|need|have|like) to (?:see|"
    r"look|check|try|test|find out|know|compare|show|demo|debug|play|experiment|take a)\b|"
    r"\bi(?: a|[’'])m (?:in|on|at|out|away|leaving|late|tired|curious|about to|(?:just |"
    r"still )?(?:debugging|testing|trying|presenting|showing|recording|travell?ing|sharing|"
    r"waiting|experimenting))\b|"
    r"\bso (?:that )?i can (?:see|look|check|try|test|debug|compare|show|copy|paste|demo)\b|"
    r"\bto see (?:how|whether|if|what)\b|\bcurious\b|"
    r"\b(?:for|in|during|before|until|after) (?:the|my|our|a|(?:today|tomorrow)[’']s) (?:\w+ )?"
    r"(?:demo|call|meeting|presentation|screenshot|video|interview|workshop)\b|"
    r"\b(?:this|next|by|until) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|weekend)\b|"
    r"\b(?:right now|today|tonight|tomorrow|at the moment|for now|for the moment|temporarily|"
    r"for the time being|this (?:morning|afternoon|evening|time|once)|in a (?:minute|moment|"
    r"hurry))\b|"
    r"\b(?:is|are) (?:still |just )?(?:down|offline|on (?:holiday|vacation)|out sick|sick|ill)\b|"
    r"\bmy (?:[\w-]+ )?(?:laptop|phone|machine|terminal|screen|monitor|computer|battery|wifi|"
    r"connection|keyboard|mac|pc|desktop|disk|vpn|key|token|account|branch)\b",
    re.IGNORECASE,
)
_ENDS = (
    r"(?=\s+(?:in|on|at|of|to|from|into|before|after|above|below|between|with|for|by|instead|"
    r"rather|because|since|so|and|as|out|here|there|up|down|\d+)\b|[,.;:!]|\s*$)"
)
_SMALL = re.compile(
    r"\b(?:on|in|at|from|of|to|delete|remove|change|rename|move) lines? \d+|"
    r"\w+ (?:the|this|that|an?|one|my|another)(?: (?:first|last|second|blank|empty|extra|"
    r"unused|local|same|debug))? (?:line|variable|typo|comma|semicolon|whitespace|fixture|"
    rf"paragraph|sentence|bullet|sleep|print|breakpoint|todo)(?: statement)?{_ENDS}(?! of \d)|"
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
    return bool(_SMALL.search(order) or _MOMENT.search(reason))
