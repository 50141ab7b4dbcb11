"""What the stores of all agents have in common: files that lie below a root, and times in several forms."""

import glob
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_lerim.agents.base import Bookmark, Source


def sources(agent: str, root: Path, patterns: tuple[str, ...], *beside: str) -> Iterator[Source]:
    """Yield each file below a root that one of the patterns names, once, however many links lead to it.

    A root that is a file is the only source. `beside` are endings, such as `-wal`, of files that belong to each.
    """
    seen: set[tuple[int, ...]] = set()
    paths = [root] if root.is_file() else [root / name for pattern in patterns for name in sorted(_found(root, pattern))]
    for path in paths:
        source = stamped(agent, path, *beside)
        if source and source.stamp not in seen:
            seen.add(source.stamp)
            yield source


def stamped(agent: str, path: Path, *beside: str, folder: bool = False) -> Source | None:
    """Return a file (or a folder) as a source, the files beside it with their endings included; None if it is none."""
    own = _stat(path)
    wanted = stat.S_ISDIR if folder else stat.S_ISREG
    if own is None or not wanted(own.st_mode):
        return None
    others = [_stat(path.with_name(path.name + ending)) for ending in beside]
    all_of_it = [own, *(other for other in others if other is not None and other.st_size)]
    stamp = tuple(number for one in all_of_it for number in (one.st_size, one.st_mtime_ns, one.st_ino))
    modified = max(one.st_mtime_ns for one in all_of_it) // 1_000_000
    return Source(agent=agent, path=path, stamp=stamp, modified=modified, size=sum(one.st_size for one in all_of_it))


def whole(source: Source) -> Bookmark:
    """Return the bookmark of a source that is read whole, or not at all."""
    return Bookmark(state={"stamp": list(source.stamp)})


def unchanged(source: Source, bookmark: Bookmark | None) -> bool:
    """Say whether a source that is read whole is as it was."""
    return bookmark is not None and bookmark.state.get("stamp") == list(source.stamp)


def milliseconds(value: Any) -> int | None:
    """Return a time in milliseconds since the epoch: ISO 8601, or a number of seconds, milliseconds or microseconds."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        return _from_text(value)
    if not isinstance(value, int | float) or not 1e8 < value < 1e18:
        return None
    if value > 1e15:
        return int(value / 1000)
    return int(value) if value > 1e11 else int(value * 1000)


def _from_text(value: str) -> int | None:
    try:
        when = datetime.fromisoformat(value)
    except (ValueError, OverflowError):
        return milliseconds(int(value)) if value.isascii() and value.isdigit() and len(value) < 20 else None
    return round((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)


def _found(root: Path, pattern: str) -> list[str]:
    return glob.glob(pattern, root_dir=root)  # noqa: PTH207 (Path.glob takes three times as long)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None
