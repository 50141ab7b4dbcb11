"""Search the memories, and format the results as text and JSON."""

import shlex
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from git_lerim.actions.code import freshness, visibility
from git_lerim.actions.judged import MARK, marked
from git_lerim.actions.listing import check_agent
from git_lerim.errors import UsageError
from git_lerim.git.history import dates
from git_lerim.memories.format.body import without_title
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.recall.fast import fast_search
from git_lerim.recall.index.index import Index
from git_lerim.recall.index.terms import fold
from git_lerim.recall.local import access_log
from git_lerim.recall.local.verdicts import (
    UNKNOWN,
    USUAL,
    CachedVerdict,
    doubt_in,
    label_of,
    state_of,
)
from git_lerim.recall.search import embeddings, render, rows
from git_lerim.recall.search.fair_search import search_fairly, with_summaries
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.query import filters_of, parse, valid_utf8
from git_lerim.recall.search.search import Hit
from git_lerim.storage import open_store
from git_lerim.workspace import Workspace

_PRIMITIVES = tuple(Primitive)
_VALUES = {"primitive": _PRIMITIVES, "kind": (*Kind, *_PRIMITIVES)}  # by filter of a query


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A search: the query, its filters, and the largest number of results."""

    query: str
    limit: int = 10
    primitives: tuple[str, ...] = ()
    kind: str | None = None
    tag: str | None = None
    agent: str | None = None
    path: str | None = None
    since: str | None = None
    everything: bool = False  # include suspect, superseded and archived memories
    at: str | None = None
    summaries: bool = False  # find summaries of sessions too, unless there are filters

    def selects(self) -> bool:
        """Return whether the query has a word or a filter, so that it can find something.

        Punctuation and excluded words (`-word`) do not count.
        """
        return parse(self.query).selects or self.narrows()

    def narrows(self) -> bool:
        """Return whether options or fields of the query, such as `tag:`, filter the memories."""
        filters = (self.primitives, self.kind, self.tag, self.agent, self.path, self.since)
        return any(filters) or bool(parse(self.query).fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One search result and its state."""

    hit: Hit
    standing: CachedVerdict  # whether it is stale
    pending: bool = False  # it waits for review
    held: rows.FirstCommit | None = None  # when it was added to the store, if asked for
    doubt: str = ""  # why it is not trusted
    is_withheld: bool = False  # its text was replaced, because an agent reads it

    @property
    def state(self) -> str:
        """Return the memory's status or, if it is active, whether it is stale, fresh or unknown."""
        return state_of(self.hit.status, self.standing)

    @property
    def told(self) -> str:
        """Return the memory's state as shown to people."""
        state = label_of(self.hit.status, self.standing, doubt_in(self.hit.row))
        usual = state in USUAL
        return state if not self.pending else "pending" if usual else f"{state}, pending"

    @property
    def mark(self) -> str:
        """Return the memory's state as shown to people, or "" for the normal state.

        In the normal state, a memory is active, and not stale, disputed or waiting for review.
        """
        return "" if self.told in USUAL else self.told


def check_query(ws: Workspace, wanted: SearchQuery) -> None:
    """Raise UsageError for an empty query, or a filter with an invalid value."""
    for name, value in filters_of(wanted.query):
        if not value.strip():
            raise UsageError(f"{name}: is empty", hint=f"to narrow a search: {name}:VALUE")
        known = _VALUES.get(name)
        if known and fold(value) not in known:
            raise UsageError(
                f"{name}: cannot be {value!a}", hint=f"possible values: {', '.join(known)}"
            )
        if name == "since":
            dates.parse_option("since:", value)
        if name == "agent":
            check_agent(ws, fold(value), wanted.at)
    if not wanted.selects():
        words = wanted.query.replace('"', " ").split()
        if excluded := next((word for word in words if word.startswith("-")), ""):
            quoted = shlex.quote(f'"{excluded}"')
            raise UsageError(
                "no words to search for: -word only leaves memories out",
                hint=f"to search for a word with a minus, quote it: git lerim search {quoted}",
            )
        raise UsageError("the query has no word", hint="git lerim list shows all memories")


