"""Try again while others write: bounded in tries and in time, and out of step with them."""

import time
from collections.abc import Callable
from typing import TypeVar

from git_lerim.errors import LerimError, StoreMoved

TRIES = 50
PATIENCE = 30.0  # seconds
JITTER = (0.005, 0.05)  # seconds

_T = TypeVar("_T")


def retried(
    attempt: Callable[[int], _T],
    failed: str,
    *,
    hint: str = "try again in a while",
    met: tuple[type[LerimError], ...] = (StoreMoved,),
) -> _T:
    """Return what an attempt gives, which is told its number; where it meets somebody who wrote
    first, it is made again.

    Raises StoreMoved, which says what `failed`, where that never ends; the last refusal's own hint
    goes before `hint`.
    """
    deadline, number = None, 1
    while True:
        try:
            return attempt(number)
        except met as error:
            # from the first refusal on: a person can sit in an editor for longer than that
            deadline = deadline or time.monotonic() + PATIENCE
            if number == TRIES or time.monotonic() >= deadline:
                raise StoreMoved(
                    f"{failed} in {number} tries: {error}", hint=error.hint or hint
                ) from error
            from random import uniform  # noqa: PLC0415 it loads much, and most are never too slow

            time.sleep(uniform(*JITTER))  # noqa: S311 - keeps writers out of step, no secret
            number += 1
