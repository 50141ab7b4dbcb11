"""Run background work in one process at a time; a request during a run causes another run."""

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
    """Request a run of the background work by creating the file `name` in a folder."""
    (private_folder(folder) / name).touch(mode=0o600)


def run(folder: Path, note: str, lock: str, work: Callable[[], None]) -> None:
    """Have the work done at least once more, by this process or the one that holds the lock.

    `note` (the file that a request creates) and `lock` are names of files in the folder.
    """
    spawn_detached.lower_priority()
    requested, turn = folder / note, Lock(folder / lock)
    with contextlib.suppress(Busy):  # the process that holds the lock handles the request
        request(folder, note)
        while requested.exists():
            with turn.acquire(0):
                while requested.exists():
                    requested.unlink(missing_ok=True)
                    work()


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise GitFailed if the `with` block takes longer than `seconds`.

    Systems without SIGALRM have no such limit, only the time limit of each git call.
    """
    if os.name != "posix":
        yield
        return

    def end(*_: Any) -> NoReturn:
        raise GitFailed(f"the hook took longer than {seconds} seconds")

    previous = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
