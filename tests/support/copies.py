"""Folders with repositories, which git and our verbs make once and which are copied after that."""

import hashlib
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# an index of version 2; for each file its times and place, its mode, size and object, its name
HEAD = b"DIRC" + struct.pack(">L", 2)
BEFORE_NAME = 62  # bytes
PLACES = ("GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES")  # differ, but make no difference


@dataclass(frozen=True)
class Copy:
    """What stands in a folder, by path, with modes: folders, and files with what they hold."""

    folders: tuple[tuple[str, int], ...]
    files: tuple[tuple[str, int, bytes], ...]

    def write(self, path: Path) -> None:
        """Write it all into a folder, where git then sees it as if it had been made there."""
        path.mkdir(parents=True, exist_ok=True)
        at = f"{path}/"
        for name, mode in self.folders:
            os.makedirs(at + name, mode, exist_ok=True)  # noqa: PTH103 a thousand times a minute
        for name, mode, data in self.files:
            _write(at + name, mode, data)
        for index in _indexes(path):
            index.write_bytes(_with_times(index.read_bytes(), index.parents[1]))


MADE: dict[object, Copy] = {}


def make(path: Path, what: str, by_git: Callable[[], object]) -> None:
    """Make a repository: by git if that would make another one than before."""
    key = what, surroundings()
    if key in MADE:
        MADE[key].write(path)
        return
    by_git()
    if "GIT_CONFIG_GLOBAL" in os.environ and all(
        index.read_bytes().startswith(HEAD) for index in _indexes(path)
    ):
        MADE[key] = read(path)


def surroundings() -> object:
    """Return all that could make git or a verb act otherwise."""
    given = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("GIT_", "LERIM_", "LC_", "LANG", "TZ", "PATH")) and name not in PLACES
    }
    config = os.environ.get("GIT_CONFIG_GLOBAL")
    text = Path(config).read_bytes() if config and Path(config).is_file() else b""
    return frozenset(given.items()), text


def read(path: Path) -> Copy:
    """Return what stands in a folder."""
    found = sorted(path.rglob("*"))
    return Copy(
        folders=tuple(
            (str(each.relative_to(path)), _mode(each)) for each in found if each.is_dir()
        ),
        files=tuple(
            (str(each.relative_to(path)), _mode(each), each.read_bytes())
            for each in found
            if each.is_file()
        ),
    )


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def _write(path: str, mode: int, data: bytes) -> None:
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    os.write(number, data)
    os.close(number)


def _indexes(path: Path) -> list[Path]:
    return [*path.glob(".git/index"), *path.glob("*/.git/index")]


def _with_times(index: bytes, folder: Path) -> bytes:
    """Return an index that knows the files as they lie there now."""
    changed = bytearray(index[:-20])
    (count,) = struct.unpack_from(">L", index, len(HEAD))
    start = len(HEAD) + 4
    for _ in range(count):
        size = struct.unpack_from(">H", index, start + BEFORE_NAME - 2)[0] & 0xFFF
        end = start + BEFORE_NAME + size
        now = (folder / os.fsdecode(index[start + BEFORE_NAME : end])).stat()
        times = (*divmod(now.st_ctime_ns, 10**9), *divmod(now.st_mtime_ns, 10**9))
        facts = (*times, now.st_dev & 0xFFFFFFFF, now.st_ino & 0xFFFFFFFF)
        struct.pack_into(">6L", changed, start, *facts)
        start += (BEFORE_NAME + size + 8) // 8 * 8
    return bytes(changed) + hashlib.sha1(changed, usedforsecurity=False).digest()
