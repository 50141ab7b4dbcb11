"""Find the cause of a failure, or a new behaviour, that the agent's last reply states."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_agent.accepted import changed_then, told_change
from git_lerim.extraction.by_rules.from_agent.causes import REMEDY, cause_title
from git_lerim.extraction.by_rules.from_agent.labels import labelled
from git_lerim.extraction.by_rules.sentences.order_rank import TWEAK
from git_lerim.extraction.by_rules.sentences.statements import capital, fits_quote, title_of
from git_lerim.extraction.transcript.text import Block, blocks, finished, holds_in_order, sentences
from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.transcript.words import identifiers, terms
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.sessions.session import Record, Role

_NAMES_CAUSE = re.compile(
    r"\W*(?:the )?(?:actual |real |underlying )?(?:root causes?(?: (?:and|&) \w+(?: summary)?)?|"
    r"causes?|problem|what (?:happened|went wrong|was (?:happening|wrong)))\W*$",
    re.IGNORECASE,
)
_NAMES_ROOT_CAUSE = re.compile(
    r"\W*(?:the )?(?:actual |real |underlying )?(?:root )?causes?(?: analysis)?\W*$", re.IGNORECASE
)
_NAMES_REMEDY = re.compile(r"\W*(?:the )?(?:fix|solution|remedy|resolution)\W*$", re.IGNORECASE)
_NAMES = re.compile(
    "|".join(one.pattern for one in (_NAMES_CAUSE, _NAMES_ROOT_CAUSE, _NAMES_REMEDY)),
    re.IGNORECASE,
)
_ROOT_CAUSE = re.compile(
    r"\broot cause\b|\bthe (?:actual |real |underlying )?cause (?:is|was)\b", re.IGNORECASE
)
_ROOT_CAUSE_WAS = re.compile(  # if it was mended, a cause that "is" describes the state before
    r"\broot cause\b(?! is\b)|\bthe (?:actual |real |underlying )?cause was\b", re.IGNORECASE
)
# how the answer to `why?` begins that names the cause in code: `The tail comes from `fsync`: …`
_COMES_FROM = re.compile(
    r"[^.;:]{3,80}? (?:comes? from|(?:is|are) (?:caused by|due to|because)|stems? from) [^.]*`",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r"[,;] so\b|\b(?:because|since|which|causing|leaving)\b", re.IGNORECASE)
# what is only an opinion, what to do, or what is right, though it gives a reason: `I would use …,
# because …`
_PROPOSES = re.compile(
    r"\b(?:i|we|you|your|my|our|let|should|shall|would|could|recommend\w*|suggest\w*|propos\w*|"
    r"better|option|must|worth|note|fine|ok(?:ay)?|correct|works?|expected|elsewhere|by design)\b",
    re.IGNORECASE,
)
_NEWS = re.compile(
    r"(?:i )?(?:have |[’']ve )?(?:found|fixed|solved)\b[\w ]{0,20}[.!]", re.IGNORECASE
)
# what tells of the present after the news may be what was done about it
_PAST = re.compile(
    r"\b(?:was|were|had|did(?:n[’']t)?|\w{2,}ed|slept|ran|took|came|went|kept|lost|got|saw|threw|"
    r"wrote|held|sent|broke|made|fell|hung|led|began|built|gave|set)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|now|no longer)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:unclear|unknown|not (?:yet )?(?:known|clear|found|sure)|might|may be|probably|likely|"
    r"possibly|perhaps|maybe|i (?:could not|couldn[’']t|cannot|can[’']t|did not|didn[’']t|suspect|"
    r"guess))\b",
    re.IGNORECASE,
)
_ASKS_WHY = re.compile(
    r"\b(?:why|find out|investigate|look into|debug|figure out|what causes?|cause of)\b|"
    r"\b(?:warum|wieso|weshalb|finde? heraus|woran liegt|pourquoi|por qué)\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were|wasn[’']t|weren[’']t|didn[’']t|had)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"\b(?:so|because|since|which|instead of|causing|leaving)\b", re.IGNORECASE)
_REPORTS = re.compile(
    r"\b(?:errors?|crash\w*|fail\w*|broke\w*|bugs?|wrong|not \w+ing|never \w+s|doesn[’']?t|"
    r"does not|isn[’']t|can[’']?t|missing|flak\w+|slow\w*|hangs?|hanging|stuck|leaks?|leaking|"
    r"tim(?:e|es|ed|ing) out|time-?outs?)\b",
    re.IGNORECASE,
)
_NEW = re.compile(r"^(?!I\b)[^.]{2,60}?\b(?:now|no longer)\b", re.IGNORECASE)
_FOR_WHAT = re.compile(
    r"\b(?:instead of|rather than|no longer|only|never)\b|, not\b", re.IGNORECASE
)
_FIXED, _BY = re.compile(r"\bfix(?:ed)?\b", re.IGNORECASE), re.compile(r"\bby\b", re.IGNORECASE)
_THE_FIX = re.compile(r"the fix (?:is|was) (?:to|that|an?)\b", re.IGNORECASE)
_TELLS_EDITS = re.compile(
    r"(?:(?:i|i[’']ve)\b(?!.*\bby\b)|committed|pushed|you can|"
    r"the (?:\w+ )?(?:change|fix|wiring|update)s? (?:is|are) in)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\btest", re.IGNORECASE)
_RESULT = re.compile(
    r"(?:(?:all|the|both|\d+) )*(?:tests?|suite|checks?|ci|build)\b[^.;]{0,40}\b"
    r"(?:pass\w*|green|succeed\w*)\b",
    re.IGNORECASE,
)
_SAME = 0.3  # least share of the words of an order for an outcome to be on its subject
_SAID = 4  # sentences of a body
_LOOKED = 1  # least tool calls of an investigation
_HEARD = 3  # sentences of the user's message to quote


def outcomes(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the cause or new behaviour that the last reply of a turn states.

    The turn must have changed files, or have looked for the cause that its prompt asks for. Turns
    whose reply the user doubted are left out.
    """
    for number, turn in enumerate(turns):
        asks = turn.said.role in {Role.PROMPT, Role.REJECTION, Role.APPROVAL}
        done = any(records[index].files for index in turn.body) or _investigated(records, turn)
        if not asks or not done or turn.automated or turn.disowned or not turn.replies:
            continue
        if not is_doubted(turns, number):
            yield from _outcome(records, turns, number)


