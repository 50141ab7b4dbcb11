"""Answer a question in sentences quoted from memories, each with its source, age and state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from git_lerim.actions.code import freshness, visibility
from git_lerim.actions.judged import MARK
from git_lerim.actions.mistrust import marked_hits
from git_lerim.actions.search import SearchResult
from git_lerim.memories.authors import agents_note, in_their_name
from git_lerim.recall.answers.answer import NO_ANSWER, NOTHING, Answer, answer
from git_lerim.recall.local import access_log
from git_lerim.recall.local.verdicts import UNKNOWN, doubt_in, label_of, state_of
from git_lerim.recall.search import embeddings
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.search import Hit
from git_lerim.workspace import Workspace

# Words cannot tell an answer from another memory on the same subject.
SUREST = 0.9  # so no quotation is more certain
QUOTES = "The closest memories; no model judged whether they answer the question:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One sentence of an answer, and the memory it comes from."""

    text: str
    id: str
    title: str
    day: str  # YYYY-MM-DD of the evidence
    state: str  # fresh | stale | unknown, or the status of a memory that is not active
    told: str  # the state as shown to people
    source: str  # agent and session; empty if written by hand
    author: str = ""  # who shared it; empty if it is the user's own
    ids: tuple[str, ...] = ()  # all memories that support it, if a model wrote it
    doubt: str = ""  # why it is not trusted
    origin: str = ""  # whose words the memory is

    @property
    def marked(self) -> str:
        """Return the sentence, preceded by a warning if its memory is not trusted."""
        return f"{MARK if self.doubt else ''}{self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Facts about an answer that a model wrote: cost, cited memories, rejected sentences."""

    model: str
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    sources: tuple[Cited, ...]  # the cited memories
    left_out: tuple[tuple[str, str], ...]  # rejected sentences with the reasons
    broke_off: str = ""  # why the rest of the answer is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a question, as sentences with the memories from which they come."""

    cited: tuple[Cited, ...]
    confidence: float | None  # None if a model answered
    written: Written | None = None  # None if the sentences are quoted from memories
    nearest: tuple[SearchResult, ...] = ()  # the closest memories, if none answers
    failed: str = ""  # why a model that should answer did not

    @property
    def text(self) -> str:
        """Return the answer as one text, with the ids of its memories after each sentence."""
        parts = (
            f"{part.marked} {' '.join(f'[{id_}]' for id_ in part.ids or (part.id,))}"
            for part in self.cited
        )
        return "\n".join(parts) or (NO_ANSWER if self.nearest else NOTHING)


def ask(ws: Workspace, question: str, *, at: str | None = None, everything: bool = False) -> Reply:
    """Answer a question without a model, from the memory as it is now or was at a revision."""
    index = ws.index(at)
    try:
        visibility.hide(ws, index, everything=everything or at is not None)
        near = (
            embeddings.near(ws.meaning, index, question, ws.note, adding=at is None)
            if ws.meaning
            else None
        )
        found = answer(index, question, filters=Filters(everything=everything), near=near)
        reply = _reply(ws, found, at)
    finally:
        index.close()
    if at is None:
        access_log.log_shown(ws.folder, [part.id for part in reply.cited])
    return reply


def _reply(ws: Workspace, found: Answer, at: str | None) -> Reply:
    quoted = results(ws, [part.hit for part in found.quoted], at)
    cited = [
        cite(item, item.hit.title if item.is_withheld else part.text)
        for item, part in zip(quoted, found.quoted, strict=True)
    ]
    nearest = results(ws, found.nearest, at)
    sure = min(found.confidence, SUREST)
    return Reply(cited=tuple(cited), confidence=sure, nearest=tuple(nearest))


def results(ws: Workspace, hits: Sequence[Hit], at: str | None) -> list[SearchResult]:
    """Return search hits as results with their state; hide untrusted texts from an agent."""
    standings = freshness.of_documents(ws, hits)
    found = [SearchResult(hit=hit, standing=standings.get(hit.blob, UNKNOWN)) for hit in hits]
    return marked_hits(ws, found, at)


def cite(item: SearchResult, text: str) -> Cited:
    """Return `text` as a sentence of an answer, with the search result that it comes from."""
    hit, standing = item.hit, item.standing
    return Cited(
        text=" ".join(in_their_name(text, hit.author).split()),
        id=hit.id,
        title=in_their_name(hit.title, hit.author),
        day=hit.created[:10],
        state=state_of(hit.status, standing),
        told=label_of(hit.status, standing, doubt_in(hit.row)),
        source=hit.source,
        author=hit.author,
        doubt=item.doubt,
        origin=hit.origin,
    )


def _near(item: SearchResult) -> dict[str, Any]:
    hit = item.hit
    found = {
        "id": hit.id,
        "title": in_their_name(hit.title, hit.author),
        "author": hit.author or None,
        "state": item.state,
    }
    return _marked(item.doubt) | found | _note_of_agent(hit.origin)


def as_json(reply: Reply) -> dict[str, Any]:
    """Return an answer in the format of `ask --json`."""
    written = reply.written
    used = dict.fromkeys(id_ for part in reply.cited for id_ in part.ids or (part.id,))
    spent = (
        {
            "tokens_in": written.tokens_in,
            "tokens_out": written.tokens_out,
            "cost_usd": written.cost_usd,
        }
        if written
        else {}
    )
    return {
        "answer": reply.text,
        "memories_used": list(used),
        "confidence": reply.confidence,
        "model": written.model if written else None,
        **spent,
        **({"failed": reply.failed} if reply.failed else {}),
        "nearest": [_near(item) for item in reply.nearest],
        "sentences": [
            _marked(p.doubt)
            | {
                "text": p.text,
                "id": p.id,
                "ids": list(p.ids or (p.id,)),
                "title": p.title,
                "created": p.day,
                "state": p.state,
                "source": p.source,
                "author": p.author or None,
            }
            | _note_of_agent(p.origin)
            for p in reply.cited
        ],
    }


def _note_of_agent(origin: str) -> dict[str, str]:
    return {"origin": origin} if agents_note(origin) else {}


def _marked(doubt: str) -> dict[str, str]:
    return {"not_trusted": doubt} if doubt else {}
