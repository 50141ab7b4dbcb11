"""A title that stands alone: one short clause that names its subject."""

# ruff: noqa: E501  a pattern reads best whole

import re
from collections.abc import Sequence

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.claims import claim, told
from git_lerim.extraction.by_rules.text import plain
from git_lerim.extraction.by_rules.words import identifiers, terms

WORDS = 12
_LOOKED = 6  # sentences of a text that can give the title
_LEAST = -9.0  # the merit of what is no title
_ASIDE = re.compile(r"\s+\((?![^()]*`[^()]*\()[^()]*\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CHOSEN = re.compile(r"the user (?:chose|answered) “(.{12,}?)”\.?$")
_ANSWERED = re.compile(
    r"asked “([^”]*\?)”, the user (?:chose|answered) “(?:option \w+\W+)?([^”]*?)(?: \(recommended\))?”\.?$", re.IGNORECASE
)
_ASKED = -0.9  # what a question with its answer is worth as a title, where no claim will do
_LABELLED = re.compile(
    r"^(?:(?:`[^`]*`|[^`:;.,—–]{1,40})(?:: | [—–] )|(?:if|when|in|for|on|with|without|once|since|because|given|so|but|and|right|then|given that)\b[^,`]{3,60}, )",
    re.IGNORECASE,
)
_LIMIT = 110  # characters
_CUT = "\x00"  # stands where a clause had to be cut in its middle
_OPENING = re.compile(
    r"^(?:(?:the|one|a|our|my) )?(?:(?:real|actual|main|key|core|only|likely|practical|most likely|important|cleanest|simplest|best|underlying|crucial|big) )*"
    r"(?:issue|problem|bug|root cause|cause|reason|insight|point|distinction|fix|change|finding|clue|caveat|nuance|answer|summary|result|rule|difference|constraint|recommendation|approach|shape|failure|culprit|idea|solution|key)"
    r"(?: here| now| for this)?(?: (?:is|was)(?: that| because| simple)?|:)\s*[:,]?\s*|^(?:please )?note that\s+|^(?:note|root cause|reasoning|reason|why|fix|problem|result|summary|answer|conclusion|caveat|important|update|warning|tip|todo)\s*[:—–-]\s*|"
    r"^(?:in (?:practice|short|other words|summary|fact|particular)|as a result|for (?:example|now|current \S+)|by definition|that said|effectively|however|therefore|hence|thus|but|because|since|also|additionally|currently|now|then|finally|instead|so)\b,?\s+|"
    r"^(?:i|we)(?:[’']ve| have)? (?:also )?(?:found|confirmed|verified|concluded|noticed|see|saw|think|believe|decided|discovered|learned)(?: out)? (?:that )?|^i (?:would have |had )?thought (?:that )?(?:we )?",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:(?:ok(?:ay)?|alright|great|yes|yeah|no|so|and|now|also|please|let[’']?s|then|well|hmm|actually|btw|but|really|finally|can you|could you|can we|i think we (?:should|can)|we should|i want you to|just|\d+[.)])[,.:]*\s+)+",
    re.IGNORECASE,
)
_CUTS = re.compile(
    r"\s*(?:;|\s[—–-]\s|,? (?:because|since|so that|which|so|but|while|whereas|although|even though|otherwise|instead of|rather than|hence|i\.e\.|e\.g\.)\b|,(?= )|\(|:(?= )|→|\. )"
)
_LOOSE = re.compile(r"\s(?:to|by|with|that|when|for|and|of|from|on|in|as|than|if|at|into|or|via|using)\s+\S+(?:\s+\S+)?$")
_TAIL = re.compile(
    r"\s+(?:the|a|an|of|to|in|on|at|by|and|or|with|for|that|is|are|was|from|as|its|their|it|when|if|than|into|this|not|be|will|would|also|only|no|any|your|our|has|have|does|do|instead|rather|both|so|because|which|where|via|using|per|between|whether|inside|within|through|onto|over|about|until|while|after|before|against|across|during|up|out|new|still|just)$",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"^(?:asked|the user|not chosen|it|its|this|that|these|those|they|them|there|he|she|which|what|who|if|when|once|then|and|or|here|same|both|each|yes|no|not|option \w|step \d|line \d|lines \d|scenario|example|cons|pros|plus|location|(?:tasks?|pr|bugs?|issues?|findings?|points?|problems?|items?|phase|wp) #?\d|you|your|i|we|my|let|to|done|see|hit \d|make some)\b|^\W*$|^\d",
    re.IGNORECASE,
)


_PAPER = r"(?:docs?|documentation|readme|guide|plan|section|summary|comments?|spec(?:ification)?|pr|pull request|branch|diff|commit|changelog|report|tests?|suites?)"
_STATE = re.compile(  # of the work or of what was written about it: true for an hour, and seen in the repository itself
    rf"^(?:it |this |they |these |the (?:[\w-]+ )?{_PAPER} |[A-Z][\w ]{{2,30}}? {_PAPER} |{_PAPER} )?(?:now |also )*(?:covers?|documents?|describes?|outlines?|summari[sz]es?|clarif(?:y|ies|ied))\b|"
    rf"^(?:(?:the|this|[A-Z]\w*) )?(?:\w+ ){{0,2}}{_PAPER} (?:now |also )*(?:lists?|mentions?|explains?|includes?)\b|"
    r"\bneeds? (?:updating|rebas\w+|triage)\b|\b(?:un)?mergeable\b|\bonly remaining\b|\bworking tree\b|^(?:pr|pull request) \W?\d+ (?:now )?(?:has|is)\b|"
    r"\b(?:is|are|was|were|been|being) (?:now |still |already |all |currently )*(?:cleanly|fully|properly|correctly|working|fixed|wired|committed|pushed|merged|published|deployed|green|passing|failing|buildable|unstable|recorded in|running (?:at|on))\b|"
    r"\b(?:tests?|suites?|logging|documentation|coverage)\b.{0,50}\b(?:was|were) (?:created|added|updated|written)\b|"
    r"\b(?:type ?check(?:ing)?|tests?|builds?|lint(?:ing)?|ci|suites?|compil\w+) (?:now )?(?:pass(?:es|ed)?|completed|succeed(?:s|ed)?)\b|"
    r"\b\d+ (?:\w+ )?(?:files?|tests?) (?:scanned|touched|changed|checked|passed|updated)|^files (?:checked|scanned|touched)\b",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(r"^(?:[\w`./-]+(?: [\w`./-]+)?, ){4,}")


def tells_state(title: str) -> bool:
    """Tell whether a title says how the work stands rather than what was decided or learned."""
    return bool(_STATE.search(title))


def title(sentences: Sequence[str], lead: str, heading: str, said: str) -> str:
    """Return the best title that some sentences, a bold lead, a heading or the human's words give."""
    return titles(sentences, lead, heading, said)[0][1]


def titles(sentences: Sequence[str], lead: str, heading: str, said: str) -> list[tuple[float, str]]:
    """Return the titles that a text could have with their merit, the best first; there is at least one."""
    topic = set(terms(" ".join([*sentences, said])))
    offers = [
        *((both, _ASKED) for sentence in sentences[:1] if (both := _answer(sentence))),
        (lead, 0.3),
        *((told(part), 0.3 - 0.1 * order) for order, sentence in enumerate(sentences[:_LOOKED]) for part in _parts(sentence)),
        *((sentence, -0.6) for sentence in _SENTENCE.split(said) if not sentence.endswith("?")),
        (heading, -0.9),
    ]
    ranked = sorted(
        (-_merit(cut, topic) - bonus, order, cut) for order, (text, bonus) in enumerate(offers) if text and (cut := clause(text))
    )
    found = [(-merit, cut.removesuffix(_CUT)) for merit, _, cut in ranked]
    return found or [(_LEAST, _shortened(plain(sentences[0] if sentences else lead)))]


def _answer(sentence: str) -> str:
    """Return a question with its answer, where both are short enough to be a title."""
    found = _ANSWERED.match(sentence)
    both = f"{found[1]} {found[2].split(': ', 1)[0]}" if found else ""
    return both if len(both.split()) <= WORDS else ""


def _parts(sentence: str) -> list[str]:
    """Return a sentence, and what it says after a label, a dash or a condition."""
    if cues.TOLD.match(sentence):
        return [sentence, *_CHOSEN.findall(sentence)]
    bare = _ASIDE.sub("", sentence)
    found = _LABELLED.match(bare)
    return [bare, bare[found.end() :]] if found and len(bare) - found.end() > 20 else [bare]


def clause(text: str) -> str:
    """Return the first clause of a text that says something, at most twelve words."""
    text = _GREETING.sub("", plain(text)).strip(" .!?:;,—–-")
    text = text.strip("“”\"'") if text.count('"') % 2 or (text[:1] in "“\"'" and text[-1:] in "”\"'") else text
    for _ in range(3):
        text = _OPENING.sub("", text).strip()
    while len(text.split()) > WORDS:
        cut = max(
            ((found[0] != ",", found.start()) for found in _CUTS.finditer(text) if _fits(text, found.start())),
            default=(False, None),
        )[1]
        if cut is None:
            break
        text = text[:cut]
    return (
        _shortened(text) if len(text.split()) <= WORDS else f"{_shortened(_LOOSE.sub('', ' '.join(text.split()[:WORDS])))}{_CUT}"
    )


def _fits(text: str, at: int) -> bool:
    return 4 <= len(text[:at].split()) <= WORDS and text.count("`", 0, at) % 2 == 0


def _shortened(text: str) -> str:
    words = text.split()[:WORDS]
    short = " ".join(words)[:_LIMIT].strip(" .:;,—–-“”(")
    if short.count("`") % 2:
        short = short.replace("`", "")
    if short.count("(") > short.count(")"):
        short = short.rsplit("(", 1)[0].strip()
    while (bare := _TAIL.sub("", short)) != short:
        short = bare
    if short.count("“") > short.count("”"):
        short = short.replace("“", "")
    first = short.split()[0] if short else ""
    return short[:1].upper() + short[1:] if first[:2].isalpha() and not identifiers(first) else short


def _merit(short: str, topic: set[str]) -> float:
    found = set(terms(short))
    if len(found) < 2 or len(short) < 12:
        return _LEAST
    bare = short.removesuffix(_CUT)
    merit = claim(bare) - 1.7 * short.endswith(_CUT) + min(len(found & topic), 7) / 4 + 0.25 * min(len(identifiers(bare)), 2)
    merit -= (
        1.5 * bool(_WEAK.match(bare))
        + 0.8 * bool(cues.EDITS.match(bare) and not bare.lower().startswith("test"))
        + 1.0 * bool(cues.PROGRESS.match(bare))
        + 1.6 * bool(cues.STATUS.search(bare))
        + 1.0 * bool(cues.TRANSIENT.search(bare))
    )
    merit -= (
        3.0 * bool(cues.TOLD.match(bare) or _ENUMERATION.match(bare))
        + 0.4 * bool(cues.HEDGE.search(bare))
        + 0.7 * (len(bare.split()) < 4)
    )
    return (
        merit + 0.3 * bool(cues.LIMIT.search(bare)) + 0.2 * bool(cues.CONTRAST.search(bare)) + 0.2 * bool(cues.CAUSE.search(bare))
    )
