"""Forms in English that say for how long or in which cases a wish holds."""

from git_lerim.extraction.wishes.english_forms import (
    ANYTHING,
    CHANGE,
    DEFINITE,
    LASTS,
    NEXT,
    NOT,
    PLEASE,
    VERB,
)
from git_lerim.extraction.wishes.patterns import any_of

PLACE = (
    r"(?:repo|repository|project|code ?base|team|package|monorepo|crate|module|app|company|shop|"
    r"house)"
)
_PLACES = rf"(?:{PLACE}s?|repositories|sessions?|chats?|conversations?|tasks?|prs?|services)\b"
_ALL = r"(?:all|every|each|any)(?: of)?(?: (?:my|our))?(?: (?:other|future|new))?"
_ALL_OURS = r"(?:all|every|each|any)(?: of)?(?: (?:my|our)|(?= (?:repo|code ?base|session|chat)))"
_HAPPENS = r"(?:is|are|was|fails?|breaks?|crash\w*|goes|gets|does|has|should|must|will|\w+ed)\b"
_NEXT_TIME = (
    r"(?:(?:(?:one|a|another|last|small) (?:more |last |small )?(?:thing|note|wish|request|rule) )?"
    r"for next time|for the future|next time)[,:]?"
)
_WE_DO = (
    r"(?:how|what|the way) (?:we|everybody|everyone)(?: all| always| usually)* (?:do|does|handle|"
    r"name|write|have|like|want)\w*(?: (?:it|this|that|them|things|everything))?"
    r"(?: (?:here|around here|everywhere|in (?:this|our) \w+))?$"
)

