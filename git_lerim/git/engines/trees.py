"""Trees as git keeps them: entries read from the bytes, and the bytes of a tree in which some have
changed.

Where there are thousands of entries, an object for each takes long.
"""

import re
from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from git_lerim.errors import GitFailed
from git_lerim.git.engines.git_errors import unreadable
from git_lerim.git.running.process import plain

FILE = 0o100644
FOLDER = 0o40000
SUBMODULE = 0o160000  # its object is in another repository

Raw = tuple[bytes, bytes, bytes]  # mode, name, id

_ENTRY = {
    width: re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{%d})" % width, re.DOTALL) for width in (20, 32)
}
_FORBIDDEN = {b"", b".", b"..", b".git"}


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One name in a tree, as it stands there: anybody may have pushed it."""

    name: bytes
    mode: int
    id: str


class RawTrees(Protocol):
    """Where trees are read."""

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree."""
        ...


class Trees(RawTrees, Protocol):
    """What is read of trees and blobs, be they stored by git or made of what stands on disk."""

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return what a tree holds."""
        ...

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        ...

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        ...

    def is_partial(self) -> bool:
        """Tell whether this clone left objects with its remote."""
        ...


def raw_entries(trees: RawTrees, tree: str) -> list[Raw]:
    """Return all that a tree holds, as it stands there. Raises GitFailed."""
    return split_entries(tree, trees.raw_tree(tree))


def split_entries(tree: str, data: bytes) -> list[Raw]:
    """Return the same of a tree that has been read."""
    width = len(tree) // 2  # an id in it is as long as its own
    found: list[Raw] = _ENTRY[width].findall(data)
    if len(b"".join(chain.from_iterable(found))) + 2 * len(found) != len(
        data
    ):  # each has a space and a NUL
        raise unreadable(tree, "it is no tree that git writes")
    return found


def changed(entries: list[Raw], changes: Mapping[str, TreeEntry | None]) -> bytes:
    """Return the bytes of a tree in which some entries are others, or are gone; what does not
    change stays byte for byte.
    """
    new = {name.encode("utf-8", "surrogateescape"): entry for name, entry in changes.items()}
    kept = [each for each in entries if each[1] not in new]
    for name, entry in new.items():
        if entry is None:
            continue
        if name.lower() in _FORBIDDEN or b"/" in name or b"\0" in name:
            raise GitFailed(f"no tree can hold the name {plain(name.decode('utf-8', 'replace'))!r}")
        insort(kept, (b"%05o" % entry.mode, name, bytes.fromhex(entry.id)), key=_order)
    return b"".join([b"%s %s\0%s" % each for each in kept])


def _order(entry: Raw) -> bytes:
    return entry[1] + b"/" if int(entry[0], 8) == FOLDER else entry[1]
