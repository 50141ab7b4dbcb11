"""Repositories with one commit, which git makes once and which are copied after that."""

import hashlib
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# an index of version 2 with one file, whose times and inode follow
ONE_FILE = b"DIRC" + struct.pack(">LL", 2, 1)
PLACES = ("GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES")  # differ, but make no difference


@dataclass(frozen=True)
class Copy:
    """What stands in a repository with one file, by path: folders, and files with their modes."""

    file: str
    folders: tuple[str, ...]
    files: tuple[tuple[str, int, bytes], ...]

    def write(self, path: Path) -> None:
        """Write it all into a folder that is made for it, as git would have."""
        path.mkdir(parents=True)
        at = f"{path}/"
        for folder in self.folders:
            os.mkdir(at + folder)  # noqa: PTH102 a thousand times a minute
        for name, mode, data in self.files:
            _write(at + name, mode, data)
        index = path / ".git" / "index"
        index.write_bytes(_with_times(index.read_bytes(), path / self.file))


MADE: dict[object, Copy] = {}


def make(path: Path, file: str, by_git: Callable[[], object]) -> None:
    """Make a repository with one file: by git if that would make another one than before."""
    key = file, _surroundings()
    if key in MADE:
        MADE[key].write(path)
        return
    by_git()
    if "GIT_CONFIG_GLOBAL" in os.environ and (path / ".git" / "index").read_bytes()[:12] == (
        ONE_FILE
    ):
        MADE[key] = _read(path, file)


def _surroundings() -> object:
    """Return all that could make git act otherwise."""
    given = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("GIT_", "LC_", "LANG", "TZ", "PATH")) and name not in PLACES
    }
    config = os.environ.get("GIT_CONFIG_GLOBAL")
    text = Path(config).read_bytes() if config and Path(config).is_file() else b""
    return frozenset(given.items()), text


def _read(path: Path, file: str) -> Copy:
    found = sorted(path.rglob("*"))
    return Copy(
        file=file,
        folders=tuple(str(each.relative_to(path)) for each in found if each.is_dir()),
        files=tuple(
            (str(each.relative_to(path)), each.stat().st_mode & 0o777, each.read_bytes())
            for each in found
            if each.is_file()
        ),
    )


def _write(path: str, mode: int, data: bytes) -> None:
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    os.write(number, data)
    os.close(number)


def _with_times(index: bytes, file: Path) -> bytes:
    """Return an index that knows the file as it lies there now."""
    now = file.stat()
    times = (*divmod(now.st_ctime_ns, 10**9), *divmod(now.st_mtime_ns, 10**9))
    facts = struct.pack(">6L", *times, now.st_dev & 0xFFFFFFFF, now.st_ino & 0xFFFFFFFF)
    start = len(ONE_FILE)
    changed = index[:start] + facts + index[start + len(facts) : -20]
    return changed + hashlib.sha1(changed, usedforsecurity=False).digest()
