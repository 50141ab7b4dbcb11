"""Patterns of wishes for all future work (standing wishes), in English."""

from git_lerim.extraction.wishes import for_others, temporary
from git_lerim.extraction.wishes.english_forms import AT_HAND, PLEASE, RULES, SURE
from git_lerim.extraction.wishes.english_lasting import (
    CASES,
    FORBIDDEN,
    LASTING,
    PLACE,
    THROUGHOUT,
    UNWANTED,
)
from git_lerim.extraction.wishes.patterns import Language, Rules, any_of

_PAST = (
    r"(?:the|a|an|my|got|had|was|were|saw|did|knew|thought|liked|understood|seen|been|heard|nice|"
    r"good|fun|great|mind|again|say(?! (?:in|on|to|wh\w+|how|if)\b)|happened|worked|failed|tried|"
    r"used|managed|ever|really|could|would|that|this|works?|fails?|crash\w*|green|red|broken|"
    r"\w+ed)"
)
_VERB = r"(?!(?:the|a|an|i|we|you|it|this|that|there|what|why|how|is|are|was|not|no)\b)[a-z]+"
_NOT_NOW = (
    r"(?! (?:it|this|that|them|these|those|yet|anything|worry|know|think|see|understand|get|need|"
    r"have|want|care)\b)"
)
_EVERY = r"(?:every|each|all|any)"
_GENERAL = (
    rf"(?:always|never|every(?: single)? time|each time|everywhere|nowhere else|in general|"
    rf"wherever|whenever|(?:in|on|for) {_EVERY}\b|before (?:each|every|any)|after (?:each|every|"
    rf"any)|at all times|no exceptions?|where(?:ver)? possible|by default|as a rule|at all\b)"
)
_EVENT = r"(?:commit|push|pr|pull request|merge|release|deploy(?:ment)?|migration)"
# a question that is a wish
_ASKS = (
    rf"{PLEASE}(?:can|could|shall) we (?:please |all )*agree\b|"
    rf"{PLEASE}(?:(?:can|could|would|will|won't) you|would you mind)\b.*\b(?:always|never|stop|"
    r"from now on|habit|(?:every|each) time|whenever|in future|in general|by default|before you)\b"
)