def _investigated(records: Sequence[Record], turn: Turn) -> bool:
    calls = sum(records[index].role is Role.CALL for index in turn.body)
    return calls >= _LOOKED and bool(_ASKS_WHY.search(turn.said.text))


def _outcome(records: Sequence[Record], turns: Sequence[Turn], number: int) -> Iterator[Finding]:
    """Yield the cause of a failure that a reply states or, without one, the new behaviour."""
    turn = turns[number]
    message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
    order = " ".join(message)
    reply = blocks(records[turn.replies[-1]].text)
    changed = any(records[index].files for index in turn.body)
    cause, mended = _found_cause(records, turn, order), ""
    if not (cause or changed) and (files := changed_then(records, turns, number)):
        cause, mended = _cause(reply, _explains), told_change(files)
    told = cause or (_new_behaviour(reply, order) if changed else ())
    if not told:
        return
    title = cause_title(told[0])
    heard = " ".join(message[:_HEARD])
    quotable = turn.said.role is not Role.APPROVAL and fits_quote(heard)
    asked = f"{quoted(Lead.REPORTED if cause else Lead.ASKED_FOR, heard)} "
    kept = [told[0], *(one for one in told[1:_SAID] if _belongs(one, is_cause=bool(cause)))]
    more = [*(_remedy(reply, told) if cause else ()), *([mended] if mended else [])]
    said = capital(" ".join(map(finished, [*kept, *more])))
    yield Finding(
        origin=Origin.RULES,
        primitive=Primitive.LEARNING if cause else Primitive.DECISION,
        kind=Kind.PITFALL if cause else None,
        title=title,
        body=(asked if quotable and (not cause or _REPORTS.search(heard)) else "") + said,
        adds="" if cause else said,
        said=title,
        evidence=(turn.index, turn.replies[-1]),
        place="outcome",
        turn=number,
        rank=1.3 if cause else 1.1,
    )


def _found_cause(records: Sequence[Record], turn: Turn, order: str) -> tuple[str, ...]:
    """Return the cause that the last reply of a turn names as one, with what follows it."""
    reply = blocks(records[turn.replies[-1]].text)
    reported, asked = bool(_REPORTS.search(order)), _investigated(records, turn)
    looked = asked or any(records[index].failed for index in turn.body)
    changed = any(records[index].files for index in turn.body)
    called = _ROOT_CAUSE_WAS if changed else _ROOT_CAUSE
    names = _names_cause if reported else called.search
    return (
        _named_cause(reply, _NAMES_CAUSE if changed else _NAMES_ROOT_CAUSE)
        or (_cause(reply, names) if reported or looked else ())
        or (_cause(reply, _comes_from) if asked and not changed else ())
        or (_cause_after_news(reply) if asked and changed else ())
    )