_SCOPE = (
    r"(?:(?:this|that|it|which|the same)(?:'s| is| applies| holds| goes| counts)|(?:and )?same|"
    rf"applies|holds) (?:to|for|in|across) {_ALL} {_PLACES}(?=$|[,;.])"
)
_ALSO = r"(?: too| as well| again)?"
_WHERE = r"(?: (?:in|for|across|throughout|with) [^,;:]{2,50}?)?"
# says that a rule holds widely: `Please stick to that in all of our code`
EXTENDS = any_of(
    r"^(?:and |so |please |let's |always )*(?:stick|keep|hold|adhere) (?:to|with) (?:that|this|it)"
    rf"{_WHERE}{_ALSO}(?: please)?$",
    r"^(?:and )?(?:that's|that is|this is) (?:something|a rule|a thing|what|how) (?:that )?"
    r"(?:i'd|i would|we|i) (?:like|want|do|have|keep|hold)\b"
    r"(?: to (?:hold|have|keep|see|apply|be))?(?: it)? (?:for|in|across) "
    r"(?:all|every|the whole|any)\b[^,;:]{2,50}$",
    rf"^(?:and )?(?:that|this|the same|it) (?:goes|holds|applies|counts) (?:for|to|in) "
    rf"(?:all|every|each|any|the)\b[^,;:]{{2,50}}?{_ALSO}$",
)
# a sentence that makes the one before it last: `Every time.`
INSISTS = any_of(
    r"^(?:and |please |always |really )*(?:every (?:single )?time|each time|always|"
    rf"no exceptions?|without exception|as a rule|{_SCOPE})$"
)
ORDERS = any_of(
    rf"{LASTS}(?:{NOT}|(?!show\b(?! me)|display\b|hide\b|render\b){VERB})"
    rf"(?! (?:\S+ )?{_HAPPENS})"
    r"(?! (?:the|this|that|these|those|it|them)\b(?!.* (?:before|after|when)\b))"
)
# why an order is to last: `So this doesn't happen again: …`
NOT_AGAIN = (
    r"(?:(?:so|such)(?: that)? (?:this|that|it) (?:does not|doesn't|doesnt|won't|wont|never) "
    r"happens?(?: to (?:us|me))?(?: again| any ?more)?|"
    r"to (?:keep|stop|prevent) (?:this|that|it)(?: from)?(?: ever)? happening(?: again)?|"
    r"to (?:avoid|prevent) (?:this|that|it) (?:in (?:the )?future|next time|again)|"
    r"(?:same|that|this) (?:goes|holds|applies) for (?:whatever|everything|anything|all) you "
    r"(?:write|do|add|make|build|touch)(?: (?:later|next|here|from now|after\w*)(?: on)?)?)[,:–-]* "
)
_SO_ON = r"(?:from (?:now|here) on(?: out)?|going forward|in (?:the )?future|henceforth)"
# how long a wish holds, whatever its other words
LASTING = any_of(
    rf"^{PLEASE}{NOT_AGAIN}{NEXT}(?:{NOT}|no(?: more)?|{VERB}) (?!(?:\S+ )?{_HAPPENS})",
    rf"^{PLEASE}(?:let's|lets|(?:can|could|shall) we) (?:please |all )*agree "
    rf"(?:to {VERB}|to (?:not|only) |"
    rf"that (?!{DEFINITE}|there)(?!.*\b(?:bug|problem|issue|cause|wrong|broken|works?)\b))",
    # beside an order for now: `Fix the header and, from now on, keep headers below 60 pixels`
    rf"^(?:{VERB}.*[,;–-] ?|.*\b)(?:and|but),? {_SO_ON},? {NEXT}(?:{NOT}|no more|{VERB}) "
    rf"(?!(?:\S+ )?{_HAPPENS})",
    rf"^{PLEASE}{_NEXT_TIME} {NEXT}(?:{NOT}|no more|{VERB})(?! (?:\S+ )?{_HAPPENS})",
    rf"^{PLEASE}for (?:your )?future ref(?:erence)?[,:]? .{{10,}}",
    rf"^{PLEASE}(?:in|for|across) {_ALL_OURS} {_PLACES}[,:]? .{{8,}}",
    rf"^{PLEASE}(?:in general|generally|as a (?:general )?rule),? {NEXT}(?:{NOT}|{VERB}) "
    rf"(?!{_HAPPENS})",
    rf"^.{{8,}}[,.;:–-] {_SCOPE}",
    rf"^{PLEASE}.{{8,}}[,;–-] (?:because |since )?(?:that|this|it)(?:'s| is) (?:{_WE_DO}|"
    r"(?:our|the) (?:convention|style|way|rule|policy|habit|standard)(?: here)?$)",
    rf"^{PLEASE}.{{8,}}[,;–-] (?:we|everybody|everyone)(?: all| always)* (?:do|does) (?:it|this|"
    r"that) (?:like (?:that|this)|this way|that way|so)(?: here)?$",
)

_UNSURE = (
    r"you(?:'re| are| feel)? (?:not sure|unsure|uncertain|in doubt|stuck|torn|tempted|"
    r"(?:can't|cannot|don't|do not) (?:know|decide|tell|find|reproduce|verify|explain|judge))\b"
)
_OPEN_CHOICE = r"(?:an?|any|some|two|which|what|who|whose|how|about|between|whether)\b"
_WHENEVER = r"(?:when\w{2,4}|(?:every|each|any) ?time)"
_TO_PERSON = r"(?:\b(?:me|us)\b|\bsay so\b|\bstop and\b|\binstead of \w+ing\b)"
_ASK = r"(?:ask|tell|warn|show|ping|check with) me\b"
_WORK = (
    r"an? (?:[\w-]+ )?(?:test|build|dependency|package|commit|pr|pull request|migration|linter|"
    r"command|script|tool|requirement|task|ticket|comment)\b"
)
_NEW = rf"(?:(?:an?|any|new|some|something|anything)\b|(?!{DEFINITE}))"
_ORDER = (
    rf"(?:{CHANGE}|run|re-?run|keep|document|adapt|adjust|regenerate|re-?generate|check|ask|tell|"
    rf"give|show|make|mention|test|extend|put|don't forget to|remember to)\b"
)
# what the agent works on; `[^,]` is what follows
_PART = (
    r"[^,]{0,30}?\b(?:api|schema|stuff|code|columns?|tables?|migrations?|models?|routes?|"
    r"endpoints?|flags?|settings?|options?|tests?|functions?|methods?|class(?:es)?|modules?|"
    r"files?|packages?|dependenc\w+|config\w*|env\w*|variables?|components?|fields?|"
    r"(?:type )?errors?|types?|strings?|enums?|events?|commands?|hooks?|quer(?:y|ies)|scripts?|"
    r"keys?|constants?|interfaces?|parser)\b[^,]"
)
_POINTER = r"(?:it|this|that|them|these|those)\b"

