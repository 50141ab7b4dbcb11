"""Ask the memory: what it says, each sentence with the memory it comes from, how old that is and how it stands."""

from dataclasses import dataclass
from typing import Any

from git_lerim.actions import freshness, visibility
from git_lerim.recall import access, meaning
from git_lerim.recall.answer import NOTHING, Answer, answer
from git_lerim.recall.filters import Filters
from git_lerim.recall.verdicts import UNKNOWN, state_of, told_of
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One part of an answer."""

    text: str
    id: str
    title: str
    day: str  # of the evidence
    state: str  # fresh | stale | unknown, or the status of a memory that is not active
    told: str  # the same as people read it
    source: str  # agent and session in brief; empty where a person wrote it
    author: str = ""  # who shared it; empty where it is the user's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What `ask` gives."""

    cited: tuple[Cited, ...]
    confidence: float

    @property
    def text(self) -> str:
        """The answer in one text, each part with the id of its memory."""
        return "\n".join(f"{part.text} [{part.id}]" for part in self.cited) or NOTHING


def ask(ws: Workspace, question: str, *, at: str | None = None, everything: bool = False) -> Reply:
    """Answer a question from the memory, as it is now or as it was."""
    index = ws.index(at)
    try:
        visibility.hide(ws, index, everything=everything or at is not None)
        near = meaning.near(ws.meaning, index, question, ws.note, adding=at is None) if ws.meaning else None
        found = answer(index, question, filters=Filters(everything=everything), near=near)
        reply = _reply(ws, found)
    finally:
        index.close()
    if at is None:
        access.shown(ws.folder, [part.id for part in reply.cited])
    return reply


def _reply(ws: Workspace, found: Answer) -> Reply:
    standings = freshness.of_documents(ws, [part.hit for part in found.quoted])
    stands = [standings.get(part.hit.blob, UNKNOWN) for part in found.quoted]
    cited = [
        Cited(
            text=" ".join(part.text.split()),
            id=part.hit.id,
            title=part.hit.title,
            day=part.hit.created[:10],
            state=state_of(part.hit.status, standing),
            told=told_of(part.hit.status, standing),
            source=part.hit.source,
            author=part.hit.author,
        )
        for part, standing in zip(found.quoted, stands, strict=True)
    ]
    return Reply(cited=tuple(cited), confidence=found.confidence)


def as_json(reply: Reply) -> dict[str, Any]:
    """Return an answer as `ask --json` has it."""
    return {
        "answer": reply.text,
        "memories_used": [part.id for part in reply.cited],
        "confidence": reply.confidence,
        "sentences": [
            {
                "text": p.text,
                "id": p.id,
                "title": p.title,
                "created": p.day,
                "state": p.state,
                "source": p.source,
                "author": p.author or None,
            }
            for p in reply.cited
        ],
    }
