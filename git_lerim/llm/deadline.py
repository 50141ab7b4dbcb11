"""Run work in a thread that keeps nobody from leaving: whoever waits for it says how long."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

_T = TypeVar("_T")


def started(work: Callable[[], _T]) -> "Future[_T]":
    """Start work, and return what holds its result or its error as soon as there is one."""
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 whoever waits for the result raises it
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
