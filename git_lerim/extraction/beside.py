"""Extraction by rules in a second process: sessions go there and what was extracted comes back, as
MessagePack.

Whatever goes wrong there ends it: then there is no answer, and who asked does it himself, and says
what is to be said.
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


class Beside:
    """The second process, asked in order."""

    def __init__(self) -> None:
        """Start it. Raises Ended."""
        self._second = Second("git_lerim.extraction.beside")
        self._asking = ThreadPoolExecutor(1)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._second.pid

    def begin(self, session: Session) -> tuple[Future[Extracted | None], int]:
        """Have a session extracted after those before it, and return its size; the result is None
        where no answer comes.
        """
        packed = _packed(session)
        return self._asking.submit(self._ask, packed), len(packed)

    def _ask(self, session: bytes) -> Extracted | None:
        with suppress(Ended):
            self._second.send(session)
            return _extracted.decode(self._second.receive())
        return None

    def end(self) -> None:
        """End it, whatever it is at."""
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._second.kill()
        self._asking.shutdown()
        self._second.close()


def main() -> None:
    """Answer one session after another, until there are no more."""
    # the first process must not load it for being able to ask
    from git_lerim.extraction import by_rules  # noqa: PLC0415

    answer(lambda session: [_packed(extracted(by_rules, _session.decode(session)))])


if __name__ == "__main__":
    main()
