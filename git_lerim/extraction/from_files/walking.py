"""Find and read the files to import safely, without following links out of their folder."""

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from git_lerim.errors import BadMemory, Unreadable, UsageError

ENTRIES = 100_000  # files and folders to look at
FILES = 20_000  # files to read
LARGEST = 1 << 20  # bytes; a memory holds 4,000 characters
LARGEST_EXPORT = 1 << 28  # bytes of an export in one file; a store can have 200,000 memories
_DEEPEST = 40
_SKIPPED = {
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".obsidian",
}


def walk(root: Path) -> Iterator[str]:
    """Yield the paths of the files and links below a folder, sorted, with `/` as the separator.

    Folders such as `.git` and `node_modules` are skipped. Raises UsageError if there are too many
    files, Unreadable if the folder cannot be read.
    """
    waiting = [""]
    seen = 0
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not folder:
                raise Unreadable(f"{root} cannot be read: {error.strerror}") from error
            yield folder  # reading it reports why
            continue
        seen += len(found)
        if seen > ENTRIES:
            raise UsageError(
                f"{root} has more than {ENTRIES} files",
                hint="give the folder with the memories",
            )
        below = []
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield path
            elif entry.name not in _SKIPPED and path.count("/") < _DEEPEST:
                below.append(path)
        waiting += reversed(below)


def text_of(root: Path, path: str, *, largest: int = LARGEST) -> str:
    """Return the text of a file below the folder `root`, with LF line ends.

    Raises BadMemory if the file has more than `largest` bytes, is not text, or is outside of the
    folder.
    """
    data = _bytes_of(_within(root, path), largest)
    if b"\0" in data:
        raise BadMemory("is binary")
    try:
        text = data.removeprefix(BOM_UTF8).decode()  # the codec `utf-8-sig` is slow
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadMemory(f"line {line} is not UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def link_target(root: Path, path: str) -> str | None:
    """Return a link's target as a path below `root`; None if it is outside or not a link."""
    try:
        if not os.path.islink(os.path.join(root, path)):  # noqa: PTH114, PTH118 see _has_link
            return None
        return (root / path).resolve(strict=True).relative_to(root.resolve()).as_posix()
    except (OSError, ValueError, RuntimeError):
        return None


def _has_link(root: Path, path: str) -> bool:
    """Return whether a path below a folder contains a link, and so may lead elsewhere.

    It uses `os.path`, since thousands of files are read, and `pathlib` would take several times as
    long.
    """
    parts = path.split("/")
    above = [os.path.join(root, *parts[:n]) for n in range(1, len(parts) + 1)]  # noqa: PTH118
    # `islink` does not know the junctions of Windows
    return os.name == "nt" or ".." in parts or any(map(os.path.islink, above))


def _within(root: Path, path: str) -> str:
    if not _has_link(root, path):
        return os.path.join(root, path)  # noqa: PTH118 see _has_link
    try:
        real = (root / path).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise BadMemory(
            f"cannot be read: {getattr(error, 'strerror', None) or 'symbolic link loop'}"
        ) from None
    if not real.is_relative_to(root.resolve()):
        raise BadMemory("is a symbolic link to a place outside the source")
    return str(real)


def _bytes_of(path: str, largest: int) -> bytes:
    """Read a regular file and nothing else, even if the path was replaced by a link or pipe."""
    flags = (
        os.O_RDONLY
        | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_NONBLOCK", 0)
        | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise BadMemory("is not a regular file")
        handle = os.open(path, flags)
        with os.fdopen(handle, "rb") as file:
            known = os.fstat(handle)
            if not stat.S_ISREG(known.st_mode):
                raise BadMemory("is not a regular file")
            data = file.read(min(known.st_size, largest) + 1)  # a large buffer takes long to get
            if len(data) > known.st_size:  # it grew, or its size is not known
                data += file.read(largest + 1 - len(data))
    except OSError as error:
        raise BadMemory(f"cannot be read: {error.strerror or error}") from None
    if len(data) > largest:
        raise BadMemory(f"has more than {largest} bytes")
    return data
