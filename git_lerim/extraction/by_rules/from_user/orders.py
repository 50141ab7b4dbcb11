"""Find the user's orders that the agent followed, and quote them as complete sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_user.corrections import concedes
from git_lerim.extraction.by_rules.from_user.declared import declared, points_back
from git_lerim.extraction.by_rules.from_user.message import Message, is_disowned_in
from git_lerim.extraction.by_rules.from_user.objections import objection
from git_lerim.extraction.by_rules.from_user.quotation import is_rule_of_feeling, quotation
from git_lerim.extraction.by_rules.from_user.restatement import Restated, restated
from git_lerim.extraction.by_rules.sentences.clauses import without_reason
from git_lerim.extraction.by_rules.sentences.design import settled
from git_lerim.extraction.by_rules.sentences.imperatives import order_in, rejects_why, without_lead
from git_lerim.extraction.by_rules.sentences.instead import replaces, rest_of
from git_lerim.extraction.by_rules.sentences.main_clause import wish_title
from git_lerim.extraction.by_rules.sentences.order_rank import (
    FOR_US,
    MEANS,
    RULE,
    WITH_REASON,
    rank_of,
)
from git_lerim.extraction.by_rules.sentences.reasons import rejects, swaps, told_after, with_reason
from git_lerim.extraction.by_rules.sentences.statements import fits_quote, title_of
from git_lerim.extraction.by_rules.sentences.subjects import with_subject
from git_lerim.extraction.transcript.heads import ADDRESS
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import is_automated
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.asked_back import casts_doubt
from git_lerim.extraction.wishes.says import Wish, explains_order, looks_like_one, wish_in
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, in_quotes, quoted
from git_lerim.memories.similarity.replacement_phrases import replacement
from git_lerim.sessions.session import Record, Role

_INSTRUCTIONS = re.compile(
    r"(?:^|[/\\])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|copilot-instructions)\.md$|\.cursorrules$|"
    r"\.mdc$",
    re.IGNORECASE,
)
# what joins a wish to the words before it, and whom it addresses
_JOINED = re.compile(
    rf"^(?:{ADDRESS}|(?:(?:hm+|ok(?:ay)?|oh|hey),? )+(?:go(?: ahead)?, )?(?:(?:and|but),? )?|"
    r"and,? )(\w)",
    re.IGNORECASE,
)
_SHORT = 3  # most sentences of a message about a single wish
_TAKEN_BACK = 1.9  # rank of an order that replaces an earlier choice
_FORBIDS = re.compile(r"(?:please )?(?:do not|don[’']t)\b", re.IGNORECASE)
_NAMES_LITTLE = 4
_RESTATED = "The agent then said: "  # begins the quote of the agent's sentence in a body
_SAME = 0.6  # least share of words for the agent's sentence to say the same
_STANDING = re.compile(  # about how work is done, not about the product
    r"\b(?:tests?|commits?|comments?|docs?|documentation|naming|style|spelling|agents?\.md|"
    r"claude\.md|instructions?|readme|changelog|lint\w*|conventions?|english|ci|github runners)\b",
    re.IGNORECASE,
)


def orders(
    records: Sequence[Record], turns: Sequence[Turn], heading: str = ""
) -> Iterator[Finding]:
    """Yield the user's wishes for all future work, and the orders that matter beyond the session.

    Usually an order matters if the agent followed it, and if it gives a reason or allows no
    exception. Wishes and orders are quoted in the user's words.
    """
    said = [f"{one.said.question or ''} {one.said.text[:600]}".casefold() for one in turns]
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned or turn.said.role not in {Role.PROMPT, Role.REJECTION}:
            continue
        if any(_INSTRUCTIONS.search(name) for index in turn.body for name in records[index].files):
            continue  # the agent wrote the order into an instructions file
        message = Message.of(records, turn, number, said[:number])
        found = _all_found(message, heading)
        best = max(found, key=lambda place: found[place].rank, default=0)
        for place, one in found.items():
            if place != best and message.wishes[place] >= Wish.RULE:
                yield replace(one, place=f"sentence{place}")
        if found:
            yield found[best]  # last, so that what the agent adds is added to it


def _all_found(message: Message, heading: str) -> dict[int, Finding]:
    """Return what is found in a message by place, without what an earlier one quotes."""
    found: dict[int, Finding] = {}
    for place in range(len(message.sentences)):
        one = _found(message, place, heading)
        if one and not any(
            one.body == each.body or one.said in each.body for each in found.values()
        ):
            found[place] = one
    return found


@dataclass(frozen=True, slots=True)
class _Judged:
    """A sentence that may become a memory: its title, rank and kind (None for a decision)."""

    sentence: str
    title: str
    kind: Kind | None
    rank: float


def _found(message: Message, place: int, heading: str) -> Finding | None:
    sentence = message.sentences[place]
    said = not sentence.endswith((":", "：")) and fits_quote(sentence)
    if not said or (place and points_back(sentence)):
        return None
    again = restated(message.records, message.turn, sentence)
    if again and wish_in(again.text) is not Wish.NONE:  # only the user lays down rules
        again = None
    judged = _replacement(message, place)
    if not judged and not message.taken_back[place]:
        judged = _judgement(message, place, again)
    if judged is None or is_disowned_in(message.sentences, place):
        return None
    if judged.kind is Kind.PREFERENCE and judged.sentence == sentence:
        judged = replace(judged, title=_title_with_subject(message, place) or judged.title)
    quote = quotation(message, place)
    lead = Lead.SAID if judged.kind is Kind.FACT else Lead.ASKED_FOR
    if judged.kind is Kind.PREFERENCE:
        again = None
    told = [quoted(lead, quote), *([f"{_RESTATED}{in_quotes(again.text)}"] if again else [])]
    told += _setting(heading, f"{judged.title} {' '.join(message.sentences)}")
    return _finding(message.turn, message.number, judged, again, told)


def _judgement(message: Message, place: int, again: Restated | None) -> _Judged | None:
    """Return the judgement on a sentence that neither takes back nor replaces anything."""
    sentence, before = message.sentences[place], "".join(message.sentences[:place][-1:])
    after = "".join(message.sentences[place + 1 : place + 2])
    said = _stated(sentence, *declared(sentence, before, after))
    if said and said.kind is None:
        return said
    return (
        _wish(message, place)
        or _order(message, place, again)
        or said
        or _stated(sentence, *objection(sentence, before))
        or _settled(message, place)
    )


def _stated(sentence: str, title: str, kind: Kind | None) -> _Judged | None:
    """Return the judgement on what the user says was decided, notes, or gives as a correction."""
    return _Judged(sentence, title, kind, WITH_REASON) if title else None


def _wish(message: Message, place: int) -> _Judged | None:
    """Return the judgement on a sentence if it says how to do things from now on, else None.

    A sentence that is only perhaps a wish counts only if its message is short, and if the agent
    called no tool in response.
    """
    sentence, level = message.sentences[place], message.wishes[place]
    if level is Wish.NONE or (level is Wish.GENERAL and _passes(message, sentence)):
        return None
    if place and rejects(sentence) and _order(message, place - 1, None):
        return None  # it is the reason for that order
    after = "".join(message.sentences[place + 1 : place + 2])
    if after.endswith(("?", "？")) and (level is Wish.GENERAL or casts_doubt(after, sentence)):
        return None
    if is_rule_of_feeling(message, place + 1) and (title := title_of(after, wish=True)):
        return _Judged(f"{sentence} {after}", title, Kind.PREFERENCE, 2.6)
    title = wish_title(sentence) or _title_with_subject(message, place)
    if not title:
        return None
    product = bool(RULE.match(sentence)) and _changed_files(message)
    product = (product or bool(FOR_US.match(sentence))) and not _STANDING.search(sentence)
    rank = 2.6 if level >= Wish.RULE else 2.2
    return _Judged(sentence, title, None if product else Kind.PREFERENCE, rank)


def _title_with_subject(message: Message, place: int) -> str:
    """Return the title of a wish that only the sentence before it completes, or ""."""
    is_near = place and message.paragraphs[place] == message.paragraphs[place - 1]
    if not is_near or is_disowned_in(message.sentences[:place], place - 1):
        return ""
    return with_subject(message.sentences[place], message.sentences[place - 1])


def _passes(message: Message, sentence: str) -> bool:
    """Return whether a sentence may be about the work at hand, judging by what is beside it."""
    acts = any(message.records[index].role is Role.CALL for index in message.turn.body)
    return acts or len(message.sentences) > _SHORT or _definite(sentence)


def _changed_files(message: Message) -> bool:
    return any(message.records[index].files for index in message.turn.body)


def _replacement(message: Message, place: int) -> _Judged | None:
    """Return the judgement on what a message wants instead of a wish that it takes back."""
    taken_back = message.taken_back[place]
    if taken_back:
        title = rest_of(taken_back)
    else:
        before = message.taken_back[place - 1] if place else None
        title = replaces(message.sentences[place], before, is_wish=bool(message.wishes[place]))
    return _Judged(message.sentences[place], title, Kind.PREFERENCE, 2.2) if title else None


def _order(message: Message, place: int, again: Restated | None) -> _Judged | None:
    """Return the judgement on an order or rule, or None if it does not become a memory.

    The title is the user's sentence or, if that is not clear on its own, the agent's restatement.
    """
    records, turn, sentence = message.records, message.turn, message.sentences[place]
    order, refused = order_in(sentence), turn.said.role is Role.REJECTION
    if not order or looks_like_one(order):
        return None
    said = message.sentences[place : place + 2]
    # a prohibition is followed at once, without changing a file
    forbids = refused and (rejects_why(order) or bool(_FORBIDS.match(order)))
    done = forbids or _changed_files(message)
    after = "".join(said[1:])
    explained = done and explains_order(order, after)
    rank = WITH_REASON * explained or rank_of(
        order,
        with_reason(records, turn, said),
        refused=refused,
        done=done,
        conceded=concedes(records, turn),
    )
    if order != sentence and (rank < WITH_REASON or not done or not swaps(order)):
        return None  # only a question
    clear = explained or (refused and rejects_why(order)) or told_after(turn, order, after)
    bare = without_lead(order)
    title = title_of(bare, wish=clear) or title_of(without_reason(bare))
    restated_title = title_of(again.text) if again and again.share >= _SAME else ""
    if restated_title and _takes_back(restated_title, sentence, message.before):
        return _Judged(sentence, restated_title, kind=None, rank=_TAKEN_BACK)
    title = title or restated_title
    if not title or not rank or not (turn.replies or done):
        return None
    return _Judged(sentence, title, _kind(sentence), rank)


def _settled(message: Message, place: int) -> _Judged | None:
    """Return the judgement on what the user orders for design."""
    sentence = message.sentences[place]
    title = settled(sentence) if _changed_files(message) else ""
    return _Judged(sentence, title, None, WITH_REASON) if title else None


def _kind(sentence: str) -> Kind | None:
    """Return the kind of learning for an order, or None if it is a decision."""
    if MEANS.match(sentence):
        return Kind.FACT
    return Kind.PREFERENCE if _STANDING.search(sentence) else None


def _definite(sentence: str) -> bool:
    """Return whether a short prohibition names one definite thing: `Do not add the full names`."""
    return (
        bool(_FORBIDS.match(sentence))
        and " the " in sentence.lower()
        and len(set(terms(sentence))) < _NAMES_LITTLE
    )


def _takes_back(title: str, sentence: str, before: Sequence[str]) -> bool:
    """Return whether a title says `instead of A`, and both `sentence` and `before` name A."""
    given_up = replacement(title)
    old = given_up.old.casefold() if given_up else ""
    return bool(old) and old in sentence.casefold() and any(old in said for said in before)


def _finding(
    turn: Turn, number: int, judged: _Judged, again: Restated | None, told: Sequence[str]
) -> Finding:
    return Finding(
        origin=Origin.HUMAN,
        primitive=Primitive.LEARNING if judged.kind else Primitive.DECISION,
        kind=judged.kind,
        title=_JOINED.sub(lambda found: found[1].upper(), judged.title),
        body=" ".join(map(finished, told)),
        said=judged.sentence,
        evidence=(turn.index, *((again.index,) if again else ())),
        turn=number,
        rank=judged.rank + 0.2 * bool(again) + min(len(set(terms(judged.sentence))), 10) / 50,
    )


def _setting(heading: str, said: str) -> list[str]:
    """Return a list with the session's title, empty if it adds nothing to the message."""
    new = set(terms(heading)) - set(terms(said))
    return (
        [quoted(Lead.HEADING, heading)]
        if len(new) >= 2 and fits_quote(heading) and not is_automated(heading)
        else []
    )
