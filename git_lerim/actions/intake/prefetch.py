"""Extract sessions in advance, in a second process, while a sync reads and commits others.

An extraction is used only for the state of the session (its generation) that it was made from, so a
sync has the same result as without this module, only faster.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from git_lerim import worker_process
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry

if TYPE_CHECKING:
    from concurrent.futures import Future

    from git_lerim.extraction.base import Extracted
    from git_lerim.extraction.worker import Worker

# minimum bytes of sources for which starting a second process pays off
ENOUGH = 4_000_000
_MANY = 1 << 24  # maximum bytes of sessions that wait at a time
_MUCH = 1 << 17  # minimum of waiting bytes for which loading the rules here, too, pays off


class Ahead:
    """The sessions that a sync lets a second process extract in advance, if that saves time."""

    def __init__(self, catalog: Catalog, window: queue.Window, most: int) -> None:
        """Initialize with the run's time window and the largest number of sessions it extracts."""
        self._catalog, self._window, self._most = catalog, window, most
        self._worker: Worker | None = None
        # whether to extract sessions as soon as read; whether this process loaded the rules, too
        self._early = self._here = False
        self._last: tuple[str, str] | None = None  # the session read last, perhaps incompletely
        self._next: Iterator[Entry] = iter(())
        self._asked: dict[tuple[str, int], tuple[Future[Extracted | None], int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the second process, even if it is busy."""
        if self._worker:
            self._worker.close()

    def expect(self, sources: int, size: int) -> None:
        """Start the second process if there is so much to read that it saves time."""
        # with more sources, the first sessions read are rarely the first to be extracted
        self._early = sources <= self._most
        if size >= ENOUGH and worker_process.worth_while():
            # most runs find little that is new
            from git_lerim.extraction.worker import Worker  # noqa: PLC0415

            with suppress(worker_process.Ended):
                self._worker = Worker()

    def were_read(self, agent: str, sessions: Iterable[str]) -> None:
        """Begin to extract the sessions that were read completely: all but the last one.

        The next source may continue the last session.
        """
        for session in sessions:
            if self._early and self._last and self._last != (agent, session):
                entry = self._catalog.entry(*self._last)
                if entry and queue.is_due(entry, self._window) and len(self._asked) < self._most:
                    self._ask(entry)
            self._last = agent, session

    def follow(self, entries: Iterable[Entry]) -> None:
        """Set the sessions for which `taken` will be called, in this order."""
        self._next = iter(entries)

    def taken(self, entry: Entry) -> "Extracted | None":
        """Return a session's extraction, or None if extracting it in this process is faster."""
        while self._waiting() < _MANY and (following := next(self._next, None)):
            self._ask(following)
        future, _ = self._asked.pop((entry.name, entry.generation), (None, 0))
        if future is None or ((self._here or self._waiting() > _MUCH) and future.cancel()):
            self._here = True
            return None
        return future.result()

    def _ask(self, entry: Entry) -> None:
        key = entry.name, entry.generation
        if self._worker and key not in self._asked:
            # most runs find nothing new
            from git_lerim.extraction.echoes import without_fences  # noqa: PLC0415

            self._asked[key] = self._worker.submit(without_fences(self._catalog.session(entry))[0])

    def _waiting(self) -> int:
        return sum(size for future, size in self._asked.values() if not future.done())
