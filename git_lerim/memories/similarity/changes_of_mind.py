"""Find what a sentence gives up of what was wanted earlier: `tabs` in `Don't use tabs anymore`.

Unlike a revocation, such a sentence does not speak of earlier words, and may as well be about the
work at hand. So it counts only beside a memory that says what it gives up.
"""

import re
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.memories.similarity.revocation_phrases import is_for_now, looks_like_one


class Way(Enum):
    """How a sentence gives something up, and so what the earlier title must be."""

    EXCUSED = auto()  # a duty: `You don't need to run the linter anymore`
    ALLOWED = auto()  # a prohibition of just this: `You can edit the schema again`
    DROPPED = auto()  # a choice or duty: `We no longer use tabs`, `Tabs are not required anymore`
    REPLACED = auto()  # a choice of just this: `Redis is overkill, let's move to SQLite`
    REMOVED = auto()  # a decision to add it: `Remove the banner again`
    RENEWED = auto()  # another version of a thing: `We're on Node 22 now`
    RATHER = auto()  # another value of a thing: `Commit messages in English after all`


class ChangeOfMind(NamedTuple):
    """What a sentence gives up, and what it says without the words that open it."""

    way: Way
    subject: str
    said: str
    version: str = ""  # the new one, if RENEWED
    slot: str = ""  # the word before the new value, if RATHER: `in`

    @property
    def complete(self) -> bool:
        """Return whether it says all that is wanted instead, of a thing that is not just one."""
        says_it = self.way is Way.RATHER or _NEW_CHOICE.search(self.said)
        lasts = _LASTS.search(self.said) or _PLURAL.match(self.subject)
        return bool(says_it and lasts)


