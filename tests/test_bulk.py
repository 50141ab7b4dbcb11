import gc
import os
import signal

import pytest

from git_lerim import bulk, worker_process
from git_lerim.bulk import halved, uncollected


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "worth_while", lambda: True)
    monkeypatch.setattr(bulk, "WORTH_IT", 4)


def test_the_second_half_is_done_by_a_copy_in_the_order_of_the_items() -> None:
    done = halved(lambda: lambda n: (n * n, os.getpid()), range(9))

    assert [square for square, _ in done] == [n * n for n in range(9)]
    assert [pid == os.getpid() for _, pid in done] == [True] * 4 + [False] * 5


def test_a_few_items_start_no_copy() -> None:
    assert set(halved(lambda: lambda _: os.getpid(), range(3))) == {os.getpid()}


def test_all_is_done_here_where_no_copy_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)

    assert halved(lambda: lambda n: (n, os.getpid()), range(9)) == [
        (n, os.getpid()) for n in range(9)
    ]


def test_what_a_copy_does_not_finish_is_done_here() -> None:
    here = os.getpid()

    def work(n: int) -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    assert halved(lambda: work, range(9)) == list(range(9))


def test_what_fails_in_a_copy_fails_here_too() -> None:
    def work(n: int) -> int:
        if n == 8:
            raise ValueError("eight")
        return n

    with pytest.raises(ValueError, match="eight"):
        halved(lambda: work, range(9))


def test_garbage_is_looked_for_again_afterwards() -> None:
    with uncollected():
        assert not gc.isenabled()

    assert gc.isenabled()
