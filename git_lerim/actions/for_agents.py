"""Print one memory for an agent: its text, state and evidence, as plain lines."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from git_lerim.actions.judged import NOTES, withheld
from git_lerim.actions.listing import standing_of
from git_lerim.actions.search import SearchResult
from git_lerim.memories.authors import from_other, in_their_name
from git_lerim.memories.feedback import doubt
from git_lerim.memories.memory import HISTORY, Memory, Status
from git_lerim.recall.local.verdicts import label_of
from git_lerim.recall.search.search import Hit
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.tokens import clip, span
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.sessions.session import Record

_RECORD = 600  # characters of a session record


def without_withheld(ws: Workspace, items: Iterable[SearchResult]) -> Iterator[SearchResult]:
    """Yield the results that still exist and are not withheld from agents."""
    items = list(items)
    found = served_items(ws, [item.hit for item in items])
    for item in items:
        one = found.get(item.hit.path)
        if item.hit.path not in found or (one and not withheld(one)):
            yield item


def served_items(
    ws: Workspace, hits: Iterable[Hit], at: str | None = None
) -> dict[str, Stored | None]:
    """Map the path of each hit that may be withheld to its memory, or to None if it was deleted."""
    served: Snapshot | None = None
    found: dict[str, Stored | None] = {}
    for hit in hits:
        if hit.status != Status.ACTIVE or hit.primitive in NOTES:
            served = served or ws.store.served(at)
            place = {"summary": served.summaries, "handoff": served.handoffs}
            found[hit.path] = place.get(hit.primitive, served.memories).get(hit.id)
    return found


def title_lines(items: Iterable[Stored]) -> list[str]:
    """Return one line for each memory: its id, and its title with the author if shared."""
    return [
        f"{item.memory.id}  {f'{from_other(item.author)}: ' if item.author else ''}"
        f"{in_their_name(item.memory.title, item.speaker)}"
        for item in items
    ]


def memory_lines(ws: Workspace, item: Stored) -> Iterator[str]:
    """Yield a memory's title, state, text, anchors and sources as lines."""
    memory = item.memory
    state = label_of(memory.status, standing_of(ws, item), doubt(item.feedback))
    facts = [
        memory.kind or memory.primitive,
        f"{memory.created:%Y-%m-%d}",
        f"origin {memory.origin}",
        state,
    ]
    yield f"{memory.id}  {in_their_name(memory.title, item.speaker)}"
    yield ", ".join([*map(str, facts), *([from_other(item.author)] if item.author else [])])
    yield from in_their_name(memory.body, item.speaker).splitlines()
    for anchor in memory.anchors:
        yield f"about {anchor.path}{f':{span(anchor.lines)}' if anchor.lines else ''}"
    for source in memory.sources:
        records = ", ".join(map(span, source.records))
        yield f"source {source.agent}/{source.session} {source.counts} {records}"


def evidence_lines(ws: Workspace, memory: Memory) -> Iterator[str]:
    """Yield the session records behind a memory, redacted, shortened and checked for orders.

    What a prompt marks as somebody else's text is left out.
    """
    # these take long to load, and lists need neither
    from git_lerim.extraction.transcript.user_text import typed  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import suspicion  # noqa: PLC0415
    from git_lerim.sessions.session import Role  # noqa: PLC0415

    human = {Role.PROMPT, Role.ANSWER, Role.REJECTION}

    for source in memory.sources:
        if source.agent == HISTORY[0] and source.commit:
            path = "" if source.session == source.commit else f":{source.session}"
            yield f"evidence {source.agent}/{source.session}: git show {source.commit}{path}"
    for name, records in _cited(ws, memory):
        if not records:
            yield f"evidence {name}: the session is not on this machine"
        for record in records:
            words = typed(record.text) if record.role is Role.PROMPT else record.text
            text, _ = ws.redactor.redact(words)
            shown = clip(" ".join(text.split()), _RECORD)
            if reason := suspicion(shown, heard=shown if record.role in human else ""):
                shown = f"(withheld: it {reason})"
            yield f"evidence {name} {record.n} {record.role}: {shown}"


def _cited(ws: Workspace, memory: Memory) -> Iterator[tuple[str, "list[Record]"]]:
    """Yield each cited session (`<agent>/<id>`) with the cited records that this machine has."""
    sources = [source for source in memory.sources if source.reading != HISTORY]
    if ws.personal or not (ws.folder / "catalog.sqlite3").exists():
        yield from ((f"{source.agent}/{source.session}", []) for source in sources)
        return
    with ws.catalog() as catalog:
        for source in sources:
            entry = catalog.entry(source.agent, source.session)
            records = catalog.session(entry).records if entry else ()
            cited = [
                r
                for r in records
                if r.part == source.part and any(a <= r.n <= b for a, b in source.records)
            ]
            yield f"{source.agent}/{source.session}", cited
