"""Read agents' JSON Lines files incrementally; damaged and unfinished lines do no harm."""

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import IO, Any

import msgspec

from git_lerim.agents import stat_log
from git_lerim.agents.base import Bookmark, Source
from git_lerim.agents.stored import stamped
from git_lerim.errors import Unreadable

LINE_LIMIT = 64 * 1024 * 1024  # longer lines are skipped without loading them
HEAD_LIMIT = 4096
WARNING_LIMIT = 20  # so that a file in another format does not fill the screen

_DECODE = msgspec.json.Decoder().decode
_TOLERANT = json.JSONDecoder(strict=False)
_BLANK = " \t\r\n\x00\ufeff"
_GLUED = b'}{"'  # two objects on a line; inside a JSON string, the quote would be escaped
# Matches whole escapes, so that `\\ud83d` (a backslash and letters) is not taken for a
# surrogate.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|"
    r"(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def plain(path: Path) -> IO[bytes]:
    """Open a file of JSON lines that is not compressed."""
    return path.open("rb", buffering=1 << 18)


_MOST, _LINKED = 40, 6  # levels of folders to search below a root, and below a link in it


def sources(agent: str, root: Path, wanted: Callable[[str], bool]) -> Iterator[Source]:
    """Yield the files below a root whose names `wanted` accepts.

    If the root is a file, it is the only source. A loop of links is searched only once. A link to a
    parent folder of the root is not followed, since it could lead to the whole disk. Each file
    needs only one `stat`.
    """
    if root.is_file() and (only := stamped(agent, root)):
        yield only
    # Folders with their levels. A linked folder counts as deep, so that few levels are searched
    # below it. Low levels come first, so that a folder which is also the target of a link is
    # searched in full.
    folders, walked, around = [(0, str(root))], set[str](), _around(root)
    while folders:
        level, folder = heappop(folders)
        stat_log.watch(folder)
        folder = os.path.realpath(folder)
        if folder in walked or folder in around:
            continue
        walked.add(folder)
        for entry in _listed(folder):
            try:
                if linked := entry.is_symlink():
                    stat_log.watch(entry.path)  # its target may change
                if entry.is_dir():
                    below = max(level + 1, _MOST - _LINKED if linked else 0)
                    if below <= _MOST:
                        heappush(folders, (below, entry.path))
                elif wanted(entry.name) and stat.S_ISREG((seen := entry.stat()).st_mode):
                    stat_log.record(entry.path, seen)
                    yield _source(agent, entry.path, seen)
            except OSError:  # just deleted, or a dangling link
                continue


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []  # missing, unreadable or just deleted: no sessions for us


def _around(root: Path) -> set[str]:
    return {str(folder) for folder in Path(os.path.realpath(root)).parents}


def _source(agent: str, path: str, seen: os.stat_result) -> Source:
    stamp = (seen.st_size, seen.st_mtime_ns, seen.st_ino)
    return Source(
        agent=agent,
        path=Path(path),
        stamp=stamp,
        modified=seen.st_mtime_ns // 1_000_000,
        size=seen.st_size,
    )


