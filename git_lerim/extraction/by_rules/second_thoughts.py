"""Find what the user later chose instead, in the same session: `Sorry, I meant pnpm, not yarn`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.imperatives import is_order, without_lead
from git_lerim.extraction.by_rules.orders import is_disowned_in
from git_lerim.extraction.by_rules.statements import fits_quote
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.memories.memory import Kind, Origin
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.memories.similarity.changed_choice import chooses_otherwise
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.revocation_phrases import is_for_now
from git_lerim.sessions.session import Role

_NAME = r"[\w@/-](?:[\w.@/-]*\w)?(?: [\w.@/-]*\w){0,2}?"
_CORRECTS = re.compile(
    rf"(?:i (?:meant?|said) )?(?P<new>{_NAME}), (?:and )?not (?P<old>{_NAME})[.! ]*", re.IGNORECASE
)


class _Change(NamedTuple):
    """A sentence of the user that gives up an earlier choice."""

    turn: int  # its index
    record: int  # its index
    sentence: str


def corrected(findings: Iterable[Finding], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the findings without choices that the user later gave up.

    If the user only put one name for another, the finding says so with the new name.
    """
    changes = [*_changes(turns)]
    for one in findings:
        mine = one.origin in {Origin.HUMAN, Origin.ANSWER} and one.kind in {None, Kind.PREFERENCE}
        given_up = [
            change
            for change in changes
            if mine and change.turn > one.turn and chooses_otherwise(change.sentence, one.title)
        ]
        if not given_up:
            yield one
        elif again := _renamed(one, given_up[-1]):
            yield again


def _changes(turns: Sequence[Turn]) -> Iterator[_Change]:
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned or turn.said.role not in {Role.PROMPT, Role.REJECTION}:
            continue
        message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
        for place, sentence in enumerate(message):
            if _chooses(sentence) and not is_disowned_in(message, place):
                yield _Change(number, turn.index, sentence)


def _chooses(sentence: str) -> bool:
    """Return whether a sentence is an order or a correction, for good, that gives something up."""
    if not claim(sentence).replaced or sentence.endswith(("?", "？")) or is_for_now(sentence):
        return False
    said = without_lead(sentence)
    return is_order(said, done=True) or _CORRECTS.fullmatch(said) is not None


def _renamed(one: Finding, change: _Change) -> Finding | None:
    """Return a finding with the name that a correction puts for the one in its title, if any."""
    names = _CORRECTS.fullmatch(without_lead(change.sentence))
    if not names or not fits_quote(change.sentence):
        return None
    old = re.compile(rf"(?<![\w-]){re.escape(names['old'])}(?![\w-])", re.IGNORECASE)
    title, count = old.subn(lambda _: names["new"], one.title)
    return (
        replace(
            one,
            title=title,
            body=f"{finished(one.body)} {quoted(Lead.SAID, finished(change.sentence))}",
            said=title,
            evidence=(*one.evidence, change.record),
            turn=change.turn,
        )
        if count == 1
        else None
    )
