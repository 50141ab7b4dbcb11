"""A progress line on stderr, shown on a terminal only."""

import contextlib
import sys
import time

from git_lerim.screen import terminal_size
from git_lerim.tokens import printable

_SHOWN: list["Progress"] = []  # at most one: that whose line is on the screen


class Progress:
    """A progress line on stderr, overwritten in place, if stderr is a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Prepare without showing anything yet."""
        self._on = bool(sys.stderr and sys.stderr.isatty()) and not quiet
        self._last = 0.0
        self._began = time.monotonic()

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show progress: `12/80  31/s  reading …`."""
        now = time.monotonic()
        if self._on and now - self._last > 0.1:
            self._last = now
            rate = done / (now - self._began) if now > self._began else 0.0
            line = f"{done}/{total}  {rate:.0f}/s  {' '.join(printable(what).split())}"
            _overwrite(line[: terminal_size.columns(sys.stderr) - 1])
            _SHOWN[:] = [self]

    def close(self) -> None:
        """Clear the progress line."""
        if self in _SHOWN:
            clear()


def clear() -> None:
    """Clear the progress line, if shown, before other output is printed."""
    if _SHOWN:
        _SHOWN.clear()
        _overwrite("")


def _overwrite(line: str) -> None:
    with contextlib.suppress(OSError):  # without stderr, the error cannot be reported
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
