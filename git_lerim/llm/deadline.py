"""Run work in a daemon thread, so that its caller can stop waiting for it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

_T = TypeVar("_T")


def start(work: Callable[[], _T]) -> "Future[_T]":
    """Call a function in a daemon thread; return a future for its result."""
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 whoever waits for the result raises it
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
