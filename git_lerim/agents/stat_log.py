"""Remember the `stat` of every path that a search for sessions looked at.

As long as none of these paths changes, there is nothing new. There is one log per process, so that
it need not be passed from call to call; `clear` starts a new search.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_seen: dict[str, os.stat_result | None] = {}


def clear() -> None:
    """Forget the paths that an earlier search looked at."""
    _seen.clear()


def record(path: str, found: os.stat_result | None) -> None:
    """Record the `stat` of a path, unless the path was recorded before.

    None as `found` means that the path does not exist.
    """
    _seen.setdefault(path, found)


def watch(path: str | Path) -> None:
    """Record the `stat` of a folder.

    It must be called before the folder is listed, so that a later addition counts as a change.
    """
    try:
        record(str(path), os.stat(path))  # noqa: PTH116 most paths are strings
    except (OSError, ValueError):
        record(str(path), None)


def snapshot() -> dict[str, os.stat_result | None]:
    """Return the `stat` of each recorded path; None if the path did not exist."""
    return dict(_seen)


class Variables(Mapping[str, str]):
    """An environment that records which of its variables were read."""

    def __init__(self, env: Mapping[str, str]) -> None:
        """Wrap an environment; `asked` will contain the variables that were read."""
        self._env = env
        self.asked: dict[str, str | None] = {}

    def __getitem__(self, name: str) -> str:
        """Return the value of a variable, and record that it was read.

        A variable that is not set is recorded, too, and raises KeyError.
        """
        self.asked[name] = self._env.get(name)
        return self._env[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all variables."""
        return iter(self._env)

    def __len__(self) -> int:
        """Return the number of variables."""
        return len(self._env)
