"""Find the decisions and preferences that a session's last compaction summary lists."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.transcript.text import Block, blocks, finished, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs, typed
from git_lerim.extraction.transcript.words import terms
from git_lerim.extraction.wishes.disowned import own_words
from git_lerim.extraction.wishes.says import Wish, wish_in
from git_lerim.memories.checks.denials import is_denial
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Record, Role

_DECISIONS = re.compile(r"(?:key |main |design |agreed )*decisions?(?: made)?\W*$", re.IGNORECASE)
_PREFERENCES = re.compile(
    r"(?:user |constraints (?:and|&) )*preferences?(?: (?:and|&) constraints)?\W*$", re.IGNORECASE
)
_REASON = re.compile(
    r"\s[-—–]\s|: |;|\b(?:because|since|so that|instead of|rather than|not|no|never|only)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s[-—–]\s|[,;:](?=\s)|\s\(")
_NO = re.compile(r"\b(?:no|not|never|without|avoid|stop)\b|n[’']t\b", re.IGNORECASE)
_TYPED = {Role.PROMPT, Role.REJECTION}
_SHARED = 2  # fewest words that a message on the subject of an item shares with it
_LOOKED = 1500  # characters of a message


def summary_decisions(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield the decisions and the user's preferences that the last summary lists.

    The user must have mentioned the subject of an item before the summary, and a preference must
    use the user's own words. If a later message mentions the subject, too, the item is left out,
    since it may have changed.
    """
    for heading, kind in ((_DECISIONS, None), (_PREFERENCES, Kind.PREFERENCE)):
        lists = [
            (index, items)
            for index, record in enumerate(records)
            if record.role is Role.SUMMARY and (items := _listed(blocks(record.text), heading))
        ]
        for index, items in lists[-1:]:
            for number, item in enumerate(items):
                for one in _decided(item, kind, index, turns):
                    yield replace(one, place=place_of(number))


def _decided(item: str, kind: Kind | None, index: int, turns: Sequence[Turn]) -> Iterator[Finding]:
    before = [turn for turn in turns if turn.index < index]
    if kind and not (item := _wished(item, before)):
        return
    said = sentences(item)
    title = title_of(said[0])
    lasts = kind is Kind.PREFERENCE or _REASON.search(item)
    spoken = [turn.index < index for turn in turns if _speaks_of(turn, item)]
    if title and lasts and not noise(title) and spoken and all(spoken):
        yield Finding(
            origin=Origin.RULES,
            primitive=Primitive.LEARNING if kind else Primitive.DECISION,
            kind=kind,
            title=title,
            body=f"{' '.join(map(finished, said))} From the summary that the session went on with.",
            said=title,
            evidence=(index,),
            turn=max(len(before) - 1, 0),
            rank=1.35 if kind else 1.25,
        )


def _listed(summary: Sequence[Block], heading: re.Pattern[str]) -> list[str]:
    found, under = [], False
    for block in summary:
        if block.kind == "heading":
            under = bool(heading.match(block.text))
        elif under and block.kind == "item" and block.depth == 0:
            found.append(block.text)
    return found


def _speaks_of(turn: Turn, item: str) -> bool:
    """Return whether a user's message is about the subject of an item."""
    words = set(terms(turn.said.text[:_LOOKED]))
    return not turn.automated and len(words & set(terms(item))) >= _SHARED


def _wished(item: str, turns: Sequence[Turn]) -> str:
    """Return as much of an item as a sentence of the user's asks for: all, one clause or ""."""
    return next(
        (
            part
            for part in (item, _CLAUSE.split(item, maxsplit=1)[0])
            if any(_wishes(turn, part) for turn in turns)
        ),
        "",
    )


def _wishes(turn: Turn, item: str) -> bool:
    """Return whether one of the user's sentences is a wish that has all words of an item."""
    words = set(terms(item))
    text = turn.said.text[:_LOOKED]
    ours = turn.said.role in _TYPED and not (turn.automated or turn.disowned)
    if not ours or len(words) < _SHARED or not words <= set(terms(text)):
        return False
    return any(
        wish_in(sentence) is not Wish.NONE
        and _denies(sentence) == _denies(item)
        and words <= set(terms(sentence))
        for paragraph in paragraphs(own_words(typed(text)))
        for sentence in paragraph
    )


def _denies(sentence: str) -> bool:
    return is_denial(sentence) or bool(_NO.search(sentence))
