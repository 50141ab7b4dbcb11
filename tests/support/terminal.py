"""A person at a terminal who answers the questions of a verb."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from support import forks


def on_a_terminal(
    folder: Path, keys: list[bytes], *words: str, editor: str = ""
) -> tuple[int, str]:
    """Run a verb on a real terminal and answer each question; return its exit code and what the
    terminal showed.

    A question ends in `?]?`. Ctrl-C and Ctrl-D are pressed without Enter.
    """
    env = {"NO_COLOR": "1"} | ({"GIT_EDITOR": editor} if editor else {})
    ended, terminal = _started(folder, words, env)
    said, keys, deadline = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            if not (more := _shown(terminal)):
                break
            said += more
        if keys and said.rstrip().endswith(b"?]?"):
            key = keys.pop(0)
            os.write(terminal, key if key in {b"\x03", b"\x04"} else key + b"\n")
            said += b"\n"
    code = ended()
    os.close(terminal)
    return code, said.decode()


def screen(
    folder: Path,
    *words: str,
    rows: int = 24,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run a verb on a terminal of some size; return its exit code and what the terminal showed."""
    ended, terminal = _started(folder, words, {"TERM": "xterm"} | dict(env or {}), (rows, columns))
    shown = b""
    while select.select([terminal], [], [], 60)[0] and (more := _shown(terminal)):
        shown += more
    os.close(terminal)
    return ended(), shown.decode()


def typing(folder: Path, words: list[str], typed: str) -> str:
    """Run a verb on a terminal while somebody types; return what the terminal showed."""
    ended, terminal = _started(folder, tuple(words), {"TERM": "dumb"})
    os.write(terminal, typed.encode())
    shown = b""
    while more := _shown(terminal):
        shown += more
    ended()
    os.close(terminal)
    return shown.decode("utf-8", "replace").replace("\r\n", "\n")


def _started(
    folder: Path, words: tuple[str, ...], env: Mapping[str, str], size: tuple[int, int] = (0, 0)
) -> tuple[Callable[[], int], int]:
    """Start a verb on a terminal; return what waits for its end, and the terminal's other end."""
    env = os.environ | env
    if forks.can_run(env):
        terminal, theirs = pty.openpty()
        _resize(theirs, size)
        process = forks.start_on(theirs, folder, words, env)
        os.close(theirs)
        return process.wait, terminal
    child, terminal = pty.fork()
    if child == 0:
        _resize(0, size)
        os.chdir(folder)
        # what a person at a terminal does
        os.execve(sys.executable, [sys.executable, "-m", "git_lerim", *words], env)  # noqa: S606
    return lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), terminal


def _resize(terminal: int, size: tuple[int, int]) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))


def _shown(terminal: int) -> bytes:
    """Return what a terminal shows next, nothing if its program has ended."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
