"""Keep a memory's id when newer rules find its statement at another position.

An id is derived from a statement's position among those found in a record. If newer rules find more
or fewer, ids would shift to other statements, and what a person forgot, dropped or confirmed would
apply to the wrong one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from git_lerim.actions.intake.session_memories import Kept
from git_lerim.extraction.supersession.force import decided_by_person, is_put_away
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory, Source
from git_lerim.memories.similarity.similarity import near_duplicate


def with_stored_ids(kept: Kept, known: Iterable[Memory], dropped: Collection[Memory]) -> Kept:
    """Return a session's memories under the ids by which the same statements are known.

    `known` are the stored memories of any status, and `dropped` those that the user dropped.
    """
    session = (kept.session.agent, kept.session.id)
    mine = {one.id: one for one in (*dropped, *known) if _cites(one, session)}
    ids = _same_statements(kept.memories, mine)
    away = {one.id for one in dropped if one.id in mine}
    away |= {one.id for one in mine.values() if decided_by_person(one)}
    used, parts = {*ids.values()}, set[str]()
    for memory in kept.memories:
        if memory.id not in ids and any(_is_part(memory, mine[id_]) for id_ in away):
            parts.add(memory.id)  # newer rules split what somebody put away
        elif memory.id not in ids:
            taken = memory.id in used or (memory.id in away and mine[memory.id].edited is None)
            ids[memory.id] = _free(memory, {*mine, *used}) if taken else memory.id
            used.add(ids[memory.id])
    left = kept.without(parts) if parts else kept
    if all(old == new for old, new in ids.items()):
        return left
    return replace(left, memories=tuple(one.having(id=ids[one.id]) for one in left.memories))


def _is_part(one: Memory, other: Memory) -> bool:
    return _title(one) in _title(other) and _shares_record(one.sources, other.sources)


def _title(memory: Memory) -> str:
    return " ".join(memory.title.casefold().split())


def _same_statements(memories: Sequence[Memory], mine: Mapping[str, Memory]) -> dict[str, str]:
    """Map the id that a memory was given to the id by which its statement is known."""
    pairs = sorted(
        (-likeness, one.id != other.id, number, other.id)
        for number, one in enumerate(memories)
        for other in mine.values()
        if (likeness := _likeness(one, other))
    )
    ids: dict[str, str] = {}
    for _, _, number, ident in pairs:
        if memories[number].id not in ids and ident not in ids.values():
            ids[memories[number].id] = ident
    return ids | _edited(memories, mine, ids)


def _edited(
    memories: Sequence[Memory], mine: Mapping[str, Memory], ids: Mapping[str, str]
) -> dict[str, str]:
    """Map the only unmatched statement of a record to the memory that a person reworded there."""
    left = [one for one in memories if one.id not in ids]
    found: dict[str, str] = {}
    for other in mine.values():
        if other.edited and other.id not in ids.values():
            same = [one.id for one in left if _shares_record(one.sources, other.sources)]
            if len(same) == 1 and same[0] not in found:
                found[same[0]] = other.id
    return found


def _likeness(one: Memory, other: Memory) -> int:
    """Return 2 if two memories have the same title, 1 if they say the same of one record, or 0."""
    title, known = _title(one), _title(other)
    if one.primitive is not other.primitive and not is_put_away(other):
        return 0
    if title == known:
        return 2
    quotes = other.edited is not None and title in other.body.casefold()  # a person retitled it
    alike = quotes or title in known or known in title or near_duplicate(one, other)
    return int(alike and _shares_record(one.sources, other.sources))


def _shares_record(some: Iterable[Source], others: Collection[Source]) -> bool:
    return any(
        (one.reading, one.part) == (other.reading, other.part) and first <= end and start <= last
        for one in some
        for other in others
        for first, last in one.records
        for start, end in other.records
    )


def _cites(memory: Memory, session: tuple[str, str]) -> bool:
    return any(source.reading == session for source in memory.sources)


def _free(memory: Memory, taken: Collection[str]) -> str:
    ids = (naming.memory_id("moved", memory.id, memory.primitive, number) for number in count(1))
    return next(ident for ident in ids if ident not in taken)
