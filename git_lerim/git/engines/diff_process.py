"""One `git diff-tree` process that compares pairs of trees as they come to be known."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO, Self

from git_lerim.git.repo import Place
from git_lerim.git.running.process import SAFE, clean_environment, run_git

_RAW = (
    "diff-tree",
    "--stdin",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--no-relative",
    "--no-color",
)
_AT_ONCE = 30  # lines that fit into any pipe, so that neither side waits for the other


class DiffProcess:
    """A context manager that compares trees, by one process for all that it is asked.

    Git echoes a line that names no trees, and flushes what it has printed: this ends an answer.
    Where the process fails, git is run again for these trees alone, and its error is raised.
    """

    def __init__(self, place: Place) -> None:
        """Prepare without starting a process; the first comparison starts one."""
        self._args = place.git(*_RAW)
        self._folder = place.git_dir
        self._end = f"-{os.urandom(16).hex()}\n".encode()  # no tree can be named like this
        self._running = ExitStack()
        self._pipes: tuple[IO[bytes], IO[bytes]] | None = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._running.close()

    def compare(self, pairs: Sequence[str]) -> bytes:
        """Return what git prints for pairs of trees, each `OLD NEW`. Raises GitFailed."""
        parts = (pairs[at : at + _AT_ONCE] for at in range(0, len(pairs), _AT_ONCE))
        try:
            return b"".join([self._answer(part) for part in parts])
        except (OSError, EOFError, ValueError):
            asked = "".join(f"{pair}\n" for pair in pairs).encode()
            return run_git(self._args, cwd=self._folder, input=asked)

    def _answer(self, pairs: Sequence[str]) -> bytes:
        given, told = self._pipes = self._pipes or self._start()
        given.write("".join(f"{pair}\n" for pair in pairs).encode() + self._end)
        answer = bytearray()
        while not answer.endswith(self._end):
            more = told.read(1 << 16)
            if not more:
                raise EOFError
            answer += more
        return bytes(answer.removesuffix(self._end))

    def _start(self) -> tuple[IO[bytes], IO[bytes]]:
        child = subprocess.Popen(
            ["git", *SAFE, *self._args],
            cwd=self._folder, env=clean_environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip
        self._running.enter_context(child)
        assert child.stdin is not None  # noqa: S101 pipes were asked for
        assert child.stdout is not None  # noqa: S101
        return child.stdin, child.stdout
