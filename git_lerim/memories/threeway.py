"""Two changes of one memory → one memory: field by field, without a conflict, and with a trace of what gave way."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories import handoff, merging, recorded
from git_lerim.memories.clean import clean
from git_lerim.memories.frontmatter import render
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.paragraphs import weave

_LINKS = ("tags", "supersedes", "merged_from", "related")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side's version, and who changed it last, as git names them."""

    memory: Memory
    by: str


@dataclass
class _Merge:
    base: Memory
    older: Side
    newer: Side
    lost: list[str] = field(default_factory=list)  # entries of `## Also recorded`

    def pick(self, name: str, was: _Value, old: _Value, new: _Value) -> _Value:
        """Return the value that was changed; of two changes the newer, and note the other."""
        if old in (was, new):
            return new
        if new != was:
            if not _bares(_shown(old), _shown(new)):
                self.note(self.older, _shown(old), name)
            return new
        return old

    def note(self, side: Side, text: str, name: str = "") -> None:
        """Note what a person said; what sync wrote can be made again."""
        if merging.edited(side.memory):
            self.lost.append(recorded.entry(side.memory.updated, side.by, text, name))


def merge(base: Memory | None, a: Side, b: Side) -> Memory:
    """Return what two changes of a memory make together; the order of the sides does not matter.

    Lists are joined by what was added and removed. Of two changes of one value the later stands, of two texts that sync
    wrote the more redacted; what a person said and what did not stand is kept in `## Also recorded`. The same sides in
    another grouping keep the same values; which of them stands on top can differ, because a file holds one time of change.

    Raises BadMemory where the two are not the same memory.
    """
    one, other = (replace(side, memory=clean(side.memory)) for side in (a, b))
    return clean(merge_file(clean(base) if base else None, one, other)[0])


def merge_file(base: Memory | None, a: Side, b: Side) -> tuple[Memory, bytes]:
    """Return what two changes make together, as `merge` does of memories in normal form, and its file, which alone is so."""
    if a.memory.id != b.memory.id:
        raise BadMemory(f"{a.memory.id} and {b.memory.id} are not the same memory")
    if a.memory in (b.memory, base):
        return b.memory, render(b.memory)
    if b.memory == base:
        return a.memory, render(a.memory)
    older, newer = _in_order(a, b)
    return _fitting(_joined(older, newer) if base is None else _combined(_Merge(base, older, newer)), newer)


def _in_order(one: Side, other: Side) -> tuple[Side, Side]:
    first, second = _order(one), _order(other)
    if first == second:
        first, second = (*first, render(one.memory), one.by), (*second, render(other.memory), other.by)
    return (one, other) if first <= second else (other, one)


def _order(side: Side) -> tuple[Any, ...]:
    said = (side.memory.title, side.memory.body)  # of two at one time either can be the later, but always the same one
    return (merging.edited(side.memory), side.memory.updated, merging.redactions(side.memory), *said)


def _joined(older: Side, newer: Side) -> Memory:
    """Join two memories that were made apart."""
    merged = merging.merge_same(older.memory, newer.memory)
    text, _ = recorded.split(merged.body)
    entries = {entry for side in (older, newer) for entry in recorded.split(side.memory.body)[1]}
    for side in (older, newer):
        said = recorded.split(side.memory.body)[0]
        lost = weave("", text, said).text.removeprefix(text).strip()  # what this side alone says
        if merging.edited(side.memory) and lost and not _bares(lost, text):
            entries.add(recorded.entry(side.memory.updated, side.by, lost))
        if merging.edited(side.memory) and side.memory.title != merged.title and not _bares(side.memory.title, merged.title):
            entries.add(recorded.entry(side.memory.updated, side.by, side.memory.title, "title"))
    return merged.having(body=recorded.join(text, entries))


def _combined(m: _Merge) -> Memory:
    was, old, new = m.base, m.older.memory, m.newer.memory
    created = min(old.created, new.created)
    status = _status(m)
    return new.having(
        kind=m.pick("kind", was.kind, old.kind, new.kind),
        title=_title(m),
        status=status,
        created=created,
        updated=max([created, *(one.updated for one in (old, new) if merging.edited(one))]),
        last_accessed=max(old.last_accessed or "", new.last_accessed or "") or None,
        confidence=m.pick("confidence", was.confidence, old.confidence, new.confidence),
        protected=m.pick("protected", was.protected, old.protected, new.protected),
        suspect=m.pick("suspect", was.suspect, old.suspect, new.suspect),
        sources=merging.join_sources(_set(was.sources, old.sources, new.sources)),
        anchors=_set(was.anchors, old.anchors, new.anchors),
        unknown=_unknown(m),
        **{name: _set(*(getattr(one, name) for one in (was, old, new))) for name in _LINKS},
        body=_body(m, archived_apart=_archived_apart(m)),
    )


def _title(m: _Merge) -> str:
    was, old, new = m.base.title, m.older.memory.title, m.newer.memory.title
    if was not in {old, new} and _bares(new, old):
        return old  # the newer one says a secret that the older one has blanked
    return m.pick("title", was, old, new)


