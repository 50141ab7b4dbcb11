"""Turn a memory that a model wrote into a candidate with evidence, files and tags."""

from dataclasses import replace

from git_lerim.extraction.base import Brief, Candidate, evidence_of
from git_lerim.extraction.by_model.answer import Item
from git_lerim.extraction.by_model.checks import Shown
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.words import topic_tags
from git_lerim.memories.confidence import OF_ORIGIN
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Session


def candidate(session: Session, item: Item, checked: Shown) -> Candidate:
    """Turn a memory that a model wrote, and that passed the checks, into a candidate."""
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
        worth=None if item.keep is None else min(max(item.keep, 0), 100) / 100,
        provenance=Origin.MODEL,
        tags=topic_tags(title),
        evidence=evidence_of(numbers),
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
        suspect=suspicion(f"{title}\n{body}", records, checked.may_name),
    )


def summary(session: Session, brief: Brief, checked: Shown) -> Brief:
    """Return a model's summary of a session, with the reason if agents must not see it."""
    text = f"{brief.intent}\n{brief.outcome}"
    suspect = suspicion(text, session.records, checked.may_name)
    if checked.misquoted(text):
        suspect = suspect or "quotes the user with words that they did not say"
    return replace(brief, origin=Origin.MODEL, suspect=suspect)
