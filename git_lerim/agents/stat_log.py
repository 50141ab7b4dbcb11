"""The `stat` of every path a search for sessions looked at: if none changed, nothing is new.

There is one log for the process, because the code that records paths is far below the code that
reads the log; `clear` starts a new search.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_seen: dict[str, os.stat_result | None] = {}


def clear() -> None:
    """Forget the paths that an earlier search looked at."""
    _seen.clear()


def record(path: str, found: os.stat_result | None) -> None:
    """Record a path's `stat` (None if it does not exist) unless it was recorded before."""
    _seen.setdefault(path, found)


def watch(path: str | Path) -> None:
    """Record a folder before it is listed, so that any later addition to it shows as a change."""
    try:
        record(str(path), os.stat(path))  # noqa: PTH116 most paths are strings
    except (OSError, ValueError):
        record(str(path), None)


def snapshot() -> dict[str, os.stat_result | None]:
    """Return the `stat` of each path looked at so far, None if the path did not exist."""
    return dict(_seen)


class Variables(Mapping[str, str]):
    """An environment that records which of its variables were read."""

    def __init__(self, env: Mapping[str, str]) -> None:
        """Wrap an environment; nothing was read yet."""
        self._env = env
        self.asked: dict[str, str | None] = {}

    def __getitem__(self, name: str) -> str:
        """Return a variable, and record that it was read, whether set or not."""
        self.asked[name] = self._env.get(name)
        return self._env[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._env)

    def __len__(self) -> int:
        """Return the number of variables."""
        return len(self._env)
