"""Work in the background, one process at a time: a request that comes meanwhile makes the running
process go round again.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from git_lerim.errors import Busy, GitFailed
from git_lerim.git.repo import private_folder
from git_lerim.git.running import spawn_detached
from git_lerim.storage.writing.lock import Lock


def request(folder: Path, name: str) -> None:
    """Leave the note that work is wanted."""
    (private_folder(folder) / name).touch(mode=0o600)


def run(folder: Path, note: str, lock: str, work: Callable[[], None]) -> None:
    """Do the work at least once after this call began, here or in the process that holds the lock.

    `note`, which a request leaves, and `lock` are names of files in the folder.
    """
    spawn_detached.be_modest()
    requested, turn = folder / note, Lock(folder / lock)
    with contextlib.suppress(Busy):  # whoever holds the lock finds the request
        request(folder, note)
        while requested.exists():
            with turn.acquire(0):
                while requested.exists():
                    requested.unlink(missing_ok=True)
                    work()


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """End what takes too long, where a process can be interrupted; elsewhere each call of git has
    its own limit.
    """
    if os.name != "posix":
        yield
        return

    def end(*_: Any) -> NoReturn:
        raise GitFailed(f"it took longer than {seconds} seconds")

    stood = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, stood)
