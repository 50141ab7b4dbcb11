"""Retry while other processes write, with jitter and limits on tries and time."""

import time
from collections.abc import Callable
from typing import TypeVar

from git_lerim.errors import LerimError, StoreMoved

TRIES = 50
PATIENCE = 30.0  # seconds
JITTER = (0.005, 0.05)  # seconds

_T = TypeVar("_T")


def retry(
    attempt: Callable[[int], _T],
    failed: str,
    *,
    hint: str = "try again later",
    met: tuple[type[LerimError], ...] = (StoreMoved,),
) -> _T:
    """Call `attempt(number)` again and again until no other process writes meanwhile.

    The errors in `met` mean that another process wrote. After too many tries, StoreMoved is raised,
    which says what `failed`; the last error's hint takes precedence over `hint`.
    """
    deadline, number = None, 1
    while True:
        try:
            return attempt(number)
        except met as error:
            # the clock starts at the first failure: a person may sit in an editor for longer
            deadline = deadline or time.monotonic() + PATIENCE
            if number == TRIES or time.monotonic() >= deadline:
                raise StoreMoved(
                    f"{failed} in {number} tries: {error}", hint=error.hint or hint
                ) from error
            from random import uniform  # noqa: PLC0415 slow to import, and rarely needed

            time.sleep(uniform(*JITTER))  # noqa: S311 - keeps writers out of step, no secret
            number += 1
