"""Processes of the program at a tenth of their price: forks of one that has loaded it."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import BinaryIO

# what Python and the linker read when a process starts, and a fork would not see
AT_START = ("PYTHON", "LC_", "LANG", "LD_")
INHERITED = dict(os.environ)
NO_MATTER = {"PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE"}  # the tests set one and take one away
SENDING = Lock()


@dataclass
class Process:
    """A fork that runs, used as a `subprocess.Popen`."""

    args: tuple[str, ...]
    pid: int
    report: BinaryIO
    returncode: int | None = None
    stdin: BinaryIO | None = None
    stdout: BinaryIO | None = None
    stderr: BinaryIO | None = None
    talking: list[Thread] = field(default_factory=list)
    said: list[bytes] = field(default_factory=lambda: [b"", b""])

    def poll(self) -> int | None:
        """Return the status of a process that has ended, otherwise None."""
        if self.returncode is None and select.select([self.report], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the process's status when it has ended."""
        if self.returncode is None:
            if not select.select([self.report], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            with self.report:
                self.returncode = int(self.report.readline())
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to a process that still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, text: bytes = b"", timeout: float = 600) -> tuple[bytes, bytes]:
        """Give a process with pipes its input, and return what it says until it ends."""
        if not self.talking:
            assert self.stdin
            assert self.stdout
            assert self.stderr
            self.talking = [
                Thread(target=_write, args=(self.stdin, text)),
                Thread(target=_read, args=(self.stdout, self.said, 0)),
                Thread(target=_read, args=(self.stderr, self.said, 1)),
            ]
            for thread in self.talking:
                thread.start()
        for thread in self.talking:
            thread.join(timeout)
            if thread.is_alive():
                raise subprocess.TimeoutExpired(self.args, timeout)
        self.wait(timeout)
        return self.said[0], self.said[1]


Running = Process | subprocess.Popen[bytes]


def can_run(env: Mapping[str, str]) -> bool:
    """Say if a fork would be as a process of its own: one that starts in the same way."""
    return hasattr(os, "pidfd_open") and "HOME" in env and _at_start(env) == _at_start(INHERITED)


def run(
    folder: Path, words: tuple[str, ...], env: Mapping[str, str], stdin: bytes, timeout: float
) -> tuple[int, bytes, bytes]:
    """Run `git lerim …` as a fork; return its status and what it printed and complained."""
    process = _piped(folder, words, env)
    try:
        out, err = process.communicate(stdin, timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return process.wait(), out, err


def completed(
    folder: Path,
    *words: str,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float = 120,
) -> subprocess.CompletedProcess[bytes]:
    """Run `git lerim …` to its end, as a fork where one would be the same."""
    running = start(folder, words, os.environ if env is None else env)
    try:
        out, err = running.communicate(stdin, timeout)
    finally:
        running.kill()
    return subprocess.CompletedProcess(words, running.wait(), out, err)


def start(
    folder: Path, words: tuple[str, ...], env: Mapping[str, str], *, starts_python: bool = False
) -> Running:
    """Start `git lerim …` with a pipe for each stream, as a fork where one would be the same."""
    if not starts_python and can_run(env):
        return _piped(folder, words, env)
    return subprocess.Popen(
        [sys.executable, "-m", "git_lerim", *words], cwd=folder, env=env,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def start_on(
    terminal: int, folder: Path, words: tuple[str, ...], env: Mapping[str, str]
) -> Process:
    """Start a fork on a terminal that becomes its own."""
    return _forked(folder, words, env, (terminal, terminal, terminal), owns_terminal=True)


def _piped(folder: Path, words: tuple[str, ...], env: Mapping[str, str]) -> Process:
    (stdin, feed), (out, stdout), (err, stderr) = (os.pipe() for _ in range(3))
    try:
        process = _forked(folder, words, env, (stdin, stdout, stderr))
    finally:
        for file in (stdin, stdout, stderr):
            os.close(file)
    process.stdin = os.fdopen(feed, "wb")
    process.stdout, process.stderr = os.fdopen(out, "rb"), os.fdopen(err, "rb")
    return process


def _forked(
    folder: Path,
    words: tuple[str, ...],
    env: Mapping[str, str],
    streams: tuple[int, int, int],
    *,
    owns_terminal: bool = False,
) -> Process:
    request = {
        "folder": str(folder), "words": words, "env": dict(env), "owns_terminal": owns_terminal,
    }  # fmt: skip
    ours, theirs = os.pipe()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        json.dump(request, file)
        file.flush()
        file.seek(0)
        with SENDING:
            socket.send_fds(_server(), [b"run"], [file.fileno(), *streams, theirs])
    os.close(theirs)
    report = os.fdopen(ours, "rb", buffering=0)
    return Process(words, int(report.readline()), report)


def _at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in env.items()
        if name.startswith(AT_START) and name not in NO_MATTER
    }


def _write(pipe: BinaryIO, text: bytes) -> None:
    with suppress(BrokenPipeError), pipe:  # it need not read what it is given
        pipe.write(text)


def _read(pipe: BinaryIO, said: list[bytes], place: int) -> None:
    with pipe:
        said[place] = pipe.read()


@cache
def _server() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    script = Path(__file__).with_name("fork_server.py")
    with theirs:
        # its streams are pipes, as those of its forks
        process = subprocess.Popen(
            [sys.executable, "-P", script, str(theirs.fileno())], env=INHERITED,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=[theirs.fileno()], cwd="/",
        )  # fmt: skip
    if ours.recv(16) != b"ready":
        raise AssertionError(process.communicate()[0].decode())
    atexit.register(process.communicate)
    atexit.register(ours.close)
    return ours
