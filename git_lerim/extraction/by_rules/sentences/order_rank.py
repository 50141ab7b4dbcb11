"""Rank an order by how likely it is to matter beyond the session."""

import re

from git_lerim.extraction.by_rules.sentences.clauses import (
    DECISIONS,
    OF_THE_MOMENT,
    explains_itself,
    may_be_design,
)
from git_lerim.extraction.by_rules.sentences.imperatives import (
    VERB,
    is_order,
    rejects_why,
    without_lead,
)
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.transcript.spelling import spelled_out
from git_lerim.extraction.transcript.words import identifiers
from git_lerim.extraction.wishes.says import is_at_hand

_MODAL = (
    r"(?:should(?:n[’']t)?|must(?:n[’']t)?|needs? to|has to|have to|ought to|cannot|can[’']t|"
    r"can only|may (?:not|only)|shall|is not allowed to|are not allowed to)"
)
RULE = re.compile(  # such as `Session details should start at the first prompt`
    rf"^(?:in|on|for|within|apart from|if|when|every|only)?\b(?!(?:i|you|it|this|that|there|what|"
    rf"which|who|how|why|where|they|he|she|someone|once|we)\b)[^?]{{3,110}}?\s{_MODAL}\s\w+",
    re.IGNORECASE,
)
FOR_US = re.compile(
    r"^we (?:really |also )?(?:should(?:n[’']t)?|must(?:n[’']t)?|have to|cannot|need to) (?!find|"
    r"figure|look|understand|check|investigate|discuss|talk|wait|see|decide|test|fix)",
    re.IGNORECASE,
)
MEANS = re.compile(  # such as `created_at is when the session ended`
    r"^(?:in [^,]{3,40}, )?[^,?]{3,60} (?:is|are) (?:when|where|what|never|only|always)\b.{6,}",
    re.IGNORECASE,
)
_WANT = re.compile(
    r"^(?:i(?:[’']d| would)?|we) (?:really |only |rather |just )*(?:want|like|prefer|love|"
    r"expect)\b(?! (?:you )?to (?:do|see|know|understand|ask|discuss|test|try|check)\b)",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:doesn[’']t work|does not work|won[’']t work|isn[’']t (?:relevant|needed|necessary|"
    r"valid)|is not (?:relevant|needed|necessary|valid)|no need (?:for|to)|don[’']t need|"
    r"do not need|is the wrong|are the wrong|no longer valid)\b|\bno \w+ (?:is|are) (?:needed|"
    r"necessary)\b",
    re.IGNORECASE,
)
_NOUN = (
    rf"(?:(?:the|our) (?:[\w.-]+ )?(?!{OF_THE_MOMENT})[\w.-]+|(?!(?:and|or|but|which|that|who|so|"
    r"then|it|this|they|you|i|the|our)\b)[\w.-]+)"
)
_LASTING = r"\b(?! to\b| (?:slow|stale|old|outdated|broken|missing|wrong|empty|gone|ugly)\b)"
_IS = rf" (?:already |only |still )?(?:is|are){_LASTING}"
_HAS = (
    r" (?:already |only |still )?(?:has|have|can[’']t|cannot|do(?:es)?(?:n[’']t| not)|needs?|runs?|"
    rf"breaks?|loses?|drops?|costs?|takes?){_LASTING}"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|so we|so the|so users?|so people|so i can|in order to|otherwise|"
    r"as (?:it|they|the|we|that|this)\b|the (?:risk|reason|idea) (?:is|being)?|that[’']s why|"
    r"which is why|due to|given that|to make sure|to avoid|to prevent|to keep|to ensure|to allow|"
    r"which (?:makes|causes|means|breaks)|too (?:much|big|heavy|complicated|complex|verbose|slow|"
    r"noisy)|over ?complicat\w+|overwhelm\w+|leaves? (?:us|room)|they are \w+|makes? (?:it|things|"
    r"sense)|will make)\b|, (?:they|it|that|this) (?:is|are|seems?|makes?|will|would|causes?|"
    rf"looks?)\b|, (?:(?:we|nobody|no one){_IS}|(?:we|nobody|no one|{_NOUN}){_HAS})|"
    r", we (?:do not|don[’']t) want (?:to|an?|another|the|more|extra)\b",
    re.IGNORECASE,
)
# a reason only if the order may settle a design question: `…, 3000 is taken`
_STATE = re.compile(rf", {_NOUN}{_IS}", re.IGNORECASE)
_UNIVERSAL = re.compile(
    r"\b(?:only|never|always|nothing|everything|nowhere|everywhere|under no circumstances|at all|"
    r"no longer|not just|no fallback)\b|\b(?:should|must|can|may|is|are)(?:n[’']t| not)\b|"
    r"\bcannot\b",
    re.IGNORECASE,
)
# Words that give something up: the code shows what was chosen, but not what was given up for it.
_GIVES_UP = re.compile(
    r"\b(?:instead of|rather than|(?:does?|do) away with|get rid of|no longer|unless|no fallback|"
    r"fall(?:s|ing)? back|revert(?:s|ing)? to)\b|^forget [^,;:]+[,;:] |\bswitch from [\w-]+ to\b",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(r"\b(?:and not|but not|do not|don[’']t)\b|, not\b", re.IGNORECASE)
# what a design prefers over another thing: `Read the rates from the mirror instead of the API`
_OVER = r" [^,]+ (?:from|with|at) [^,]+ (?:instead of|rather than)\b"
CHORE = re.compile(
    r"^(?:please |let[’']s |just |can you |now |ok,? )*(?:"
    r"(?!(?:commit|pull|test|review|release)[- ](?:messages?|requests?|files?|names?|notes?|cases?|"
    r"comments?)\b)(?:commit|push|merge|rebase|pull|run|"
    r"re-?run|open|check|test|review|look|explain|show me|tell|list|investigate|research|"
    rf"find|search|analy[sz]e|summari[sz]e|spawn|continue|proceed|try|(?:read|start)(?!{_OVER})|"
    r"create (?:a |an |the )?(?:pr|pull request|branch|draft|commit|plan|issue|linear|bead|"
    r"new|custom)|"
    r"write (?:some|a|up|me)|make a (?:plan|commit|pr)|fix (?:the |this |it|them|all|lint)|"
    r"log (?:a|an) |close|switch to(?! [^,]+(?:,|\b(?:because|since|instead of)\b))|clean up|"
    r"delete the (?:[\w./-]+ ){0,3}?(?:branch(?:es)?|files?|folders?|director(?:y|ies)|tags?|"
    r"commits?|worktree|stash|containers?|database|images?|logs?|cache|tests?|code|[\w-]*\.\w+)\b|"
    r"update the (?:docs?|readme|changelog|pr|issue|tests?)|"
    r"update (?:the )?(?:necessary|documentations?|callers)|add (?:some |a |the |"
    r"more )?(?:tests?|comments?|readme|brief)|execute|implement (?:it|the|this)|generate|"
    r"do (?:it|#?\d|that)|go ahead|make sure (?:extension|it|tests?)|bump|release|publish|undo|"
    r"help|have a look|take a look|improve|modify|adjust|tweak|polish|tidy|rework|redesign|refine|"
    r"consider|rethink|ask|ping|restart|kill|debug|figure out|double-?check|wait for))\b",
    re.IGNORECASE,
)
REPORTS = re.compile(  # what is wrong now, not what is wanted
    r"\b(?:is|are|was|were|does|do|did) (?:not|n[’']t) (?:show|work|load|display|correct|clean|"
    r"right|render|appear|start|run)\w*\b|\b(?:isn|doesn|don|didn|aren|wasn)[’']t (?:show|work|"
    r"load|display|correct|clean|right|render|appear|start|run)\w*\b|\banymore\b|\bstill (?:too|"
    r"not|no|look|fail|doesn)|\b(?:seems?|looks?) (?:like|that|to be|pretty)\b|\b(?:got|getting|"
    r"throws?|threw|crash\w*|exploded|failing|failed) (?:a|an|the|with|when|error)\b|"
    r"\bcan[’']?t find\b",
    re.IGNORECASE,
)
TWEAK = re.compile(
    r"\b(?:a (?:little|bit|tad)|brighter|darker|dimmer|wider|#[0-9a-f]{6}\b|[0-9a-f]{6}\b|pixels?|"
    r"\d+ ?px)\b",
    re.IGNORECASE,
)
# where an order holds: `In src/pay.py, use …`
_WHERE = re.compile(
    rf"^(?:in|for|on|within) (?!(?:this|that|these|those|my|fact|short|addition|case)\b)"
    rf"[^,?]{{2,60}}, (?=(?:please |always )*{VERB}\b)",
    re.IGNORECASE,
)
_LONGEST = 320  # characters of an order
_UNLIKELY = -5.5  # up to this score, hardly any order with a reason settles a design question
_DETAIL = -2.9  # up to this score, most orders without a reason are about a label or a screen
WITH_REASON = 1.7  # rank of an order that gives a reason


def rank_of(
    sentence: str, with_reason: str, *, refused: bool, done: bool = False, conceded: bool = False
) -> float:
    """Return a rank for how likely an order matters beyond the session; 0 if it does not.

    The rank is 0 for a chore, tweak, report or obvious change. Most orders matter only if they give
    a reason, or are rules without exception about something in the code. An order that was carried
    out (`done`) needs neither if it names what is given up, defines something, or is a rule that
    the agent admitted to having broken. `with_reason` is the sentence with the reason that follows
    it, if any.
    """
    sentence = _WHERE.sub("", without_lead(spelled_out(sentence)), count=1)
    with_reason = spelled_out(with_reason)
    if len(sentence) > _LONGEST or _is_small(sentence) or is_one_off(sentence, with_reason):
        return 0.0
    reason = (
        _gives_reason(sentence, with_reason)
        or (refused and rejects_why(sentence))
        or (done and explains_itself(sentence))
    )
    named = identifiers(sentence)
    of_code = bool(named)
    without_exception = of_code and bool(_UNIVERSAL.search(sentence)) and not is_at_hand(sentence)
    design = max(map(DECISIONS.score, (sentence, with_reason)))
    settles = refused or conceded or design > _UNLIKELY
    excludes = of_code and _EXCLUDES.search(sentence)
    chooses = refused or conceded or design > _DETAIL or any(not each.isupper() for each in named)
    gives_up = done and bool(excludes or (chooses and _GIVES_UP.search(sentence)))
    means = MEANS.match(sentence) and (of_code or not _UNIVERSAL.search(sentence))
    if means or RULE.match(sentence):
        broken = conceded and not is_order(sentence, done=done)
        lasts = reason or without_exception or gives_up or (done and (means or broken))
        return 1.5 + 0.5 * reason if lasts else 0.0
    ordered = is_order(sentence, done=done) or _WANT.match(sentence) or FOR_US.match(sentence)
    if reason and settles and (ordered or refused):
        return WITH_REASON
    if ordered or (refused and gives_up):
        return 1.2 * gives_up
    return 1.4 * bool(_CORRECTS.search(sentence) and (reason or "," in sentence))


def _gives_reason(sentence: str, with_reason: str) -> bool:
    return bool(
        _REASON.search(with_reason) or (_STATE.search(with_reason) and may_be_design(sentence))
    )


def _is_small(sentence: str) -> bool:
    """Return whether a sentence is a chore, a tweak or only a report."""
    return bool(CHORE.match(sentence) or REPORTS.search(sentence) or TWEAK.search(sentence))
