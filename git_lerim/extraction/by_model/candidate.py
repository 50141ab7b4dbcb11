"""Convert a model's memory to a candidate with evidence, files, tags and suspicion."""

import re
from collections.abc import Iterable

from git_lerim.extraction.base import Candidate, Evidence
from git_lerim.extraction.by_model.answer import Item
from git_lerim.extraction.by_model.checks import Shown
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.words import identifiers, terms
from git_lerim.memories.confidence import OF_ORIGIN
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Session

_TAG = re.compile(r"^[a-z][a-z0-9_.-]{2,29}$")
_TAGS = 4


def candidate(session: Session, item: Item, checked: Shown) -> Candidate:
    """Return a checked memory as a candidate."""
    numbers = checked.cited(item)
    records = [line.record for number in numbers for line in checked.numbered[number]]
    first = records[0]
    title, body = " ".join(item.title.split()).rstrip("."), item.body.strip()
    is_decision = item.type == "decision"
    last = max(numbers)
    return Candidate(
        primitive=Primitive.DECISION if is_decision else Primitive.LEARNING,
        kind=None if is_decision else Kind(item.type),
        title=title,
        body=body,
        confidence=OF_ORIGIN[Origin.MODEL],
        provenance=Origin.MODEL,
        tags=_tags(title),
        evidence=evidence(numbers),
        origin=first.uuid or f"{session.id}#{first.n}",
        at=max((record.at for record in records if record.at is not None), default=0),
        commit=next(
            (
                r.commit
                for r in reversed(session.records)
                if r.commit and r.part is None and r.n <= last
            ),
            None,
        ),
        files=checked.files(item),
        suspect=suspicion(f"{title}\n{body}", records, checked.was_run),
    )


def evidence(numbers: Iterable[int]) -> tuple[Evidence, ...]:
    """Return the cited records as ranges."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if ranges and number - ranges[-1][1] <= 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return (Evidence(records=tuple(ranges)),)


def _tags(title: str) -> tuple[str, ...]:
    """Return a few lower-case words of the topic: identifiers first, then words of the title."""
    own = [word for word in re.findall(r"[A-Za-z]{4,}", title) if terms(word)]
    lowered = (word.strip("`()").lower() for word in [*identifiers(title), *own])
    return tuple(dict.fromkeys(tag for tag in lowered if _TAG.match(tag)))[:_TAGS]
