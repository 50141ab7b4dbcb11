import contextlib
import fcntl
import os
import pty
import struct
import sys
import termios

import pytest

from git_lerim.commands import terminal
from git_lerim.screen.progress import Progress


def shown_of(monkeypatch: pytest.MonkeyPatch) -> int:
    """Make stderr a terminal of 40 columns; return the side from which a person looks at it."""
    looking, written = pty.openpty()
    fcntl.ioctl(written, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    monkeypatch.setattr(sys, "stderr", os.fdopen(written, "w"))
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of the terminal that runs the tests
    return looking


def seen(shown: int) -> str:
    """Return all that the terminal shows, after it is closed."""
    sys.stderr.close()
    text = b""
    with contextlib.suppress(OSError):  # what Linux says at the end
        while more := os.read(shown, 4096):
            text += more
    return text.decode()


def test_progress_is_one_line_that_fits_and_is_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = shown_of(monkeypatch)
    progress = Progress()
    progress(1, 80, "reading\x1b[2J\nclaude\t" + "x" * 300)
    progress.close()

    text = seen(shown)
    assert text.startswith("\r\x1b[K1/80 ")
    assert text.endswith("\r\x1b[K")
    assert "\n" not in text
    assert "\x1b[2J" not in text
    assert len(text.replace("\r\x1b[K", "")) == 39  # the last column would begin a new line


def test_progress_says_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress()
    progress(1, 2, "reading")
    progress.close()

    assert capsys.readouterr() == ("", "")


def test_progress_says_nothing_to_who_wants_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_of(monkeypatch)
    progress = Progress(quiet=True)
    progress(1, 2, "reading")
    progress.close()
    sys.stderr.write("end")
    sys.stderr.flush()

    assert seen(shown) == "end"


def test_a_message_does_not_stand_behind_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_of(monkeypatch)
    progress = Progress()
    progress(1, 2, "reading")
    terminal.say("a warning")
    progress.close()

    text = seen(shown)
    assert text.endswith("reading\r\x1b[Ka warning\r\n")
