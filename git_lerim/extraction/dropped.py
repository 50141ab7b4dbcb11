"""Recognise what the user dropped in triage, whichever extractor offers it again and in whatever
words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from git_lerim.memories.memory import Memory, Source
from git_lerim.memories.similarity import near_duplicate


class DroppedBefore:
    """What was dropped, to compare new memories with.

    The id decides where the same extractor offers a memory: two wishes can stand in one record.
    Another extractor gives other ids, so there the evidence decides, and so does a near duplicate
    that rests on some of the same records.
    """

    def __init__(self, memories: Iterable[Memory], extractor_of: Callable[[Memory], str]) -> None:
        """Take what was dropped; `extractor_of` names what had offered it."""
        self._extractor_of = extractor_of
        self._ids: set[str] = set()
        self._by_session: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        for memory in memories:
            self._ids.add(memory.id)
            for session in {(source.agent, source.session) for source in memory.sources}:
                self._by_session[session].append(memory)

    def has(self, memory: Memory, extractor: str) -> bool:
        """Tell whether the user dropped this memory, which an extractor offers now."""
        sessions = {(source.agent, source.session) for source in memory.sources}
        known = (other for session in sessions for other in self._by_session.get(session, ()))
        return memory.id in self._ids or any(
            self._is_same(other, memory, extractor) for other in known
        )

    def _is_same(self, dropped: Memory, memory: Memory, extractor: str) -> bool:
        if self._extractor_of(dropped) != extractor and all(
            _covered(source, dropped) for source in memory.sources
        ):
            return True
        return any(_shared(source, dropped) for source in memory.sources) and near_duplicate(
            dropped, memory
        )


def _covered(source: Source, dropped: Memory) -> bool:
    """Tell whether all records of a source are among those of a dropped memory."""
    ranges = _ranges(source, dropped)
    return bool(source.records) and all(
        any(a <= first and last <= b for a, b in ranges) for first, last in source.records
    )


def _shared(source: Source, dropped: Memory) -> bool:
    ranges = _ranges(source, dropped)
    return any(a <= last and first <= b for first, last in source.records for a, b in ranges)


def _ranges(source: Source, dropped: Memory) -> list[tuple[int, int]]:
    """Return the records that a dropped memory cites of the file of a source."""
    file = (source.agent, source.session, source.part)
    return [
        pair
        for other in dropped.sources
        if (other.agent, other.session, other.part) == file
        for pair in other.records
    ]
