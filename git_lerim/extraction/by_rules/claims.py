"""How well a clause stands alone as a claim: with a subject, a verb and nothing that points elsewhere."""

# ruff: noqa: E501, SIM905  a list of words reads best whole, as text

import re
from functools import cache

_AUXILIARIES = frozenset(
    "is are was were has have had does did can cannot can't can’t must mustn't should shouldn't shouldn’t will won't won’t would may isn't isn’t"
    " aren't aren’t doesn't doesn’t don't don’t didn't didn’t wasn't wasn’t weren't never always now no".split()
)
_VERBS = frozenset(
    "accept add allow aggregate appear apply avoid become begin belong block break build call carry cause change clean come compare compute conflict contain copy corrupt count cover crash create"
    " decide define delete deny depend drop emit enable enforce ensure exceed exist exit expect expose fail fall fetch fix follow force get give go group guard handle hang happen hide hit hold ignore"
    " include inherit install interpolate keep know lack land lead leave let lie list live load lose make map mark match mean measure merge miss move mount need omit outlive overwrite own parse pass pick pin"
    " point prefer preserve prevent produce prove provide publish pull push put raise read receive record refer refuse reject rely remain remove rename render replace report require reset resolve rest"
    " restore resume retain return reuse rewrite run save say scan search see select send serve set share show skip sort split start stay stop store strip suppress support survive swallow take tell throw time"
    " track treat trigger turn use vanish verify wait walk want warn win work wrap write yield".split()
)
_PAST = frozenset("broke came ran went kept held found made took wrote got left lost met led became chose fell hung".split())
_RULES = frozenset(
    "always avoid call capture compute copy default defer deny do don't don’t drop enforce exclude fetch focus force give group hide ignore include inline install keep leave let limit make match merge mount"
    " never only pass pin prefer preserve publish put record reject rely reserve return reuse run scope send serve set share show skip start stay store strip support switch treat use wait wrap write".split()
)
_TASKS = frozenset(
    "add adjust assert check clarify confirm continue covers create delete document ensure expand extend find fix handle implement inspect investigate look mirror move read refactor remove rename replace"
    " restore review search see split test try uninstall update validate verify".split()
)
_THIRD = 0.8  # what a verb of the third person is worth
_NONE = -2.2  # what a clause without a verb is worth
_BEFORE_NOUN = frozenset(
    "the a an of to for with in on at by from as its their this that these those your our my no any each every via per into and or not".split()
)
_SUBORDINATE = frozenset("when if that which because so while since where who whose until unless after before".split())
_LABEL = re.compile(
    r"^[^`:]{0,48}:\s|^(?:`[^`]*`|[\w./ -]{1,30})(?:\s*\([^()]*\))?\s*(?:[:—–]|-(?=\s))\s|^[^\s`]+\s+[—–-]\s|\s[—–]\s.{0,12}$"
)
_DANGLING = re.compile(
    r"^(?:(?:technically|actually|in [^,]{1,40}|for [^,]{1,40}),? )?(?:when|once|if|while|after|before|since|because|although|though|with (?:how|the way)|either)\b[^,]*(?:, but since.*)?$|, (?:when|once|if|while|but since)\b[^,]*$",
    re.IGNORECASE,
)
_TRACE = re.compile(
    r"\(?\blines? \d|[→⇒✓✗≈~]|\s=\s|#\d|\btoday\b|\byesterday\b|\d+ (?:open )?PRs\b|\b(?:WP|T|D|Q|M|PR|ENT)-?\d+\b|\b(?:layer|option|step|phase|part|scenario|finding|window|gate|task|item|round) \d|/(?:Users|home)/|…|\.\.\.$|^\W*\d|\b\d{1,2}–\d|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|\+ |: added\b|\bv?\d+/\d+\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?:I|I’m|I'm|I’ve|I've|we|you|your|you[’']ve|yours|me|my|them|they|those|here|above|below|earlier|let[’']s|previously|of course|technically|right|worth|as of|already|to (?:see|verify)|user runs|today)\b",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"\s(?:\w+ing|\w+’s|\w+'s|needs?|requires?|uses?|rarely|often|usually|first|main|current|existing|actual|same|such|other|whose|strict|new|single|proper|full|own|explicit|tailored|simply|already|be|grou)$"
    r"|[“(\[][^”)\]]*$|, \w+$|\b(?:found|keeps?|says?|means?|adds?|takes?|gets?|makes?)$",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:the|one|all|both|each|these|those|my|our|another|either|neither) (?:(?:current|new|old|existing|whole|entire|only|last|first|second|remaining|main|other|proper|right|final) )?"
    r"(?:change|changes|comment|fix|tool|tests?|code|structure|behaviou?r|command|function|method|approach|error|issue|problem|agent|user|session|plan|task|file|files|work|implementation|documentation|reason|part|"
    r"thing|catch|point|difference|result|results|question|answer|coverage|fact|case|cases|pattern|logic|check|line|lines|step|steps|idea|simplification|test|content|template|example|refactor|condition|suite|table)\b(?! `)",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:coverage|tests?|styling|section|command|comment|docs?|documentation|regression\b.*) (?:was|were) (?:added|created|changed)|\b(?:is|was|were) (?:added|created)(?: (?:in|to|at) \S+)?$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(?:from|to|it|them|this|that|these|those|both|all)\b", re.IGNORECASE)
