from datetime import datetime

import pytest
from support.memories import later, memory

from git_lerim.memories.confidence import OF_ORIGIN, effective, reckoned
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.memory import Origin, Source


def of(days: float, held: datetime | None = None, **changes: object) -> float:
    return effective(
        memory(confidence=0.8, **changes), held, later(days), period_days=100, floor=0.1
    )


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, 0.8), (50, 0.4), (75, 0.2), (99, 0.1), (100, 0.1), (10_000, 0.1), (-5, 0.8)],
)
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


def said(*verdicts: str, by: Voice = Voice.PERSON) -> tuple[Feedback, ...]:
    return tuple(
        Feedback(author=f"{number}", by=by, verdict=each, day="2026-03-01", count=9)
        for number, each in enumerate(verdicts)
    )


def test_every_origin_has_a_confidence() -> None:
    assert OF_ORIGIN.keys() == set(Origin)
    assert all(0 < share < 1 for share in OF_ORIGIN.values())


def test_independent_sessions_raise_it() -> None:
    sources = tuple(Source(agent="claude", session=name) for name in "abcd")

    assert reckoned(memory(confidence=0.5, sources=(*sources, *sources[:1]))) == pytest.approx(
        1 - 0.5**2
    )
    assert reckoned(memory(confidence=0.5, sources=())) == 0.5
    assert reckoned(memory(confidence=0.0, sources=sources)) == 0.0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (said("confirmed"), 0.55),
        (said("confirmed", "confirmed"), 0.55),
        (said("stale"), 0.4),
        (said("stale", "stale"), 0.32),
        (said("wrong", by=Voice.AGENT), 0.4),
        (said("wrong"), 0.5),  # a person's takes it out of use instead
        (said("used", "helpful"), 0.5),
    ],
)
def test_feedback_raises_or_lowers_it(rows: tuple[Feedback, ...], expected: float) -> None:
    assert reckoned(memory(confidence=0.5, feedback=rows)) == pytest.approx(expected)


def test_it_stays_between_the_floor_and_one() -> None:
    assert reckoned(memory(confidence=0.99, feedback=said("confirmed"))) == 1.0
    assert of(0, feedback=said(*["stale"] * 20)) == 0.1


def test_commits_and_files_of_one_history_are_one_reading() -> None:
    history = tuple(
        Source(agent="git", session=name, records=((1, 2),)) for name in ("README.md", "3f2a9c1b")
    )
    session = Source(agent="claude", session="5b0c", records=((1, 2),))

    assert reckoned(memory(confidence=0.7, sources=history)) == pytest.approx(0.7)
    assert reckoned(memory(confidence=0.7, sources=(*history, session))) > 0.8
