"""Decide whether a user's sentence can be a memory's title: complete and clear on its own.

No word is cut from the front or middle of a sentence, but for an aside such as `btw`. Its end may
be cut: a reason, or the last clauses of a long wish. What is cut stays in the body.
"""

import re

from git_lerim.extraction.by_rules.sentences.interjections import without_interjection
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.transcript.text import plain
from git_lerim.extraction.transcript.words import identifiers, terms
from git_lerim.extraction.wishes.english_lasting import NOT_AGAIN
from git_lerim.extraction.wishes.named_times import without_named_times
from git_lerim.extraction.wishes.requests import asked_for, without_tag

LIMIT = 120  # characters of a title
_LEAST = 12
_MOST_WORDS = 24
_NAMES = 2  # topical words that say what a pronoun after them means
_WEAK_START = re.compile(
    r"(?:it|its|it[’']s|this|that|that[’']s|thatÄ's|these|those|they|they[’']re|them|he|she|there|"
    r"there[’']s|here|which|what|who|whose|and|but|or|so|because|since|then|also|same|both|either|"
    r"neither|yes|yeah|yep|yea|ok|okay|alright|right|sure|fine|great|good|nice|cool|perfect|lgtm|"
    r"thanks?|thank|hi|hey|hello|hmm+|hm|huh|oh|ah|ugh|wow|wait|well|lol|sorry|uh|um|sooo*|maybe|"
    r"perhaps|probably|anyway|otherwise|however|therefore|though|instead(?! of)|again|"
    r"now|next|first|second|finally|if so|like|e\.g|i\.e|btw|fyi|[a-e][.):]|option|step|phase|"
    r"part|pr|line|can|could|would|will|should|shall|if the (?:latter|former)|do we|do you|does|"
    r"did|is|are|was|were|has|have|had|why|how|when do|when does|where|help|try|let me|my dude|"
    r"dude|fuck\w*|omfg|wtf|jesus|the (?:lesson|point|problem|issue|question|should|must|"
    r"can)\b(?! of\b| with\b)|you|seems?|looks?|nothing|everyone|somebody|someone|no,|no worries|"
    r"not quite|not really|nope|\d+[.):]?)\b(?!-)|[^\w`\"“'‘<@.(\[#&/*-]",
    re.IGNORECASE,
)
_POINTS = re.compile(  # refers to something that only the session shows
    r"\bbelow(?! (?:the\b|\d|\S+/))|"
    r"\b(?:this|these|those|above|earlier|following|attached|screenshot|"
    r"screencapture|pasted|the (?:last|latest|previous|current|next) (?:commit|change|checkpoint|"
    r"run|one|message|step|pr|two|three)|the (?:first|second|two|other|same) (?:one|ones|tests?|"
    r"thing)|as (?:discussed|mentioned|before|it used to)|i shared|you (?:wrote|said|mentioned|"
    r"found|have|made|did|just)|your (?:plan|suggestion|proposal|recommendation|change|last|best)|"
    r"option [a-d\d]\b|#\d+\b(?! ?[a-f\d])|today|tomorrow|yesterday|tonight|right now|"
    r"at the moment|this time|just now|so far|again|(?:not|done|there|have|has|is|are) (?:already|"
    r"yet)|in parallel|let me|i[’']ll|i will|i[’']m going|and (?:tell|show|let) me|propose)\b",
    re.IGNORECASE,
)
# how a condition or contrast begins that only the sentence before it completes
_ELLIPTIC = (
    r"(?:if|unless|when) (?:not|so|yes|no|it|they|that|this|those|these|any|none|neither|one)\b|"
    r"(?:in|for) (?:that|this|such a|any other|the other|either) case|else|or else|"
    r"the (?:former|latter|same)|(?:wenn|falls) (?:nicht|ja|nein|doch|es|sie|das)|sonst|ansonsten|"
    r"andernfalls|(?:in (?:dem|diesem)|im anderen) fall|sinon|(?:si|dans ce) (?:oui|non|cas)|"
    r"si no|en (?:ese|este|tal) caso|de lo contrario|senão|caso contrário|nesse caso|altrimenti|"
    r"in (?:quel|tal) caso|zo niet|anders|in dat geval|"
    r"jeśli nie|inaczej|w przeciwnym razie|если (?:нет|да)|иначе|в противном случае"
)
# what somebody works on, which the repository is or stands for
_WORKPLACE = (
    r"(?:repo|repository|project|code(?: ?base)?|crate|module|package|team|lab|product|app|company|"
    r"service|monorepo|workspace|box|machine|server|cluster|board|target|firmware|game|mod|engine|"
    r"tool|library|lib|plugin|extension|site|website|shop|fork|org|solution|kernel|driver)"
)
_POINTING = (  # what says the same as something before it
    rf"(?:it|it[’']s|its|that|that[’']s|this(?! {_WORKPLACE}\b)|these|those|they|they[’']re|them|"
    r"then|he|she|there|which|who|because|same|both|maybe|perhaps|probably|otherwise|"
    r"instead(?! of)|again|not|yes|"
    r"what about|how about)"
)
# how a sentence begins that depends on the one before it, even a wish
_LEANS = re.compile(
    r"(?:it(?:[’']s)?(?![’']| (?:is |would be |drives me |annoys me )?(?:really |very |so )*"
    r"(?:to me|important|nice|great|good|lovely|helpful|fine|ok|okay|crazy|mad|nuts|when|if|every|"
    r"a pain)\b)|(?:but|so)(?!,? (?:please|pls|always|never|do not|don[’']?t|(?:could|can|would|"
    r"will) you|from now|in (?:the )?future|going forward|next time|for (?:next time|(?:your )?"
    r"future ref\w*)|make it an?|remember|when|if(?! (?:not|so|yes|no)\b)|use|no|every|each|all)"
    rf"\b)|(?:(?:and|also|oh|ok|okay|btw|um|ah)[,:]? ?(?:– )?)+(?:but|so|{_POINTING})\b|"
    r"its|that|that[’']s|these|"
    r"those|they|they[’']re|them|which|who|or|because|since|then|same|both|my dude|dude|"
    r"hm+(?!,? (?:(?:and|but|ok|okay),? )*(?:next time|from now|in (?:the )?future|please|pls|"
    r"always|never)\b)|"
    r"you (?:see|could|did|know)|alright|yeah|yep|well|ugh|wow|wait|lol|sorry|maybe|perhaps|"
    r"probably|actually|anyway|otherwise|however|instead(?! of)|next(?! time\b)|seems?|looks?|"
    rf"the (?:should|must|can)|{_ELLIPTIC}|this (?!{_WORKPLACE}\b))\b|"
    r"[^\w`\"“'‘<@.(\[#&/*-]",
    re.IGNORECASE,
)
_POINTS_AWAY = re.compile(  # what a wish refers to that only the session shows
    r"\b(?:above(?! \S)|below(?! \S)|earlier|the following|attached|pasted|as (?:discussed|"
    r"mentioned)|the (?:last|latest|previous|current) (?:commit|change|run|one|message|step|pr)|"
    r"option [a-d\d]|#\d+|(?<!from )today|tomorrow|yesterday|tonight|right now|at the moment|"
    r"this time|just now|i shared|you (?:said|mentioned|just)|your (?:suggestion|proposal|"
    r"recommendation|last)|(?:as|by|follow|from|implement|in|of|per|to|with) your plan)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?<=\s)(?:this|these|those|it(?! (?:better )?(?:when|if|comes|is|would|an? (?:\w+ )?(?:habit|"
    r"rule|convention|standard|policy|principle))\b)|them)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:(?<!you[’']re )(?<! are )not sure|i guess|i wonder|wondering|i don[’']?t (?:know|"
    r"think|get|understand)|i feel like|i think|i believe|for now|haha)\b|(?:…|\.\.\.)$",
    re.IGNORECASE,
)
_ASKS_ALWAYS = re.compile(
    r"(?:(?:and|but|so|also|oh|ok|okay|please),? )*(?:(?:can|could|will|would) you|"
    r"(?:can|could|shall) we (?:please |all )*agree)\b|"
    r".*, (?:ok|okay|please|right)\?",
    re.IGNORECASE,
)
_NAMES_FIRST = re.compile(r"no \S+, (?:it|they)\b", re.IGNORECASE)  # `No Celery, it's too heavy`
_CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_SO_THAT = re.compile(rf"^{NOT_AGAIN}", re.IGNORECASE)
_HERE = re.compile(rf"\bthis {_WORKPLACE}\b", re.IGNORECASE)
_PLACE = re.compile(r"\bthis (?:repo|repository|project|code ?base|machine)\b", re.IGNORECASE)
_LACKS_OBJECT = re.compile(
    r"\b(?:don[’']t|do not|never|always|stop|avoid)\s+(?:\w+ ){1,2}?(?:it|this|that|them)$|"
    r"\b(?:our own|the same|as usual)$",
    re.IGNORECASE,
)
_BARE_ORDER = re.compile(
    r"(?:please )?(?:do not|don[’']t|never|always|add|show|use|make|keep|remove|hide)\b",
    re.IGNORECASE,
)
_DANGLES = re.compile(
    r"\b(?:don[’']t|do not|never|always|stop|avoid)\s+(?:\w+ ){1,2}?(?:it|this|that|"
    r"them)\b(?!\s+\w{4,})|\b(?:as well|our own|the same|as usual)$|,? (?:right|yeah|no|correct|"
    r"ok|too|gtg)$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|it[’']s|them|they|they[’']re|their|ones|that|"
    # not a number, as in `one small box`
    r"one(?! (?!(?:of|in|from|for|that|which|with|on|at|by|to|as|and|or|is|was|has|can|should|must|"
    r"instead|because|the)\b)[a-z]))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:so|such|sure|ensure\w*|note|means?|know|says?|given|remember|anything|everything|"
    r"something|of|(?:the|an?|each|every|any|no) \w+|\w+s|\w+ed) that\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"\b(?:f+u+c+k\w*|shit\w*|wtf|fml|idiot\w*|stupid|moron\w*|crap\w*|bullshit|damn\w*|"
    r"asshole\w*|dumb\w*|barf\w*)\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\?|\b(?:(?<!you[’']re )(?<!you are )not sure|i guess|i wonder|wondering|"
    r"i don[’']?t (?:know|think|get|understand)|"
    r"i feel like|^i think|^i believe|iiuc|afaik|imho?|if you need|if needed|please advise|haha|"
    r"for now|i (?:got|had|saw|just|messed|reviewed|removed|created|did|was|am|have|tried|ran|"
    r"found|noticed|keep|see|can|cannot|already|concede)|we just|"
    r"(?<!because )(?<!since )we (?:did|had|were)|got this)\b|…|\.\.\.",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\s*(?:,\s*(?:since|because|as|so that|so|otherwise|that way|to make sure|that[’']s why|"
    r"which is why|they are|it[’']s|it is|it)|"
    r"(?<!not just)(?<!only)(?<!partly)(?<!simply)\s(?:because|since|so that|in order to|"
    r"given that|due to)|;|\s[—–-]+|\s\()\s?(?!but\b|only\b|unless\b|not\b|except\b|without\b|"
    r"never\b)",
    re.IGNORECASE,
)
# Words that change the meaning, and must not be cut off.
_TURNS = re.compile(
    r"\b(?:but|only|unless|not|except|without|never|n[’']t|until|if)\b", re.IGNORECASE
)
# says what happens without it, so that a `not` in it changes nothing
_OTHERWISE = re.compile(r",? otherwise\b", re.IGNORECASE)
_LIMITS = re.compile(r"\b(?:but|unless|except|until)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[,;:]|\s[—–-])\s")
_QUALIFIES = re.compile(
    r"[,;:\s–—-]+(?:and |or )?(?:only|not|without|never|n[’']t|until|if)\b|"
    r".*\b(?:but|unless|except\w*|excluding|other than|apart from|save for|besides|as long as|"
    r"provided|although|though|whereas|in contrast|afterwards|however)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(  # a condition without its main clause
    r"(?:when(?:ever)?|if|before|after|once|for|in|on|with|because|since|unless|while)\b[^,]*",
    re.IGNORECASE,
)
_CLOSING = {"(": ")", "“": "”", "[": "]"}


def title_of(sentence: str, *, wish: bool = False) -> str:
    """Return a sentence as a title, or "" if it is not clear on its own.

    A wish may use words such as `here` and `I`; any other statement must name its subject.
    """
    bare = without_tag(plain(sentence).strip()).strip("¿¡ .!。！")
    bare = without_interjection(bare) if wish else bare
    text = bare if len(bare) <= LIMIT else _without_reason(bare) or (wish and _first_clauses(bare))
    if (
        not text
        or not _width(text) >= _LEAST - (2 if wish else 0)  # `Always pnpm`
        or (len(text.split()) > _MOST_WORDS and not wish)
        or not _balanced(text)
    ):
        return ""
    if _UNFIT.search(bare) or text.endswith((":", ",", "…")):
        return ""
    if not (_wish_stands_alone(text) if wish else _stands_alone(text)):
        return ""
    return capital(text.rstrip("? "))


def leans(sentence: str) -> bool:
    """Return whether a sentence begins with words that point to the one before it."""
    return bool(_LEANS.match(sentence))


def _width(text: str) -> int:
    """Return the length of a text, counting Chinese and Japanese characters as two."""
    return len(text) + sum("\u3040" <= sign <= "\u9fff" for sign in text)


def _stands_alone(text: str) -> bool:
    text = _PLACE.sub("here", without_named_times(spelled_out(text)))
    if _TALK.search(text) or _WEAK_START.match(text) or _POINTS.search(text):
        return False
    relative = {found.end() for found in _RELATIVE.finditer(text)}
    pronouns = (found for found in _PRONOUN.finditer(text) if found.end() not in relative)
    pronoun = next(pronouns, None)
    if pronoun and len(set(terms(text[: pronoun.start()]))) < 2:
        return False
    if _DANGLES.search(text):
        return False
    return len(set(terms(text))) >= (
        2 if identifiers(text) else 4 if _BARE_ORDER.match(text) else 3
    )


def _wish_stands_alone(text: str) -> bool:
    """Return whether a wish is clear without the text before it; it may say `here` and `we`."""
    text = _SO_THAT.sub("", text)
    prose = _CODE.sub("`x`", _HERE.sub("here", without_named_times(text)))
    back = _LACKS_OBJECT.search(prose) or _BACK.search(prose)
    return not (
        leans(text)
        or _DOUBTS.search(prose)
        or (prose.endswith("?") and not (_ASKS_ALWAYS.match(prose) or asked_for(prose)))
        or _POINTS_AWAY.search(prose)
        or (
            back
            and len(set(terms(prose[: back.start()]))) < _NAMES
            and not _NAMES_FIRST.match(prose)
        )
    )


def _without_reason(text: str) -> str:
    """Return a long sentence without its final reason, or "" if no sentence remains."""
    cuts = [
        found.start() for found in _REASON.finditer(text) if _LEAST * 2 <= found.start() <= LIMIT
    ]
    heads = [
        text[:cut].rstrip(" ,;:—–-")
        for cut in reversed(cuts)
        if not (_LIMITS if _OTHERWISE.match(text[cut:]) else _TURNS).search(text[cut:])
    ]
    return next((head for head in heads if len(head.split()) >= 5 and _balanced(head)), "")


def _first_clauses(text: str) -> str:
    """Return as many first clauses of a long wish as fit into a title, or "" if none do."""
    cuts = [found.start() for found in _CLAUSE.finditer(text) if found.start() <= LIMIT]
    heads = [text[:cut] for cut in reversed(cuts) if not _QUALIFIES.match(text[cut:])]
    return next(
        (
            head
            for head in heads
            if len(head.split()) >= 5 and _balanced(head) and not _CONDITION.fullmatch(head)
        ),
        "",
    )


def _balanced(text: str) -> bool:
    text = _CODE.sub("", text)
    if "`" in text:
        return False
    return text.count('"') % 2 == 0 and all(
        text.count(a) == text.count(b) for a, b in _CLOSING.items()
    )


def capital(text: str) -> str:
    """Return a text with a capital letter, unless it begins with a name in code."""
    first = text.split(maxsplit=1)[0]
    return (
        text
        if identifiers(first) or not first[:1].isalpha() or first[1:2].isupper()
        else text[:1].upper() + text[1:]
    )


def fits_quote(text: str) -> bool:
    """Return whether the user's words are free of swearing, so that a memory may quote them."""
    return not _UNFIT.search(text)
