"""A second process, which is a Python of its own that runs one of our modules, and no copy of the
first.

It holds nothing of ours but two pipes, and ends when they do, however we end. What goes through
them are frames of bytes, each with its length before it; none is empty.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO

_LENGTH = 8  # bytes
_LARGEST = (
    1 << 30
    # bytes of a frame; words that come before the first one, as of a `sitecustomize`, read as a
    # larger length
)
_BUFFER = (
    1 << 13
)  # less than a pipe holds: who writes more at a time waits until nearly all of it is read


class Ended(Exception):
    """The second process has ended before it answered, or could not begin."""


class Second:
    """The second process, as the first one sees it."""

    def __init__(self, module: str) -> None:
        """Start a module, which calls `answer`. Raises Ended."""
        words = [sys.executable, "-P", "-m", module]  # -P: the folder we stand in gives no modules
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                words, bufsize=_BUFFER, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise Ended from error

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def send(self, frame: bytes, *, now: bool = True) -> None:
        """Send a frame, at once or together with the next ones. Raises Ended."""
        assert self._process.stdin  # noqa: S101 a pipe
        try:
            _write(self._process.stdin, frame)
            if now:
                self._process.stdin.flush()
        except OSError as error:
            raise Ended from error

    def receive(self) -> bytes:
        """Wait for a frame. Raises Ended."""
        assert self._process.stdout  # noqa: S101 a pipe
        try:
            return next(_read(self._process.stdout))
        except (OSError, StopIteration) as error:
            raise Ended from error

    def kill(self) -> None:
        """Stop it, whatever it is at; who waits for an answer gets none."""
        self._process.kill()

    def close(self) -> None:
        """Wait until it has ended, and close the pipes."""
        with suppress(OSError), self._process:  # what was not yet written is not written any more
            pass


def worth_while() -> bool:
    """Tell whether a second process can run at the same time as this one."""
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return processors > 1 and bool(sys.executable)


def answer(by: Callable[[bytes], Iterable[bytes]]) -> None:
    """Answer, in the second process, each frame of the first one with as many as it takes, until
    there are no more.
    """
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is for the first process, which ends this one
    with suppress(BrokenPipeError):
        for frame in _read(sys.stdin.buffer):
            for each in by(frame):
                _write(sys.stdout.buffer, each)
            sys.stdout.buffer.flush()


def _write(pipe: IO[bytes], frame: bytes) -> None:
    pipe.write(len(frame).to_bytes(_LENGTH, "big"))
    pipe.write(frame)


def _read(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield what comes, until the pipe ends or stops within a frame, or what comes is none."""
    while 0 < (size := int.from_bytes(pipe.read(_LENGTH), "big")) <= _LARGEST:
        data = pipe.read(size)
        if len(data) < size:
            return
        yield data