def _status(m: _Merge) -> Status:
    was, old, new = m.base.status, m.older.memory.status, m.newer.memory.status
    if was in {old, new}:
        return new if old == was else old
    return max(old, new, key=merging.RANK.__getitem__)


def _archived_apart(m: _Merge) -> tuple[Side, Side] | None:
    """Return who archived a memory, and who changed its text at the same time."""
    for one, other in ((m.older, m.newer), (m.newer, m.older)):
        archived = one.memory.status is Status.ARCHIVED and m.base.status is not Status.ARCHIVED
        if archived and other.memory.status is not Status.ARCHIVED and _text(other.memory) != _text(m.base):
            return one, other
    return None


def _text(memory: Memory) -> tuple[str, str]:
    return memory.title, memory.body


def _body(m: _Merge, archived_apart: tuple[Side, Side] | None) -> str:
    (was, before), (old, theirs), (new, ours) = (recorded.split(one.body) for one in (m.base, m.older.memory, m.newer.memory))
    if was not in {old, new} and _bares(new, old):
        text = old  # the newer one holds a secret that the older one has blanked: nothing of it is woven in
    else:
        text, lost = weave(was, old, new)
        for paragraph in lost:
            if not _bares(paragraph, text):
                m.note(m.older, paragraph)
    if archived_apart:
        archiver, editor = archived_apart
        said = f"archived this beside an edit of {editor.by} on {editor.memory.updated:%Y-%m-%d}"
        m.lost.append(recorded.entry(archiver.memory.updated, archiver.by, said, "status"))
    return recorded.join(text, [*_set(before, theirs, ours), *m.lost])


def _bares(text: str, other: str) -> bool:
    """Tell whether a text holds fewer blanked secrets than another: then it may hold what the other has blanked."""
    return text.count("[REDACTED:") < other.count("[REDACTED:")


def _unknown(m: _Merge) -> dict[str, Any]:
    was, old, new = m.base.unknown, m.older.memory.unknown, m.newer.memory.unknown
    merged: dict[str, Any] = _held(was, old, new) if _is_handoff(m.base) else {}
    for key in sorted({*was, *old, *new}):
        if not (key in handoff.HELD and _is_handoff(m.base)):
            # a key that somebody took out is not one that holds nothing
            found = m.pick(key, *((each[key],) if key in each else () for each in (was, old, new)))
            merged |= {key: found[0]} if found else {}
    return merged


def _held(was: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return who has a handoff: as the one side says that changed it; of two changes, as both make it together."""
    before, *sides = ({key: each[key] for key in handoff.HELD if key in each} for each in (was, old, new))
    if before in sides:
        return sides[sides.index(before) - 1]  # the other one
    return handoff.settled(*sides)


def _is_handoff(memory: Memory) -> bool:
    return memory.primitive is Primitive.HANDOFF


def _shown(value: Any) -> str:
    if isinstance(value, tuple):  # of a key that may not be there
        value = value[0] if value else None
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _set(was: Iterable[_Value], old: Iterable[_Value], new: Iterable[_Value]) -> tuple[_Value, ...]:
    """Return what nobody removed and what somebody added."""
    was, old, new = list(was), list(old), list(new)
    if old == new:
        return tuple(dict.fromkeys(new))
    gone = {item for item in was if item not in old or item not in new}
    return tuple(dict.fromkeys(item for item in [*old, *new] if item not in gone))


# --- limits


def _fitting(merged: Memory, newer: Side) -> tuple[Memory, bytes]:
    """Return a memory that its file can hold, and the file: of what is too much, the newer side's stands."""
    data = _file(merged)
    for shrink in _SHRINKING:
        if data is None:
            merged = shrink(merged, newer.memory)
            data = _file(merged)
    while data is None and recorded.split(merged.body)[1]:
        merged = _without_oldest(merged)
        data = _file(merged)
    return (newer.memory, render(newer.memory)) if data is None else (merged, data)


def _file(memory: Memory) -> bytes | None:
    try:
        return render(memory)
    except BadMemory:
        return None


def _short_body(merged: Memory, newer: Memory) -> Memory:
    """Take the newer text alone, and note what of the other it leaves out."""
    text, entries = recorded.split(merged.body)
    kept = recorded.split(newer.body)[0]
    if len(text) <= len(kept):
        return merged
    lost = weave("", kept, text).text.removeprefix(kept).strip()
    return merged.having(body=recorded.join(kept, [*entries, recorded.entry(merged.updated, "a merge", lost)]))


def _short_head(merged: Memory, newer: Memory) -> Memory:
    names = ("sources", "anchors", "unknown", *_LINKS)
    return merged.having(**{name: getattr(newer, name) for name in names})


def _without_oldest(merged: Memory) -> Memory:
    text, entries = recorded.split(merged.body)
    rest = [one for one in entries if one != recorded.OMITTED]
    return merged.having(body=recorded.join(text, [*rest[1:], recorded.OMITTED] if rest else []))


_SHRINKING: tuple[Callable[[Memory, Memory], Memory], ...] = (_short_body, _short_head)
