"""What the search for sessions has looked at, and how it stood then: while nothing of it changes,
no session is new.

Kept for the whole process, because what looks lies below what asks; `anew` begins a search.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_seen: dict[str, os.stat_result | None] = {}


def anew() -> None:
    """Forget what an earlier search looked at."""
    _seen.clear()


def note(path: str, found: os.stat_result | None) -> None:
    """Note how a file stands, or that it is not there; what was noted first counts."""
    _seen.setdefault(path, found)


def at(path: str | Path) -> None:
    """Look at a folder that is about to be listed, so that whatever comes into it later is seen to
    have come.
    """
    try:
        note(str(path), os.stat(path))  # noqa: PTH116 most are no Path
    except (OSError, ValueError):
        note(str(path), None)


def all_of_it() -> dict[str, os.stat_result | None]:
    """Return what the search has looked at so far: each path as it stood, None where there was
    nothing.
    """
    return dict(_seen)


class Variables(Mapping[str, str]):
    """An environment that remembers which of its variables were asked for."""

    def __init__(self, env: Mapping[str, str]) -> None:
        """Take the environment; nothing was asked for yet."""
        self._env = env
        self.asked: dict[str, str | None] = {}

    def __getitem__(self, name: str) -> str:
        """Return a variable, and remember that it was asked for, be it there or not."""
        self.asked[name] = self._env.get(name)
        return self._env[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._env)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._env)