def search_memories(
    ws: Workspace, wanted: SearchQuery, *, with_held: bool = False
) -> list[SearchResult]:
    """Return the best matches, best first, and log them as shown. Raises UsageError.

    With `with_held`, also look up when each memory was added, which is slower; `json_of`
    needs it.
    """
    if wanted.since is not None:
        dates.parse_option("--since", wanted.since)  # the search itself ignores an invalid date
    check_agent(ws, wanted.agent, wanted.at)
    index = ws.index(wanted.at)
    try:
        visibility.hide(ws, index, everything=wanted.everything or wanted.at is not None)
        hits = _hits(ws, index, wanted)
        if wanted.at is None and not ws.personal:
            _prepare_fast_search(ws, index)
        held = _first_held(ws, index, hits, wanted.at) if with_held else {}
    finally:
        index.close()
    if wanted.at is None:
        access_log.log_shown(ws.folder, [hit.id for hit in hits])
    pending, standings = open_store.pending(ws), freshness.of_documents(ws, hits)
    return [
        SearchResult(
            hit=hit,
            standing=standings.get(hit.blob, UNKNOWN),
            pending=pending.get(hit.path) == hit.blob,
            held=rows.FirstCommit(*held[name]) if (name := rows.name_of(hit)) in held else None,
        )
        for hit in hits
    ]


def _hits(ws: Workspace, index: Index, wanted: SearchQuery) -> list[Hit]:
    query, limit = wanted.query, wanted.limit
    near = (
        embeddings.near(ws.meaning, index, query, ws.note, adding=wanted.at is None)
        if ws.meaning
        else None
    )
    hits = search_fairly(index, query, limit=limit, filters=_filters(wanted), now=ws.now, near=near)
    if wanted.summaries and not wanted.narrows():
        return with_summaries(index, query, hits, limit=limit, by_score=near is None)
    return hits


def _filters(wanted: SearchQuery) -> Filters:
    chosen = {*wanted.primitives}  # two mean all: notes are found only by their kind
    return Filters(
        primitive=chosen.pop() if len(chosen) == 1 else None,
        kind=wanted.kind,
        tag=wanted.tag and valid_utf8(wanted.tag),
        agent=wanted.agent and valid_utf8(wanted.agent),
        path=wanted.path and valid_utf8(wanted.path),
        since=wanted.since,
        everything=wanted.everything,
    )


def _prepare_fast_search(ws: Workspace, index: Index) -> None:
    """Record in the index under which conditions the next search may use its fast path."""
    # the fast path does not support embeddings
    seen = (
        ""
        if ws.meaning or ws.in_tree
        else fast_search.seen(str(ws.place.common_dir), ws.settings["branch"], ws.store.source)
    )
    decay = f"{ws.settings['decayPeriodDays']} {ws.settings['confidenceFloor']}"
    index.keep_meta({"glance": seen, "decay": decay})


def _first_held(
    ws: Workspace, index: Index, hits: Sequence[Hit], at: str | None
) -> dict[str, tuple[float, str | None]]:
    """Map the file name of each hit to when it was added to the store, and by whom.

    For the current state, the answer is cached in the index.
    """
    if at is None and index.meta.get("held") == (index.meta.get("commit") or None):
        return index.first_commits(map(rows.name_of, hits))
    held = {
        name: (first.at.timestamp(), first.author) for name, first in ws.store.first_held().items()
    }
    if at is None and not ws.in_tree:
        index.keep_first_commits(held)
    return held


def embed_missing(ws: Workspace, progress: embeddings.Progress) -> bool:
    """Embed memories that lack a vector, if a model is set; return whether all have one now."""
    if ws.meaning is None or not ws.has_memory():
        return True
    index = ws.index()
    try:
        return embeddings.fill(ws.meaning, index, ws.note, progress)
    finally:
        index.close()


def text_of(items: Sequence[SearchResult], query: str, *, coloured: bool) -> str:
    """Format the results for a terminal, without control characters."""
    return render.lines(
        ((_marked(item), item.told) for item in items), parse(query).terms, coloured=coloured
    )


def _marked(item: SearchResult) -> Hit:
    hit = copy(item.hit)
    hit.line = without_title(hit.title, hit.line)
    hit.title = f"{MARK if item.doubt else ''}{hit.title}"
    return hit


def json_of(ws: Workspace, items: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """Return the results in the format of `search --json`.

    That is the format of `list --json`, with the score and the best matching line.
    """
    decay = rows.Decay(ws.settings["decayPeriodDays"], ws.settings["confidenceFloor"])
    found = []
    for item in items:
        row = rows.row(
            item.hit,
            item.standing,
            item.held or rows.FirstCommit(None, None),
            decay,
            ws.now.timestamp(),
            pending=item.pending,
        )
        if item.doubt:  # the index has the file's text: use the hit's instead
            tags = item.hit.tags.split("\n") if item.hit.tags else []
            row = marked(ws, item.doubt, row | {"title": item.hit.title, "tags": tags})
        found.append(row)
    return found
