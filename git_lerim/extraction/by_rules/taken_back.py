"""Find what the user takes back: `Forget what I said about tabs`, `We no longer use tabs`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.from_user.message import is_disowned_in
from git_lerim.extraction.by_rules.sentences.statements import LIMIT, fits_quote, title_of
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.text import finished, plain
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.wishes.says import wish_in
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.memories.similarity.change_forms import Way
from git_lerim.memories.similarity.changes_of_mind import change_of_mind, needs_both
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.refusal_phrases import wanted_after_all
from git_lerim.memories.similarity.replacement_phrases import replacement
from git_lerim.memories.similarity.revocation_phrases import (
    admits,
    is_for_now,
    looks_like_one,
    revocation,
)
from git_lerim.sessions.session import Role

_RANK = 3.0  # what no longer holds is worse than what is missing
_CHANGED = 1.5  # rank of what may be about the work at hand
_DECIDED = {Way.DROPPED, Way.REPLACED, Way.REMOVED, Way.RENEWED}
_ITEM = re.compile(r"\s*(?:[-–—*+•|]\s|\(?(?:\d{1,2}|[a-z])[.)]\s|#{1,6}\s)")  # or a heading

# a new rule that only the words before it explain: `the tricky spots should get one`
_POINTS_BACK = re.compile(r"\b(?:should|must|needs?|gets?)\b.*\b(?:ones?|some)\b", re.IGNORECASE)

# how users begin to describe what they now use
_SWITCHES = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|btw|fyi|now|well|yes|then|please)[,:]? )*"
    r"(?:(?:let['’]?s|lets|we(?:['’](?:ve|re|ll))?|i(?:['’]ve)?)\b|"
    r"(?!(?:the|this|that|i|you|he|she|they|it|if|when|while|after|once)\b)(?:\S+ ){1,4}?"
    r"(?:is|are|runs?|lives?|goes?|uses?)\b.*\bnow\b)",
    re.IGNORECASE,
)
# an order to use one thing instead of another, which may be about the work at hand
_ORDERS = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|then|please|pls|now|just)[,:]? )*(?:use|take|adopt|prefer|choose|"
    r"go with|(?:switch|move|migrate|change|go)(?: back| over)?(?: to| from))\b(?! (?:it|this|that|"
    r"these|those|them)\b)(?=.*\b(?:instead of|rather than|from|over|not)\b)",
    re.IGNORECASE,
)
# without such a word, it may be a first choice: `We use pnpm instead of npm`
_CHANGES = re.compile(
    r"\b(?:now|swap(?:ped)?|replaced?|switch(?:ed)?|move[ds]?|migrated?|changed?|back to|no longer|"
    r"from (?:now|here) on)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"(?:the|this|that|these|those|an?|my|your|its?|them|what)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:if|whether|could|(?<!i )(?<!we )would|might|may|maybe|perhaps|should|had|used to|"
    r"were|was able|try|trying|let me|wonder|think|instead of (?:\w+ing)\b)\b",
    re.IGNORECASE,
)


class _TakenBack(NamedTuple):
    """What takes something back: its title and words, and how it is kept."""

    title: str
    said: str
    lead: Lead
    rank: float
    kind: Kind | None  # None for a decision


def taken_back(turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield what the user takes back, in so many words or by giving it up.

    Such a memory supersedes what it names, also that of other sessions. If it speaks of earlier
    words, what is to be done instead is a finding of its own.
    """
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned or turn.said.role not in {Role.PROMPT, Role.REJECTION}:
            continue
        message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
        for place, sentence in enumerate(message):
            said = _with_rest(message, place, turn.said.text)
            one = _revocation(said) or _change(said)
            if not one or not is_for_good(sentence, turn.said.text):
                continue
            if not (is_disowned_in(message, place) or suspicion(said, [turn.said])):
                yield Finding(
                    origin=Origin.HUMAN,
                    primitive=Primitive.LEARNING if one.kind else Primitive.DECISION,
                    kind=one.kind,
                    title=one.title,
                    body=finished(quoted(one.lead, finished(said))),
                    said=one.said,
                    evidence=(turn.index,),
                    place=f"taken back{place_of(place)}",
                    turn=number,
                    rank=one.rank,
                )


