"""Let a model answer a question from the best matching memories; if it fails, quote them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from git_lerim.actions.answers import asked_model
from git_lerim.actions.answers.ask import Cited, Reply, Written, ask, cite, results
from git_lerim.actions.code import visibility
from git_lerim.actions.search import SearchResult
from git_lerim.errors import ModelFailed
from git_lerim.memories.authors import agents_note
from git_lerim.recall.by_model.cited import Note, Sentence
from git_lerim.recall.by_model.prompt import text_of
from git_lerim.recall.index.index import Index
from git_lerim.recall.index.synonyms import synonyms
from git_lerim.recall.local import access_log
from git_lerim.recall.search import embeddings, rerank
from git_lerim.recall.search.fair_search import search_fairly
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.query import parse
from git_lerim.recall.search.search import Hit
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

HITS = 12  # memories per search
BEST = 4  # hits whose neighbours are added
MOST = 20  # memories per request
LONGEST = 2_000  # characters per memory


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question to be answered from the memory as it is now or was at a revision."""

    text: str
    at: str | None = None
    everything: bool = False


def ask_with_model(
    ws: Workspace,
    question: Question,
    say: Callable[[str], None],
    hear: Callable[[Cited], None] | None = None,
) -> Reply:
    """Answer with the configured model, and pass each checked sentence to `hear`.

    If the model fails, the answer consists of quotes from the memories. Raises BadSetting.
    """
    found = _search(ws, question)
    items = results(ws, found, question.at)
    notes = list(_notes([item for item in items if not item.is_withheld]))
    if not notes:
        return Reply(cited=(), confidence=0.0)
    sources = {part.id: part for part, _ in notes}
    heard: list[Cited] = []

    def listen(sentence: Sentence) -> None:
        cited = [sources[id_] for id_ in sentence.ids]
        doubt = next((part.doubt for part in cited if part.doubt), "")
        heard.append(replace(cited[0], text=sentence.text, ids=sentence.ids, doubt=doubt))
        if hear:
            hear(heard[-1])

    request = asked_model.Request(
        name="ask", notes=[note for _, note in notes], question=question.text
    )
    try:
        reply = asked_model.ask(ws, request, say, listen, is_streamed=hear is not None)
    except ModelFailed as error:
        say(f"{error}; answering with quotes from the memories instead")
        quoted = ask(ws, question.text, at=question.at, everything=question.everything)
        return replace(quoted, failed=str(error))
    used = dict.fromkeys(id_ for part in heard for id_ in part.ids)
    if question.at is None:
        access_log.log_shown(ws.folder, list(used))
    written = _written(reply, [sources[id_] for id_ in used])
    return Reply(cited=tuple(heard), confidence=None, written=written)


def _written(reply: asked_model.Reply, sources: Sequence[Cited]) -> Written:
    return Written(
        model=reply.model,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost_usd=reply.cost_usd,
        sources=tuple(sources),
        left_out=tuple(reply.left_out),
        broke_off=reply.broke_off,
    )


def _search(ws: Workspace, question: Question) -> list[Hit]:
    """Return the memories that best match a question, and the neighbours of the best few.

    A neighbour is a memory from the same part of a session.
    """
    with closing(ws.index(question.at)) as index:
        visibility.hide(ws, index, everything=question.everything or question.at is not None)
        adding = question.at is None
        near = (
            embeddings.near(ws.meaning, index, question.text, ws.note, adding=adding)
            if ws.meaning
            else None
        )
        filters = Filters(everything=question.everything)
        hits = search_fairly(index, question.text, limit=HITS, filters=filters, near=near)
        others = " ".join(
            sorted(other for term in parse(question.text).terms for other in synonyms(term))
        )
        hits += (
            search_fairly(index, f"{question.text} {others}", limit=HITS, filters=filters)
            if others
            else []
        )
        hits = list({hit.id: hit for hit in hits}.values())[:MOST]
        return [*hits, *_neighbours(index, hits)][:MOST]


def _neighbours(index: Index, hits: Sequence[Hit]) -> list[Hit]:
    """Return the active memories from the same part of a session as the best hits."""
    known = {hit.key for hit in hits}
    keys = (
        rerank.neighbours(index, [0], index.candidates([0], [hit.key for hit in hits[:BEST]]))
        - known
    )
    return [
        hit
        for hit in index.documents(sorted(keys - index.hidden, reverse=True), Hit)
        if hit.primitive != "summary"
    ]


def _notes(items: Sequence[SearchResult]) -> Iterator[tuple[Cited, Note]]:
    """Yield each memory as a citation and as a note for the prompt, in chronological order."""
    ordered = sorted(items, key=lambda item: (item.hit.created, item.hit.id))
    for number, item in enumerate(ordered, 1):
        hit, part = item.hit, cite(item, item.hit.title)
        state = "" if part.told == "unknown" else part.told
        facts = [
            hit.kind or hit.primitive,
            part.day,
            state,
            f"from {part.author}" if part.author else "",
            *agents_note(part.origin),
        ]
        text = clip(text_of(hit.title, hit.body), LONGEST)
        yield (
            part,
            Note(name=f"M{number}", id=hit.id, facts=", ".join(filter(None, facts)), text=text),
        )
