from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from support.memories import AT, TEXT, memory

from git_lerim.memories.clean_text import clean_body, line, text, utc
from git_lerim.memories.format.normalize import clean

HIDDEN = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
]
HIDDEN += [*range(0xFE00, 0xFE10), 0xFEFF, *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0)]


@given(TEXT)
def test_what_is_clean_stays_as_it_is(any_text: str) -> None:
    assert text(text(any_text)) == text(any_text)
    assert line(line(any_text)) == line(any_text)
    assert clean_body(clean_body(any_text)) == clean_body(any_text)


def test_no_invisible_character_is_left_anywhere() -> None:
    hidden = "".join(map(chr, HIDDEN))
    made = clean(
        memory(
            title=f"a{hidden}b",
            body=f"a{hidden}b",
            tags=(f"a{hidden}b",),
            unknown={f"k{hidden}": [f"a{hidden}b"]},
        )
    )

    for shown in (made.title, made.body, *made.tags, *made.unknown, made.unknown["k"][0]):
        assert not set(shown.replace("\n", "").replace(" ", "")) - set("abk")


def test_times_are_whole_seconds_of_utc() -> None:
    assert utc(datetime(2026, 2, 20, 10, 30, 45, 999, tzinfo=timezone(timedelta(hours=1)))) == AT
    # a person wrote no zone
    assert utc(datetime(2026, 2, 20, 9, 30, 45)).tzinfo is UTC  # noqa: DTZ001


def test_a_body_never_looks_like_a_conflict() -> None:
    assert clean_body("<<<<<<< a\n=======\n>>>>>>> b") == " <<<<<<< a\n=======\n >>>>>>> b"


@pytest.mark.parametrize(("given", "kept"), [(0.849999, 0.85), (-1.0, 0.0), (2.0, 1.0)])
def test_confidence_has_two_decimals_between_none_and_one(given: float, kept: float) -> None:
    assert clean(memory(confidence=given)).confidence == kept
