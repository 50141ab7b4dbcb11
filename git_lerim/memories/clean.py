"""One normal form of a memory, so that the same memory is the same bytes."""

import re
from datetime import UTC, datetime
from typing import Any

from git_lerim.memories.memory import Anchor, Memory, Source
from git_lerim.tokens import visible

# A line of the body that git would take for a conflict is moved in by one space: readers refuse files with conflicts.
_NOT_PLAIN = re.compile(r"[^\n\t -~]")
_MARKER = re.compile(r"^(?=<{7}|>{7})", re.MULTILINE)


def text(value: str) -> str:
    """Return text without what a reader cannot see; twice, because removing can bring two halves of a character together."""
    return value if value.isascii() and value.isprintable() else visible(visible(value))


def line(value: str) -> str:
    """Return text as one line, without invisible characters and needless space."""
    return " ".join(text(value).split())


def clean(memory: Memory) -> Memory:
    """Return the memory in normal form: visible text, UTC in whole seconds, lists sorted where their order says nothing.

    For every memory, `parse(render(m)) == clean(m)`, and clean(clean(m)) == clean(m).
    """
    return Memory(
        id=memory.id,
        primitive=memory.primitive,
        kind=memory.kind,
        title=line(memory.title),
        body=clean_body(memory.body),
        status=memory.status,
        created=utc(memory.created),
        updated=utc(memory.updated),
        last_accessed=memory.last_accessed,
        confidence=min(max(round(memory.confidence, 2), 0.0), 1.0) + 0.0,
        protected=memory.protected,
        suspect=_maybe(memory.suspect),
        tags=_set(memory.tags),
        sources=sort_sources([_source(s) for s in memory.sources]),
        anchors=sort_anchors([_anchor(a) for a in memory.anchors]),
        supersedes=_set(memory.supersedes),
        merged_from=_set(memory.merged_from),
        related=_set(memory.related),
        unknown={line(key): _unknown(value) for key, value in memory.unknown.items()} if memory.unknown else {},
    )


def sort_sources(sources: list[Source]) -> tuple[Source, ...]:
    """Return each source once, by time."""
    return tuple(sorted(set(sources), key=_source_order)) if len(sources) > 1 else tuple(sources)


def sort_anchors(anchors: list[Anchor]) -> tuple[Anchor, ...]:
    """Return each anchor once, by path and lines."""
    return tuple(sorted(set(anchors), key=_anchor_order)) if len(anchors) > 1 else tuple(anchors)


def clean_body(body: str) -> str:
    """Return a body without invisible characters, and without space around it."""
    shown = body.strip()
    if _NOT_PLAIN.search(shown):
        shown = "\n".join(text(part) for part in shown.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip()
    return _MARKER.sub(" ", shown) if "<<<<<<<" in shown or ">>>>>>>" in shown else shown


def utc(moment: datetime) -> datetime:
    """Return a moment in UTC and whole seconds; one that names no zone is UTC already."""
    if moment.tzinfo is not UTC:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.replace(microsecond=0) if moment.microsecond else moment


def _maybe(value: str | None) -> str | None:
    return (line(value) or None) if value is not None else None


def _set(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({shown for value in values if (shown := line(value))})) if values else ()


def _source(source: Source) -> Source:
    return Source(
        agent=line(source.agent),
        session=line(source.session),
        part=_maybe(source.part),
        records=tuple(sorted(set(source.records))),
        at=utc(source.at) if source.at else None,
        commit=_maybe(source.commit),
    )


def _anchor(anchor: Anchor) -> Anchor:
    return Anchor(
        path=text(anchor.path).replace("\n", " ").replace("\t", " "),
        lines=anchor.lines,
        symbol=_maybe(anchor.symbol),
        blob=_maybe(anchor.blob),
        commit=_maybe(anchor.commit),
    )


def _source_order(source: Source) -> tuple[Any, ...]:
    at = source.at.isoformat() if source.at else ""
    return (at, source.agent, source.session, source.part or "", source.records, source.commit or "", source.part is None)


def _anchor_order(anchor: Anchor) -> tuple[Any, ...]:
    return (anchor.path, anchor.lines or (), anchor.symbol or "", anchor.blob or "", anchor.commit or "")


def _unknown(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {line(str(key)): _unknown(inner) for key, inner in value.items()}
    return [_unknown(inner) for inner in value] if isinstance(value, list | tuple) else value
