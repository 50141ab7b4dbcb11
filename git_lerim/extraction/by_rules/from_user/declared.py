"""Find what a user declares to be decided, or asks to note: `Decision: …`, `write that down: …`."""

import re

from git_lerim.extraction.by_rules.sentences.clauses import DECISIONS
from git_lerim.extraction.by_rules.sentences.imperatives import is_order
from git_lerim.extraction.by_rules.sentences.interjections import without_interjection
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.transcript.words import identifiers
from git_lerim.extraction.wishes.says import looks_like_one
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind

_WE = r"(?:we|i)(?:[’']ve| have)?"
_DECISION = re.compile(
    rf"(?:(?:the |our |my |final )?decision|{_WE} (?:decided|agreed|settled)|decided)[:：] +",
    re.IGNORECASE,
)
_WENT = re.compile(
    rf"(?:{_WE} (?:(?P<loose>(?:went|gone) (?:with|for)|(?:settled|agreed) on|"
    r"(?:decided|agreed) to (?:go|stay|stick) with)|"
    r"(?:decided|opted) (?:for|against|in favou?r of)|chose|chosen)|"
    r"we(?: a|[’'])re (?:going|staying|sticking) with) "
    r"(?!(?:it|this|that|the (?:first|second|last)|option|you|me|him|her|\w+day)\b)",
    re.IGNORECASE,
)
# when it was decided, which is no part of the decision
_WHEN = re.compile(
    rf"(?P<decided>{_WE} (?:decided|agreed|settled))"
    r" (?:yesterday|today|last (?:week|month|\w+day)|this (?:morning|week)|earlier)(?= )",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:instead of|rather than|because|since|so that|otherwise)\b|, (?:not|and not) \w|"
    r"^(?:no|.{0,20}\bagainst) [^,;:]{2,40}, "
    r"(?!(?:and|but|or|so|then|please|can|could)\b)\w+ \w+ \w+",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|so that|otherwise)\b", re.IGNORECASE)
_CONTRAST = re.compile(r"\b(?:instead of|rather than|over)\b|, (?:and )?not \w", re.IGNORECASE)
_DESIGN = -2.5  # minimum score of a decision about the product, not about lunch
_NOTE = re.compile(
    r"(?:(?:please|and|also|ok|good|fyi)[,.]? )*"
    r"(?:(?:write|note|jot|put) (?:this|that|it)(?: down)?|"
    r"(?:make|take|keep) (?:a )?note(?: of (?:this|that))?|remember (?:this|that)|"
    r"note (?:for|to) (?:later|next time|the future|yourself)|for the record|"
    r"for (?:future|later) reference)(?:[:：]| [–—-]|(?<=record),)(?: +|$)",
    re.IGNORECASE,
)
# what a user says of the sentence before: `Remember that, so nobody puts fixtures there`
_KEEP = re.compile(
    r"(?:(?:please|pls|and|so) )*(?:(?:remember|note) (?:this|that)|(?:keep|bear) (?:this|that) in "
    r"mind|(?:write|note|jot) (?:this|that) down|(?:make|take) a note of (?:this|that))"
    r"(?: please| pls)?(?:[.!]*$|,? (?:so|because|since|for)\b)",
    re.IGNORECASE,
)
# a case that recurs, with what to do in it: `after pulling a lockfile made on a Mac, delete …`
_IN_CASE = re.compile(
    r"(?:after|before|when(?:ever)?|if|on|with|for|in) "
    r"(?!(?:this|that|these|it|the (?:next|current)|my|now)\b)[^,;:]{4,80}, \w+ \w+",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"[^,;:]{2,80}? (?:is|are|has|have|must|can|cannot|can[’']t|should|needs?|\w+n[’']t|only|never|"
    r"always|\w{2,}s) \w+",
    re.IGNORECASE,
)
# what is true only now, or only in this session
_PASSING = re.compile(
    r"(?:i|we|you|he|she|this|that|it)(?:[’']\w+)?\b(?! (?:use|keep|store|run|deploy|support|never|"
    r"always|only|don[’']t|do not)\b)|"
    r".*\b(?:still|now|yet|already|currently|just|(?:is|are) \w+ing)\b|"
    r".*(?<!every )(?<!each )(?<!any )(?<!a )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r".*\b(?:see (?:above|below)|the (?:branch|pr|ticket|issue))\b",
    re.IGNORECASE,
)


def points_back(sentence: str) -> bool:
    """Return whether a sentence only asks to keep what the one before it says."""
    return bool(_KEEP.match(sentence))


def declared(sentence: str, before: str, after: str) -> tuple[str, Kind | None]:
    """Return the title of what a sentence declares, and its kind (None for a decision).

    The title is "" if the sentence declares nothing that is complete. `before` is the sentence
    before it, which may be `Write that down:`, and `after` the next, as in `Remember that.`
    """
    if sentence.endswith(("?", "？")) or is_one_off(sentence, sentence):
        return "", None
    if said := _decided(spelled_out(sentence)):
        return title_of(said), None
    note = _NOTE.match(sentence)
    if not note and not _NOTE.fullmatch(before) and not points_back(after):
        return "", None
    said = without_interjection(sentence[note.end() :] if note else sentence)
    reports = looks_like_one(said) and not points_back(after)
    if _PASSING.match(said) or noise(said) or reports:
        return "", None
    if _IN_CASE.match(said):
        return title_of(said, wish=True), Kind.PREFERENCE
    ordered = is_order(said, done=True) or CHORE.match(said)
    return (title_of(said), Kind.FACT) if _STATES.match(said) and not ordered else ("", None)


def _decided(sentence: str) -> str:
    """Return what a sentence says was decided, and why or instead of what, or ""."""
    sentence = _WHEN.sub(r"\g<decided>", sentence, count=1)
    lead, went = _DECISION.match(sentence), _WENT.match(sentence)
    said = sentence[lead.end() :] if lead else sentence
    is_decision = lead or (went and (not went["loose"] or _is_technical(said, went.end())))
    return said if is_decision and _REASON.search(said) and not CHORE.match(said) else ""


def _is_technical(said: str, start: int) -> bool:
    """Return whether what was agreed on replaces another thing, or is one of a product."""
    chosen = _BECAUSE.split(said[start:], maxsplit=1)[0]
    named = any(name[0].isalpha() for name in identifiers(chosen))
    return bool(named or _CONTRAST.search(chosen) or DECISIONS.score(said) > _DESIGN)
