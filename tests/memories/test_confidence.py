from datetime import datetime

import pytest
from support.memories import later, memory

from git_lerim.memories.confidence import effective


def of(days: float, held: datetime | None = None, **changes: object) -> float:
    return effective(memory(confidence=0.8, **changes), held, later(days), period_days=100, floor=0.1)


@pytest.mark.parametrize(("days", "expected"), [(0, 0.8), (50, 0.4), (75, 0.2), (99, 0.1), (100, 0.1), (10_000, 0.1), (-5, 0.8)])
def test_confidence_fades_evenly_down_to_the_floor(days: float, expected: float) -> None:
    assert of(days) == expected


def test_the_clock_starts_when_the_store_first_held_it() -> None:
    assert of(75, later(25)) == 0.4
    assert of(50, later(-25)) == 0.4


def test_the_clock_starts_again_at_the_last_access() -> None:
    day = f"{later(50):%Y-%m-%d}"

    assert of(50.25, last_accessed=day) == pytest.approx(0.8, abs=0.01)
    assert of(75, later(60), last_accessed=day) == 0.68


def test_what_was_taken_back_stays_at_the_floor() -> None:
    assert effective(memory(confidence=0.0), None, later(), period_days=100, floor=0.1) == 0.1
