"""Check that what a memory quotes as the user's words stands in a record of the user."""

import re
from collections.abc import Iterable, Iterator

from git_lerim.extraction.by_model.transcript import Line
from git_lerim.extraction.suspicion import HUMAN
from git_lerim.extraction.transcript.user_text import is_automated, typed
from git_lerim.memories.checks.denials import is_denial
from git_lerim.memories.quotes import Quotation, ascribed
from git_lerim.sessions.session import Record, Role

# spaces, quotation marks and emphasis, which copying often changes
_MARKS = r"[\s`*_\"'“”„‘’«»‹›\\]"
_WORD = re.compile(rf"(?:(?!{_MARKS}).)+")
_EDGES = " .,;:!?…"  # a quotation may end before its sentence does
_CLAUSE = re.compile(r"[,;:—–.!?\n]")


def is_users(record: Record) -> bool:
    """Return whether a person typed or chose something in a record."""
    return record.role in HUMAN and not (record.role is Role.PROMPT and is_automated(record.text))


def misquoted(text: str, lines: Iterable[Line]) -> Iterator[str]:
    """Yield what a text quotes as the user's, although no record of theirs has it word for word.

    `lines` is the whole transcript.
    """
    own = [line for line in lines if is_users(line.record)]
    said = [
        (_said(line), "\n".join([line.record.question or "", *line.record.options])) for line in own
    ]
    for quotations in ascribed(text):
        # a choice belongs to the question beside it
        groups = (
            [quotations]
            if any(one.is_offered for one in quotations)
            else [[one] for one in quotations]
        )
        for group in groups:
            if not any(all(_stands_in(one, *each) for one in group) for each in said):
                yield " … ".join(one.words for one in group)


def _said(line: Line) -> str:
    """Return what the user typed or chose, as the model sees it."""
    if line.record.role is Role.ANSWER:
        return line.record.text
    return typed(line.text.partition(":")[2].replace("\n ", "\n").strip())


def _stands_in(one: Quotation, said: str, asked: str) -> bool:
    """Return whether quoted words stand in a text, and not as what its clause denies.

    From "never use spaces", "use spaces" is no quotation.
    """
    text = f"{said}\n{asked}" if one.is_offered else said
    parts = _WORD.findall(one.words.strip(_EDGES))
    pattern = rf"{_MARKS}+".join(map(re.escape, parts))
    found = re.finditer(rf"{_edge(parts, 0)}{pattern}{_edge(parts, -1)}", text, re.IGNORECASE)
    return not parts or any(
        not is_denial(_CLAUSE.split(text[: match.start()])[-1]) for match in found
    )


def _edge(parts: list[str], end: int) -> str:
    """Return a pattern for the first or last edge of a word; Chinese and Japanese have none."""
    if not parts or not re.match(r"\w", parts[end][end]) or parts[end][end] >= "⺀":
        return ""
    return r"(?<!\w)" if end == 0 else r"(?!\w)"
