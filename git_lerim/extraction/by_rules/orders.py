"""Find the user's orders that the agent followed, and quote them as complete sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from git_lerim.extraction.by_rules.corrections import concedes
from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.imperatives import is_order, without_lead
from git_lerim.extraction.by_rules.one_off import is_one_off
from git_lerim.extraction.by_rules.order_rank import CHORE, FOR_US, MEANS, RULE, rank_of
from git_lerim.extraction.by_rules.reasons import with_reason
from git_lerim.extraction.by_rules.restatement import Restated, restated
from git_lerim.extraction.by_rules.statements import capital, fits_quote, title_of
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import is_automated, paragraphs
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.asked_back import casts_doubt
from git_lerim.extraction.wishes.disowned import is_disowned
from git_lerim.extraction.wishes.says import Wish, looks_like_one, wish_in
from git_lerim.memories import quotes
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, in_quotes, quoted
from git_lerim.memories.similarity.replacement_phrases import replacement
from git_lerim.memories.similarity.revocation_phrases import revocation
from git_lerim.sessions.session import Record, Role

_INSTRUCTIONS = re.compile(
    r"(?:^|[/\\])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|copilot-instructions)\.md$|\.cursorrules$|"
    r"\.mdc$",
    re.IGNORECASE,
)
# an order phrased as a question
_ASKS_FOR = re.compile(
    r"^(?:can|could) (?:we|you)(?: please)? |^should(?:n[’']t)? we (?:not )?", re.IGNORECASE
)
_INSTEAD = re.compile(r"^instead,? |,? instead$", re.IGNORECASE)
# what joins a wish to the words before it
_JOINED = re.compile(r"^(?:(?:ok(?:ay)?|oh),? (?:and,? )?|and,? )(\w)", re.IGNORECASE)
_LEAST_SAID = 2  # topical words; `Good.` has none
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
        message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
        if any(_INSTRUCTIONS.search(name) for index in turn.body for name in records[index].files):
            continue  # the agent wrote the order into an instructions file
        found = {
            place: one
            for place in range(len(message))
            if (one := _judged(records, turn, number, message, place, said[:number], heading))
        }
        best = max(found, key=lambda place: found[place].rank, default=0)
        for place, one in found.items():
            if place != best and wish_in(one.said) >= Wish.RULE:
                yield replace(one, place=f"sentence{place}")
        if found:
            yield found[best]  # last, so that what the agent adds is added to it


@dataclass(frozen=True, slots=True)
class _Judged:
    """A sentence that may become a memory: its title, rank and kind (None for a decision)."""

    sentence: str
    title: str
    kind: Kind | None
    rank: float


def _judged(  # noqa: PLR0913, PLR0917 one sentence and its context
    records: Sequence[Record],
    turn: Turn,
    number: int,
    message: Sequence[str],
    place: int,
    before: Sequence[str],
    heading: str,
) -> Finding | None:
    sentence = message[place]
    if sentence.endswith((":", "：")) or not fits_quote(sentence):
        return None
    again = restated(records, turn, sentence)
    if again and wish_in(again.text) is not Wish.NONE:  # only the user lays down rules
        again = None
    judged = _replacement(message, place)
    if not judged and not revocation(sentence):
        judged = _wish(records, turn, message, sentence) or _order(
            records, turn, message, place, again, before=before
        )
    if judged is None or is_disowned_in(message, place):
        return None
    quote = _quote(message, place)
    lead = Lead.SAID if judged.kind is Kind.FACT else Lead.ASKED_FOR
    if judged.kind is Kind.PREFERENCE:
        again = None
    told = [quoted(lead, quote), *([f"{_RESTATED}{in_quotes(again.text)}"] if again else [])]
    return _finding(turn, number, judged, again, [*told, *_setting(heading, judged.title, quote)])


def is_disowned_in(message: Sequence[str], place: int) -> bool:
    """Return whether a message denies its sentence at index `place`, or ascribes it to others."""
    lead, colon, said = message[place].partition(": ")
    introduced = len(lead) + len(colon) if said and wish_in(lead) is Wish.NONE else 0
    start = len("\n".join([*message[:place], ""])) + introduced
    end = len("\n".join(message[: place + 1]))
    return is_disowned("\n".join(message), start, end)


def _wish(
    records: Sequence[Record], turn: Turn, message: Sequence[str], sentence: str
) -> _Judged | None:
    """Return the judgement on a sentence if it says how to do things from now on, else None.

    A sentence without a word such as "always" counts only if its message is short, and if the agent
    called no tool in response.
    """
    level = wish_in(sentence)
    works = any(records[index].files for index in turn.body)
    acts = any(records[index].role is Role.CALL for index in turn.body)
    place = message.index(sentence)
    doubted = (
        place + 1 < len(message)
        and message[place + 1].endswith(("?", "？"))
        and (level is Wish.GENERAL or casts_doubt(message[place + 1], sentence))
    )
    passing = acts or len(message) > _SHORT or _definite(sentence)
    if level is Wish.NONE or doubted or (level is Wish.GENERAL and passing):
        return None
    title = title_of(sentence, wish=True)
    if title and wish_in(title) is Wish.NONE:  # the clauses that were cut were the wish
        return None
    product = works and bool(RULE.match(sentence))
    product = (product or bool(FOR_US.match(sentence))) and not _STANDING.search(sentence)
    return (
        _Judged(
            sentence,
            title,
            None if product else Kind.PREFERENCE,
            2.6 if level >= Wish.RULE else 2.2,
        )
        if title
        else None
    )


def _replacement(message: Sequence[str], place: int) -> _Judged | None:
    """Return the judgement on what a message wants instead of a wish that it takes back."""
    sentence = message[place]
    taken_back = revocation(sentence)
    if taken_back is None:  # `Forget what I said about tabs. Use spaces in all files instead.`
        new = _INSTEAD.sub("", sentence.rstrip(".!"))
        ours = place > 0 and revocation(message[place - 1]) and is_order(new, done=True)
        swaps = ours and (new != sentence.rstrip(".!") or wish_in(sentence))
        wanted = bool(swaps) and not (CHORE.match(new) or is_one_off(new, new))
    else:
        new = taken_back.rest
        wanted = bool(wish_in(new) or rank_of(new, new, refused=False))
    # what it replaces makes `use spaces` clear
    title = title_of(new, wish=True) or (capital(new) if wish_in(new) else "")
    return _Judged(sentence, title, Kind.PREFERENCE, 2.2) if wanted and title else None


def _order(  # noqa: PLR0913 all that an order is judged by
    records: Sequence[Record],
    turn: Turn,
    message: Sequence[str],
    place: int,
    again: Restated | None,
    *,
    before: Sequence[str],
) -> _Judged | None:
    """Return the judgement on an order or rule, or None if it does not become a memory.

    The title is the user's sentence or, if that is not clear on its own, the agent's restatement.
    """
    sentence = message[place]
    asks = sentence.endswith(("?", "？"))
    if looks_like_one(sentence.rstrip("?？")) or (asks and not _ASKS_FOR.match(sentence)):
        return None
    done = any(records[index].files for index in turn.body)
    rank = rank_of(
        _ASKS_FOR.sub("", sentence),
        with_reason(records, turn, message[place : place + 2]),
        refused=turn.said.role is Role.REJECTION,
        done=done,
        conceded=concedes(records, turn),
    )
    title = "" if asks else title_of(without_lead(sentence))
    restated_title = title_of(again.text) if again and again.share >= _SAME else ""
    if restated_title and _takes_back(restated_title, sentence, before):
        return _Judged(sentence, restated_title, kind=None, rank=_TAKEN_BACK)
    title = title or restated_title
    if not title or not rank or not (turn.replies or done):
        return None
    return _Judged(sentence, title, _kind(sentence), rank)


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


def _setting(heading: str, title: str, quote: str) -> list[str]:
    """Return a list with the session's title, empty if it adds nothing to `title` and `quote`."""
    new = set(terms(heading)) - set(terms(f"{title} {quote}"))
    return (
        [quoted(Lead.HEADING, heading)]
        if len(new) >= 2 and fits_quote(heading) and not is_automated(heading)
        else []
    )


def _quote(message: Sequence[str], place: int) -> str:
    """Return a sentence with as much of the surrounding message as fits.

    The sentences after it are added first, since they usually give the reason.
    """
    first = last = place
    room = quotes.LIMIT - len(message[place])
    while (
        last + 1 < len(message) and _quotable(message[last + 1]) and len(message[last + 1]) < room
    ):
        last += 1
        room -= len(message[last]) + 1
    while first > 0 and _quotable(message[first - 1]) and len(message[first - 1]) < room:
        first -= 1
        room -= len(message[first]) + 1
    return " ".join(map(finished, message[first : last + 1]))


def _quotable(sentence: str) -> bool:
    says_something = len(set(terms(sentence))) >= _LEAST_SAID
    return (
        says_something
        and fits_quote(sentence)
        and not sentence.endswith(("?", "？", ":", "："))
        and not CHORE.match(sentence)
    )
