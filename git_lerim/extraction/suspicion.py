"""Decide whether an extracted text is suspect; see `memories/checks/prompt_injection.py`."""

import re
from collections.abc import Callable, Iterable

from git_lerim.extraction.transcript.user_text import typed
from git_lerim.extraction.wishes.disowned import own_words
from git_lerim.memories.checks import prompt_injection
from git_lerim.sessions.session import Record, Role

_SENTENCE = re.compile(r"(?<=[.!?…;])\s+|(?<=[。！？])|\n+")  # between two sentences
_ASKS_YES_OR_NO = re.compile(
    r"\W*(?:(?:so|and|then|also|or)\W+)*(?:should(?:n[’']t)?|shall|do|does|is|are|can|could|may|"
    r"must|will|would|ok(?:ay)? to|want me to)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|correct|agreed|exactly|go ahead|please do|do (?:it|so)|"
    r"ja|oui|sí|si|sim|да|はい|是|好|对)(?!\w)",
    re.IGNORECASE,
)
_RESERVES = re.compile(
    r"\b(?:but|except|without|unless|instead|rather|not|never|no)\b|n[’']t\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"(?:[^\w\s]+\s+|\b(?:and|then|but|plus|or)\s+)+", re.IGNORECASE)
_BEGINNING = 4  # first words of a question; its verb is one of them

# What a person typed or chose; a plan is the agent's text.
HUMAN = {
    Role.PROMPT,
    Role.ANSWER,
    Role.REJECTION,
}


def suspicion(
    text: str, evidence: Iterable[Record], runs: Callable[[str], bool] | None = None
) -> str | None:
    """Return why agents must not see a text that is based on these records, or None.

    An order that no person gave in these records is suspicious. Without records, it is unknown who
    gave it, and the check is less strict. `runs` returns whether a command was run or typed in the
    session.
    """
    records = list(evidence)
    # most texts order nothing, so that it does not matter who said what
    reason = prompt_injection.suspicion(text, heard="" if records else None, runs=runs)
    if reason and records:
        heard = "\n".join(map(_heard, records))
        reason = prompt_injection.suspicion(text, heard=heard, runs=runs)
    if reason:
        return reason
    roles = {record.role for record in records}
    return "rests on a tool's output alone" if roles and roles <= {Role.RESULT} else None


def _heard(record: Record) -> str:
    """Return the words of a record that count as the user's.

    These are what the user typed or chose, and the agent's question that they agreed to.
    """
    if record.role not in HUMAN:
        return ""
    return f"{_agreed(record.question or '', record.text)}\n{own_words(typed(record.text))}"


def _agreed(question: str, answer: str) -> str:
    """Return the sentence in an agent's question that the user's answer agrees to, or "".

    It must be the only sentence that asks for yes or no. The answer must say yes without
    reservation, or begin with a verb from the beginning of the question, as `Keep it` answers
    `Should I keep it, or cut it?`; in this case, the rest of the question must not give another
    order. All else in the question counts as the agent's words alone.
    """
    sentences = _SENTENCE.split(question)
    asked = [one for one in sentences if one.endswith(("?", "？")) and _ASKS_YES_OR_NO.match(one)]
    if len(asked) != 1 or _RESERVES.search(answer):
        return ""
    if _YES.match(answer):
        return asked[0]
    first, *more = _CLAUSE.split(asked[0])
    words = re.findall(r"\w+", first.casefold())[:_BEGINNING]
    verb = re.match(r"\w+", answer.casefold())
    repeats = verb and verb[0] in words and not any(map(prompt_injection.begins_as_order, more))
    return asked[0] if repeats else ""
