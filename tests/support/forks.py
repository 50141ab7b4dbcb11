"""Processes of the program at a tenth of their price: forks of one that has loaded it."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock, Thread

# what Python and the linker read when a process starts, and a fork would not see
AT_START = ("PYTHON", "LC_", "LANG", "LD_")
INHERITED = dict(os.environ)
NO_MATTER = {"PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE"}  # the tests set one and take one away
SENDING = Lock()


def can_run(env: Mapping[str, str]) -> bool:
    """Say if a fork would be as a process of its own: one that starts in the same way."""
    return hasattr(os, "pidfd_open") and "HOME" in env and _at_start(env) == _at_start(INHERITED)


def run(
    folder: Path, words: tuple[str, ...], env: Mapping[str, str], stdin: bytes, timeout: float
) -> tuple[int, bytes, bytes]:
    """Run `git lerim …` as a fork; return its status and what it printed and complained."""
    reads, writes = zip(*(os.pipe() for _ in range(4)), strict=True)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as request:
        json.dump({"folder": str(folder), "words": words, "env": dict(env)}, request)
        request.flush()
        request.seek(0)
        with SENDING:
            files = [request.fileno(), reads[0], *writes[1:]]
            socket.send_fds(_server(), [b"run"], files)
    for file in (reads[0], *writes[1:]):
        os.close(file)
    with os.fdopen(reads[3], "rb") as report:
        process = int(report.readline())
        said = [b"", b""]
        talking = [
            Thread(target=_write, args=(writes[0], stdin)),
            Thread(target=_read, args=(reads[1], said, 0)),
            Thread(target=_read, args=(reads[2], said, 1)),
        ]
        for thread in talking:
            thread.start()
        for thread in talking:
            thread.join(timeout)
            if thread.is_alive():
                os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["git", "lerim", *words], timeout)
        return int(report.readline()), said[0], said[1]


def _at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in env.items()
        if name.startswith(AT_START) and name not in NO_MATTER
    }


def _write(file: int, text: bytes) -> None:
    with os.fdopen(file, "wb", buffering=0) as pipe:
        try:
            while text:
                text = text[pipe.write(text) :]
        except BrokenPipeError:  # it does not read what it is given
            pass


def _read(file: int, said: list[bytes], place: int) -> None:
    with os.fdopen(file, "rb") as pipe:
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
