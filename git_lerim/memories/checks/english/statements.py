"""Recognise statements whose first word could be an order: `Reset tokens expire after each use`."""

import re

from git_lerim.memories.checks.disguise import HOST

# What cannot belong to a compound noun: `Delete tokens that are old` is an order.
_NO_NOUN = (
    r"(?:the|an?|all|any|every\w*|each|some|our|your|my|its|this|that|these|those|what\w*|"
    r"which\w*|who\w*|where\w*|when\w*|if|once|while|until|unless|because|since|as|and|or|but|"
    r"not|only|to|from|in|into|on|at|of|for|with|by|via|after|before|it|them)"
)
_SAYS = (
    r"(?:(?:are|is|were|was)(?! (?:not )?to\b)|(?:never |always )?(?:expires?|lasts?|stays?|"
    r"needs?|ha(?:s|ve)(?! to\b)|takes?|works?|rotates?|starts?|carr(?:y|ies)|contains?))"
)
# a second clause may be an order
_STATEMENT = re.compile(
    rf"\W*\w+(?: (?!{_NO_NOUN}\b)[\w-]+){{1,2}} {_SAYS}\b"
    rf"(?!.*(?:[,:;—–]|\b(?:and|so|then|but|please)\b|{HOST}))",
    re.IGNORECASE | re.DOTALL,
)


def is_statement(sentence: str) -> bool:
    """Return whether a sentence whose first word could be an order is only a statement."""
    return _STATEMENT.match(sentence) is not None
