"""A worker process: a fresh Python that runs one of our modules, connected by two pipes.

It ends when the pipes close. Messages are non-empty frames of bytes, each preceded by its length.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO

_LENGTH = 8  # bytes
# Maximum bytes of a frame. Text before the first frame, such as that of a `sitecustomize`, would be
# read as a larger length.
_LARGEST = 1 << 30
_BUFFER = 1 << 13  # less than a pipe holds: a larger write waits until nearly all of it is read


class Ended(Exception):
    """The worker ended before it answered, or could not start."""


class Second:
    """A worker process, as its parent process sees it."""

    def __init__(self, module: str) -> None:
        """Start a module that calls `answer` as a worker. Raises Ended."""
        words = [sys.executable, "-P", "-m", module]  # -P: import nothing from this folder
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                words, bufsize=_BUFFER, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise Ended from error

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    def send(self, frame: bytes, *, now: bool = True) -> None:
        """Send a frame to the worker, at once or buffered. Raises Ended."""
        assert self._process.stdin  # noqa: S101 a pipe
        try:
            _write(self._process.stdin, frame)
            if now:
                self._process.stdin.flush()
        except OSError as error:
            raise Ended from error

    def receive(self) -> bytes:
        """Wait for a frame from the worker, and return it. Raises Ended."""
        assert self._process.stdout  # noqa: S101 a pipe
        try:
            return next(_read(self._process.stdout))
        except (OSError, StopIteration) as error:
            raise Ended from error

    def kill(self) -> None:
        """Kill the worker; whoever waits for an answer gets Ended."""
        self._process.kill()

    def close(self) -> None:
        """Close the pipes after the worker has ended."""
        with suppress(OSError), self._process:  # drop what was not yet written
            pass


def worth_while() -> bool:
    """Return whether a worker process can run in parallel on this machine."""
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return processors > 1 and bool(sys.executable)


def answer(by: Callable[[bytes], Iterable[bytes]]) -> None:
    """Answer each frame of the parent with any number of frames; runs in the worker."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is for the parent process, which ends this one
    with suppress(BrokenPipeError):
        for frame in _read(sys.stdin.buffer):
            for each in by(frame):
                _write(sys.stdout.buffer, each)
            sys.stdout.buffer.flush()


def _write(pipe: IO[bytes], frame: bytes) -> None:
    pipe.write(len(frame).to_bytes(_LENGTH, "big"))
    pipe.write(frame)


def _read(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield frames until the pipe ends or a frame is incomplete or invalid."""
    while 0 < (size := int.from_bytes(pipe.read(_LENGTH), "big")) <= _LARGEST:
        data = pipe.read(size)
        if len(data) < size:
            return
        yield data
