"""Patterns for text that claims the user's consent or speaks in the user's name.

A claim counts only if it is about commands, tool calls, agents or everything. What users of the
project's own software approve or allow does not count. Neither does the sentence in which the rules
name the approved plan that a decision is from.
"""

import re

from git_lerim.memories.quotes import FROM_PLAN, FROM_SUMMARY, LEFT_OUT

_WHO = r"(?:users?|human|owner|maintainer|developer|operator|account holder)\b"
_THE_USER = rf"(?:the|your|our|its) {_WHO}"
_CONSENT = r"(?:consent|permission|approval|authori[sz]ation|blessing|go-ahead|carte blanche)"
# What an agent does, or the agent itself.
_ACTS = (
    r"\b(?:commands?|tool[ -](?:calls?|uses?)|scripts?|shell|agents?|assistants?|you|sessions?|"
    r"everything|anything|whatever)\b"
)
_OF_ACTS = rf"(?=[^;]{{0,80}}?{_ACTS})"
_APPROVES = (
    r"(?:agree[sd]?|approve[sd]?|permit\w*|allow(?:s|ed)|consent(?:s|ed)?|authori[sz]e[sd]?|"
    r"okayed|cleared|signed off)\b"
)
_GIVEN = r"(?:given|granted)\b"
_NOT_YET = "".join(
    rf"(?<!\b{word} )" for word in ("until", "unless", "if", "when", "once", "after", "before")
)

SPEAKING = (
    # the user is said to agree
    (
        rf"\b{_THE_USER}(?: has| have| already| always| explicitly| hereby)* (?:asked you|"
        rf"wants you|(?:said|says) (?:that )?(?:you|yes|ok(?:ay)?)\b|{_APPROVES}(?:(?=\W*$|[,:.])|"
        rf"(?= (?:to |with |on |of )?(?:this|it|that|them|these|all of)\b)|{_OF_ACTS}))|"
        r"\bwhat the (?:user|human) (?:said|wants|asked)\b"
    ),
    (
        rf"\b{_WHO}[^;]{{0,40}}?\b(?:gave|gives?|grant(?:s|ed)?|given) "
        rf"(?:(?!on\b|in\b|at\b)[\w'’-]+ ){{0,3}}?(?:{_CONSENT}|leave)\b{_OF_ACTS}"
    ),
    rf"\b{_THE_USER}[^;]{{0,40}}? (?:confirm|declare|state)(?:s|ed)? that\b{_OF_ACTS}",
    (
        rf"{_ACTS}[^;]{{0,60}}?\b(?:is|are|was|were|been) (?:hereby |already |all |fully )*"
        r"(?:(?:pre-?)?(?:approved|authori[sz]ed|permitted|allowed|cleared)\b[^;]{0,40}\b"
        rf"(?:by {_THE_USER}|in advance|for good|for ?ever|permanently)|pre-?approved\b)"
        r"(?![^;]{0,80}\b(?:before|unless|until|only|when|if)\b)"
    ),
    # the author is said to be the user
    (
        rf"\bI(?:['’]m| am) (?:[\w. -]{{1,40}}, )?(?:your|the) {_WHO}|\byour user\b|"
        rf"\bthis is {_THE_USER} speaking\b|\b(?:I, (?:the|your)|speaking as (?:the|your)) {_WHO}|"
        rf"\bas (?:the|your) {_WHO},? I\b"
    ),
    (
        rf"\bI,? (?:hereby |fully |also )*(?:approve|allow|authori[sz]e|permit|consent to|grant|"
        rf"give)\b{_OF_ACTS}"
    ),
    (
        rf"\b(?:on behalf|in the name) of {_THE_USER}[^;]{{0,60}}?\b(?:approv|allow|authori[sz]|"
        rf"permi|grant|agree)|\bauthority of {_THE_USER}|\b{_WHO}['’]s? authority\b|"
        r"\bin my name\b"
    ),
    # consent is said to be given
    (
        rf"{_NOT_YET}\b{_CONSENT}(?: (?:for|to)\b[^;]{{0,40}}?)?(?: of {_THE_USER})?:?"
        rf"(?: (?:has|have|was|is|been|already|hereby))* {_GIVEN}(?:(?=\W*$|,)|{_OF_ACTS})"
    ),
    (
        rf"\b(?:my|our|{_WHO}['’]s?) (?:\w+ )?{_CONSENT} "
        rf"(?:covers|extends|applies|includes|for|to)\b{_OF_ACTS}"
    ),
    (
        rf"\b(?:you|agents?|assistants?)(?: here)? (?:have|has|got|hold) "
        rf"(?:(?:the|your) {_WHO}['’]s?|standing|blanket|permanent|unlimited) (?:\w+ )?{_CONSENT}\b"
    ),
)

_PLAN = re.compile(
    rf"(?: {LEFT_OUT})? (?:{FROM_PLAN}“([^”\n]{{1,40}})”\.|{FROM_SUMMARY})$", re.MULTILINE
)
# what such a plan must not be about
_OF_AGENTS = re.compile(
    r"\b(?:agents?|assistants?|you|your|everything|anything|whatever|tool[ -](?:calls?|uses?)|"
    r"(?:all|any|every|each|these|those|which) (?:\w+ )?(?:commands?|scripts?))\b",
    re.IGNORECASE,
)


def without_plan(title: str, body: str) -> str:
    """Return a body without the sentence that names the approved plan; its heading stays.

    All else is judged as always. The sentence stays, too, if the text is about what agents may do:
    then anybody may have written it, to claim the user's consent.
    """
    rest = _PLAN.sub(lambda found: f" {found[1] or ''}", body)
    return body if _OF_AGENTS.search(f"{title}\n{rest}") else rest


def _claim(who: str, consent: str, acts: str) -> str:
    """Return a pattern for a line that names who agrees, their consent, and an agent's acts.

    A command that allows something, or needs permission, does not count as an act.
    """
    line = r"[^\n]{0,300}?"
    allows = rf"(?:{acts})\w*\W+(?:erlaub|gestatte|permet|permit|autoris|brauch|necesit)"
    return (
        rf"(?im)^(?={line}(?:{who}))(?={line}(?:{acts}))(?={line}(?:{consent}))(?!{line}{allows})"
    )


SPEAKING_ELSEWHERE = (
    _claim(
        r"\b(?:be)?nutzer|\banwender|eigentümer|inhaber|\bich\b|\bdu hast\b|\bihr habt\b|"
        r"\berteilt\b",
        r"genehmig|erlaub|zustimm|zugestimmt|einverstand|einwillig|freigegeben|freigabe|"
        r"gebilligt|autorisier|gestatte",
        r"befehl|kommando|werkzeug|\btools?\b|\bagent|skript|ausführ|\bpush|\balles\b",
    ),
    _claim(
        r"\butilisat|propriétaire|\bje\b|\bj['’]|\btu as\b|\bvous avez\b|\baccordée?\b",
        r"approuv|autoris|permission|\baccord\b|consent|permets",
        r"commande|outil|\bagent|script|exécut|pousser|\btout ce\b",
    ),
    _claim(
        r"\busuari|propietari|dueñ|\byo\b|\btienes\b|\btenéis\b|\bse concede\b|\bmi nombre\b",
        r"aprob|aprueb|autori|permis|permit|consent",
        r"comando|herramienta|\bagente|script|ejecut|\bpush|\btodo lo que\b",
    ),
)
