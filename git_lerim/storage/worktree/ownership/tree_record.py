"""The file `.git/lerim/own`: which versions of files were written here, oldest first.

A line has one of these forms:

- `BLOB PATH`: written here
- `BLOB PATH NAME`: committed here, but written by NAME
- `? BLOB PATH`: an uncommitted edit, which counts only until it is discarded or committed
- `- PATH`: deleted here
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from git_lerim.git.repo import private_folder
from git_lerim.private_files import OURS, read_text
from git_lerim.storage.trust.accepted import key_of

NAME = "own"
_GONE = "-"
_EDITED = "?"


class TreeRecord:
    """The record of which file versions were written in a repository's work trees."""

    def __init__(self, folder: Path) -> None:
        """Read the record; without a file, it is empty."""
        self._folder = folder
        self.own: dict[str, str] = {}  # blob → path
        self.newest: dict[str, str] = {}  # key → the own version that was written last
        self.names: dict[str, str] = {}  # authors of versions only committed here, by blob
        self.edited: set[str] = set()  # blobs of edits that were found uncommitted
        self.gone: set[str] = set()  # keys of the memories that were deleted here
        with suppress(OSError):
            for line in read_text(folder / NAME, OURS).split("\n"):
                self._take(line)

    def add(
        self,
        own: Iterable[tuple[str, str]],
        names: Iterable[tuple[str, str, str]],
        gone: Iterable[str],
    ) -> list[str]:
        """Add versions written here, versions written by others, and paths deleted here.

        `own` has blob and path, `names` has blob, path and author of each version. Returns the new
        lines, which `keep` appends to the file.
        """
        lines = [
            f"{blob} {path}"
            for blob, path in own
            if self.newest.get(key_of(path)) != blob or key_of(path) in self.gone
        ]
        lines += [
            f"{blob} {path} {name}" for blob, path, name in names if self.names.get(blob) != name
        ]
        lines += [f"{_GONE} {path}" for path in gone if key_of(path) not in self.gone]
        for line in lines:
            self._take(line)
        return lines

    def add_edited(self, edits: Iterable[tuple[str, str]]) -> list[str]:
        """Add the blob and path of uncommitted edits; return the new lines, as `add` does."""
        lines = [f"{_EDITED} {blob} {path}" for blob, path in edits if blob not in self.edited]
        for line in lines:
            self._take(line)
        return lines

    def keep(self, lines: Iterable[str]) -> None:
        """Append lines to the file; if that fails, the next process determines them again."""
        if text := "".join(f"{line}\n" for line in lines):
            with suppress(OSError):
                private_folder(self._folder)
                file = os.open(
                    self._folder / NAME,
                    os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0),
                    0o600,
                )
                with os.fdopen(file, "w", encoding="utf-8") as opened:
                    opened.write(text)

    def _take(self, line: str) -> None:
        blob, _, rest = line.partition(" ")
        if blob == _EDITED:
            self.edited.add(rest.partition(" ")[0])
            return
        path, _, name = rest.partition(" ")
        key = key_of(path)
        if blob == _GONE:
            self.gone.add(key)
        elif name:
            self.names[blob] = name
        elif blob:
            self.own.pop(blob, None)  # a version that was written again becomes the newest
            self.own[blob] = path
            self.newest[key] = blob
            self.gone.discard(key)
