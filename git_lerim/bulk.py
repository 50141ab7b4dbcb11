"""Speed up bulk work: pause the garbage collector, and share work with a forked process."""

import gc
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from git_lerim import worker_process

Item = TypeVar("Item")
Result = TypeVar("Result")
WORTH_IT = 500  # minimum number of items for which forking saves time


@contextmanager
def uncollected() -> Iterator[None]:
    """Context manager: pause the garbage collector while many objects are created.

    The objects should not form cycles.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def halved(begin: Callable[[], Callable[[Item], Result]], items: Sequence[Item]) -> list[Result]:
    """Return the results of independent work on the items, in order, using two processes.

    A forked process does half of the work; if it fails, this process does that half, too. `begin`
    opens what the work needs, and returns the function that does the work for one item. `begin` is
    called once in each process, because open pipes and files must not be shared. Results must be
    picklable; other changes that the fork makes in memory are lost.
    """
    if len(items) < WORTH_IT or not hasattr(os, "fork") or not worker_process.worth_while():
        return list(map(begin(), items))
    middle = len(items) // 2
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:  # no memory or no process left
        os.close(reading)
        os.close(writing)
        return list(map(begin(), items))
    if pid == 0:
        _answer(begin, items[middle:], writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            work = begin()
            first = list(map(work, items[:middle]))
            rest: list[Result] | None = _received(pipe.read())
    finally:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    return [*first, *(list(map(work, items[middle:])) if rest is None else rest)]


def _answer(
    begin: Callable[[], Callable[[Item], Result]], items: Sequence[Item], writing: int
) -> None:
    """Write the results to a pipe from the forked process, then exit without any cleanup.

    Cleanup would affect resources of the original process.
    """
    try:
        data = pickle.dumps(list(map(begin(), items)))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _received(data: bytes) -> "list[Result] | None":
    try:
        found: list[Result] = pickle.loads(data)  # noqa: S301 our own copy wrote it
    except (EOFError, pickle.UnpicklingError):
        return None
    return found
