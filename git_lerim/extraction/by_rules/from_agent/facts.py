"""Find facts: the agent's direct answers to questions of the user that it investigated."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.sentences.statements import fits_quote, title_of
from git_lerim.extraction.transcript.text import blocks, finished, sentences
from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.transcript.words import identifiers, terms
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.sessions.session import Record, Role

_ASKS = re.compile(
    r"(?:(?:so|and|also|but|ok|or|i) )*(?:what|how|why|does|do|is|are|can|where|when|which|will|"
    r"did|has|have|meant?)\b",
    re.IGNORECASE,
)
# Words that state a limit, which a reader would not expect and the code does not show in one place.
_LIMITS = re.compile(
    r"\b(?:not|never|only|cannot|no (?:separate|longer|such|way)|without|unless|instead of|"
    r"rather than)\b|n[’']t\b",
    re.IGNORECASE,
)
_HERE_AND_NOW = re.compile(
    r"\b(?:you|your|i|we|branch|pr|commit|tests?|line \d+|lint|merge|still|yet|"
    r"currently|already)\b",
    re.IGNORECASE,
)
_LOOKED = 3  # least tool calls of an investigation
_FURTHER = 3  # blocks after the first paragraph that may explain it
_SHARED = 3  # fewest words that a question and its answer share


def facts(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the agent's answer to a question it investigated, if the answer states a limit.

    Such an answer contains a word like `not`, `only` or `unless`. The turn must not change any
    file, and the user's next message must not doubt the answer.
    """
    for number, turn in enumerate(turns):
        calls = sum(records[index].role is Role.CALL for index in turn.body)
        changed = any(records[index].files for index in turn.body)
        asked = _question(turn)
        if not asked or calls < _LOOKED or changed or not turn.replies or turn.disowned:
            continue
        told = _answer(records[turn.replies[-1]].text, _said_before(turns, number))
        if told and not is_doubted(turns, number):
            title = title_of(told[0])
            yield Finding(
                origin=Origin.RULES,
                primitive=Primitive.LEARNING,
                kind=Kind.FACT,
                title=title,
                body=f"{' '.join(map(finished, told))} {quoted(Lead.HAD_ASKED, asked)}",
                said=title,
                evidence=(turn.index, turn.replies[-1]),
                place="fact",
                turn=number,
                rank=1.2,
            )


def _question(turn: Turn) -> str:
    """Return the question in a user's message, or ""."""
    if turn.said.role is not Role.PROMPT or turn.automated:
        return ""
    message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
    asked = " ".join(one for one in message if _ASKS.match(one) or one.endswith(("?", "？")))
    return asked if fits_quote(asked) else ""


def _answer(reply: str, asked: str) -> tuple[str, ...]:
    """Return a reply's first paragraph, with list items on its subject; () if it is no answer."""
    first, *further = blocks(reply) or (None,)
    said = sentences(first.text) if first and first.kind == "paragraph" else ()
    if not said or not _LIMITS.search(" ".join(said)) or _HERE_AND_NOW.search(said[0]):
        return ()
    shared = len(set(terms(said[0])) & set(terms(asked)))
    names = set(identifiers(said[0]))
    direct = bool(names) and shared >= _SHARED - bool(names & set(identifiers(asked)))
    if not direct or not title_of(said[0]) or noise(said[0]):
        return ()
    items = (sentences(block.text)[0] for block in further[:_FURTHER] if block.kind == "item")
    about = set(terms(said[0]))
    return (*said, *(one for one in items if about & set(terms(one)) and one[-1] not in ":?"))


def _said_before(turns: Sequence[Turn], number: int) -> str:
    return " ".join(one.said.text[:600] for one in turns[max(0, number - 2) : number + 1])
