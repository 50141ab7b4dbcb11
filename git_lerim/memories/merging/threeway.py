"""Three-way merge of a memory, field by field, without conflicts; what loses is recorded."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories import feedback, handoff
from git_lerim.memories.format.columns import Merge
from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.format.unknown import order
from git_lerim.memories.memory import COLUMNS, Memory, Primitive, Status
from git_lerim.memories.merging import also_recorded, merging
from git_lerim.memories.merging.fitting import fitting
from git_lerim.memories.merging.paragraphs import weave

_TEXT = tuple(each.name for each in COLUMNS if each.merge is Merge.TEXT)
_FORMS = {each.name: each.form for each in COLUMNS}
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side's version, and its last author according to git."""

    memory: Memory
    by: str

    @property
    def name(self) -> str:
        """Its author: according to git, or else the person that the memory names."""
        edited = self.memory.edited
        return self.by or (edited.by.partition(" <")[0] if edited else "")


@dataclass
class _Merge:
    base: Memory
    older: Side
    newer: Side
    lost: list[str] = field(default_factory=list)  # entries of `## Also recorded`

    def of(self, name: str) -> tuple[Any, Any, Any]:
        """Return the base value of a field and those of both sides."""
        return (
            getattr(self.base, name),
            getattr(self.older.memory, name),
            getattr(self.newer.memory, name),
        )

    def pick(
        self,
        name: str,
        values: Sequence[_Value],
        show: Callable[[_Value], str],
        key: Callable[[_Value], Any] = lambda value: value,
    ) -> _Value:
        """Return the changed value of three; of two changes the newer, recording the other."""
        was, old, new = map(key, values)
        if old not in (was, new) and new != was and not _bares(show(values[1]), show(values[2])):
            self.note(self.older, show(values[1]), name)
        return values[1] if new == was else values[2]

    def pick_column(self, name: str) -> Any:
        """Return the changed value of a field; if both sides changed it, the newer."""
        return self.pick(name, self.of(name), lambda value: ", ".join(_FORMS[name].lines(value)))

    def note(self, side: Side, text: str, name: str = "") -> None:
        """Record what a person wrote; what a sync wrote can be recreated."""
        if side.memory.edited:
            self.lost.append(also_recorded.entry(side.memory.updated, side.name, text, name))

    @cached_property
    def text(self) -> dict[str, Any]:
        """Return the fields of the text and its author."""
        return _text(self)


def merge(base: Memory | None, a: Side, b: Side) -> Memory:
    """Merge two changes of a memory; the order of the sides does not matter.

    Lists are merged by what was added and removed. Texts that two persons edited are merged
    paragraph by paragraph; of any other two texts one wins as a whole (`merging.text_order`). Of
    two changes of another value the later wins. What a person wrote and lost is kept in `## Also
    recorded`. The same sides in another grouping keep the same values; which of them is on top can
    differ, because a file holds only one time of change.

    Raises BadMemory if the two are not the same memory.
    """
    one, other = (replace(side, memory=clean(side.memory)) for side in (a, b))
    return clean(merge_file(clean(base) if base else None, one, other)[0])


def merge_file(base: Memory | None, a: Side, b: Side) -> tuple[Memory, bytes]:
    """Merge as `merge` does, and return the memory with its file."""
    if a.memory.id != b.memory.id:
        raise BadMemory(f"{a.memory.id} and {b.memory.id} are not the same memory")
    if a.memory in (b.memory, base):
        return b.memory, render(b.memory)
    if b.memory == base:
        return a.memory, render(a.memory)
    older, newer = _in_order(a, b)
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
    )  # of two at one time either can be the later, but always the same one
    changed = merging.changed(memory)
    return (merging.edit_order(memory), changed, memory.updated, merging.redactions(memory), *said)


def _joined(older: Side, newer: Side) -> Memory:
    """Merge two memories without a base."""
    merged = merging.merge_same(older.memory, newer.memory)
    text, _ = also_recorded.split(merged.body)
    entries = {
        entry for side in (older, newer) for entry in also_recorded.split(side.memory.body)[1]
    }
    for side in (side for side in (older, newer) if side.memory.edited):
        said = also_recorded.split(side.memory.body)[0]
        lost = weave("", text, said).text.removeprefix(text).strip()  # what this side alone says
        if lost and not _bares(lost, text):
            entries.add(also_recorded.entry(side.memory.updated, side.name, lost))
        if side.memory.title != merged.title and not _bares(side.memory.title, merged.title):
            entries.add(
                also_recorded.entry(side.memory.updated, side.name, side.memory.title, "title")
            )
    return merged.having(body=also_recorded.join(text, entries))


def _combined(m: _Merge) -> Memory:
    values = {each.name: _RULES[each.merge](m, each.name) for each in COLUMNS if each.name != "id"}
    entries = _set(
        *(also_recorded.split(one.body)[1] for one in (m.base, m.older.memory, m.newer.memory))
    )
    unknown = _unknown(m)
    _note_archiving(m)
    body = also_recorded.join(values["body"], [*entries, *m.lost])
    return m.newer.memory.having(**values | {"body": body, "unknown": unknown})


# --- the text


