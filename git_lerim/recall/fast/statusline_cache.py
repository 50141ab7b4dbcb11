"""Fast path for `git lerim statusline`, which an agent runs again and again: print the cached line.

This module imports little, because it runs before the command line is parsed.
"""

import sys
import time

from git_lerim.git import fast_repo
from git_lerim.recall.fast import list_cache

_FORMAT = "git-lerim statusline 1"
_SECONDS = 60  # for which a line is valid at most, because handoffs expire


def run(words: list[str]) -> int | None:
    """Print the cached line and return 0 if it is valid; otherwise return None."""
    line = None if words else list_cache.kept_text(_FORMAT, _depends)
    if not line or not line.isprintable():  # not written by us, it could control the terminal
        return None
    sys.stdout.write(f"{line}\n")
    return 0


def keep(places: tuple[str, str], store: tuple[str, str], seen: str, line: str) -> None:
    """Cache the status line for `run`; `list_cache.keep` explains the other parameters."""
    list_cache.keep_text(_FORMAT, places, (store, seen), line, _depends(places[0]))


def _depends(common: str) -> list[str]:
    catalog = f"{common}/lerim/catalog.sqlite3"
    stamps = [fast_repo.stamp(f"{catalog}{end}") for end in ("", "-wal")]
    return [*stamps, str(int(time.time()) // _SECONDS)]
