"""Recognize memories the user dropped in triage when an extractor offers them again."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from git_lerim.memories.memory import Memory, Source
from git_lerim.memories.similarity.similarity import near_duplicate


class DroppedBefore:
    """The memories that the user dropped in triage, to recognize them when offered again.

    A new memory is the same as a dropped one if it has the same id or text, or if it is a near
    duplicate that cites some of the same records. Another extractor assigns other ids, so for its
    memories it is enough that the dropped memory cites all records of the new one. For the same
    extractor that is not enough, since one record can contain two wishes.
    """

    def __init__(self, memories: Iterable[Memory], extractor_of: Callable[[Memory], str]) -> None:
        """Index the dropped memories; `extractor_of` returns which extractor offered a memory."""
        self._extractor_of = extractor_of
        self._ids: set[str] = set()
        self._texts: set[tuple[str, ...]] = set()
        self._by_session: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        for memory in memories:
            self._ids.add(memory.id)
            self._texts.add(_text(memory))
            for session in {(source.agent, source.session) for source in memory.sources}:
                self._by_session[session].append(memory)

    def of_session(self, agent: str, session: str) -> list[Memory]:
        """Return the dropped memories that cite a session."""
        return list(self._by_session.get((agent, session), ()))

    def has(self, memory: Memory, extractor: str) -> bool:
        """Return whether the user dropped this memory before; `extractor` offers it now."""
        sessions = {(source.agent, source.session) for source in memory.sources}
        known = (other for session in sessions for other in self._by_session.get(session, ()))
        return (
            memory.id in self._ids
            or _text(memory) in self._texts
            or any(self._is_same(other, memory, extractor) for other in known)
        )

    def _is_same(self, dropped: Memory, memory: Memory, extractor: str) -> bool:
        if self._extractor_of(dropped) != extractor and all(
            _covered(source, dropped) for source in memory.sources
        ):
            return True
        return any(_shared(source, dropped) for source in memory.sources) and near_duplicate(
            dropped, memory
        )


def _text(memory: Memory) -> tuple[str, ...]:
    """Return a memory's text, normalised in case and white space."""
    return (
        memory.primitive,
        *(" ".join(t.casefold().split()) for t in (memory.title, memory.body)),
    )


def _covered(source: Source, dropped: Memory) -> bool:
    """Return whether a dropped memory cites all records that `source` cites."""
    ranges = _ranges(source, dropped)
    return bool(source.records) and all(
        any(a <= first and last <= b for a, b in ranges) for first, last in source.records
    )


def _shared(source: Source, dropped: Memory) -> bool:
    ranges = _ranges(source, dropped)
    return any(a <= last and first <= b for first, last in source.records for a, b in ranges)


def _ranges(source: Source, dropped: Memory) -> list[tuple[int, int]]:
    """Return the record ranges that a dropped memory cites in the same file as `source`."""
    file = (source.agent, source.session, source.part)
    return [
        pair
        for other in dropped.sources
        if (other.agent, other.session, other.part) == file
        for pair in other.records
    ]