def _text(m: _Merge) -> dict[str, Any]:
    """Return the fields of the text: of the only side that changed it, merged, or of the winner."""
    was, old, new = (_said(one) for one in (m.base, m.older.memory, m.newer.memory))
    if was in {old, new}:
        return _unit(m.newer.memory if old == was else m.older.memory)
    if old == new or not (
        _edited_since(m.base, m.older.memory) and _edited_since(m.base, m.newer.memory)
    ):
        return _unit(_standing(m))
    newer = m.newer.memory
    return {
        **_unit(newer),
        "kind": m.pick_column("kind"),
        "title": _woven_title(m),
        "body": _woven_body(m),
    }


def _unit(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in _TEXT} | {
        "body": also_recorded.split(memory.body)[0]
    }


def _said(memory: Memory) -> tuple[Any, ...]:
    return tuple(_unit(memory).values())


def _words(memory: Memory) -> tuple[str, str]:
    return memory.title, also_recorded.split(memory.body)[0]


def _edited_since(base: Memory, memory: Memory) -> bool:
    return memory.edited is not None and memory.edited != base.edited


def _standing(m: _Merge) -> Memory:
    """Return the side whose text wins, without restoring a secret that the other redacted."""
    loser, winner = sorted((m.older.memory, m.newer.memory), key=merging.text_order_by_time)
    blanked = merging.redactions(loser) > max(
        merging.redactions(winner), merging.redactions(m.base)
    )
    return loser if blanked else winner


def _woven_title(m: _Merge) -> str:
    was, old, new = m.of("title")
    if was not in {old, new} and _bares(new, old):
        return str(old)  # the newer one says a secret that the older one has blanked
    return str(m.pick_column("title"))


def _woven_body(m: _Merge) -> str:
    was, old, new = (also_recorded.split(body)[0] for body in m.of("body"))
    if was not in {old, new} and _bares(new, old):
        # the newer one holds a secret that the older one has blanked: nothing of it is woven in
        return old
    text, lost = weave(was, old, new)
    for paragraph in lost:
        if not _bares(paragraph, text):
            m.note(m.older, paragraph)
    return text


def _note_archiving(m: _Merge) -> None:
    """Record who archived a memory while another person changed its text."""
    for one, other in ((m.older, m.newer), (m.newer, m.older)):
        archived = one.memory.status is Status.ARCHIVED and m.base.status is not Status.ARCHIVED
        is_edited = _edited_since(m.base, other.memory) and _words(other.memory) != _words(m.base)
        if archived and other.memory.status is not Status.ARCHIVED and is_edited:
            said = (
                f"archived this beside an edit of {other.name} on {other.memory.updated:%Y-%m-%d}"
            )
            m.lost.append(also_recorded.entry(one.memory.updated, one.name, said, "status"))


def _bares(text: str, other: str) -> bool:
    """Tell whether a text has fewer redactions than another, so that it may contain its secrets."""
    return text.count("[REDACTED:") < other.count("[REDACTED:")


# --- the other fields


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
    """Return the anchors of the later confirmation, or else merged as a set."""
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
    Merge.EITHER: _Merge.pick_column,
    Merge.CONFIDENCE: _confidence,
    Merge.TAGS: lambda m, name: _set(*m.of(name)),
    Merge.SOURCES: lambda m, name: merging.join_sources(_set(*m.of(name))),
    Merge.ANCHORS: _anchors,
    Merge.LINKS: lambda m, name: _set(*m.of(name)),
    Merge.FEEDBACK: lambda m, name: tuple(feedback.joined(_set(*m.of(name)))),
    Merge.VALUE: _Merge.pick_column,
}


def _unknown(m: _Merge) -> dict[str, Any]:
    was, old, new = m.base.unknown, m.older.memory.unknown, m.newer.memory.unknown
    merged: dict[str, Any] = _held(was, old, new) if _is_handoff(m.base) else {}
    for key in sorted({*was, *old, *new}):
        if not (key in handoff.HELD and _is_handoff(m.base)):
            # a key that somebody took out is not one that holds nothing
            found = m.pick(
                key,
                [(each[key],) if key in each else () for each in (was, old, new)],
                _shown,
                order,
            )
            merged |= {key: found[0]} if found else {}
    return merged


def _held(was: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claim of the side that changed it; if both did, that of `settled`."""
    before, *sides = (
        {key: each[key] for key in handoff.HELD if key in each} for each in (was, old, new)
    )
    if before in sides:
        return sides[sides.index(before) - 1]  # the other one
    return handoff.settled(*sides)


def _is_handoff(memory: Memory) -> bool:
    return memory.primitive is Primitive.HANDOFF


def _shown(found: tuple[Any, ...]) -> str:
    """Return the value of an unknown key as text, even if it is missing."""
    value = found[0] if found else None
    return (
        value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    )


def _set(was: Iterable[_Value], old: Iterable[_Value], new: Iterable[_Value]) -> tuple[_Value, ...]:
    """Return what neither side removed and what either added."""
    was, old, new = list(was), list(old), list(new)
    if old == new:
        return tuple(dict.fromkeys(new))
    gone = {item for item in was if item not in old or item not in new}
    return tuple(dict.fromkeys(item for item in [*old, *new] if item not in gone))
