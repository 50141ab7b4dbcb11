"""Output that is held back until its length shows whether it needs the pager."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TextIO

from git_lerim.screen import pager


class Unwritten(OSError):
    """Output cannot be written."""


@dataclass(slots=True)
class Held:
    """Output for stdout and stderr that can be held back; it is then printed in the same order."""

    is_holding: bool = False
    _parts: list[tuple[TextIO, str]] = field(default_factory=list)

    def write(self, stream: TextIO, text: str) -> None:
        """Write text to a stream; while output is held back, only store it."""
        if self.is_holding:
            self._parts.append((stream, text))
        else:
            _put(stream, text)

    @contextlib.contextmanager
    def until_done(self, stdout: TextIO) -> Iterator[None]:
        """Hold back the output of a `with` block; at its end, page the output if it is long."""
        self.is_holding = True
        try:
            yield
        finally:
            self.is_holding, parts = False, self._taken()
            text = "".join(part for _, part in parts)
            if pager.is_needed(text, stdout):
                pager.show(text, stdout)
            else:
                self._print(parts)

    def release(self) -> None:
        """Print the output held so far, and hold back no more, since a person must see it now."""
        self.is_holding = False
        self._print(self._taken())

    def _taken(self) -> list[tuple[TextIO, str]]:
        parts, self._parts = self._parts, []
        return parts

    @staticmethod
    def _print(parts: list[tuple[TextIO, str]]) -> None:
        for stream, text in parts:
            _put(stream, text)


def _put(stream: TextIO, text: str) -> None:
    """Write to a stream; if its reader is gone, as after `head`, ignore the error."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        silence(stream)
    except OSError as error:
        raise Unwritten(error.errno, error.strerror) from error


def silence(stream: TextIO) -> None:
    """Make a stream write to the null device from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
