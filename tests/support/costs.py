"""Compare what work costs on two sizes of input, whatever the machine and its load."""

from collections.abc import Callable
from time import process_time

_LEAST = 0.03  # seconds below which differences are noise
_TIMES = 4


def grows_evenly(work: Callable[[int], object], size: int) -> bool:
    """Tell whether four times the input costs far less than sixteen times as much."""
    small, large = _seconds(work, size), _seconds(work, _TIMES * size)
    return large < 2.5 * _TIMES * small


def _seconds(work: Callable[[int], object], size: int) -> float:
    found = []
    for more in (0, 1 + size // 50):  # the first fills caches, but not with what the second asks
        began = process_time()
        work(size + more)
        found.append(process_time() - began)
    return max(_LEAST, min(found))
