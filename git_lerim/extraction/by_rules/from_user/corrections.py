"""Find corrections: the user objected, and the agent agreed and stated what is required."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.sentences.statements import fits_quote, title_of
from git_lerim.extraction.transcript.text import (
    blocks,
    finished,
    holds_in_order,
    plain,
    sentences,
)
from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.says import looks_like_one
from git_lerim.memories.checks.denials import is_denial, without_denied
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.sessions.session import Record, Role

_CONCEDES = re.compile(
    r"(?:you[’']?re|you are) (?:\w+ )?right\b|good (?:catch|point|call)\b|exactly\b|right[.,!]|"
    r"agreed\b|correct[.,!]|that[’']s an? (?:crucial|important|good|great|key|fair|valid) "
    r"(?:point|distinction|insight|catch)|(?:that )?makes sense\b",
    re.IGNORECASE,
)
_NORM = re.compile(
    r"\b(?:should|must|has to|have to|needs?(?! to (?:find|look|check|see|fix))|would (?:be|break|"
    r"mean|cause|lose|make)|belongs?|never)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:n[’']t|\bcannot|\bnot)\b", re.IGNORECASE)
_GUESS = re.compile(r"\b(?:maybe|perhaps|possibly|could it be)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"\b(?:so|because|since)\b", re.IGNORECASE)
_ABOUT_THIS = re.compile(
    r"\b(?:would be to|we (?:don[’']t|do not) need|no need|my|expected (?:output|value|result)|"
    r"tests? (?:should|needs?|must))\b",
    re.IGNORECASE,
)
_LEAST_SAID = 2  # topical words of a statement
_LOOKED = 4  # sentences of a reply to look at
_CONFIRMS = 0.5  # least share of the user's words for the agent to say the same


def corrections(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield a finding for each correction by the user that the agent accepted.

    If the agent says how things have to be, the finding is a decision in the agent's words.
    Otherwise, if the agent confirms what the user stated, it is a fact in the user's words.
    """
    for number, turn in enumerate(turns):
        objects = turn.said.role in {Role.PROMPT, Role.REJECTION}
        if not objects or turn.automated or turn.disowned or is_doubted(turns, number):
            continue
        message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
        objection, conceded = " ".join(message), _conceded(records, turn)
        if not objection or not conceded or not fits_quote(objection):
            continue
        if _GUESS.search(objection):
            continue  # the agent looks into it, and it may prove wrong
        rule, fact = _rule(conceded, _said_before(turns, number)), _confirmed(message, conceded)
        if rule and _orders_denied(rule, objection):
            continue
        if rule or fact:
            agreed = f"The agent agreed: {' '.join(map(finished, conceded))}"
            yield Finding(
                origin=Origin.RULES if rule else Origin.HUMAN,
                primitive=Primitive.DECISION if rule else Primitive.LEARNING,
                kind=None if rule else Kind.FACT,
                title=rule or fact,
                body=f"{quoted(Lead.OBJECTED, objection)} {agreed}",
                adds="" if fact else agreed,
                said=rule or fact,
                evidence=(turn.index, turn.replies[0]),
                place="correction",
                turn=number,
                rank=1.4,
            )


def concedes(records: Sequence[Record], turn: Turn) -> bool:
    """Return whether the agent's reply begins by agreeing with the user."""
    return bool(turn.replies) and bool(_CONCEDES.match(records[turn.replies[0]].text))


def confirms(records: Sequence[Record], turn: Turn, statement: str) -> bool:
    """Return whether the agent's reply agrees with the user, and repeats a statement of theirs."""
    mine = set(terms(statement))
    if len(mine) < _LEAST_SAID or statement.endswith("?") or not concedes(records, turn):
        return False
    said = sentences(plain(records[turn.replies[0]].text))[:1]
    return len(mine & set(terms(" ".join(said)))) / len(mine) >= _CONFIRMS


def _conceded(records: Sequence[Record], turn: Turn) -> tuple[str, ...]:
    """Return what the agent states after agreeing, up to where it announces its next steps."""
    if not concedes(records, turn):
        return ()
    text = takewhile(lambda block: block.kind == "paragraph", blocks(records[turn.replies[0]].text))
    said = [one for block in text for one in sentences(block.text)]
    return tuple(takewhile(lambda one: not noise(one) and one[-1] not in ":?", said[1:_LOOKED]))


def _rule(conceded: Sequence[str], before: str) -> str:
    """Return the agent's first sentence that says how a thing the user named must be, or ""."""
    about = set(terms(before))
    return next(
        (
            title
            for one in conceded
            if _NORM.search(one) or holds_in_order(one, _NOT, _BECAUSE)
            if not _ABOUT_THIS.search(one) and about & set(terms(one))
            if (title := title_of(one))
        ),
        "",
    )


def _orders_denied(rule: str, objection: str) -> bool:
    """Return whether a rule demands what the user's objection rejects."""
    if is_denial(rule):
        return False
    words = set(terms(rule))
    denied = words & (set(terms(objection)) - set(terms(without_denied(objection))))
    return 2 * len(denied) >= len(words)


def _confirmed(message: Sequence[str], conceded: Sequence[str]) -> str:
    """Return the user's message, if it is one statement that the agent confirms as a fact."""
    if len(message) > 1 or looks_like_one(message[0]) or message[0].endswith(("?", "？")):
        return ""
    mine, theirs = set(terms(message[0])), set(terms(conceded[0]))
    share = len(mine & theirs) / max(min(len(mine), len(theirs)), 1)
    return title_of(message[0]) if share >= _CONFIRMS else ""


def _said_before(turns: Sequence[Turn], number: int) -> str:
    return " ".join(one.said.text[:600] for one in turns[max(0, number - 2) : number + 1])