def _belongs(sentence: str, *, is_cause: bool) -> bool:
    """Return whether a sentence says more of an outcome; of a cause, also what was done about it.

    Such a sentence names what was added or changed: `I added the package tzdata to setup.cfg`.
    """
    if _TELLS_EDITS.match(sentence):
        names = "`" in sentence or any(name[0].isalpha() for name in identifiers(sentence))
        return is_cause and names and bool(REMEDY.match(sentence)) and not _TESTS.search(sentence)
    return not (_RESULT.match(sentence) or sentence.endswith("?"))


def _remedy(reply: Sequence[Block], told: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence of a reply that says what fixed the failure; () if `told` says it."""
    if any(map(_names_repair, told)):
        return ()
    said = (one for block in reply if block.kind == "paragraph" for one in sentences(block.text))
    return tuple(islice((one for one in said if _names_repair(one) and one[-1] != "?"), 1))


def _named_cause(reply: Sequence[Block], named: re.Pattern[str]) -> tuple[str, ...]:
    """Return the text under a heading, or after a bold word, that is `named` like `Root cause`."""
    told: list[str] = []
    for block, label, text in labelled(reply, _NAMES):
        if named.match(label) or (told and _NAMES_REMEDY.match(label)):
            said = [one for one in sentences(text) if not one.endswith((":", "?"))]
            told += said if told or (said and _states_cause(said[0])) else []
        elif told and block.kind != "item":
            break
    return tuple(told)


def _cause(reply: Sequence[Block], names: Callable[[str], object]) -> tuple[str, ...]:
    """Return the cause that a reply's first paragraph states, with what follows it there.

    `names` returns whether a sentence names the cause.
    """
    if not reply or reply[0].kind != "paragraph":
        return ()
    said = sentences(reply[0].text)
    places = (n for n, one in enumerate(said[:3]) if names(one) and _states_cause(one))
    return said[next(places, len(said)) :]


def _cause_after_news(reply: Sequence[Block]) -> tuple[str, ...]:
    """Return the cause that directly follows `Fixed.`, and what follows it there."""
    said = sentences(reply[0].text) if reply else ()
    if len(said) < 2 or not (_NEWS.fullmatch(said[0]) and _explains(said[1])):
        return ()
    before = _FOLLOWS.split(said[1], maxsplit=1)[0]
    is_past = _PAST.search(before) and not _PRESENT.search(before)
    return _cause(reply, said[1].__eq__) if is_past else ()


def _new_behaviour(reply: Sequence[Block], order: str) -> tuple[str, ...]:
    """Return a reply's first paragraph if it begins with new behaviour that the user asked for."""
    said = sentences(reply[0].text) if reply and reply[0].kind == "paragraph" else ()
    if not said or not (_NEW.search(said[0]) and _FOR_WHAT.search(title_of(said[0]))):
        return ()
    mine, theirs = set(terms(said[0])), set(terms(order))
    same = bool(mine and theirs) and len(mine & theirs) / min(len(mine), len(theirs)) >= _SAME
    return said if same and _is_title(said[0]) and not TWEAK.search(said[0]) else ()


def _names_cause(sentence: str) -> bool:
    return bool(_ROOT_CAUSE.search(sentence)) or holds_in_order(sentence, _WAS, _BECAUSE)


def _comes_from(sentence: str) -> bool:
    return bool(_COMES_FROM.match(sentence) and _BECAUSE.search(sentence))


def _explains(sentence: str) -> bool:
    """Return whether a sentence says what code does and what follows, and proposes nothing."""
    tells = "`" in sentence and _FOLLOWS.search(sentence)
    return bool(tells) and not _PROPOSES.search(sentence)


def _names_repair(sentence: str) -> bool:
    return bool(_THE_FIX.match(sentence)) or holds_in_order(sentence, _FIXED, _BY)


def _states_cause(sentence: str) -> bool:
    return _is_title(sentence) and not _UNSURE.search(sentence)


def _is_title(sentence: str) -> bool:
    return bool(cause_title(sentence)) and not noise(sentence)
