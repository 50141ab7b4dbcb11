"""Two files of one id → one. Each part of the result is the greatest of some order, so that sides and groups cannot matter."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories import handoff
from git_lerim.memories.clean import clean
from git_lerim.memories.memory import Anchor, Memory, Primitive, Source, Status

_NEVER, _PROTECTED = "", "0"  # before any time
RANK = {Status.ACTIVE: 0, Status.SUSPECT: 1, Status.SUPERSEDED: 2, Status.ARCHIVED: 3}


def redactions(memory: Memory) -> int:
    """Count the secrets that were blanked in a memory's text."""
    return memory.title.count("[REDACTED:") + memory.body.count("[REDACTED:")


def merge_same(a: Memory, b: Memory) -> Memory:
    """Return what two versions of one memory hold together; commutative, associative and idempotent.

    What a person wrote wins over what sync wrote, the later change over the earlier, then the more redacted text; archived
    wins over everything; the first evidence, the latest access and all sources and links stay.
    """
    if a.id != b.id:
        raise BadMemory(f"{a.id} and {b.id} are not the same memory")
    pair = [_sane(a), _sane(b)]
    text = max(pair, key=_text_order)
    standing = max(pair, key=_standing_order)
    created = min(m.created for m in pair)
    return clean(
        replace(
            text,
            created=created,
            updated=max([created, *(m.updated for m in pair if edited(m))]),
            last_accessed=max(m.last_accessed or "" for m in pair) or None,
            status=standing.status,
            suspect=standing.suspect,
            confidence=max(pair, key=_confidence_order).confidence,
            protected=a.protected or b.protected,
            sources=join_sources(pair[0].sources + pair[1].sources),
            anchors=max(pair, key=_anchors_order).anchors,
            supersedes=a.supersedes + b.supersedes,
            merged_from=a.merged_from + b.merged_from,
            related=a.related + b.related,
            unknown=_unknown(pair[0].unknown, pair[1].unknown) | _claim(*pair),
        )
    )


def _sane(memory: Memory) -> Memory:
    """Return a memory in normal form, with no change before its creation."""
    memory = clean(memory)
    return memory if memory.updated >= memory.created else replace(memory, updated=memory.created + timedelta(seconds=1))


def edited(memory: Memory) -> bool:
    """Tell whether a person or maintenance changed a memory since it was made."""
    return memory.updated != memory.created


def _edit(memory: Memory) -> str:
    """Return the time of the last change by a person or maintenance, in a form that sorts; two syncs do not differ by it."""
    return memory.updated.isoformat() if edited(memory) else _NEVER


def _text_order(memory: Memory) -> tuple[Any, ...]:
    said = (memory.title, memory.body, memory.primitive, memory.kind or "", memory.tags)
    return (_edit(memory), redactions(memory), *said)


def _confidence_order(memory: Memory) -> tuple[Any, ...]:
    """Let 0 win among what sync wrote: the session took it back, and the other side has read less of it."""
    return (_edit(memory), memory.confidence == 0.0, memory.confidence)


def _standing_order(memory: Memory) -> tuple[Any, ...]:
    archived = memory.status is Status.ARCHIVED
    held = _edit(memory) or (_PROTECTED if memory.protected else _NEVER)
    return (archived, "" if archived else held, RANK[memory.status], memory.suspect or "")


def _anchors_order(memory: Memory) -> tuple[Any, ...]:
    return (_edit(memory), bool(memory.anchors), tuple(map(_anchor_order, memory.anchors)))


def _anchor_order(anchor: Anchor) -> tuple[Any, ...]:
    return (anchor.path, anchor.lines or (), anchor.symbol or "", anchor.blob or "", anchor.commit or "")


def join_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Join the sources that cite the same records: the first time and one commit stay."""
    if len(sources := tuple(sources)) < 2:
        return sources
    joined: dict[Source, Source] = {}
    for source in sources:
        cited = replace(source, at=None, commit=None)
        other = joined.get(cited, cited)
        joined[cited] = replace(cited, at=_first(source.at, other.at), commit=_first(source.commit, other.commit))
    return tuple(joined.values())


def _first(*values: Any) -> Any:
    return min((value for value in values if value is not None), default=None)


def _unknown(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    return {key: max((side[key] for side in (a, b) if key in side), key=_unknown_order) for key in sorted({*a, *b})}


def _claim(a: Memory, b: Memory) -> dict[str, Any]:
    """Return who has a handoff that two have claimed apart: whoever was first."""
    return handoff.settled(a.unknown, b.unknown) if a.primitive is Primitive.HANDOFF else {}


def _unknown_order(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
