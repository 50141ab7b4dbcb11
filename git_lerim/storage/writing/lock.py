"""Run one process at a time, with a lock that the kernel releases when its process dies."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from git_lerim.errors import Busy, ReadOnly
from git_lerim.git.repo import private_folder
from git_lerim.private_files import read_json
from git_lerim.tokens import local_times

PAUSE = 0.05  # seconds between tries

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        os.lseek(handle, 1 << 30, os.SEEK_SET)  # locks a byte beyond the text, which stays readable
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _share(handle: int) -> None:
        _take(handle)  # Windows has no shared lock here: writers take turns

    def _give_back(handle: int) -> None:
        os.lseek(handle, 1 << 30, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _share(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _give_back(handle: int) -> None:
        # a child being spawned may still have the file open
        fcntl.flock(handle, fcntl.LOCK_UN)


def writing_file(own_dir: Path) -> Path:
    """Return the lock file for moving the branch: writers share it, a repair excludes them."""
    return own_dir / "writing"


def lock_file(own_dir: Path) -> Path:
    """Return the lock file that lets only one run work on a repository at a time."""
    return own_dir / "lock"


class Lock:
    """A lock that the kernel holds on a file; the file's content only says who has locked it."""

    def __init__(self, path: Path) -> None:
        """Initialize with the path; nothing is opened yet."""
        self.path = path

    @contextmanager
    def acquire(self, wait_seconds: float, pause: float = PAUSE) -> Iterator[None]:
        """Hold the lock while the `with` block runs. Raises Busy if it is not free in time.

        The message of Busy says which process holds the lock.
        """
        handle = self._open()
        try:
            self._wait(handle, time.monotonic() + wait_seconds, pause)
            _forget_in_children(handle)
            self._sign(handle)
            try:
                yield
            finally:
                os.ftruncate(handle, 0)
                _give_back(handle)
        finally:
            _open_handles.discard(handle)
            os.close(handle)

    @contextmanager
    def shared(self, wait_seconds: float) -> Iterator[None]:
        """Hold a shared lock while the `with` block runs; after the timeout, go on without it."""
        try:
            handle = self._open()
        except ReadOnly:
            yield
            return
        try:
            deadline = time.monotonic() + wait_seconds
            with suppress(Busy):
                self._wait(handle, deadline, 0.005, _share)
            _forget_in_children(handle)
            yield
        finally:
            _open_handles.discard(handle)
            with suppress(OSError):
                _give_back(handle)
            os.close(handle)

    def holder(self) -> tuple[int, str] | None:
        """Return the process id and start time of the last holder, which may have ended."""
        try:
            told = read_json(self.path)
            return int(told["pid"]), str(told["since"])[:20]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _open(self) -> int:
        try:
            private_folder(self.path.parent)
            return os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except OSError as error:
            is_blocked = isinstance(error, (FileExistsError, NotADirectoryError))
            hint = "git lerim doctor" if is_blocked else "check the permissions of the repository"
            raise ReadOnly(
                f"the lock {self.path} cannot be opened: {error.strerror}", hint=hint
            ) from error

    def _wait(
        self, handle: int, deadline: float, pause: float, take: Callable[[int], None] = _take
    ) -> None:
        while True:
            try:
                take(handle)
            except OSError:
                if time.monotonic() >= deadline:
                    raise self._busy() from None
                time.sleep(pause)
            else:
                return

    def _busy(self) -> Busy:
        holder = self.holder()
        who = f"process {holder[0]} since {local_times(holder[1])}" if holder else "another process"
        return Busy(
            f"another run is in progress: {who}",
            hint="wait for it to finish, or wait longer with --wait SECONDS",
        )

    def _sign(self, handle: int) -> None:
        since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with suppress(OSError):  # on a full disk the lock works without a name
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, json.dumps({"pid": os.getpid(), "since": since}).encode())


_open_handles: set[int] = set()


def _forget_in_children(handle: int) -> None:
    _open_handles.add(handle)


def _close_in_child() -> None:
    # otherwise a forked child would keep the lock after this process has ended
    for handle in _open_handles:
        with suppress(OSError):
            os.close(handle)
    _open_handles.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
