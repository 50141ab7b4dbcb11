"""Recognize an order by its form: a verb that begins a sentence, and the thing it acts on."""

import re

from git_lerim.extraction.wishes.requests import asked_for

# verbs that order a change of the product or of how it is built, also if nothing is done yet
_KNOWN = (
    r"add|allow|always|avoid|build|call|change|collapse|combine|consolidate|convert|copy|create|"
    r"default to|delete|derive|disable|display|do not|do away with|don[’']t|drop|enable|ensure|"
    r"exclude|expose|extract|fall back|generate|get rid of|give|go with|group|handle|hide|ignore|"
    r"include|inline|instead of|keep|leave|limit|load|log|make|make sure|maintain|merge|migrate|"
    r"mount|move|never|only|open|pass|prefer|put|read|reference|refactor|reject|remove|rename|"
    r"render|replace|reset|return|reuse|revert|run|save|send|set|show|simplify|skip|split|stop|"
    r"store|strip|support|switch|treat|turn|use|wire|wrap|write"
)
# further verbs, which act on things without an article: `Cache quotes for 60 seconds`
_OTHER = (
    r"accept|aggregate|alert|append|archive|assign|attach|authenticate|back off|base|batch|bind|"
    r"block|bound|buffer|bundle|cache|cap|capture|cast|catch|choose|clamp|coerce|compress|compute|"
    r"configure|count|cut|debounce|declare|decode|decrypt|deduplicate|defer|define|delegate|deny|"
    r"deprecate|detect|ditch|document|dump|downgrade|emit|embed|encode|encrypt|enforce|escape|"
    r"expire|export|fail|fetch|filter|flush|forbid|force|format|freeze|gate|guard|hash|hold|host|"
    r"import|index|inject|install|invalidate|isolate|issue|join|lazy-?load|listen|lock|lower|map|"
    r"mark|mask|memoize|mirror|mock|name|normali[sz]e|notify|omit|order|pad|page|paginate|parse|"
    r"partition|permit|persist|pick|pin|poll|pool|post|prefetch|prefix|preserve|produce|propagate|"
    r"protect|provide|queue|quote|raise|rate[- ]limit|record|redact|redirect|refuse|register|rely|"
    r"reload|report|request|require|reserve|resolve|restore|restrict|retry|rotate|round|route|"
    r"sanitize|scale|schedule|scope|scrap|seed|serialize|serve|shard|share|ship|sign|sort|squash|"
    r"standardize|start|stay|stick|stream|subscribe|suppress|swallow|sync|tag|target|throttle|"
    r"throw|trim|truncate|trust|unify|update|upgrade|validate|vendor|version|whitelist|"
    r"(?:go|roll) back"
)
_ARTICLE = (
    r"(?:the|an?|all|any|every|each|both|our|your|its|their|no|only|one|two|three|\d+|`[^`]+`|"
    r"[\w-]*[_./]\w[\w./-]*)"
)
# what may stand before an article without being a verb
NO_VERB = (
    r"(?:a|about|above|according|across|after|against|all|along|although|am|among|an|and|any|are|"
    r"around|as|at|be|because|been|before|behind|below|beneath|besides?|between|beyond|both|but|"
    r"by|can|could|despite|did|does|down|during|each|either|else|even|every|except|few|for|from|"
    r"given|got|guess|had|half|has|have|heard|hence|here|hope|how|i|if|in|inside|into|is|its?|"
    r"just|less|like|many|may|maybe|mind|more|most|much|near|neither|nor|not|now|of|off|on|once|"
    r"onto|or|our|out|outside|over|per|perhaps|plus|quite|rather|saw|see|shall|should|since|so|"
    r"some|still|such|than|thank|that|the|their|then|there|they|think|though|through|thus|till|to|"
    r"toward|under|unless|unlike|until|up|upon|versus|via|was|we|were|what|when|whenever|where|"
    r"whether|which|while|who|whose|why|will|wish|with|within|without|would|yes|yet|you|your)"
)
_SUBJECT = (
    r"(?: (?!(?:the|an?|to|in|into|on|at|of|for|from|with|by|as|and|or|not|that|it)\b)[\w-]+)"
)
PREDICATE = (
    r"(?:(?:is|are|was|were|am|be|has|had|do|does|did|can|cannot|could|will|would|must|should|may|"
    r"might)\b|\w+n[’']t\b|(?:expires|fails|breaks|loses|takes|needs|returns|works|crashes|hangs|"
    r"gets|goes|keeps|comes|causes|throws|blocks|grows|leaks|stops|failed|broke|crashed|took|"
    r"lost|stopped|hung)\b)"
)
# a statement that begins with such a word: `Cache misses are slow`
_STATES = re.compile(rf"[\w-]+{_SUBJECT}{{0,2}} {PREDICATE}", re.IGNORECASE)
_STATES_AT_ONCE = re.compile(rf"[\w-]+ {PREDICATE}", re.IGNORECASE)  # `Build breaks on arm64`
VERB = rf"(?:{_KNOWN}|{_OTHER})"
_BEGINS = (
    r"(?:please |let[’']s (?:not )?|just |also,? please |i want (?:you )?to |"
    r"i[’']d like (?:you |us )?to |we (?:should|need to|want to) |can you (?:please )?)?"
)
_ORDER = re.compile(rf"{_BEGINS}(?:{_KNOWN})\b", re.IGNORECASE)
# rejects a thing: `No Celery, because nobody can operate it`
_REJECTED = (
    r"no (?!(?:idea|problem|luck|worries|need|changes?|clue|doubt|difference|hurry|rush|way|"
    r"matter|errors?|output|results?|effect|more|longer|one|thanks|time|that|this|it|wait|\w+ing|"
    r"(?:\w+ )?tests?)\b)[\w.+#-]+(?: [\w.-]+){0,3}"
)
_REJECTS_WHY = re.compile(
    r"(?!.*\b(?:this|that|these|those|now|yet|again)\b.*,)(?!\w+ (?:commits?|push|prs?|branch|plan|"
    rf"deploy|release|merge|edits?|step|phase|part)\b)(?:please )?(?:{_REJECTED}|"
    r"not (?!(?:like|in|on|so|sure|really|quite|the|today|only)\b)[\w.+#-]+(?: [\w.-]+)?), "
    r"(?:(?:it|they)(?:[’'](?:s|re|ll))? \w+|(?:way |far |much )?too \w+|"
    r"(?:we|nobody|one|two|\d+|an?|the|our|customers|users) \w+ \w+|"
    rf"(?!(?:i|you|that|this|just|then)\b)(?:[\w.-]+ ){{1,4}}{PREDICATE})",
    re.IGNORECASE,
)
_OTHER_ORDER = re.compile(
    rf"{_BEGINS}(?:(?:{_OTHER})\b|"
    rf"(?!{NO_VERB}\b)[a-z]{{3,}}(?<![^s]s)(?<!ed)(?<!ing)(?<!ly) {_ARTICLE}(?!\w))|"
    r"we (?:(?:stay|stick) (?:with|to|on)|go (?:with|for|back to)|keep (?!\w+ing)|use)\b|"
    r"we(?:[’']ll| will) (?:do|use|keep|store|stay with|stick to|go with) (?!(?:it|that|this)\b)|"
    # `Do polling instead of websockets`
    r"do (?!(?:not|you|we|i|they|it|this|that|so|these|those|the (?:same|other|next|last|first))\b)"
    r"[^,;]+ (?:instead of|rather than|(?:and )?not)\b(?! (?:one|two|three|four|five|\d+|all)\b)|"
    r"forget [^\s,;:]+(?: [^\s,;:]+){0,2}[,;:] (?:we|let[’']s|use|take|go with)\b|"
    rf"{_REJECTED}(?:,| because\b)",
    re.IGNORECASE,
)
# agrees to do something, or objects to what was done, before the order
_LEAD = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|nah|nope|hm+|actually|then|but|and)[,.!:]? +|(?:no|sure|fine|"
    r"right|sorry|on second thoughts?|(?:i|we)(?:[’']ve| have)? changed (?:my|our) minds?|"
    r"alright|great|perfect|good(?: idea| point)?|sounds good|wrong|go(?: ahead)?|(?:let[’']s )?do "
    r"(?:it|that|so)|that(?:[’']s| is) (?:wrong|not (?:right|correct|it))|not like that)"
    r"(?:[,.!;:]| [–—-]+) +)+",
    re.IGNORECASE,
)
_DECIDED = re.compile(r"(?:we|i)(?:[’']ve| have)? (?:decided|agreed|settled) to ", re.IGNORECASE)
# asks for an order to be carried out
_ASKS_FOR = re.compile(
    r"(?:can|could|would) (?:we|you|u)(?: (?:please|pls|plz))? (?=[^?]+\?$)", re.IGNORECASE
)


