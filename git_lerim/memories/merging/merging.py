"""Merge two versions of a memory without a base, that is, a common earlier version.

Each field gets the value that is greater in a fixed order, or the values of both versions, so that
merging is commutative and associative.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories import feedback, handoff
from git_lerim.memories.format.columns import Merge
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.format.unknown import order
from git_lerim.memories.memory import ANCHORS, COLUMNS, Memory, Origin, Primitive, Source, Status

_NEVER, _PROTECTED = "", "0"  # sort before any time
RANK = {Status.ACTIVE: 0, Status.SUSPECT: 1, Status.SUPERSEDED: 2, Status.ARCHIVED: 3}
_PRECEDENCE = {origin: -place for place, origin in enumerate(Origin)}
_FORMS = {each.name: each.form for each in COLUMNS}


def redactions(memory: Memory) -> int:
    """Count the redacted secrets in a memory's text."""
    return memory.title.count("[REDACTED:") + memory.body.count("[REDACTED:")


def merge_same(a: Memory, b: Memory) -> Memory:
    """Merge two versions of one memory; commutative, associative and idempotent.

    The text comes from the later edit of a person, else from the better origin, else from the
    version with more redactions. The status archived wins over any other; the first evidence, the
    latest access and all sources, links and verdicts stay. Raises BadMemory if the two are not the
    same memory.
    """
    if a.id != b.id:
        raise BadMemory(f"{a.id} and {b.id} are not the same memory")
    one, other = _sane(a), _sane(b)
    pair = _Pair(
        one, other, text=max(one, other, key=text_order), state=max(one, other, key=_state_order)
    )
    values = {
        each.name: _RULES[each.merge](pair, each.name) for each in COLUMNS if each.name != "id"
    }
    return clean(
        replace(one, **values, unknown=_unknown(one.unknown, other.unknown) | _claim(one, other))
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    one: Memory
    other: Memory
    text: Memory  # the version whose text wins
    state: Memory  # the version whose status wins

    def both(self, name: str) -> list[Any]:
        """Return the values of a field on both sides."""
        return [getattr(self.one, name), getattr(self.other, name)]


def _sane(memory: Memory) -> Memory:
    """Return a memory in normal form whose last change is not before its creation."""
    memory = clean(memory)
    return (
        memory
        if memory.updated >= memory.created
        else replace(memory, updated=memory.created + timedelta(seconds=1))
    )


def changed(memory: Memory) -> bool:
    """Return whether a memory was changed after its creation."""
    return memory.updated != memory.created


def _change(memory: Memory) -> str:
    """Return a sort key for the last change; a memory that was never changed comes first."""
    return memory.updated.isoformat() if changed(memory) else _NEVER


def edit_order(memory: Memory) -> tuple[str, str]:
    """Return a sort key for the edits of persons; a memory without an edit comes first."""
    return (memory.edited.at.isoformat(), memory.edited.by) if memory.edited else (_NEVER, "")


def text_order(memory: Memory) -> tuple[Any, ...]:
    """Return the sort key that decides which text wins: a person's edit, the origin, redactions."""
    said = (memory.title, memory.body, memory.primitive, memory.kind or "", memory.tags)
    return (edit_order(memory), _PRECEDENCE[memory.origin], redactions(memory), *said)


def text_order_by_time(memory: Memory) -> tuple[Any, ...]:
    """Return a sort key like `text_order`, in which the later change breaks ties.

    It is used for merges that have a base.
    """
    edit, origin, redacted, *said = text_order(memory)
    return (edit, origin, redacted, changed(memory), memory.updated, *said)


def confidence_order(memory: Memory) -> tuple[Any, ...]:
    """Return a sort key like `text_order`, except that a confidence of 0 wins.

    Only a person's edit wins over it. A confidence of 0 means that the session withdrew the memory;
    a side with another confidence had read less of that session.
    """
    return (edit_order(memory), memory.confidence == 0.0, *text_order(memory), memory.confidence)


def _state_order(memory: Memory) -> tuple[Any, ...]:
    archived = memory.status is Status.ARCHIVED
    held = _change(memory) or (_PROTECTED if memory.protected else _NEVER)
    return (archived, "" if archived else held, RANK[memory.status], memory.suspect or "")


def _anchors_order(memory: Memory) -> tuple[Any, ...]:
    return (
        feedback.last_confirmed(memory.feedback),
        _change(memory),
        bool(memory.anchors),
        ANCHORS.order(memory.anchors),
    )


def join_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Join sources that cite the same records; keep the first time, one commit and one branch."""
    if len(sources := tuple(sources)) < 2:
        return sources
    joined: dict[Source, Source] = {}
    for source in sources:
        cited = replace(source, at=None, commit=None, branch=None, patch=None)
        other = joined.get(cited, cited)
        commit, patch = min((each.commit or "~", each.patch or "~") for each in (source, other))
        joined[cited] = replace(
            cited,
            at=_first(source.at, other.at),
            branch=_first(source.branch, other.branch),
            commit=commit if commit != "~" else None,
            patch=patch if patch != "~" else None,
        )
    return tuple(joined.values())


def _first(*values: Any) -> Any:
    return min((value for value in values if value is not None), default=None)


def _unknown(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: max((side[key] for side in (a, b) if key in side), key=order)
        for key in sorted({*a, *b})
    }


def _claim(a: Memory, b: Memory) -> dict[str, Any]:
    """Return the claim that wins between two versions of a handoff; nothing for another memory."""
    return handoff.settled(a.unknown, b.unknown) if a.primitive is Primitive.HANDOFF else {}


def _updated(pair: _Pair, _name: str) -> Any:
    return max(
        [
            min(pair.both("created")),
            *(each.updated for each in (pair.one, pair.other) if changed(each)),
        ]
    )


def _value(pair: _Pair, name: str) -> Any:
    """Return the value of the later change; if both changed at the same time, the greater value."""
    form = _FORMS[name]
    return getattr(
        max(
            pair.one, pair.other, key=lambda each: (_change(each), form.order(getattr(each, name)))
        ),
        name,
    )


_RULES: dict[Merge, Callable[[_Pair, str], Any]] = {
    Merge.TEXT: lambda pair, name: getattr(pair.text, name),
    Merge.TAGS: lambda pair, name: getattr(pair.text, name),
    Merge.FIRST: lambda pair, name: min(pair.both(name)),
    Merge.LAST: lambda pair, name: max((each for each in pair.both(name) if each), default=None),
    Merge.CHANGED: _updated,
    Merge.STATE: lambda pair, name: getattr(pair.state, name),
    Merge.EITHER: lambda pair, name: any(pair.both(name)),
    Merge.CONFIDENCE: lambda pair, name: getattr(
        max(pair.one, pair.other, key=confidence_order), name
    ),
    Merge.SOURCES: lambda pair, name: join_sources([*pair.both(name)[0], *pair.both(name)[1]]),
    Merge.ANCHORS: lambda pair, name: getattr(max(pair.one, pair.other, key=_anchors_order), name),
    Merge.LINKS: lambda pair, name: tuple(each for side in pair.both(name) for each in side),
    Merge.FEEDBACK: lambda pair, name: tuple(
        feedback.joined(each for side in pair.both(name) for each in side)
    ),
    Merge.VALUE: _value,
}