def objects(line: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Decode the JSON objects of a line (usually one); also return whether all is valid.

    Values that are not objects are dropped; lone surrogates become U+FFFD.
    """
    try:
        found = _DECODE(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _tolerant(line)
    return ([found] if isinstance(found, dict) else []), True


def _tolerant(line: bytes) -> tuple[list[dict[str, Any]], bool]:
    """Decode a line that strict decoding refuses: it may have several objects or bad text.

    The text may contain invalid UTF-8, control characters or lone surrogates.
    """
    text = _ESCAPE.sub(
        lambda m: r"\ufffd" if m[1] else m[0], line.decode("utf-8", "replace")
    ).strip(_BLANK)
    found: list[dict[str, Any]] = []
    at = 0
    while at < len(text):
        try:
            value, at = _TOLERANT.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False
        if isinstance(value, dict):
            found.append(value)
        while at < len(text) and text[at] in _BLANK:
            at += 1
    return found, True


# Errors caused by values of unexpected types.
ODD = (
    TypeError,
    ValueError,
    AttributeError,
    KeyError,
    IndexError,
    RecursionError,
)


class Lines:
    """One reading of a JSON Lines file: iterate over it once, then ask for the bookmark.

    Each item is a line number and an object. `skip` returns whether the record in a raw line is not
    needed; such a line is counted but not decoded. A last line without a line feed is used if it is
    valid JSON, and otherwise left for the next reading.
    """

    def __init__(
        self,
        path: Path,
        bookmark: Bookmark | None = None,
        *,
        skip: Callable[[bytes], bool] | None = None,
        opened: Callable[[Path], IO[bytes]] = plain,
    ) -> None:
        self.path = path
        self.stored = 0  # number of JSON objects read
        self._skip, self._opened = skip, opened
        self._warnings: list[str] = []
        mark = bookmark or Bookmark()
        try:
            with opened(path) as file:
                head = file.read(HEAD_LIMIT)
                grown = file.seek(0, 2) >= mark.offset if opened is plain else mark.offset == 0
        except OSError as error:
            raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error
        self.restart = not (
            grown and _digest(head[: mark.head_size]) == (mark.head or _digest(b""))
        )
        self._head = head
        self.offset, self.line = (0, 0) if self.restart else (mark.offset, mark.line)
        # the agent's state from the last reading
        self.state: dict[str, Any] = {} if self.restart else mark.state

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the line number and the object of every new record, except skipped ones."""
        try:
            with self._opened(self.path) as file:
                if self.offset:
                    file.seek(self.offset)
                while line := file.readline(LINE_LIMIT):
                    n = self.line + 1
                    ended = line.endswith(b"\n")
                    if not ended and len(line) == LINE_LIMIT:
                        found = self._too_long(file, n)
                    else:
                        found = self._decoded(line, n, ended=ended)
                    if found is None:
                        return
                    for each in found:
                        yield n, each
        except OSError as error:
            raise Unreadable(f"{self.path} cannot be read: {error.strerror or error}") from error

    def bookmark(self, state: dict[str, Any] | None = None) -> Bookmark:
        """Return a bookmark for the place where the next reading begins.

        `state` is what the agent's reader needs to continue from there.
        """
        return Bookmark(
            offset=self.offset,
            line=self.line,
            head=_digest(self._head),
            head_size=len(self._head),
            state=state or {},
        )

    def warn_malformed(self, n: int) -> None:
        """Add a warning for a line whose record does not have the expected form."""
        self._warnings.append(f"{self.path}, line {n}: not understood, left out")

    @property
    def warnings(self) -> tuple[str, ...]:
        """One warning for each line that could not be read, up to a limit."""
        more = len(self._warnings) - WARNING_LIMIT
        return (
            *self._warnings[:WARNING_LIMIT],
            *([f"{self.path}: {more} more lines could not be read"] if more > 0 else []),
        )

    def _decoded(self, line: bytes, n: int, *, ended: bool) -> list[dict[str, Any]] | None:
        """Return the objects of a line and count it as read; None if the line is unfinished."""
        if (
            ended
            and self._skip
            and self._skip(line)
            and line.endswith((b"}\n", b"}\r\n"))
            and _GLUED not in line
        ):
            found: list[dict[str, Any]] = []
            stored = 1
        else:
            found, understood = objects(line)
            stored = len(found)
            if not ended and not (found and understood):
                return None
            if not understood:
                self._warnings.append(f"{self.path}, line {n}: not JSON, left out")
        self.offset += len(line)
        self.line += ended
        self.stored += stored
        return found

    def _too_long(self, file: IO[bytes], n: int) -> list[dict[str, Any]] | None:
        """Skip a line longer than the limit; return None if its end is not written yet."""
        length = LINE_LIMIT
        while more := file.readline(LINE_LIMIT):
            length += len(more)
            if more.endswith(b"\n"):
                self._warnings.append(
                    f"{self.path}, line {n}: longer than {LINE_LIMIT} bytes, left out"
                )
                self.offset += length
                self.line += 1
                return []
        return None


def _digest(head: bytes) -> str:
    return hashlib.sha256(head).hexdigest()
