import pytest

from git_lerim.extraction.wishes.named_times import without_named_times


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("Show today's totals", "Show the day's totals"),
        ("Count the orders of this week", "Count the orders of the day"),
        ("Include tomorrow in the slots", "Include the day in the slots"),
        ("Label it \u201cToday\u201d", "Label it \u201cthe day\u201d"),
        ("It blocks us after 5 attempts in a minute", "It blocks us after 5 attempts the day"),
        ("Sum it for today instead of yesterday", "Sum it for the day instead of the day"),
    ],
)
def test_a_time_that_is_named_as_a_thing_is_replaced(text: str, without: str) -> None:
    assert without_named_times(text) == without


@pytest.mark.parametrize(
    "text",
    [
        "Skip the migration today",
        "Use the old parser for this week instead of the new one",
        "Finish it by next Friday",
        "Hide the banner for today's demo",
        "Only this time",
    ],
)
def test_a_time_at_which_something_is_to_be_done_stays(text: str) -> None:
    assert without_named_times(text) == text