# in which cases it holds
CASES = any_of(
    rf"^{PLEASE}(?:when|if) (?:in doubt|unsure|not sure|uncertain)"
    rf"(?:[^,]*,|(?= (?:ask|stop|tell|say|choose|{NOT})\b)) {NEXT}{VERB}",
    rf"^{PLEASE}(?:when\w{{0,4}} {_UNSURE}|if {_UNSURE} (?:\w+ ){{0,3}}?{_OPEN_CHOICE})[^,]*, "
    rf"{NEXT}{VERB}",
    rf"^{PLEASE}(?:when\w{{0,4}}|if) (?:you need )?{_WORK}(?:[^,]*, .*{_TO_PERSON}|.* {_ASK})",
    rf"^{PLEASE}before you {CHANGE} {_NEW}.* {_ASK}",
    rf"^{PLEASE}(?:when\w{{0,4}}|if) an? (?:[\w-]+ )?(?:test|build|dependency|pr|commit)\b[^,]*, "
    rf"(?:.*, )?{NEXT}(?:and )?{NOT} [a-z]+(?: (?!{DEFINITE})|.*yourself)",
    rf"^{PLEASE}{_WHENEVER} (?:something|anything|someone|anyone)\b[^,]*, .*{_TO_PERSON}",
    rf"^{PLEASE}(?:when|if) you {CHANGE} {_NEW}{_PART}{{0,40}}? (?:(?:please|also|always|then) )+"
    rf"{VERB}",
    rf"^{PLEASE}{_WHENEVER} you {CHANGE} (?!{_POINTER}){_PART}{{0,40}}? "
    rf"(?:(?:please|also|always|then) )*{_ORDER}",
    rf"^{PLEASE}{ANYTHING} (?:that )?you (?!(?:did|made|wrote|have)\b)[a-z]+(?<!ed) .{{2,}} "
    r"(?:must|goes|gets|needs|belongs|has to|comes|lives)\b",
)
# what somebody wants nowhere
UNWANTED = any_of(
    r"^(?:i|we) (?:don't|do not|never) (?:want|like|accept|tolerate)(?: to (?:see|find|have))? "
    rf"(?!{DEFINITE}|to\b).+ (?:anywhere|ever|at all|any ?more|in (?:this|our|the) {PLACE})\b",
)
# where it holds
THROUGHOUT = any_of(
    rf"{LASTS}(?:write|put|name|document|sort|log|store|start|begin)\b(?! {DEFINITE})[^,;]+ "
    rf"(?:in|throughout|across) (?:this|our|the (?:whole|entire)) {PLACE}(?=$|[,;])",
)
# what is forbidden to the agent
FORBIDDEN = any_of(
    rf"{LASTS}you(?: (?:must|shall|should|may)(?: not|n't)|"
    r"(?: are|'re) not (?:allowed|supposed) to) "
    r"(?!(?:be|have|see|need|get|notice|find|like|know|mind|bother|worry|hear|expect|wait|care|"
    rf"think|feel|lose)\b)(?:ever )?[a-z]+(?! {DEFINITE}(?!.*\b(?:yourself|by hand)\b))\b",
    rf"{LASTS}{NOT} [a-z]+ (?!{_POINTER}).*\b(?:yourself|on your own)\b",
    rf"{LASTS}no more (?!(?:than|errors?|failures?|warnings?|questions?|changes?|tests?|time|work|"
    r"of|luck|need|reason|excuses?|problems?|issues?|to|for|room|space|memory|results?|items?|"
    r"data|rows|failing|red|broken|\w+ing)\b)[\w\"`]",
)
