"""Find claims in an agent's words that a person said, wanted, decided or allowed something.

Only the person's own words can prove such a claim. What the software itself accepts or allows
is no such claim, nor is what its users may do under a condition.
"""

import re
from collections.abc import Iterable

# no word fits two of these: otherwise, a long row of it would take exponential time
_MORE = r"(?:(?:has|had|have|also|already|now|just|even|later|never|\w+ly)\s+)*"
_GIVES = (
    r"(?:gave|gives?|given)\s+(?:[\w'’]+\s+){0,3}?(?:permission|approval|consent|leave|"
    r"authori[sz]ation|(?:the\s+)?go-ahead)"
)
# `asked for the …` names the task, and claims nothing about how to work
_ASKED = r"ask(?:ed|s)(?!\s+for\s+(?:the|an?)\b)"
# what only a person does, in the past
_SAID = (
    rf"(?:said|told|{_ASKED}|approved|agreed|insisted|okayed|ordered|demanded|decided|"
    r"withdrew|withdrawn|revoked|granted|permitted|authori[sz]ed|signed\s+off|confirmed|"
    rf"took\s+(?:\w+\s+){{1,4}}?back|requested|{_GIVES}|"
    r"(?:changed|dropped|cancelled|canceled|lifted)\s+(?:his|her|their|the|this|that|its)\s+"
    r"(?:\w+\s+)?(?:minds?|decisions?|rules?|preferences?|wish(?:es)?|orders?|requests?|"
    r"instructions?)|"
    r"(?:allowed|wanted|wants)\s+(?:us|you|me|it|this|that|agents?|no|all|every)|"
    r"(?:does|did|do)(?:\s+not|n['’]t)\s+(?:want|like|mind|allow|approve))\b(?!\s+by\b)"
)
# what a person does who is named as the user
_DOES = (
    rf"(?:{_SAID}|(?:says|tells|approves|agrees|insists|orders|decides|grants|permits|"
    r"allows|allowed|wants|wanted|prefers|preferred|wishes|wished|withdraws|chose)\b)"
)
_UNLESS = "".join(
    rf"(?<!\b{word} {article})"
    for word in ("if", "when", "once", "until", "unless", "whether", "before", "where")
    for article in ("", "the ", "a ")
)
_THE_USER = r"(?:(?:the|your|our|my|this)\s+)?(?:user|human|owner|maintainer|boss)"
# a capitalized word where a person may be named
_NAME = (
    r"(?-i:(?!(?:It|This|That|These|Those|The|We|I|You|Nobody|Some(?:body|one)|"
    r"Any(?:body|one)|No|Everyone|Everything|All|Both|"
    r"Each|Some|What|Who|Which|When|If|Once|After|Before|Until|Unless|Not|Users?|As|Where|"
    r"An|Also|Already|Now|Just|Only|Even|Later|Never)\b)"
    r"[A-Z][a-zà-ÿ]+)"
)
_YOU_MAY = (
    r"\byou\s+(?:now\s+)?(?:have|got|hold)\s+(?:\w+\s+)?(?:permission|approval|consent)\b|"
    r"\byou(?:\s+are|['’]re)\s+(?:now\s+|also\s+|always\s+)?(?:allowed|permitted|authori[sz]ed|"
    r"free)\s+to\b|"
    r"\byou\s+may\s+(?!not\b|also\s+(?:need|want|have|see)|(?:still\s+)?(?:need|want|have|see|get|"
    r"find|notice|encounter|hit|run\s+into|be|think|expect|lose|miss|end\s+up|wonder)\b)\w+|"
    r"\b(?:it|this)\s+(?:is|['’]s)\s+(?:now\s+|always\s+)?(?:allowed|permitted)\s+to\s+"
    r"(?!be\b|have\b|contain\b|return\b|fail\b|hold\b)|"
    r"\bagents?\s+(?:may|(?:are|is)\s+(?:now\s+)?(?:allowed|permitted|authori[sz]ed)\s+to)\b|"
    r"\b(?:permission|approval|consent|authori[sz]ation)\s+(?:to\s+[\w -]{1,40}?\s+|for\s+"
    r"[\w -]{1,40}?\s+)?(?:is|was|has\s+been)\s+(?:already\s+)?(?:given|granted)\b"
)
_PASSIVE = (
    r"(?:\b(?:was|were|been|is|are|got)\s+(?:\w+ly\s+|already\s+)?(?:approved|granted|allowed|"
    r"permitted|withdrawn|revoked|okayed|authori[sz]ed|asked\s+for)|"
    r"\b(?:decisions?|rules?|preferences?|wish(?:es)?|orders?|polic(?:y|ies)|bans?)\s[^.;\n]{0,60}?"
    r"\b(?:decided|changed|lifted|cancell?ed|dropped))\s+by\s+"
)


def claim_of_person(text: str, names: Iterable[str] = ()) -> str | None:
    """Return the words by which a text claims what a person said or allowed, or None.

    `names` are the names of the user; other capitalized words count with fewer verbs.
    """
    known = "|".join((_THE_USER, *map(re.escape, names)))
    found = re.search(
        rf"{_UNLESS}\b(?:{known})\s+{_MORE}{_DOES}|"
        rf"{_UNLESS}\b(?:they|he|she|{_NAME})\s+{_MORE}{_SAID}|"
        rf"{_PASSIVE}(?:{known}|{_NAME})\b(?!['’]s)|{_YOU_MAY}",
        text,
        re.IGNORECASE,
    )
    return found[0] if found else None
