"""Pair the user's numbered answers with the numbered questions of the agent's last reply."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.by_rules.from_user.choices import Choice
from git_lerim.extraction.by_rules.sentences.statements import fits_quote
from git_lerim.extraction.transcript.text import plain
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.sessions.session import Record, Role

_QUESTION = re.compile(r"^\s*(?:\*\*)?(?P<number>\d)[.)]\s+(?P<asked>[^\n]{8,300}\?)", re.MULTILINE)
_NUMBER = re.compile(r"(?:^|\n|(?<=\s))(?P<number>\d)[.):]\s+")
# what leaves a question open
_OPEN = re.compile(
    r"(?:later|skip|not sure|no idea|don[’']t know|dunno|whatever|you decide|up to you|your call|"
    r"tbd|same|später|egal|plus tard|más tarde)\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(r"(?P<chosen>[^,;.!]{1,60})(?:[,;.!]\s+(?P<why>.+))?[.!]?$", re.DOTALL)
_LONGEST = 200  # characters of an answer


def by_number(records: Sequence[Record], turn: Turn) -> Iterator[Choice]:
    """Yield the user's answer to each question that the agent numbered, in their order.

    Such a prompt is, for example, `1. cents, as in the invoices 2. yes`; it answers at least two.
    """
    text = turn.said.text.strip()
    if turn.said.role is not Role.PROMPT or turn.before is None or not _NUMBER.match(text):
        return
    asked = {
        found["number"]: found["asked"] for found in _QUESTION.finditer(records[turn.before].text)
    }
    numbers = [found for found in _NUMBER.finditer(text) if found["number"] in asked]
    if len(numbers) < 2 or [one["number"] for one in numbers] != sorted(
        {one["number"] for one in numbers}
    ):
        return
    ends = [*(one.start() for one in numbers[1:]), len(text)]
    for number, end in zip(numbers, ends, strict=True):
        if choice := _choice(plain(asked[number["number"]]), text[number.end() : end].strip()):
            yield choice


def _choice(question: str, answer: str) -> Choice | None:
    said = " ".join(answer.split())
    found = _CHOSEN.match(said)
    if not found or len(said) > _LONGEST or "?" in said or not fits_quote(said):
        return None
    if _OPEN.match(said):
        return None
    return Choice(question, found["chosen"].strip(), said=(found["why"] or "").strip(), free=True)
