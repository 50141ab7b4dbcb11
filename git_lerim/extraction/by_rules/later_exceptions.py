"""Add to a wish the exception that a later message states: `no wait, only for new tables`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_user.message import Message, is_disowned_in
from git_lerim.extraction.by_rules.from_user.quotation import UNLESS, quotation
from git_lerim.extraction.by_rules.sentences.one_off import is_one_off
from git_lerim.extraction.by_rules.sentences.statements import fits_quote
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Origin
from git_lerim.memories.quotes import LIMIT, Lead, quoted
from git_lerim.memories.similarity.revocation_phrases import is_for_now
from git_lerim.sessions.session import Record, Role

# how a sentence begins that calls itself an exception
_EXCEPTS = re.compile(
    r"(?:(?:and|oh|also|but|hm+|und|one|the only|an|a|small|another|eine?|noch) )*(?:"
    r"exceptions?(?: (?:to|from) (?:this|that|it|the [\w ]{3,30}?))?(?::| (?:is|are) )|"
    r"ausnahmen?(?::| (?:ist|sind) )|exceptions? ?: |excepci(?:ón|ones): |eccezion[ei]: )",
    re.IGNORECASE,
)
_UNLESS = re.compile(rf"(?:(?:and|oh|but|hm+|und|aber),? )*(?:{UNLESS.pattern})", re.IGNORECASE)
# of errors in a program: `Exceptions: log them all`
_OF_CODE = re.compile(
    r"^(?:always|never|please|use|wrap|return|map|convert|print|report|send|show|write)\b|"
    r"\b(?:rais\w+|throw\w*|catch\w*|caught|logg?\w*|handl\w+|try|errors?|stack|trace\w*)\b",
    re.IGNORECASE,
)
# how a sentence begins that corrects the one who says it, and how it then limits what was said
_CORRECTS = re.compile(
    r"(?:(?:no|oh|ah|hm+|ok(?:ay)?|sorry|wait|actually|hold on|hang on|nein|ach|moment|warte|but|"
    r"and|aber|und|please|pls)[,.:;!]*(?: |$))*",
    re.IGNORECASE,
)
_NARROWS = re.compile(
    r"(?:only|not|just not|nur|nicht) (?:(?:if|when|where|for|in|on|with|during|für|in|bei|wenn)\b|"
    r"(?<=only )(?:the )?(?:new|public|future)\b|(?<=nur )(?:die )?neue\w*\b)"
    r"(?! (?:it|you|that|this|we|i|now)\b)",
    re.IGNORECASE,
)
_SPARES = re.compile(
    r"(?:leave|keep|spare|skip|don[’']?t (?:touch|change|rename)) (?:all |the |our )*"
    r"(?:existing|old|older|other|current|legacy)\b(?P<ones> ones?\b)?",
    re.IGNORECASE,
)
_AT_HAND = re.compile(
    r"\bthis (?:pr|branch|commit|time|one|file|session|task|change|run)\b|\bfor now\b|\btoday\b|"
    r"\bi mean\b",
    re.IGNORECASE,
)
_LONGEST = 160  # characters of an exception
_FEW = 3  # most sentences of a message that limits the one before it


def with_exceptions(
    found: Sequence[Finding], records: Sequence[Record], turns: Sequence[Turn]
) -> list[Finding]:
    """Return findings, each wish of the user with the exceptions that later messages state.

    Such an exception is no finding of its own. The next message may limit the one wish of the
    message before; any other must call itself an exception and name what the wish is about.
    """
    kept = list(found)
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned or turn.said.role is not Role.PROMPT or not number:
            continue
        if not any(one.turn < number and _is_wish(one) for one in kept):
            continue
        message = Message.of(records, turn, number, ())
        for place in _exceptions(message):
            wish = _limited(kept, turns, number, message.sentences[place])
            if wish is not None:
                added = quotation(message, place)
                kept = [
                    _with(one, added, turns, number) if one is wish else one
                    for one in kept
                    if not (one.turn == number and one.said == message.sentences[place])
                ]
    return kept


def _is_wish(one: Finding) -> bool:
    return one.origin is Origin.HUMAN and one.body.startswith((Lead.ASKED_FOR, Lead.SAID))


def _exceptions(message: Message) -> Iterator[int]:
    """Yield the places of the sentences of a message that may limit an earlier wish."""
    for place, said in enumerate(message.sentences):
        lasts = not (_AT_HAND.search(said) or is_for_now(said) or is_one_off(said, said))
        is_first = place == 0 and len(message.sentences) <= _FEW
        states = _is_exception(said) or (is_first and _narrows(said))
        is_whole = len(said) <= _LONGEST and not said.endswith(("?", "？"))
        if not (states and lasts and is_whole and fits_quote(said)):
            continue
        if not (is_disowned_in(message.sentences, place) or suspicion(said, [message.turn.said])):
            yield place


def _is_exception(said: str) -> bool:
    named = _EXCEPTS.match(said)
    if named:
        return not _OF_CODE.search(said[named.end() :].strip())
    return bool(_UNLESS.match(said) and "," not in said)


def _narrows(said: str) -> bool:
    rest = said[_correction(said) :]
    return bool(_NARROWS.match(rest) or _SPARES.match(rest))


def _correction(said: str) -> int:
    found = _CORRECTS.match(said)
    return found.end() if found else 0


def _limited(
    found: Sequence[Finding], turns: Sequence[Turn], number: int, said: str
) -> Finding | None:
    """Return the wish that a sentence of a turn limits; None if it may be several or none."""
    last = next((n for n in reversed(range(number)) if not turns[n].automated), -1)
    wishes = [one for one in found if one.turn < number and _is_wish(one)]
    near = [one for one in wishes if one.turn == last]
    spares = _SPARES.match(said, _correction(said))
    if len(near) == 1 and (not spares or spares["ones"] or _shared(near[0], said)):
        return near[0]
    if not near and not _is_exception(said):
        return None
    about = sorted(near or wishes, key=lambda one: -_shared(one, said))
    most = [one for one in about if _shared(one, said) == _shared(about[0], said) > 0]
    return most[0] if len(most) == 1 else None


def _shared(wish: Finding, said: str) -> int:
    return len({*terms(wish.said)} & {*terms(said)})


def _with(wish: Finding, exception: str, turns: Sequence[Turn], number: int) -> Finding:
    """Return a wish that quotes an exception, too, with the record that states it."""
    quote, end, rest = wish.body.partition("”")
    body = f"{quote} … {exception}{end}{rest}"
    if len(body.partition("“")[2].partition("”")[0]) > LIMIT:
        body = f"{wish.body} {quoted(Lead.SAID, exception)}"
    evidence, limited_in = (*wish.evidence, turns[number].index), (*wish.limited_in, number)
    return replace(wish, body=body, evidence=evidence, limited_in=limited_in)
