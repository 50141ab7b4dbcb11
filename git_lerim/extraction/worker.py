"""Rule-based extraction in a worker process, exchanging sessions and results as MessagePack.

Any failure ends the worker. The caller then gets None and extracts the session itself, which also
reports the error.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import msgspec

from git_lerim.extraction.base import Extracted, extracted
from git_lerim.sessions.session import Session
from git_lerim.worker_process import Ended, Second, answer

_packed = msgspec.msgpack.encode
_session = msgspec.msgpack.Decoder(Session)
_extracted = msgspec.msgpack.Decoder(Extracted)


class Worker:
    """A worker process that extracts memories from one session after another."""

    def __init__(self) -> None:
        """Start the process. Raises Ended if that fails."""
        self._second = Second("git_lerim.extraction.worker")
        self._asking = ThreadPoolExecutor(1)

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._second.pid

    def submit(self, session: Session) -> tuple[Future[Extracted | None], int]:
        """Queue a session; return a future, and the session's size in bytes.

        The future's result is that of the extraction, or None if the worker fails.
        """
        packed = _packed(session)
        return self._asking.submit(self._ask, packed), len(packed)

    def _ask(self, session: bytes) -> Extracted | None:
        with suppress(Ended):
            self._second.send(session)
            return _extracted.decode(self._second.receive())
        return None

    def close(self) -> None:
        """Kill the process, even if it is busy."""
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._second.kill()
        self._asking.shutdown()
        self._second.close()


def main() -> None:
    """Extract memories from the sessions that the parent process sends, until no more come."""
    # only the worker loads the extractor
    from git_lerim.extraction import by_rules  # noqa: PLC0415

    answer(lambda session: [_packed(extracted(by_rules, _session.decode(session)))])


if __name__ == "__main__":
    main()
