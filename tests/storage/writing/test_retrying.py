import pytest

from git_lerim.errors import Busy, StoreMoved
from git_lerim.storage.writing.retrying import retry


def test_what_succeeds_is_tried_once_and_knows_its_number() -> None:
    assert retry(lambda number: number, "x could not be moved") == 1


def test_who_was_too_slow_tries_again() -> None:
    def third(number: int) -> int:
        if number < 3:
            raise StoreMoved("somebody was faster")
        return number

    assert retry(third, "x could not be moved") == 3


def test_what_never_goes_well_is_given_up_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.TRIES", 2)

    def never(_: int) -> None:
        raise Busy("another run is in progress")

    with pytest.raises(
        StoreMoved, match=r"^x could not be moved in 2 tries: another run is in progress$"
    ) as caught:
        retry(never, "x could not be moved", met=(Busy,))
    assert caught.value.hint == "try again later"


def test_a_reason_that_says_what_to_do_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_lerim.storage.writing.retrying.TRIES", 2)

    def locked(_: int) -> None:
        raise StoreMoved("packed-refs.lock is there", hint="remove it")

    with pytest.raises(StoreMoved) as caught:
        retry(locked, "x could not be moved", hint="ours is taken away when it is old")
    assert caught.value.hint == "remove it"


def test_what_is_no_race_is_not_tried_again() -> None:
    def busy(_: int) -> None:
        raise Busy("another run is in progress")

    with pytest.raises(Busy):
        retry(busy, "x could not be moved")
