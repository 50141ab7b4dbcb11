"""Make folders and files that only their owner can read.

This module imports little, because hooks use it.
"""

# ruff: noqa: PTH102, PTH105, PTH108, PTH112, PTH120, PTH123, SIM105 imports would take longer

import errno
import os
import stat

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import Any

LARGE = 1 << 28  # bytes of a file that grows with the repository, such as a reflog
OURS = 1 << 26  # bytes of a file that git-lerim wrote: its values can take 25 times as much
# Seconds that a reader waits for a lock on a database that can be rebuilt; then it does without.
# A hook, which runs at every prompt, opens a few of them.
READER_WAITS = 0.1
# Finds what no database of ours has: somebody else put it there, and it can take endless time. Of
# the hidden columns, 2 and 3 are generated ones.
FOREIGN_PARTS = (
    "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger') OR sql LIKE '%check%'"
    " OR type = 'index' AND (sql LIKE '%(%(%' OR sql LIKE '%where%') UNION ALL"
    " SELECT 1 FROM sqlite_master AS made, pragma_table_xinfo(made.name) AS parts"
    " WHERE made.type = 'table' AND (parts.hidden IN (2, 3) OR parts.dflt_value LIKE '%(%')"
)


def make_folders(path: "str | os.PathLike[str]") -> None:
    """Create a folder and its missing parents, which only their owner can enter.

    `os.makedirs` would leave the parents open to others.
    """
    path = os.fspath(path)
    if not path or os.path.isdir(path):
        return
    make_folders(os.path.dirname(path))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def read_small(path: "str | os.PathLike[str]", limit: int = 1 << 16, *, own: bool = False) -> bytes:
    """Return the content of a regular file of at most `limit` bytes; else raise OSError.

    A repository that came as files can contain anything: devices and pipes without end, and huge
    sparse files that are small in an archive. An `own` file must belong to the current user.
    """
    # without O_NONBLOCK, opening a pipe waits for a writer
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            too_large = errno.EFBIG if stat.S_ISREG(status.st_mode) else 0
            raise OSError(too_large, f"it is not a regular file, or larger than {limit >> 10} KiB")
        if own and status.st_uid != getattr(os, "geteuid", lambda: status.st_uid)():
            raise PermissionError(0, "it belongs to another user")
        with open(handle, "rb", buffering=0, closefd=False) as file:
            # files of /proc, some of which have no end, say that they are empty
            return file.readall() if status.st_size else b""
    finally:
        os.close(handle)


def read_text(path: "str | os.PathLike[str]", limit: int = 1 << 16) -> str:
    """Return the text of a regular file of at most `limit` bytes. Raises OSError."""
    return read_small(path, limit).decode("utf-8", "replace").replace("\r\n", "\n")


def read_json(path: "str | os.PathLike[str]", *, own: bool = False) -> "Any":
    """Return the value in one of our JSON files. Raises OSError, and ValueError for bad JSON."""
    return parse_json(read_small(path, OURS, own=own))


def parse_json(text: str | bytes) -> "Any":
    """Return the value of JSON that somebody else may have written; raise ValueError for bad JSON.

    Infinite numbers and very deep nesting are refused, too; git-lerim writes neither.
    """
    import json  # noqa: PLC0415 few of its callers are without it

    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _finite(number: str) -> float:
    if abs(value := float(number)) < float("inf"):
        return value
    raise ValueError(f"{number} is not a finite number")


def write(path: "str | os.PathLike[str]", text: str) -> None:
    """Write a text file; if the file is new, only its owner can read it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def replace(path: "str | os.PathLike[str]", text: str, *, beside: str = "") -> None:
    """Replace a text file in one step. Raises OSError.

    The text is first written to the file `beside`, by default `<path>.<process id>`. If that file
    exists, it is deleted first, so that nothing is written through a planted link.
    """
    path = os.fspath(path)
    temporary = beside or f"{path}.{os.getpid()}"
    make_folders(os.path.dirname(path))
    _remove(temporary)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(temporary, flags, 0o600)
    try:
        with open(handle, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
