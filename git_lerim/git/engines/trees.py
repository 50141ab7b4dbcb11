"""Parse and build git's tree objects as raw bytes.

Some trees have thousands of entries, so building a Python object for each would be slow.
"""

import re
from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Protocol

from git_lerim.errors import GitFailed
from git_lerim.git.engines.git_errors import unreadable
from git_lerim.git.running.process import plain

_CACHED = 48  # parsed trees: to write one commit, the same few are read many times
_LARGEST = 1 << 20  # bytes of a tree that is cached

FILE = 0o100644
LINK = 0o120000
FOLDER = 0o40000
SUBMODULE = 0o160000  # its object is in another repository

Raw = tuple[bytes, bytes, bytes]  # mode, name, id

_ENTRY = {
    width: re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{%d})" % width, re.DOTALL) for width in (20, 32)
}
_FORBIDDEN = {b"", b".", b"..", b".git"}
# entries of newly made trees until they are first read; keys: length of an id, bytes of the tree
_made: dict[tuple[int, bytes], list[Raw]] = {}


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a tree, unvalidated: anybody may have pushed it."""

    name: bytes
    mode: int
    id: str


class RawTrees(Protocol):
    """Interface of a source of git trees, each as raw bytes."""

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree."""
        ...


class Trees(RawTrees, Protocol):
    """Interface of a source of trees and blobs: git's object store, or files on disk."""

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return the entries of a tree."""
        ...

    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""
        ...

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        ...

    def is_partial(self) -> bool:
        """Return whether this is a partial clone."""
        ...


def raw_entries(trees: RawTrees, tree: str) -> list[Raw]:
    """Return the entries of a tree, unvalidated. Raises GitFailed."""
    return split_entries(tree, trees.raw_tree(tree))


def split_entries(tree: str, data: bytes) -> list[Raw]:
    """Parse the bytes of a tree into a list of entries. Raises GitFailed.

    The list is cached, so the caller must not change it.
    """
    return _split(tree, data) if len(data) <= _LARGEST else _split.__wrapped__(tree, data)


@lru_cache(_CACHED)
def _split(tree: str, data: bytes) -> list[Raw]:
    width = len(tree) // 2  # the ids of its entries are as long as its own id
    if (made := _made.pop((width, data), None)) is not None:
        return made
    found: list[Raw] = _ENTRY[width].findall(data)
    # each entry also has a space and a NUL
    if len(b"".join(chain.from_iterable(found))) + 2 * len(found) != len(data):
        raise unreadable(tree, "it is not a valid git tree")
    return found


def edit_tree(entries: list[Raw], changes: Mapping[str, TreeEntry | None]) -> bytes:
    """Return the bytes of a tree in which some entries are replaced or removed.

    `changes` maps a name to its new entry, or to None to remove the entry. The other entries stay
    unchanged, byte for byte.
    """
    new = {name.encode("utf-8", "surrogateescape"): entry for name, entry in changes.items()}
    kept = [each for each in entries if each[1] not in new]
    for name, entry in new.items():
        if entry is None:
            continue
        if name.lower() in _FORBIDDEN or b"/" in name or b"\0" in name:
            raise GitFailed(
                f"a git tree cannot contain the name {plain(name.decode('utf-8', 'replace'))!r}"
            )
        insort(kept, (b"%05o" % entry.mode, name, bytes.fromhex(entry.id)), key=_order)
    data = b"".join([b"%s %s\0%s" % each for each in kept])
    if kept and len(data) <= _LARGEST:
        if len(_made) >= _CACHED:
            _made.clear()
        _made[len(kept[0][2]), data] = kept
    return data


def _order(entry: Raw) -> bytes:
    return entry[1] + b"/" if int(entry[0], 8) == FOLDER else entry[1]
