"""Find agents' session files below a folder, and parse timestamps in several forms."""

import fnmatch
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_lerim.agents import stat_log
from git_lerim.agents.base import Bookmark, Source
from git_lerim.errors import Unreadable


def sources(agent: str, root: Path, patterns: tuple[str, ...], *beside: str) -> Iterator[Source]:
    """Yield each file below a root that matches a pattern, without duplicates due to links.

    If the root is a file, it is the only source. `beside` lists suffixes, such as `-wal`, of files
    that belong to each file and are part of its source.
    """
    seen: set[tuple[int, ...]] = set()
    known: dict[str, list[tuple[str, bool]]] = {}
    paths = (
        [root]
        if root.is_file()
        else [Path(path) for pattern in patterns for path in sorted(_found(root, pattern, known))]
    )
    for path in paths:
        source = stamped(agent, path, *beside)
        if source and source.stamp not in seen:
            seen.add(source.stamp)
            yield source


def stamped(agent: str, path: Path, *beside: str, folder: bool = False) -> Source | None:
    """Return a file as a source, including the files beside it; None if it is missing.

    `beside` lists the suffixes of these files. With `folder`, the path is a folder.
    """
    own = _stat(path)
    wanted = stat.S_ISDIR if folder else stat.S_ISREG
    if own is None or not wanted(own.st_mode):
        return None
    others = [_stat(path.with_name(path.name + ending)) for ending in beside]
    all_of_it = [own, *(other for other in others if other is not None and other.st_size)]
    stamp = tuple(
        number for one in all_of_it for number in (one.st_size, one.st_mtime_ns, one.st_ino)
    )
    modified = max(one.st_mtime_ns for one in all_of_it) // 1_000_000
    return Source(
        agent=agent,
        path=path,
        stamp=stamp,
        modified=modified,
        size=sum(one.st_size for one in all_of_it),
    )


def read_bytes(path: Path) -> bytes:
    """Return the content of a file. Raises Unreadable if that fails."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error


def whole(source: Source) -> Bookmark:
    """Return the bookmark for a source that is always read as a whole."""
    return Bookmark(state={"stamp": list(source.stamp)})


def unchanged(source: Source, bookmark: Bookmark | None) -> bool:
    """Return whether a source that is read as a whole is unchanged since the bookmark."""
    return bookmark is not None and bookmark.state.get("stamp") == list(source.stamp)


def milliseconds(value: Any) -> int | None:
    """Return a time in milliseconds since the epoch, or None if the value is not a time.

    Accepts ISO 8601 and numbers of seconds, milliseconds or microseconds.
    """
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
        return (
            milliseconds(int(value))
            if value.isascii() and value.isdigit() and len(value) < 20
            else None
        )
    return round((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)


def _found(root: Path, pattern: str, known: dict[str, list[tuple[str, bool]]]) -> list[str]:
    """Return the paths below a root that match a glob pattern.

    `known` caches the listings of folders.
    """
    *folders, last = pattern.split("/")
    places = [str(root)]
    for part in folders:
        places = [path for place in places for path in _named(place, part, known, folder=True)]
    return [path for place in places for path in _named(place, last, known, folder=False)]


def _named(
    place: str, part: str, known: dict[str, list[tuple[str, bool]]], *, folder: bool
) -> list[str]:
    """Return the paths in a folder that match one component of a glob pattern."""
    if "*" not in part:
        stat_log.watch(place)
        # creating thousands of Paths would be slow
        path = os.path.join(place, part)  # noqa: PTH118
        return [path] if os.path.lexists(path) else []
    if place not in known:
        known[place] = _listed(place)
    names = [name for name, is_folder in known[place] if is_folder or not folder]
    return [
        os.path.join(place, name)  # noqa: PTH118
        for name in fnmatch.filter(names, part)
        if not name.startswith(".")
    ]


def _listed(place: str) -> list[tuple[str, bool]]:
    """Return the names in a folder, and whether each is a folder."""
    stat_log.watch(place)
    try:
        with os.scandir(place) as entries:
            listed = [(entry, entry.is_symlink()) for entry in entries]
    except OSError:
        return []
    for entry, linked in listed:
        if linked:
            stat_log.watch(entry.path)  # its target may change
    return [(entry.name, _is_folder(entry)) for entry, _ in listed]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a circular link, or no permission
        return False


def _stat(path: Path) -> os.stat_result | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        found = None
    stat_log.record(str(path), found)
    return found
