import pytest
from support.memories import AT, ID

from git_lerim.errors import BadMemory
from git_lerim.memories.format.fields import build
from git_lerim.memories.format.forms import Plain
from git_lerim.memories.memory import Origin

LEAST = {"id": ID, "primitive": "decision", "title": "Use tabs", "created": "2026-02-20T09:30:45Z"}


def test_four_fields_are_enough() -> None:
    made = build(LEAST, "Because.")

    assert (made.id, made.created, made.updated, made.body) == (ID, AT, AT, "Because.")


def test_only_what_stands_without_quotes_can_mean_a_number_or_nothing() -> None:
    made = build(
        {
            **LEAST,
            "a": "1",
            "b": Plain("1"),
            "c": Plain("null"),
            "d": "null",
            "e": Plain("1.5"),
            "f": Plain("1e999"),
        },
        "x",
    )

    assert made.unknown == {"a": "1", "b": 1, "c": None, "d": "null", "e": 1.5, "f": "1e999"}


def test_a_time_outside_the_calendar_is_told() -> None:
    with pytest.raises(BadMemory, match="years 1 to 9999"):
        build({**LEAST, "created": "0001-01-01T00:00:00+05:00"}, "x")


def test_a_huge_number_is_told() -> None:
    with pytest.raises(BadMemory, match="whole numbers"):
        build(
            {**LEAST, "sources": [{"agent": "a", "session": "b", "records": [["1" * 5000, "2"]]}]},
            "x",
        )


def test_a_key_that_only_looks_like_a_field_is_refused() -> None:
    with pytest.raises(BadMemory, match="`title` with invisible characters"):
        build({**LEAST, "tit\u200ble": "Another"}, "x")


def test_a_file_from_before_the_origin_is_of_rules_where_it_cites_a_session_else_of_a_person() -> (
    None
):
    cited = {**LEAST, "sources": [{"agent": "claude", "session": "1"}]}

    assert build(LEAST, "x").origin is Origin.HUMAN
    assert build(cited, "x").origin is Origin.RULES