_NEW_CHOICE = re.compile(
    r"\bafter all[,;:] |(?:up on|done with) .*[,;:] .*\bfrom (?:now|here) on\b", re.IGNORECASE
)
_LASTS = re.compile(r"\bfrom (?:now|here) on\b|\bagain\b", re.IGNORECASE)
# several things, not the one at hand: `Commit messages`, `2 spaces in lua`
_PLURAL = re.compile(
    r"(?!(?:the|this|that|these|those|my|your|an?|d(?:ie|er|as))\b)(?:[\w-]+ )?[\w-]+[^s\W]s\b",
    re.IGNORECASE,
)
_LONGEST = 2 * TITLE_LIMIT
_OPENS = re.compile(
    r"(?:(?:(?:please|ok(?:ay)?|hm+|sorry|actually|now|oh|well|so|and|but|also|btw|fyi|hey|bitte|"
    r"ach|finalement|bon|bueno|allora|dus)[,:]?|no[,:]) )+",
    re.IGNORECASE,
)
# words that only the text before them explains
_POINTS = (
    r"(?!(?:it|its|them|that|this|these|those|others?|another|es|das|ihn|sie|ça|cela|lo|eso|ciò|"
    r"dat|to|это)\b)"
)
_WORD = rf"{_POINTS}(?:[^\s,;:.!?()]|[:.,](?=\w))+"
_WORDS = rf"{_WORD}(?: {_WORD}){{0,9}}?"
_NOT = r"(?:do not|don['’]?t)"
_MORE = r"any ?(?:more|longer)"
# a reason, but no case, that comes first
_WHY = (
    r"(?!(?:if|when|once|after|unless|until|while|where|for|in|on|with|at|by|to)\b)[^,;:]+, "
    r"(?:so |and )?"
)
_WANTED = r"(?:needed|required|necessary|mandatory|used|wanted|in use)"
_LETS = r"(?:(?:and|so|then|let['’]?s|we(?:['’]?ll| will| should| can)?|please|just) )*"
_TO = rf"{_LETS}(?:move|switch|change|migrate|go)(?: over| back)? (?:to|with)\b"
# what is done again may be done once more: `You can push again`
_NOT_ONCE = (
    r"(?!(?:re)?(?:run|start|try|push|pull|deploy|build|execute|check|launch|merge|publish)\b|"
    r"\S+ again\b)"
)
_SEEMS = r"(?:is|are|was|were|looks?|feels?|seems?|reads?)"
_PARTS = {
    "WHAT": rf"(?P<what>{_WORDS})",
    "WHERE": rf"(?P<where> (?:in|on|for|with|without|under) {_WORDS})?",
    "LAST": rf" (?P<last>{_WORDS})",
    "END": (
        r"(?=[,;:.!](?:\s|\Z)| \(|\Z| [–—-] | (?:so|because|since|as|and|but|in favou?r of|from now"
        r" on|any ?more|now|sondern|weil|car|parce|porque|perché|maar|want|bo)\b)"
    ),
    "NEW": r"\S",
}
_FORMS = (
    (Way.EXCUSED, rf"(?:you|we) {_NOT} (?:need|have) to WHAT {_MORE}WHEREEND"),
    (Way.EXCUSED, r"(?:you|we) no longer (?:need|have) to WHATEND"),
    (Way.EXCUSED, rf"(?:there(?:['’]?s| is) )?no need to WHAT {_MORE}WHEREEND"),
    (Way.EXCUSED, rf"WHAT {_NOT} (?:need|have) toLAST {_MORE}WHEREEND"),
    (
        Way.ALLOWED,
        rf"(?:you|we) (?:can|may|(?:are|['’]re) allowed to) (?:now )?{_NOT_ONCE}WHAT againWHEREEND",
    ),
    (Way.ALLOWED, r"feel free to WHAT againWHEREEND"),
    (Way.ALLOWED, r"WHAT (?:is|are) (?:fine|ok(?:ay)?|free|safe) to(?P<last> [\w-]+) againEND"),
    (Way.ALLOWED, r"(?!the )WHAT (?:is|are) (?:fine|ok(?:ay)?|allowed|permitted) againWHEREEND"),
    (Way.ALLOWED, r"(?!the )WHAT (?:is|are) (?:fine|ok(?:ay)?|allowed|permitted)WHERE nowEND"),
    (Way.ALLOWED, rf"(?:i|we) {_NOT} (?:mind|care about) WHAT {_MORE}WHEREEND"),
    (Way.ALLOWED, r"we(?:['’]?re| are)? (?:use|using) WHAT nowEND"),
    (
        Way.DROPPED,
        (
            r"we(?:['’]?ve| have)? (?:just |now |finally )?(?:dropped|removed|ditched|abandoned|"
            r"retired|got rid of|(?:moved|switched) (?:away )?from|stopped using) "
            r"WHAT(?: to .+|END)"
        ),
    ),
    (
        Way.DROPPED,
        (
            r"(?:(?:(?:i|we)(?:['’]ve| have)? (?:gave|given) up on|"
            r"(?:i['’]?m|i am|we(?:['’]?re| are)) done with) (?!(?:the|this|my|your)\b)WHAT"
            r"[,;:] .*\b(?:instead(?! of)|from (?:now|here) on)\b)"
        ),
    ),
    (Way.DROPPED, r"(?:no longer use|stop using) WHATEND"),
    (Way.DROPPED, rf"(?:{_WHY})?we no longer WHATEND"),
    (
        Way.DROPPED,
        rf"(?:(?:{_WHY})?we )?{_NOT} (?!(?:need to|have to|mind|care about)\b)WHAT {_MORE}WHEREEND",
    ),
    (Way.DROPPED, r"[^,;:]+, so no more (?!than\b)WHATEND"),
    (Way.DROPPED, r"no more (?!than\b)WHAT from now on\b"),
    (Way.DROPPED, rf"no WHAT {_MORE}WHEREEND"),
    (Way.DROPPED, rf"WHAT (?:is|are) no longer {_WANTED}WHEREEND"),
    (Way.DROPPED, rf"WHAT (?:is|are) ?(?:not|n['’]?t) {_WANTED} {_MORE}WHEREEND"),
    (
        Way.DROPPED,
        r"WHAT (?:is|are) (?:gone|history|dead)[,;:] (?:and |so )?we .*\b(?:now|instead)\b",
    ),
    (Way.DROPPED, rf"(?:scrap|ditch|drop) WHAT[,;:] (?:{_TO}|{_LETS}(?:use|take|st(?:ick|ay))\b)"),
    (
        Way.DROPPED,
        (
            r"WHAT (?:is|are|was|were) (?:just |way |far )?too (?:(?! (?:in|on|for) )[^,;:])+"
            rf"(?P<where> [^,;:]+)?[,;:] (?:{_TO}|{_LETS}(?:use|take) .*\binstead\b)"
        ),
    ),
    (
        Way.REPLACED,
        (
            rf"(?!(?:i|we|you|let['’]?s?)\b)(?P<what>{_WORD}) "
            r"(?:keeps?|(?:is|was|are|were) (?:overkill|a mistake|not worth|annoying|painful)|"
            r"locks? up|(?:does(?: not|n['’]?t)|can(?:not|['’]?t)) (?:support|scale|handle))\b"
            r"(?:(?! (?:in|on|for|at) )[^,;:])*(?P<where> [^,;:]+)?[,;:] "
            rf"(?:{_TO}|{_LETS}(?:use|take) .*\binstead\b|"
            r"we(?:['’]?re| are| went) back (?:to|on)\b)"
        ),
    ),
    (
        Way.DROPPED,
        (
            r"(?!(?:the|your|i|we|you)\b)(?P<what>(?:\d+ )?\w+)(?P<where> (?:in|on|for) "
            rf"{_WORDS})? {_SEEMS} (?:(?! (?:in|on) )[^,;:])*"
            r"\bafter all[,;:] (?:so |please )*(?:make (?:it|them) |use |go (?:with|back to) )NEW"
        ),
    ),
    (Way.REMOVED, r"(?:remove|delete|drop|take out|rip out) WHAT againWHEREEND"),
    (
        Way.RENEWED,
        (
            r"we(?:['’]?re| are|['’]?ve| have)? (?:now |all )?(?:on|(?:moved|switched|upgraded|"
            r"updated) to) (?P<what>[\w.#+-]*[^\W\d][\w.#+-]*) v?(?P<version>\d[\d.]*)(?<!\.)END"
        ),
    ),
    (
        Way.RATHER,
        (
            r"(?!(?:go|use|do|keep|leave|make|put)\b)WHAT (?P<slot>in) "
            rf"NEW(?:(?! {_SEEMS} ).)* after all\b"
        ),
    ),
    (
        Way.RATHER,
        (
            r"(?:you|we) can (?:now )?WHAT (?P<slot>in|with) (?P<new>\S+) again"
            r"(?: when i (?:write|ask|speak)(?: in)? (?P=new))?END"
        ),
    ),
    (Way.RATHER, r"WHAT (?P<slot>in|with|on|to) \S+ from now on\b"),
    (Way.RATHER, r"from now on,? WHAT (?P<slot>in|with|on|to) \S+(?:\.?\Z|[,;:] )"),
)
_FORMS_ELSEWHERE = (
    (
        Way.EXCUSED,
        (
            r"(?:du|wir|ihr) (?:musst|müssen|müsst|brauchst|brauchen) (?:WHAT )?nicht mehr"
            r"(?: zu)?LASTEND"
        ),
    ),
    (Way.EXCUSED, r"(?:(?:tu n['’]as|on n['’]a|il n['’]y a) )?plus besoin d(?:e |['’])WHATEND"),
    (Way.EXCUSED, r"ya no (?:hace falta|tienes que|es necesario|necesitas|hay que) WHATEND"),
    (Way.EXCUSED, r"não (?:precisas?|é preciso) mais (?:de )?WHATEND"),
    (Way.EXCUSED, r"non (?:serve|devi|è necessario|c['’]è) più (?:bisogno di )?WHATEND"),
    (Way.EXCUSED, r"je hoeft (?:WHAT )?niet meer(?: te)?LASTEND"),
    (Way.EXCUSED, r"nie (?:musisz|trzeba) już WHATEND"),
    (Way.EXCUSED, r"больше не (?:нужно|надо|обязательно) WHATEND"),
    (Way.ALLOWED, r"(?:du|ihr|wir) (?:kannst|darfst|könnt|dürft|können|dürfen) wieder WHATEND"),
    (
        Way.ALLOWED,
        r"(?:du|ihr|wir) (?:kannst|darfst|könnt|dürft|können|dürfen) WHAT wieder(?:LAST)?END",
    ),
    (Way.ALLOWED, r"WHAT (?:ist|sind) wieder (?:ok(?:ay)?|erlaubt|in ordnung)END"),
    (Way.ALLOWED, r"tu peux (?:à|de) nouveau WHATEND"),
    (Way.ALLOWED, r"WHAT (?:est|sont) (?:à|de) nouveau (?:ok|permise?s?|autorisée?s?)END"),
    (Way.ALLOWED, r"(?:ya )?puedes WHAT (?:otra vez|de nuevo)END"),
    (Way.ALLOWED, r"puoi di nuovo WHATEND"),
    (Way.ALLOWED, r"pode WHAT de novoEND"),
    (Way.ALLOWED, r"je mag WHAT weer(?:LAST)?END"),
    (Way.DROPPED, r"WHAT (?:c['’]est fini|(?:ist|sind) nicht mehr nötig)END"),
    (Way.DROPPED, r"WHAT (?:machen|nutzen|verwenden|benutzen|brauchen) wir nicht mehrEND"),
    (Way.DROPPED, r"(?:wir )?(?:nutz|verwend|benutz|brauch)en? WHAT nicht mehrEND"),
    (Way.DROPPED, r"(?:wir )?(?:(?:nutz|verwend|benutz|brauch)en?|nimm) keine?n? WHAT mehrEND"),
    (Way.DROPPED, r"(?:on|nous) (?:vire|abandonne|laisse tomber|arrête) WHATEND"),
    (Way.DROPPED, r"(?:on |nous )?n['’]utilis(?:e|es|ez|ons) plus WHATEND"),
    (Way.DROPPED, r"ya no us(?:es|a|amos|emos) WHATEND"),
    (Way.DROPPED, r"não us(?:e|es|a|amos|emos) mais WHATEND"),
    (Way.DROPPED, r"non us(?:are|iamo|a) più WHATEND"),
    (Way.DROPPED, r"(?:we )?gebruik(?:en)? (?:geen WHAT meer|(?P<last>\S+) niet meer)END"),
    (Way.DROPPED, r"nie używa(?:j|my) już WHATEND"),
    (Way.DROPPED, r"больше не использу(?:й|йте|ем) WHATEND"),
    (Way.RATHER, r"WHAT (?:bitte )?doch (?:lieber|wieder|besser) (?P<slot>auf|in|mit|als|per) NEW"),
    (Way.RATHER, r"WHAT (?:finalement|plutôt) (?P<slot>en|avec|dans) NEW"),
    (Way.RATHER, r"WHAT mejor (?P<slot>en|con) NEW"),
    (Way.RATHER, r"WHAT (?:afinal|melhor) (?P<slot>em|com) NEW"),
    (Way.RATHER, r"WHAT (?:meglio|alla fine) (?P<slot>in|con) NEW"),
    (Way.RATHER, r"WHAT toch liever (?P<slot>in|met|op) NEW"),
    (Way.RATHER, r"WHAT jednak (?P<slot>po|w|z) NEW"),
    (Way.RATHER, r"WHAT (?:вс[её]-таки|лучше) (?P<slot>на|в|с) NEW"),
)
_COMPILED = tuple(
    (way, re.compile(re.sub("|".join(_PARTS), lambda part: _PARTS[part[0]], form), re.IGNORECASE))
    for way, form in (*_FORMS, *_FORMS_ELSEWHERE)
)
# one of these words is in each form
_MAY_BE_ONE = re.compile(
    r"again|any ?more|any longer|no (?:longer|more)|dropped|removed|ditched|abandoned|retired|"
    r"up on |done with |got rid|(?:mov|switch|upgrad|updat)ed|we(?:['’]?re| are) (?:now |all )?on|"
    r"stop|scrap|ditch|drop|forget|\bnow\b|gone|history|dead|\blet['’]?s\b|after all|wieder|"
    r"instead(?! of)| back to |[,;:] (?:so |please )?(?:switch|move|migrate|change|go)\b| too |"
    r"nouveau|c['’]est fini|otra vez|de nuevo|di nuovo|de novo|\bweer\b|\bmehr\b|\bplus\b|\bvire|"
    r"abandonn|laisse tomb|arrête|ya no|\bmais\b|più|\bmeer\b|\bjuż\b|больше не|\bdoch\b|"
    r"finalement|plutôt|\bmejor\b|afinal|melhor|meglio|alla fine|toch liever|jednak|-таки|лучше",
)
_FOR_NOW = re.compile(
    r"\b(?:heute|morgen|diesmal|vorerst|erstmal|(?:für|in) (?:diese[nmrs]?)|aujourd['’]hui|demain|"
    r"cette fois|pour l['’]instant|(?:pour|dans) (?:ce|cette)|hoy|esta vez|por ahora|(?:para|en) "
    r"est[ea]|hoje|desta vez|por enquanto|(?:para |n)est[ea]|oggi|stavolta|per ora|(?:per|in) "
    r"quest[oa]|vandaag|deze keer|voorlopig|(?:voor|in) (?:deze|dit)|dziś|tym razem|na razie|"
    r"сегодня|пока|в этот раз)\b",
    re.IGNORECASE,
)


@lru_cache(1 << 14)
def change_of_mind(sentence: str) -> ChangeOfMind | None:
    """Return what a sentence gives up for good, or None."""
    if len(sentence) > _LONGEST or not _MAY_BE_ONE.search(sentence.lower()):
        return None
    said = _OPENS.sub("", sentence, count=1) if _OPENS.match(sentence) else sentence
    if said.rstrip().endswith(("?", "？")) or looks_like_one(said):
        return None
    if is_for_now(said) or _FOR_NOW.search(said):
        return None
    for way, form in _COMPILED:
        if found := form.match(said):
            parts = found.groupdict()
            named = (parts.get(name) or "" for name in ("what", "where", "last"))
            subject = " ".join(" ".join(named).split())
            return ChangeOfMind(
                way, subject, said, parts.get("version") or "", parts.get("slot") or ""
            )
    return None
