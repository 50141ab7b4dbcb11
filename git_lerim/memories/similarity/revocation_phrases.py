"""Find what a title takes back: `tabs` in `Forget what I said about tabs, use spaces`."""

import re
from functools import lru_cache
from typing import NamedTuple

_RULE = r"(?:rule|wish|preference|instruction|convention)s?"
_WHICH = r"(?:the|that|this|my|our)(?: (?:old|earlier|former|previous))?"
_SAID = r"(?:what|everything|whatever) (?:i|we)(?:['’]ve| have)? (?:said|told you|wrote|asked for)"
_ON = r"(?:about|on|regarding|concerning)"
_FORGET = r"(?:forget|ignore|disregard|scratch|never ?mind|drop|scrap|cancel|revoke|retract)"
_TAKE = r"(?:['’]ll| will| want to| have to)? (?:take|took) back"
_WHEN = r"(?: (?:earlier|before|last time))?"
_AFTER = r"(?:because|since|from now on|any ?more|again|after all)"
_END = rf"(?=\s*(?:[,;:.](?=\s|\Z)|[()])|\s+[–—-]\s|\s+{_AFTER}\b|\s*\Z)"  # of the subject
_REVOKES = re.compile(
    r"(?:(?:please|ok(?:ay)?|sorry|actually|no|now|oh|well|so|and|but|also|you can)[,:]? )*"
    rf"(?:(?:{_FORGET}(?: about)?|(?:i|we){_TAKE}) (?:{_SAID}|(?P<rule>{_WHICH} {_RULE})){_WHEN}"
    rf" (?:{_ON}|(?(rule)(?:to|that)))|"
    rf"(?:(?:i|we)(?:['’]ve| have)? )?changed (?:my|our) mind {_ON}) (?P<subject>.+?){_END}",
    re.IGNORECASE,
)
_REVOKES_ELSEWHERE = re.compile(
    r"(?:(?:bitte|ok(?:ay)?|por favor|s['’]il te plaît|per favore|proszę|пожалуйста)[,:]? )*"
    r"(?:(?:vergiss|ignorier\w*)(?: bitte)?,? (?:was ich (?:über|zu[mr]?|wegen)|die regel (?:mit|"
    r"zu[mr]?|über))|"
    r"oublie[zs]? (?:ce que j['’]ai dit (?:sur|à propos d\w+|concernant)|la règle (?:sur|d\w+))|"
    r"olvid(?:a|e|ad|en) (?:lo que (?:te )?dije (?:sobre|del?)|la regla (?:sobre|del?)|lo de"
    r"(?= no ))|"
    r"dimentica(?:te)? (?:quello che (?:ti )?ho detto (?:su\w*|d\w+)|la regola (?:su\w*|d\w+))|"
    r"esque[cç][ea]\w* (?:o que (?:eu )?(?:disse|falei) (?:sobre|d\w+)|a regra (?:sobre|d\w+))|"
    r"vergeet (?:wat ik zei over|wat ik gezegd heb over|de regel (?:over|van))|"
    r"zapomnij o (?:tym,? co (?:mówił|pisał)[ae]m o|zasadzie (?:o|z))|"
    r"забудь(?:те)?,? (?:что я (?:говорил|сказал|писал)а? (?:про|об?)|правило (?:про|об?)))"
    rf" (?P<subject>.+?)(?: gesagt hab\w*)?{_END}",
    re.IGNORECASE,
)
# admits the earlier words, and then says what holds again: `I know I said tabs. Use spaces again`
_ADMITS = re.compile(
    r"(?:(?:ok(?:ay)?|sorry|actually|yes|yeah|well)[,:]? )*"
    r"(?:i|we) know (?:that )?(?:i|we)(?:['’]ve| have| had)? (?:said|told you|asked for|wanted)"
    r" (?:(?:that|to|about) )?(?P<subject>[^,;:.!?]+?)(?=(?:,? but|,? and yet|[.,;:]| [–—-])\s.*"
    r"\b(?:again|from (?:now|here) on|after all|any ?(?:more|longer))(?:,? please)?[.!]?\s*\Z)",
    re.IGNORECASE,
)
# lifts what was forbidden: `Default exports are fine again, drop that rule`
_LIFTS = re.compile(
    r"(?P<subject>[^,;:.!?]+?) (?:is|are) (?:(?:fine|ok(?:ay)?|good) again"
    rf"(?:,? (?:and|so|you can|please))*,? {_FORGET} (?:the|that|this|my|our) (?:\w+ )?{_RULE}|"
    rf"(?:allowed|permitted|welcome) again)(?=\s*(?:[,;:.!]|\Z))",
    re.IGNORECASE,
)
# what says that the earlier words will hold again, or still hold elsewhere
_FOR_NOW = re.compile(
    r"\b(?:(?:for|right|just) now|for (?:once|the moment|the time being|a (?:moment|minute|while|"
    r"bit))|at the moment|"
    r"(?<!from )today|tonight|tomorrow|(?<!from )here|until|till|temporarily|currently|"
    r"meanwhile|in the meantime|(?:just|only) once|"
    r"this (?:once|(?:one )?time|week|morning|afternoon|evening)|"
    r"(?:for|in|on|during) (?:(?:just|only) )?(?:this|that|the current|these|those) (?:[\w-]+ )?"
    r"(?:tasks?|prs?|pull requests?|commits?|sessions?|branch(?:es)?|tickets?|issues?|chats?|"
    r"changes?|fix(?:es)?|files?|cases?|runs?|sprints?|releases?|features?|ones?))\b",
    re.IGNORECASE,
)
_ALL = r"(?! (?:projekt|projet|proyecto|projeto|progetto|project|repo\w*|dépôt)\b)"
_FOR_NOW_ELSEWHERE = re.compile(
    r"\b(?:heute|morgen|diesmal|ausnahmsweise|vorerst|erstmal|aujourd['’]hui|demain|cette fois|"
    r"pour l['’]instant|hoy|esta vez|por ahora|hoje|desta vez|por enquanto|oggi|stavolta|(?:per )?"
    r"questa volta|per ora|vandaag|deze keer|voorlopig|dziś|tym razem|na razie|сегодня|пока|"
    r"в этот раз|(?:(?:für|in) diese[nmrs]?|(?:pour|dans) (?:ce|cette)|(?:para|en) est[ea]|"
    rf"(?:para |n)est[ea]|(?:per|in) quest[oa]|(?:voor|in) (?:deze|dit)){_ALL})\b",
    re.IGNORECASE,
)
# what says that a rule stands in a file: then it is code, not what the user said
_IN_FILE = re.compile(
    r"(?:^|[\s(“\"'`/])[\w-]*\.[a-z]\w*|[\w-]/[\w-]|\b(?:from|in|of|on) `|\blines? \d|"
    r"\b(?:from|in|of|to) (?:(?:the|this|that|our|my|an?|its)\b )?(?:[\w-]+ ){0,2}"
    r"(?:file|folder|config|configuration|linter|makefile|dockerfile|readme|changelog)\b|"
    r"\bfrom (?:the|this|that|our|my) (?:\w+ )?(?:docs?|list|guide|page|pipeline|workflow|ci)\b",
    re.IGNORECASE,
)


