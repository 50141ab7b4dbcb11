"""Look up the files of memories in the existing index, without updating it."""

import contextlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from git_lerim.private_files import READER_WAITS
from git_lerim.recall.index.index import NAME
from git_lerim.recall.index.index_reader import Reader

_ASKED = "SELECT path, blob FROM document WHERE id >= ? AND id < ?"


@dataclass(frozen=True, slots=True)
class Lookup:
    """The files found for some ids, and the tree and number of memories that the index covers."""

    tree: str  # the tree of the store that is indexed
    count: int  # of all memories in the index
    files: list[tuple[str, str]]  # path and blob of each file found


def look_up(folder: Path, ids: Collection[str], rules: str) -> Lookup | None:
    """Look up the files of the memories whose ids start with one of `ids`.

    Return None if there is no usable index, redacted by these `rules`.
    """
    path = folder / NAME
    if not path.exists():
        return None
    uri = path.absolute().as_uri() + "?mode=ro"
    damage = sqlite3.Error, ValueError  # ValueError: a malformed value is damage, too
    with (
        contextlib.suppress(*damage),
        contextlib.closing(sqlite3.connect(uri, uri=True, timeout=READER_WAITS)) as index,
    ):
        index.execute("BEGIN")  # a consistent snapshot
        reader = Reader(index)
        if not reader.fits(str(folder), rules) or not reader.tree:
            return None
        files = [
            (str(path), str(blob))
            for id_ in ids
            for path, blob in index.execute(_ASKED, (id_, id_ + "\x7f"))
        ]
        return Lookup(
            reader.tree,
            sum(int(n) for name, n in reader.meta.items() if name.startswith("documents")),
            files,
        )
    return None