_EXPLICIT = any_of(
    r"\b(?:from now on|going forward|from here on(?: out)?|henceforth|"
    r"in (?:the )?future(?! (?:versions?|releases?|updates?)\b))\b",
    rf"(?:^{PLEASE}|[,;:.]\s*|\band |\bbut )(?:please\s+)?(?:always|"
    rf"never)\s+(?!{_PAST}\b){_VERB}",
    rf"^{PLEASE}(?:do not|don[’']?t|dont) (?:you )?ever\s+{_VERB}",
    r"\b(?:should|must|shall|has to|have to|needs? to|ought to|may|can|will|do(?:es)?)(?: not|"
    r"n[’']t)?\s+(?:always|never|ever)\b|\b(?:always|never)\s+(?:should|must|has to|have to|"
    r"needs? to|go|goes|belongs?|contains?|gets?|starts?|ends?|lives?|is|are|has|have|use|"
    r"uses)\b(?!.*\bwhy\b)",
    r"\b(?:is|are) (?:always|never)\b(?! (?:the same|a pain|fun|nice|good|late|slow|right|"
    r"wrong|there))",
    rf"^{PLEASE}(?:remember|keep in mind|don[’']t forget|bear in mind)(?: for (?:later|"
    rf"next time|the future))?(?:,|:)?\s+\w+",
    r"\bkeep (?:that|this) in mind\b",
    r"^i (?:much |strongly |really |would |generally |usually |always )*prefer\b|"
    r"^i[’']?d (?:much )?rather\b|^i[’']?m not a (?:big )?fan of\b|"
    rf"^{PLEASE}(?:let[’']s|lets|(?:can|could|shall) we) (?:please |all )*agree\b",
    rf"^i(?:[’']d| would)? (?:really |always |only |generally )*(?:like|love|want|expect|"
    rf"need)\b.{{3,}}\b{_GENERAL}",
    rf"^i(?:[’']d| would)? (?:really )?(?:like|want|expect|need) {_EVERY}\b",
    r"^i (?:really )?(?:hate|dislike|don[’']t like|do not like|can[’']t stand|never want|"
    r"don[’']t (?:ever )?want)\b(?! (?:it|this|that|the(?! agent)|to(?! (?:see|find|read)\b))\b)",
    rf"^(?:here,? |in this {PLACE},? )?we (?:always|never|only|(?:don[’']?t|"
    rf"do not)(?! (?:want|need|have) to\b))\s+(?:ever\s+)?{_VERB}{_NOT_NOW}",
    rf"^(?:in|for|throughout|inside) (?:this|our|the) {PLACE}\b.{{3,}}",
    rf"^{PLEASE}(?:stop|quit|no more)\s+\w+ing\b(?! (?:it|this|that|here|the (?:server|run|"
    rf"job|test)\b))",
    rf"^(?:can|could|would|will) you (?:please )?(?:always|never|stop \w+ing)\b|"
    rf"^it would be (?:nice|good|great) if you .*\b{_GENERAL}",
    rf"^{PLEASE}(?:make sure|ensure|see to it)\b.{{3,}}\b{_GENERAL}|^{PLEASE}(?:make sure|"
    rf"ensure)(?: that)? {_EVERY}\b",
    r"\b(?:always|never|without (?:exception|exeption)|as a rule|no exceptions?|at all times|"
    r"every single|each and every)\b(?=.*,|[.!]?$)",
    rf"^{PLEASE}use [\w@/.+-]+$",
    r"\bunless (?:i|we) (?:explicitly )?(?:say|tell you|ask|approve|agree|allow)\b",
    rf"^{PLEASE}(?:run only|only run)\b.*\byou (?:change|touch|edit)",
    rf"^{PLEASE}{_VERB}\b.{{2,}}\b(?:before|after) (?:each|every) {_EVENT}\b",
    rf"^{PLEASE}(?:before|after|on|with) (?:each|every) {_EVENT}\b,? (?:please |also |then |"
    rf"always |you (?:must|should) )*{_VERB}",
    rf"^{PLEASE}(?:run|use) .{{1,60}} (?:instead of|rather than) .{{1,60}}?,? "
    r"(?:because|since) (?!i\b|we\b|you\b)",
    r"^(?:our|the) (?:convention|rule|policy|standard|style|norm)s? (?:is|are) (?!\w+$)|"
    r"^our (?:\w+ )?(?:convention|rule|policy|standard|style|norm)s? (?:is|are): \w",
    UNWANTED.pattern,
)
_SURE = any_of(
    rf"^{PLEASE}(?:remember|keep in mind|bear in mind) that\b",
    SURE.pattern,
    LASTING.pattern,
)
_INSISTENT = any_of(rf"^{PLEASE}(?:always|never) (?!{_PAST}\b|\w+ing\b){_VERB}")
_ONLY_ASKS = (
    r"(?:i|we)(?:'m| am| are|'re)? (?:just|only|merely) (?:asking|curious|wondering|exploring|"
    r"(?:want(?:ed)?|need) (?:to (?:understand|know|learn|read|look|discuss|ask)|"
    r"an? (?:explanation|answer|overview|opinion|review)))"
)
# what need not be done well, or not by the agent
_WAIVES = (
    rf"^(?!.*(?:{_GENERAL}|from now on|going forward|future))[^,;]{{3,50}} (?:is|are) (?:fine|"
    r"ok(?:ay)?|all right|(?:good )?enough)(?: (?:here|too|with me|for (?:this|that|me)))?[,;] "
    r"(?:(?:just |please )*skip\b|don't bother\b|.*\bno (?:need\b|(?:\w+ ){1,2}(?:needed|necessary|"
    r"required)$))|"
    r"^no need (?:for|to)\b.*[,;] (?:i|we|he|she|they|(?-i:[A-Z])\w+)(?:'ll| will|'s| is| are| am|"
    r"'m|'re) (?:do|does|doing|handl\w+|tak\w+ care|writ\w+|fix\w*|on it|already)\b"
)
# what the agent did wrong, without what it should do instead
_REPROACHES = (
    r"^(?:[^,:]{1,50}[:,] )?(?:i(?:'ve)? (?:have )?noticed (?:that )?)?(?:you|u)(?:'ve| have)? "
    r"(?:tend to|often|sometimes|usually|keep \w+ing)\b(?!.*\b(?:don't|do not|never|no|stop|please|"
    r"instead|rather|so|should|must|want|need|use)\b)"
)
# what goes wrong when the user does something, what they noticed, and what something shows
_REPORTS = (
    r"^(?:(?:by the way|btw|also|oh|and),? )*i(?:'ve)? (?:just |also )?(?:noticed|saw|see)"
    r"(?: that)? (?:you|it|the|there|some)\b"
    r"(?!.*(?:[,;:] |\b(?:don't|never|please|should|must)\b))|"
    r"^(?:the |our )?(?:\w+ )?\w+ (?:don't|doesn't|do not|does not) (?:show|say|tell|reveal|"
    r"indicate|mention)\b(?! (?:me|us)\b)[^,;:]*$|"
    r"^(?:if|when|whenever|after|once|every time|as soon as) i (?!say|ask|tell|write|type|mention|"
    r"approve)[^,]{2,60}, (?:(?:it|the|this|that|they|nothing|everything|all|some|no|only)\b(?!.*\b"
    r"(?:should|must|means|please|don't|has to|have to|needs? to)\b)|"
    r"not (?:everything|all|every)\b)"
)
# a line of a description, such as `for titles (toolTitle), replacing the unused token`, or one
# thing more, such as `and another section about sharing`
_FRAGMENT = (
    r"^for [^,:]{2,60}, \w{2,}ing (?:the|an?|our|its|this|that)\b|"
    r"^(?:(?:oh|and|also|plus),? ){0,3}(?:another|a second|one more|two more) "
    r"(?!rule|thing|wish|point|note|request|preference|reminder)[\w<>`-]+(?: [\w<>`-]+){0,3} "
    r"(?:with|about|for|on|of|in|that)\b"
)
_NEITHER = any_of(
    _WAIVES,
    _REPROACHES,
    _REPORTS,
    _FRAGMENT,
    for_others.ENGLISH,
    temporary.ENGLISH,
    rf"^(?!{_ASKS}).*\?$(?<!\bok\?)(?<!\banything\?)(?<!\bokay\?)(?<!\bplease\?)",
    rf"^(?!{_ASKS})(?:can|could|would|will) (?:you|we|i)\b",
    r"^(?:why|what(?! i (?:like|want|prefer|expect)\b)|how(?! we\b)|where(?! possible)|which|who|"
    r"is|are|was|were|does|did|do (?:we|you|i|they)|should|has|have|may i|shall|when (?:do|does|"
    r"did|will|is|are|should|can|would))\b",
    r"(?<!\bi )(?<!\bwe )\b(?:say|says|said|states?|claims?|reads|insists?|insisted|according to|"
    r"documented as|told me)\b[^,]{0,30}?(?:[\"“:]|\s'|\bthat\b)",
    r"\bfor now\b|(?<!from )\btoday\b|\btomorrow\b|"
    r"^(?:(?!, (?:i|we|you|they) ).)*\byesterday\b|\bthis time\b|"
    r"\bjust (?:this )?once\b|\bat the moment\b|\bright now\b|\btemporarily\b|\bthis (?:week|"
    r"month|sprint|morning|afternoon)\b|\b(?:for|in|on) this (?:pr|branch|commit|task|change|"
    r"test|session|step|one|file|ticket|bug)\b|\bhere in (?:the |this )?chat\b",
    r"\b(?:great work|thank you|thanks|well done|nice work|good job|haha|lol|let's see)\b|"
    r"^(?:(?:all|both|most|some)(?: of)? )?(?:the|my|our|your|these|those)\b[^,]{1,40}? (?:is|are) "
    r"(?:all |now |completely )?(?:gone|missing|broken|lost|down|red)\b|"
    r",? (?:please )?fix (?:that|this|it)$|^(?:do not|don't)\b.*(?:[,;] (?:just|only) (?:fix|"
    rf"explain|plan)|\byet|[,;] {_ONLY_ASKS})\b|"
    r",? (?:is|are|was|were|does|do|did|has)n't (?:it|there|that|they)$",
    # about oneself or the other: `Never seen that before`, `always nice to work with you`
    r"^(?:i(?:'ve| have)? )?never (?:seen|heard|noticed|known|met|had)\b|"
    r"^(?:it's |it is )?always (?:an? )?(?:nice|good|great|fun|happy|glad|pleasure|joy|delight) "
    r"(?:to|when|with)\b",
)
# an exclamation, an objection to the work at hand, a report of it, or hardly more than a name
_REACTS = any_of(
    r"^(?:jesus|omg|wow|damn|ooh|aha|oops|cool|great|nice)\b",
    r"^no,? (?:do|don't|it|that|this|the|i|you|we|wait|leave|keep)\b",
    r"^\S+(?: \S+)?$",
    r"^(?:and |also |ok |so )*(?:i|we)(?: also| just| already)? (?:ran|did|made|got|saw|found|put|"
    r"wrote|took|sent|built|\w{2,}ed)\b(?!.*\b(?:so|hence|therefore)\b)|"
    r"^(?:if|when) (?:i|we|you) [^,]+, (?:not|nothing|everything|it|the \w+) \w+s\b|"
    r"^in (?:the )?(?:func|function|file|class|method|module|test) \S+, ",
)

ENGLISH = Language(
    explicit=_EXPLICIT,
    neither=_NEITHER,
    sure=_SURE,
    insistent=_INSISTENT,
    reaction=_REACTS,
    rules=Rules(
        any_of(*(each.pattern for each in (RULES.forms, CASES, THROUGHOUT, FORBIDDEN))),
        RULES.universal,
    ),
    at_hand=AT_HAND,
)