class Revocation(NamedTuple):
    """What a sentence takes back: `tabs` in `Forget what I said about tabs, use spaces`."""

    subject: str
    clause: str  # `Forget what I said about tabs`
    rest: str  # `use spaces`


@lru_cache(1 << 14)
def revocation(sentence: str) -> Revocation | None:
    """Return what a sentence takes back of what was said earlier, or None."""
    found = _REVOKES.match(sentence)
    said = found or _LIFTS.match(sentence) or _elsewhere(sentence)
    in_file = bool(found and found["rule"] and _IN_FILE.search(sentence))
    if not said or in_file or is_for_now(sentence):
        return None
    return Revocation(said["subject"], said[0], sentence[said.end() :].strip(" ,;:.()–—-"))


def _elsewhere(sentence: str) -> re.Match[str] | None:
    return _REVOKES_ELSEWHERE.match(sentence) or _ADMITS.match(sentence)


def admits(sentence: str) -> bool:
    """Return whether a sentence admits earlier words, and says what holds again instead."""
    return _ADMITS.match(sentence) is not None


def lifts(title: str) -> bool:
    """Return whether a title takes back a prohibition only: `Tabs are allowed again`."""
    return _LIFTS.match(title) is not None


def looks_like_one(sentence: str) -> bool:
    """Return whether a sentence begins like a revocation, also if it is not one for good."""
    return bool(_REVOKES.match(sentence) or _LIFTS.match(sentence) or _elsewhere(sentence))


def is_for_now(sentence: str) -> bool:
    """Return whether a sentence says that something holds only for a time, a task or a place."""
    return bool(_FOR_NOW.search(sentence) or _FOR_NOW_ELSEWHERE.search(sentence))


def revoked(title: str) -> str:
    """Return the subject of the earlier words that a title takes back, or an empty string."""
    found = revocation(title)
    return found.subject if found else ""