def without_unsure_replacements(
    found: Iterable[Finding], turns: Sequence[Turn]
) -> Iterator[Finding]:
    """Yield findings without orders that replace what may not have been the user's to take back.

    A wish is kept even so.
    """
    for one in found:
        said = revocation(one.said)
        if not said or wish_in(said.rest) or is_for_good(one.said, turns[one.turn].said.text):
            yield one


def without_unsure_revocations(prompt: str) -> str:
    """Return a prompt as one line, without sentences that only seem to take something back."""
    text = " ".join(prompt.split())
    for sentence in (one for paragraph in paragraphs(prompt) for one in paragraph):
        if looks_like_one(sentence) and not is_for_good(sentence, prompt):
            text = text.replace(sentence, "")
    return text


def is_for_good(sentence: str, prompt: str) -> bool:
    """Return whether a sentence surely takes back a wish in the user's own words, and for good.

    It has to begin a line above all lists, and no sentence of its paragraph may say `for now`.
    """
    lines = takewhile(lambda line: not _introduces(line), prompt.splitlines())
    begins = any(
        line.startswith(sentence) or sentence.startswith(line)
        for line in filter(None, map(plain, lines))
    )
    return begins and not any(
        sentence in paragraph and any(map(is_for_now, paragraph))
        for paragraph in paragraphs(prompt)
    )


def _with_rest(message: Sequence[str], place: int, prompt: str) -> str:
    """Return a sentence, with the next one of its line if only both together say what holds."""
    one, *rest = message[place : place + 2]
    both = " ".join([one, *rest])
    tells = admits(both) or (rest and needs_both(plain(one), plain(rest[0])))
    return both if tells and both in prompt else one


def _introduces(line: str) -> bool:
    """Return whether the lines below a line, or itself, may be somebody else's, as in a list."""
    return bool(_ITEM.match(line)) or line.rstrip(" *_").endswith((":", "："))


def _revocation(sentence: str) -> _TakenBack | None:
    """Return the part of a sentence that takes back earlier words, or None."""
    said = plain(sentence)
    found = None if said.endswith(("?", "？")) else revocation(said)
    is_whole = found and (admits(said) or (_POINTS_BACK.search(found.rest) and len(said) <= LIMIT))
    clause = said.rstrip(".") if is_whole else found.clause if found else ""
    if not claim(clause).revoked or len(clause) > LIMIT:
        return None
    title = clause[:1].upper() + clause[1:]
    return _TakenBack(title, title, Lead.SAID, _RANK, Kind.PREFERENCE) if fits_quote(said) else None


def _change(sentence: str) -> _TakenBack | None:
    """Return a sentence that gives up what may have been wanted earlier, or None."""
    change = change_of_mind(plain(sentence))
    if not change:
        return _switch(sentence)
    title = title_of(change.said, wish=True)
    again = change_of_mind(title)
    if not again or again.subject.lower() != change.subject.lower():
        return None
    kind = None if change.way in _DECIDED and not change.complete else Kind.PREFERENCE
    return _TakenBack(title, sentence, Lead.CHANGED, _CHANGED, kind)


def _switch(sentence: str) -> _TakenBack | None:
    """Return a sentence that says what is used now instead of a thing with a name, or None."""
    said = plain(sentence)
    title = title_of(sentence, wish=True)
    switches = (_SWITCHES.match(said) and _CHANGES.search(said)) or _ORDERS.match(said)
    is_switch = switches and _renames(said, title)
    if not title or not (is_switch or (wanted_after_all(said) and wanted_after_all(title))):
        return None
    is_sure = not (said.endswith("?") or _UNSURE.search(said) or looks_like_one(said))
    if not is_sure or is_for_now(said):
        return None
    return _TakenBack(title, sentence, Lead.CHANGED, _CHANGED, None)


def _renames(said: str, title: str) -> bool:
    """Return whether a sentence and its title replace the same thing, and name it."""
    found, again = replacement(said), replacement(title)
    return bool(found and again and again.old == found.old and not _DEFINITE.match(found.old))
