"""Three-way merge of a memory, field by field, without conflicts; dropped texts are recorded."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories import feedback, handoff
from git_lerim.memories.format.columns import Merge
from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.format.unknown import order
from git_lerim.memories.memory import COLUMNS, Memory, Origin, Primitive
from git_lerim.memories.merging import also_recorded, merging
from git_lerim.memories.merging.fitting import fitting
from git_lerim.memories.merging.paragraphs import weave
from git_lerim.memories.merging.sides import Side, ThreeWay, Value, bares
from git_lerim.memories.merging.text_merge import merged_text, note_archiving


class _Merge(ThreeWay):
    @cached_property
    def text(self) -> dict[str, Any]:
        """Return the merged fields of the memory's text."""
        return merged_text(self)


def merge(base: Memory | None, a: Side, b: Side) -> Memory:
    """Merge two changes of a memory; the order of the sides does not matter.

    Lists are merged by what was added and removed. Texts that two persons edited are merged
    paragraph by paragraph; of any other two texts one wins as a whole (`merging.text_order`). If
    both sides changed any other field, the later change wins. Dropped texts of persons are kept in
    the section `## Also recorded`. If more than two sides are merged, the same values are kept in
    any order of merging; but which of them wins can depend on the order, because a file holds only
    one time of change.

    Raises BadMemory if the two are not the same memory.
    """
    one, other = (replace(side, memory=clean(side.memory)) for side in (a, b))
    return clean(merge_file(clean(base) if base else None, one, other)[0])


def merge_file(base: Memory | None, a: Side, b: Side) -> tuple[Memory, bytes]:
    """Merge as `merge` does; return the memory with the content of its file."""
    if a.memory.id != b.memory.id:
        raise BadMemory(f"{a.memory.id} and {b.memory.id} are not the same memory")
    if a.memory in (b.memory, base):
        return b.memory, render(b.memory)
    if b.memory == base:
        return a.memory, render(a.memory)
    older, newer = _in_order(a.since(base), b.since(base))
    return fitting(
        _joined(older, newer) if base is None else _combined(_Merge(base, older, newer)),
        newer.memory,
    )


def _in_order(one: Side, other: Side) -> tuple[Side, Side]:
    first, second = _order(one), _order(other)
    if first == second:
        first, second = (
            (*first, render(one.memory), one.by),
            (*second, render(other.memory), other.by),
        )
    return (one, other) if first <= second else (other, one)


def _order(side: Side) -> tuple[Any, ...]:
    memory = side.memory
    said = (
        memory.title,
        memory.body,
    )  # break ties by the text, which always gives the same result
    changed = merging.changed(memory)
    return (merging.edit_order(memory), changed, memory.updated, merging.redactions(memory), *said)


def _joined(older: Side, newer: Side) -> Memory:
    """Merge two versions without a base, and record the texts of persons that are dropped."""
    merged = merging.merge_same(older.memory, newer.memory)
    text, _ = also_recorded.split(merged.body)
    entries = {
        entry for side in (older, newer) for entry in also_recorded.split(side.memory.body)[1]
    }
    for side in filter(_is_worded_by_person, (older, newer)):
        said = also_recorded.split(side.memory.body)[0]
        lost = weave("", text, said).text.removeprefix(text).strip()  # what only this side says
        if lost and not bares(lost, text):
            entries.add(also_recorded.entry(side.memory.updated, side.name, lost))
        if side.memory.title != merged.title and not bares(side.memory.title, merged.title):
            entries.add(
                also_recorded.entry(side.memory.updated, side.name, side.memory.title, "title")
            )
    return merged.having(body=also_recorded.join(text, entries))


def _is_worded_by_person(side: Side) -> bool:
    """Return whether a person edited a version of a memory, or wrote it by hand."""
    memory = side.memory
    return bool(memory.edited) or (memory.origin is Origin.HUMAN and not memory.sources)


