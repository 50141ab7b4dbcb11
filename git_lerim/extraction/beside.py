"""Extraction by rules in a second process, which is a Python of its own and no copy of the first.

It holds nothing of ours but two pipes, and ends when they do, however we end. Sessions go there and what was extracted
comes back as MessagePack, each with its length before it. Whatever goes wrong there ends it: then there is no answer, and
who asked does it himself, and says what is to be said.
"""

import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO

import msgspec

from git_lerim.extraction.base import Extracted, extracted
from git_lerim.sessions.session import Session

_LENGTH = 8  # bytes

_packed = msgspec.msgpack.encode
_session = msgspec.msgpack.Decoder(Session)
_extracted = msgspec.msgpack.Decoder(Extracted)


class Beside:
    """The second process, as the first one sees it."""

    def __init__(self) -> None:
        """Start it. Raises OSError."""
        words = [sys.executable, "-P", "-m", "git_lerim.extraction.beside"]  # -P: the folder we stand in gives no modules
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._asking = ThreadPoolExecutor(1)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def begin(self, session: Session) -> tuple[Future[Extracted | None], int]:
        """Have a session extracted after those before it, and return its size; the result is None where no answer comes."""
        packed = _packed(session)
        return self._asking.submit(self._ask, packed), len(packed)

    def _ask(self, session: bytes) -> Extracted | None:
        pipes = self._process.stdin, self._process.stdout
        with suppress(OSError):  # it has ended
            if pipes[0] and pipes[1]:
                _write(pipes[0], session)
                answer = _read(pipes[1])
                return _extracted.decode(answer) if answer else None
        return None

    def end(self) -> None:
        """End it, whatever it is at."""
        self._asking.shutdown(wait=False, cancel_futures=True)
        self._process.kill()
        self._asking.shutdown()
        with suppress(OSError), self._process:  # what was not yet written is not written any more
            pass


def _write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(_LENGTH, "big") + data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    """Return what comes next; nothing where the pipe has ended."""
    size = int.from_bytes(pipe.read(_LENGTH), "big")
    data = pipe.read(size)
    return data if len(data) == size else b""


def main() -> None:
    """Answer one session after another, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the first process, which ends this one
    from git_lerim.extraction import by_rules  # noqa: PLC0415 the first process must not load it for being able to ask

    with suppress(BrokenPipeError):
        while data := _read(sys.stdin.buffer):
            _write(sys.stdout.buffer, _packed(extracted(by_rules, _session.decode(data))))


if __name__ == "__main__":
    main()
