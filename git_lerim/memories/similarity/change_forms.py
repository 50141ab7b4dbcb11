"""Forms of sentences that give up what a person wanted: `We no longer use tabs`."""

import re
from enum import Enum, auto


class Way(Enum):
    """How a sentence gives something up, which decides what the earlier title must be."""

    EXCUSED = auto()  # a duty: `You don't need to run the linter anymore`
    ALLOWED = auto()  # a prohibition of just this: `You can edit the schema again`
    DROPPED = auto()  # a choice or duty: `We no longer use tabs`, `Tabs are not required anymore`
    REPLACED = auto()  # a choice of just this: `Redis is overkill, let's move to SQLite`
    REMOVED = auto()  # a decision to add it: `Remove the banner again`
    RENEWED = auto()  # another version of a thing: `We're on Node 22 now`
    RATHER = auto()  # another value of a thing: `Commit messages in English after all`


# not a word that only the text before it explains
_POINTS = (
    r"(?!(?:it|its|them|that|this|these|those|others?|another|es|das|ihn|sie|ça|cela|lo|eso|ciò|"
    r"dat|to|это)\b)"
)
_WORD = rf"{_POINTS}(?:[^\s,;:.!?()]|[:.,](?=\w))+"
_WORDS = rf"{_WORD}(?: {_WORD}){{0,9}}?"
_NOT = r"(?:do not|don['’]?t)"
_MORE = r"any ?(?:more|longer)"
# a reason that comes first, but not a condition
_WHY = (
    r"(?!(?:if|when|once|after|unless|until|while|where|for|in|on|with|at|by|to)\b)[^,;:]+, "
    r"(?:so |and )?"
)
_WANTED = r"(?:needed|required|necessary|mandatory|used|wanted|in use)"
_LETS = r"(?:(?:and|so|then|let['’]?s|we(?:['’]?ll| will| should| can)?|please|just) )*"
_TO = rf"{_LETS}(?:move|switch|change|migrate|go)(?: over| back)? (?:to|with)\b"
# not an action that may only be repeated once: `You can push again`
_NOT_ONCE = (
    r"(?!(?:re)?(?:run|start|try|push|pull|deploy|build|execute|check|launch|merge|publish)\b|"
    r"\S+ again\b)"
)
_HENCE = r"from (?:now|here) on"
# words for a rule: `the 80 column limit`, `the feature/ prefix`
_RULE = (
    r"(?:rule|limit|prefix|suffix|convention|policy|requirement|restriction|ban|format|scheme|"
    r"style)"
)
# the topic of a new choice: `Let's switch the frontend state to B`
_TOPIC_TO = (
    r"(?:so )?(?:let['’]?s|we(?:['’]ll| will| should)?) (?:now )?"
    r"(?:move|switch|change|migrate)(?P<where> [^,;:.]+?)(?: over)? to NEW"
)
# possibly in two sentences: `A is too slow. Let's move the frontend to B`
_TOO_MUCH = (
    rf"(?!(?:the|this|that|your|i|we|you)\b)(?P<what>{_WORD}) (?:turn(?:s|ed) out to be|"
    r"(?:is|was|are|were|became|got)) (?:just |way |far )?(?:too |overkill\b|a mistake\b)"
    rf"(?:(?! (?:in|on|for|at) )[^,;:.])*[,;:.] {_TOPIC_TO}"
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
    (
        Way.EXCUSED,
        (
            r"(?:you|we) (?:can|may) (?:now )?stop (?=(?:asking|telling|reminding|warning)\b|"
            r"[^,;:.]* (?:before|after|every|each|when|whenever) )WHATEND"
        ),
    ),
    (Way.EXCUSED, rf"WHAT {_NOT} (?:need|have) toLAST {_MORE}WHEREEND"),
    (
        Way.ALLOWED,
        rf"(?:you|we) (?:can|may|(?:are|['’]re) allowed to) (?:now )?{_NOT_ONCE}WHAT againWHEREEND",
    ),
    (Way.ALLOWED, rf"feel free to WHAT (?:again|{_HENCE})WHEREEND"),
    (Way.ALLOWED, rf"(?:you|we) (?:can|may) WHAT {_HENCE}WHEREEND"),
    (Way.ALLOWED, rf"{_HENCE},? (?:you|we) (?:can|may) WHATEND"),
    (
        Way.ALLOWED,
        (
            r"(?:you|we) (?:can|may) (?:now )?WHAT(?: now)?, (?:since |because |as )?(?:the|our) "
            r"(?:\w+ )?(?:freeze|ban|embargo|moratorium|restriction|rule) (?:is|was) "
            r"(?:over|lifted|gone|off)END"
        ),
    ),
    (Way.ALLOWED, r"WHAT (?:is|are) (?:fine|ok(?:ay)?|free|safe) to(?P<last> [\w-]+) againEND"),
    (Way.ALLOWED, r"(?!the )WHAT (?:is|are) (?:fine|ok(?:ay)?|allowed|permitted) againWHEREEND"),
    (Way.ALLOWED, r"(?!the )WHAT (?:is|are) (?:fine|ok(?:ay)?|allowed|permitted)WHERE nowEND"),
    (Way.ALLOWED, rf"(?:i|we) {_NOT} (?:mind|care about) WHAT {_MORE}WHEREEND"),
    (Way.ALLOWED, r"we(?:['’]?re| are)? (?:use|using) WHAT nowEND"),
    (
        Way.DROPPED,
        (
            r"we(?:['’]?ve| have)? (?:just |now |finally )?(?:dropped|removed|ditched|abandoned|"
            r"retired|got rid of|(?:moved|switched|migrated|changed) (?:away )?from|moved off|"
            r"stopped using) "
            r"WHAT(?: to (?:(?! (?:in|on|for) )[^,;:])+?WHEREEND|END)"
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
    (
        Way.DROPPED,
        (
            rf"(?:forget|scrap|ditch|drop|lose) (?:about )?(?:the|our) WHAT (?:{_RULE}END|"
            r"(?:thing|stuff|idea)(?=[,;:] ))"
            r"(?!, (?:so |since |because |as )?(?:the|this|that|these|those)\b)"
        ),
    ),
    (Way.DROPPED, rf"(?:the|our) WHAT {_RULE} (?:is|was) (?:gone|history|dead|lifted|dropped)END"),
    (
        Way.DROPPED,
        rf"(?:scrap|ditch|drop|scratch) WHAT[,;:] (?:{_TO}|{_LETS}(?:use|take|st(?:ick|ay))\b)",
    ),
    (
        Way.DROPPED,
        (
            rf"forget (?:about )?WHAT[,;:] (?:{_TO}|{_LETS}(?:use|take|st(?:ick|ay))\b).*\b"
            rf"(?:{_HENCE}|everywhere|in this (?:repo|project)|in this codebase)\b"
        ),
    ),
    (
        Way.DROPPED,
        (
            r"WHAT (?:is|are|was|were) (?:just |way |far )?too (?:(?! (?:in|on|for) )[^,;:])+"
            rf"(?P<where> [^,;:]+)?[,;:] (?:{_TO}|{_LETS}(?:use|take) .*\binstead\b)"
        ),
    ),
    (Way.DROPPED, _TOO_MUCH),
    (
        Way.DROPPED,
        (
            r"(?:let['’]?s|we(?:['’]ll| will| should)) (?:get rid of|drop|ditch|scrap|retire)"
            rf" (?!(?:the|this|that|my|your)\b)(?P<what>{_WORD})"
            rf"(?P<where> (?:for|in|on) {_WORDS}),?"
            r" and (?:put|move|keep|store|use|switch|migrate|go (?:with|back)|take) NEW"
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
        Way.RENEWED,
        (
            r"(?:(?:the|our) )?(?:minimum|min|oldest|lowest) (?P<what>[\w.#+-]+)(?: version)? is "
            r"(?:now v?(?P<version>\d[\d.]*)(?<!\.)|v?(?P<number>\d[\d.]*) now)END"
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


def compiled(form: str) -> re.Pattern[str]:
    """Return the pattern of a form, with its words in capitals replaced by their patterns."""
    return re.compile(re.sub("|".join(_PARTS), lambda part: _PARTS[part[0]], form), re.IGNORECASE)


COMPILED = tuple((way, compiled(form)) for way, form in _FORMS)
TOO_MUCH = compiled(_TOO_MUCH)
