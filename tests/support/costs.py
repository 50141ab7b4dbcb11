"""Compare what work costs on two sizes of input, whatever the machine and its load."""

from collections.abc import Callable, Iterator
from time import process_time

_LEAST = 0.03  # seconds below which differences are noise
_TIMES = 4


def grows_evenly(work: Callable[[int], object], size: int) -> bool:
    """Tell whether four times the input costs far less than sixteen times as much."""
    most = 2.5 * _TIMES * max(_LEAST, min(_seconds(work, size)))
    # the larger is done twice only if the first time was too slow
    return any(each < most for each in _seconds(work, _TIMES * size))


def _seconds(work: Callable[[int], object], size: int) -> Iterator[float]:
    for more in (0, 1 + size // 50):  # the first fills caches, but not with what the second asks
        began = process_time()
        work(size + more)
        yield process_time() - began
