"""Cut passages into windows, each of which is one request and one commit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from git_lerim.actions.git_history.passages import Gathered, Passage
from git_lerim.extraction.base import evidence_of
from git_lerim.extraction.by_model.transcript import tokens
from git_lerim.memories.memory import HISTORY, Memory, Source
from git_lerim.sessions.session import Header, Session

LARGEST = 24_000  # tokens of a request; from a longer one a model extracts too little
_BESIDE = 2_000  # tokens of the prompt and of memories known already
_LEAST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A group of passages that a model reads in one request, as if they were a session."""

    passages: tuple[Passage, ...]
    done: tuple[str, ...]  # the units that are complete once this window is read
    whole: frozenset[str]  # the units that are only in this window

    @property
    def name(self) -> str:
        """Return a name for messages: the labels of the first and the last passage."""
        first, last = self.passages[0].label, self.passages[-1].label
        return first if first == last else f"{first} to {last}"

    @property
    def session(self) -> Session:
        """Return the passages as a session with numbered records."""
        records = (
            msgspec.structs.replace(passage.record, n=number)
            for number, passage in enumerate(self.passages, 1)
        )
        agent, id_ = HISTORY
        return Session(agent=agent, id=id_, header=Header(), records=tuple(records))

    def units(self) -> tuple[int, int]:
        """Return the number of commits and files in the window."""
        units = {passage.unit: passage.blob is None for passage in self.passages}
        return sum(units.values()), len(units) - sum(units.values())

    def placed(self, memory: Memory) -> Memory | None:
        """Return a stored memory with its sources given as records of this window.

        Return None if none of its sources is in this window.
        """
        numbers = {number for source in memory.sources for number in self._numbers(source)}
        if not numbers:
            return None
        agent, id_ = HISTORY
        records = evidence_of(numbers)[0].records
        return replace(memory, sources=(Source(agent=agent, session=id_, records=records),))

    def _numbers(self, source: Source) -> list[int]:
        """Return the numbers of the records that contain the lines cited by `source`.

        If those lines are gone but this window contains the whole file, return all of the file's
        records.
        """
        same = {
            number: passage
            for number, passage in enumerate(self.passages, 1)
            if (source.agent, source.session) == (passage.cites.agent, passage.cites.session)
        }
        over = [n for n, passage in same.items() if _overlap(source, passage.cites)]
        if over or not same:
            return over
        is_whole = all(passage.unit in self.whole for passage in same.values())
        return [*same] if is_whole else []


def cut(found: Gathered, limit: int) -> list[Window]:
    """Cut passages into windows: documents first, then commits from newest to oldest.

    `limit` is the size limit of a request, in tokens.
    """
    limit = max(min(limit, LARGEST) - _BESIDE, _LEAST)
    newest_first = reversed(_cut(found.commits, limit))
    return [*_cut(found.documents, limit), *newest_first]


def _cut(passages: Sequence[Passage], limit: int) -> list[Window]:
    parts: list[list[Passage]] = []
    size = 0
    for passage in passages:
        takes = tokens(passage.record.text)
        if not parts or size + takes > limit:
            parts.append([])
            size = 0
        parts[-1].append(passage)
        size += takes
    last = {passage.unit: number for number, part in enumerate(parts) for passage in part}
    first = {
        passage.unit: number for number, part in reversed([*enumerate(parts)]) for passage in part
    }
    return [
        Window(
            passages=tuple(part),
            done=tuple(unit for unit in _units(part) if last[unit] == number),
            whole=frozenset(unit for unit in _units(part) if first[unit] == last[unit]),
        )
        for number, part in enumerate(parts)
    ]


def _units(part: Iterable[Passage]) -> list[str]:
    return list(dict.fromkeys(passage.unit for passage in part))


def _overlap(one: Source, other: Source) -> bool:
    return any(a <= last and first <= b for a, b in one.records for first, last in other.records)