def order_in(sentence: str) -> str:
    """Return the order that a sentence gives, also as a question: `Can you use A instead of B?`.

    So is what was decided: `We decided to use A`. The result is "" for any other question.
    """
    if not sentence.endswith(("?", "？")):
        decided = _DECIDED.match(sentence)
        return sentence[decided.end() :] if decided else sentence
    question = without_lead(sentence)
    asked = _ASKS_FOR.match(question)
    return question[asked.end() :].rstrip("? ") if asked else asked_for(question)


def without_lead(sentence: str) -> str:
    """Return a sentence without the words that agree or object before it: `Ok, but use X`."""
    lead = _LEAD.match(sentence)
    return sentence[lead.end() :] if lead else sentence


def rejects_why(sentence: str) -> bool:
    """Return whether a refusal names a thing and says why: `No Celery, it's too heavy`."""
    return bool(_REJECTS_WHY.match(sentence))


def is_order(sentence: str, *, done: bool) -> bool:
    """Return whether a sentence has the form of an order; `done` tells that files were changed.

    A verb that may also ask for work of the moment, such as `queue`, counts only if `done`.
    """
    if _ORDER.match(sentence):
        return not _STATES_AT_ONCE.match(sentence)
    return done and bool(_OTHER_ORDER.match(sentence)) and not _STATES.match(sentence)
