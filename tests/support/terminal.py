"""A person at a terminal who answers the questions of a verb."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path


def on_a_terminal(
    folder: Path, keys: list[bytes], *words: str, editor: str = ""
) -> tuple[int, str]:
    """Run a verb on a real terminal and answer each question; return its exit code and what the
    terminal showed.

    A question ends in `?]?`. Ctrl-C and Ctrl-D are pressed without Enter.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update({"NO_COLOR": "1"} | ({"GIT_EDITOR": editor} if editor else {}))
        # what a person at a terminal does
        os.execv(sys.executable, [sys.executable, "-m", "git_lerim", *words])  # noqa: S606
    said, keys, deadline = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                more = os.read(terminal, 4096)
            except OSError:
                break
            if not more:
                break
            said += more
        if keys and said.rstrip().endswith(b"?]?"):
            key = keys.pop(0)
            os.write(terminal, key if key in {b"\x03", b"\x04"} else key + b"\n")
            said += b"\n"
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()


def screen(
    folder: Path,
    *words: str,
    rows: int = 24,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run a verb on a terminal of some size; return its exit code and what the terminal showed."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.chdir(folder)
        os.environ.update({"TERM": "xterm"} | dict(env or {}))
        # what a person at a terminal does
        os.execv(sys.executable, [sys.executable, "-m", "git_lerim", *words])  # noqa: S606
    shown = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()