def _combined(m: _Merge) -> Memory:
    values = {each.name: _RULES[each.merge](m, each.name) for each in COLUMNS if each.name != "id"}
    entries = _set(
        *(also_recorded.split(one.body)[1] for one in (m.base, m.older.memory, m.newer.memory))
    )
    unknown = _unknown(m)
    note_archiving(m)
    body = also_recorded.join(values["body"], [*entries, *m.lost])
    return m.newer.memory.having(**values | {"body": body, "unknown": unknown})


# --- fields with their own rules


def _state(m: _Merge, name: str) -> Any:
    was, old, new = m.of(name)
    if name != "status" or was in {old, new}:
        return m.pick_column(name)
    return max(old, new, key=merging.RANK.__getitem__)


def _confidence(m: _Merge, name: str) -> Any:
    was, old, new = m.of(name)
    if was in {old, new}:
        return new if old == was else old
    return getattr(max(m.older.memory, m.newer.memory, key=merging.confidence_order), name)


def _anchors(m: _Merge, name: str) -> Any:
    """Return the anchors that a person confirmed last; if nobody did, merge both sides' anchors."""
    was, old, new = m.of(name)
    days = [feedback.last_confirmed(one.feedback) for one in (m.older.memory, m.newer.memory)]
    if was in (old, new) or not any(days):
        return _set(was, old, new)
    return old if days[0] > days[1] else new


def _updated(m: _Merge, _name: str) -> Any:
    sides = (m.older.memory, m.newer.memory)
    return max(
        [min(one.created for one in sides), *(one.updated for one in sides if merging.changed(one))]
    )


_RULES: dict[Merge, Callable[[_Merge, str], Any]] = {
    Merge.TEXT: lambda m, name: m.text[name],
    Merge.FIRST: lambda m, name: min(m.of(name)[1:]),
    Merge.LAST: lambda m, name: max((each for each in m.of(name)[1:] if each), default=None),
    Merge.CHANGED: _updated,
    Merge.STATE: _state,
    Merge.EITHER: ThreeWay.pick_column,
    Merge.CONFIDENCE: _confidence,
    Merge.TAGS: lambda m, name: _set(*m.of(name)),
    Merge.SOURCES: lambda m, name: merging.join_sources(_set(*m.of(name))),
    Merge.ANCHORS: _anchors,
    Merge.LINKS: lambda m, name: _set(*m.of(name)),
    Merge.FEEDBACK: lambda m, name: tuple(feedback.joined(_set(*m.of(name)))),
    Merge.VALUE: ThreeWay.pick_column,
}


def _unknown(m: _Merge) -> dict[str, Any]:
    was, old, new = m.base.unknown, m.older.memory.unknown, m.newer.memory.unknown
    merged: dict[str, Any] = _held(was, old, new) if _is_handoff(m.base) else {}
    for key in sorted({*was, *old, *new}):
        if not (key in handoff.HELD and _is_handoff(m.base)):
            # a removed key differs from an empty one
            found = m.pick(
                key,
                [(each[key],) if key in each else () for each in (was, old, new)],
                _shown,
                order,
            )
            merged |= {key: found[0]} if found else {}
    return merged


def _held(was: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claim of the side that changed it; if both did, the claim chosen by `settled`."""
    before, *sides = (
        {key: each[key] for key in handoff.HELD if key in each} for each in (was, old, new)
    )
    if before in sides:
        return sides[sides.index(before) - 1]  # the other one
    return handoff.settled(*sides)


def _is_handoff(memory: Memory) -> bool:
    return memory.primitive is Primitive.HANDOFF


def _shown(found: tuple[Any, ...]) -> str:
    """Return the value of an unknown key as text; a missing value is `null`."""
    value = found[0] if found else None
    return (
        value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    )


def _set(was: Iterable[Value], old: Iterable[Value], new: Iterable[Value]) -> tuple[Value, ...]:
    """Return the items that neither side removed, and those that either side added."""
    was, old, new = list(was), list(old), list(new)
    if old == new:
        return tuple(dict.fromkeys(new))
    gone = {item for item in was if item not in old or item not in new}
    return tuple(dict.fromkeys(item for item in [*old, *new] if item not in gone))
