"""The tools for reading memories; what they return is in a fence that no memory can close."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from git_lerim.actions.answers import ask as asking
from git_lerim.actions.doubted_commits import history_lines, subject_for_agents
from git_lerim.actions.for_agents import (
    evidence_lines,
    memory_lines,
    without_withheld,
)
from git_lerim.actions.handoffs.handoff_view import fence_lines
from git_lerim.actions.judged import withheld
from git_lerim.actions.listing import find_memory, iso, log_shown, redact_memories, state_marks
from git_lerim.actions.search import SearchQuery, SearchResult, check_query
from git_lerim.actions.search import search_memories as searched
from git_lerim.actions.why import why as explaining
from git_lerim.memories.authors import agents_note, from_other, in_their_name
from git_lerim.memories.format.body import without_title
from git_lerim.serve.mcp.repositories import Repositories
from git_lerim.serve.mcp.session import Client
from git_lerim.sessions.session import moment
from git_lerim.tokens import at_most, clip
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.serve.mcp.tool_table import Ask, Read, Search, Why

_LINE = 160  # characters of a memory's best matching line
_MEMORIES = 10


def search(repositories: Repositories, _: Client, given: "Search") -> str:
    """Find memories; each result says how many tokens it takes to read that memory in full."""
    ws = repositories.enter(given.repository)
    wanted = SearchQuery(query=given.query, limit=given.limit, everything=given.all)
    check_query(ws, wanted)
    items = searched(ws, wanted) if ws.has_memory() else []
    rows: list[str] = []
    for item in without_withheld(ws, items):
        hit = item.hit
        author = from_other(hit.author) if hit.author else ""
        marks = [*filter(None, (item.mark, author)), *agents_note(hit.origin)]
        cost = at_most(f"{hit.title}\n{hit.body}")
        line = without_title(hit.title, hit.line.strip())
        title, line = (in_their_name(text, hit.author) for text in (hit.title, line))
        rows.append(
            f"{hit.id}  {hit.created[:10]}  {hit.kind or hit.primitive}  {title}{_marks(marks)}"
            f"  ~{cost} tokens"
        )
        if line:
            rows.append(f"    {clip(' '.join(line.split()), _LINE)}")
    return fence_lines(ws, rows) if rows else "no matching memories"


def read(repositories: Repositories, _: Client, given: "Read") -> str:
    """Return memories in full, with history and evidence if requested."""
    return _read(
        repositories.enter(given.repository),
        given.ids,
        history=given.history,
        with_evidence=given.evidence,
    )


def read_one(repositories: Repositories, id_: str) -> str:
    """Return one memory in full."""
    return _read(repositories.enter(), [id_])


def _read(
    ws: Workspace, ids: Iterable[str], *, history: bool = False, with_evidence: bool = False
) -> str:
    snapshot = ws.store.served()
    items = redact_memories(ws, [find_memory(snapshot, id_) for id_ in ids])
    log_shown(ws, items)
    lines: list[str] = []
    for item in items:
        if reason := withheld(item):
            lines += [f"{item.memory.id} is not handed to agents: it {reason}", ""]
            continue
        lines += [*memory_lines(ws, item), *(history_lines(ws, item) if history else ()), ""]
        lines += [*evidence_lines(ws, item.memory), ""] if with_evidence else []
    return fence_lines(ws, lines)


def why(repositories: Repositories, _: Client, given: "Why") -> str:
    """Return the memories, commits and sessions that explain why some code is as it is."""
    ws = repositories.enter(given.repository)
    answer = explaining.why(ws, given.path)
    hits = [hit for hit in answer.hits if answer.stored[hit.memory.id].path not in answer.doubts][
        :_MEMORIES
    ]
    stored = [answer.stored[hit.memory.id] for hit in hits]
    stale = state_marks(ws, stored)
    lines = [
        f"{hit.memory.id}  {hit.memory.created:%Y-%m-%d} "
        f" {_sharer(answer, hit.memory.id)}{hit.memory.title}"
        f"{_marks([*stale.get(item.blob, '').splitlines(), *agents_note(item.memory.origin)])}"
        f"  ({hit.word}: {'; '.join(hit.how)})"
        for hit, item in zip(hits, stored, strict=True)
    ]
    for step, links in answer.steps:
        commit = step.commit
        when = iso(moment(commit.committed * 1000))[:10]
        sessions = [f"{link.agent}/{link.session} {link.word}" for link in links[:3]]
        lines.append(
            f"{commit.id[:10] or 'uncommitted'}  {when}  {commit.author} "
            f" {subject_for_agents(commit.subject)}{_marks(sessions)}"
        )
    return fence_lines(ws, lines) if lines else "nothing in memory about this code"


def ask(repositories: Repositories, _: Client, given: "Ask") -> str:
    """Answer a question with sentences quoted from memories, each with its memory's id.

    If no memory clearly answers it, return the titles of the closest ones.
    """
    ws = repositories.enter(given.repository)
    reply = asking.ask(ws, given.question) if ws.has_memory() else None
    cited = [part for part in reply.cited if not part.doubt] if reply else []
    nearest = [item for item in reply.nearest if not item.doubt] if reply else []
    if not (cited or nearest):
        return "nothing in memory about this"
    if not cited:
        fenced = fence_lines(ws, [*map(_near, nearest)])
        return f"no memory clearly answers this; closest:\n{fenced}"
    quotes = (
        f"{f'{from_other(part.author)}: ' if part.author else ''}"
        f"{in_their_name(part.text, part.author)} "
        f"[{', '.join([part.id, part.day, *_told(part)])}]"
        for part in cited
    )
    return fence_lines(ws, [asking.QUOTES, *quotes])


def _told(part: asking.Cited) -> list[str]:
    return [*([] if part.told == "unknown" else [part.told]), *agents_note(part.origin)]


def _near(item: SearchResult) -> str:
    hit = item.hit
    author = f"{from_other(hit.author)}: " if hit.author else ""
    marks = filter(None, (hit.id, hit.created[:10], item.mark))
    facts = ", ".join([*marks, *agents_note(hit.origin)])
    return f"{author}{in_their_name(hit.title, hit.author)} [{facts}]"


def _sharer(answer: explaining.Answer, id_: str) -> str:
    author = answer.stored[id_].author if id_ in answer.stored else ""
    return f"{from_other(author)}: " if author else ""


def _marks(marks: Iterable[str]) -> str:
    joined = ", ".join(marks)
    return f"  ({joined})" if joined else ""