_DONE = re.compile(
    r"^(?:(?:I|we)(?:[’']ve| have)? )?(?:also |now |then )?(added|changed|consolidated|converted|created|deferred|deleted|dropped|extracted|inlined|introduced|merged|moved|normali[sz]ed|redesigned|removed|renamed|replaced|reverted|simplified|split|switched|turned|unified) "
    r"(?P<what>.{3,70}?)(?= (?:to|from|with|in|into|for|so|that|which|when|where|while|as|by|on|at|instead|rather|via|using|through|because|after|before)\b| and (?:\w+ed|kept)\b|[;:—–]| \(|\.?$)(?P<rest>.*)$",
    re.IGNORECASE,
)


def claim(short: str) -> float:
    """Return how well a clause stands alone, from about -4 to 1."""
    words = [word.strip("“”\"'().,;:!?") for word in short.split()]
    value = _said(words)
    value -= 1.5 * bool(_LABEL.search(short)) + 1.2 * bool(_TRACE.search(short)) + 0.7 * bool(_SPOKEN.search(_bare(short)))
    value -= 2.0 * bool(_DANGLING.search(short))
    value -= 0.7 * bool(_LOOSE_END.search(short)) + 0.5 * (short.count("`") > 4) + 0.4 * (short.count(",") > 2)
    return value - 1.0 * bool(short.endswith("?")) - 0.8 * bool(_VAGUE.match(short)) - 1.8 * bool(_MADE.search(short))


def _bare(short: str) -> str:
    return " ".join(short.split("`")[::2])


def _said(words: list[str]) -> float:
    """Return what the verb of a clause is worth: a finite one after a subject, or a rule's imperative."""
    first = words[0].lower() if words else ""
    if first in _RULES:
        return 0.5
    if first in _TASKS or _action(first):
        return -0.8
    best = _NONE
    inside = many = False
    for place, word in enumerate(words):
        low = word.lower()
        if place and low in _SUBORDINATE:
            break
        inside_before = inside
        inside ^= word.count("`") % 2 == 1
        if place and not inside_before and "`" not in word and words[place - 1].lower() not in _BEFORE_NOUN:
            best = max(best, _finite(low) if many or low not in _VERBS else _NONE)
        many |= low.endswith("s") and not low.endswith(("ss", "us", "is"))
    return best


def _action(word: str) -> bool:
    """Tell whether a word in a subject's place is a verb: `covers`, `rendered`."""
    return _finite(word) == _THIRD or (word.endswith("ed") and len(word) > 5)  # but not `need`, `speed`


@cache
def _finite(word: str) -> float:
    if word in _AUXILIARIES:
        return -0.6 if word in {"no", "now", "always", "never"} else 0.9
    base = {word[:-1], word[:-2], f"{word[:-3]}y"} if word.endswith("s") else set()
    if base & _VERBS or word in _PAST:
        return _THIRD
    if word in _VERBS:
        return 0.4
    return -0.6 if word.endswith("ed") and len(word) > 4 else _NONE


def told(sentence: str) -> str:
    """Return a sentence that tells what somebody did as one that tells what was done."""
    found = _DONE.match(sentence)
    if (
        not found
        or _POINTS.match(found["what"])
        or len(found["what"].split()) > 8
        or "," in found["what"]
        or found["rest"].startswith((" that", " which"))
    ):
        return sentence
    what, last = found["what"], found["what"].rstrip("`").lower()
    many = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in what
    return f"{what[:1].upper()}{what[1:]} {'were' if many else 'was'} {found[1].lower()}{found['rest']}"
