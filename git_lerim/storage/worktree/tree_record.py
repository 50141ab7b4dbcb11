"""The file `own` beside the repository: which versions of which files were written here, line by
line, the newest last.

`BLOB PATH` was written here; `BLOB PATH NAME` was committed here, and somebody else wrote it; `-
PATH` was deleted here.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from git_lerim.git.repo import private_folder
from git_lerim.storage.trust.accepted import key_of

NAME = "own"
_GONE = "-"


class TreeRecord:
    """What is recorded of the files of a repository's work trees."""

    def __init__(self, folder: Path) -> None:
        """Read what is recorded. Where the file is gone, nothing is."""
        self._folder = folder
        self.own: dict[str, str] = {}  # blob → path
        self.names: dict[str, str] = {}  # who wrote what was only committed here, by blob
        self.gone: set[str] = set()  # keys of the memories that were deleted here
        self.keys: set[str] = set()  # of the memories of which a version was written here
        with suppress(OSError):
            for line in (folder / NAME).read_text("utf-8", "replace").split("\n"):
                self._take(line)

    def add(
        self,
        own: Iterable[tuple[str, str]],
        names: Iterable[tuple[str, str, str]],
        gone: Iterable[str],
    ) -> list[str]:
        """Take in versions that were written here, as blob and path, those of others with their
        names, and deleted paths.

        Return the lines that are new, for `keep`.
        """
        lines = [
            f"{blob} {path}"
            for blob, path in own
            if blob not in self.own or key_of(path) in self.gone
        ]
        lines += [
            f"{blob} {path} {name}" for blob, path, name in names if self.names.get(blob) != name
        ]
        lines += [f"{_GONE} {path}" for path in gone if key_of(path) not in self.gone]
        for line in lines:
            self._take(line)
        return lines

    def keep(self, lines: Iterable[str]) -> None:
        """Write new lines down; where nothing can be written, the next process finds out anew."""
        if text := "".join(f"{line}\n" for line in lines):
            with suppress(OSError):
                private_folder(self._folder)
                file = os.open(self._folder / NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                with os.fdopen(file, "w", encoding="utf-8") as opened:
                    opened.write(text)

    def _take(self, line: str) -> None:
        blob, _, rest = line.partition(" ")
        path, _, name = rest.partition(" ")
        key = key_of(path)
        if blob == _GONE:
            self.gone.add(key)
        elif name:
            self.names[blob] = name
        elif blob:
            self.own[blob] = path
            self.keys.add(key)
            self.gone.discard(key)
