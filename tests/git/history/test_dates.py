import time
from collections.abc import Iterator

import pytest

from git_lerim.errors import UsageError
from git_lerim.git.history.dates import of_commit, parse_duration, parse_option, parse_time

DAY = 86400
NOW = 1_771_600_000  # 2026-02-20T15:06:40Z


@pytest.fixture
def east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand two hours east of Greenwich."""
    monkeypatch.setenv("TZ", "EET-2")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("2026-02-20", 1771545600),
        ("2026-02", 1769904000),
        ("2026", 1767225600),
        (" 2026-02-20 ", 1771545600),
        ("20260220", 1771545600),
        ("2026-02-20T00:00:01Z", 1771545601),
        ("2026-02-20t00:00:01z", 1771545601),
        ("2026-02-20 01:00:01+01:00", 1771545601),
        ("2026-02-20T00:00:01.5Z", 1771545601.5),
        ("7d", NOW - 7 * DAY),
        ("24H", NOW - DAY),
        ("30m", NOW - 1800),
        ("30s", NOW - 30),
        ("2w", NOW - 14 * DAY),
        ("999999w", 0),
        ("0001-01-01", 0),
        ("1969-12-31", 0),
    ],
)
def test_a_time_is_iso_8601_or_how_long_ago(text: str, means: float) -> None:
    assert parse_time(text, now=NOW) == means


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("2 weeks ago", 14),
        ("2.weeks.ago", 14),
        ("last week", 7),
        ("1 week 2 days ago", 9),
        ("5 days", 5),
        ("3 Days Ago", 3),
    ],
)
def test_gits_own_words_are_understood_wherever_one_stands(
    text: str, ago: int, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert (
        abs(parse_time(text) - (time.time() - ago * DAY)) < 5 + 3600
    )  # an hour: where the clocks are set in between


@pytest.mark.parametrize(
    "text", ["100 years ago", "200 years ago", "690 months ago", "30000 days ago", "99999999 Days"]
)
def test_what_git_cannot_count_back_to_is_the_beginning(text: str) -> None:
    assert parse_time(text) == 0


def test_days_as_people_write_them_are_those_that_git_reads() -> None:
    for text in (
        "20 Feb 2026 09:30:00",
        "Fri, 20 Feb 2026 09:30:00 +0000",
        "Feb 20, 2026 9:30am",
        "20-Feb-2026 09:30:00 UTC",
    ):
        assert parse_time(text) == 1771579800, text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "nonsense", "yesterday-ish", "may-fly", "releases 1", "v1-may", "2026-13-45",
        "2026-02-30", "20-02-2026",
        "2026-02-20Z", "-7d", "\u00b2d", "7", "7 d", "1000000w", "tomorrow", "--all",
        "2 weeks ago\0", "\u0662 weeks ago", "5 days " * 30, "friday 17:00",
        "one month ago friday",
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="2026-02-20"):
        parse_time(text, now=NOW)


@pytest.mark.parametrize("zone", ["UTC", "EET-2", "EST+5"])
def test_the_end_of_the_last_year_is_a_time_everywhere(
    zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    for text in ("9999-12-31", "9999-12", "9999-12-31T23:59:59-12:00"):
        assert parse_time(text, whole=True) == 253_402_300_799, text


def test_a_day_in_gits_words_is_all_of_it_as_one_in_iso_8601_is() -> None:
    for text in ("20 Feb 2026", "Feb 20, 2026", "Friday, 20-feb-2026"):
        assert parse_time(text) == 1771545600, text
        assert parse_time(text, whole=True) == 1771545600 + DAY - 0.001, text
    today = time.time() // DAY * DAY
    assert (parse_time("today"), parse_time("Yesterday", whole=True)) == (today, today - 0.001)
    assert parse_time("last friday") % DAY == 0
    assert parse_time("yesterday 09:30", whole=True) == today - DAY + 34200


def test_a_week_is_all_of_it() -> None:
    for text in ("2026-W08", "2026W08"):
        assert (parse_time(text), parse_time(text, whole=True)) == (
            1771200000,
            1771200000 + 7 * DAY - 0.001,
        )


def test_a_day_ends_where_the_next_begins_when_clocks_are_set_back_at_midnight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "EET-2EEST,M3.5.0/0,M10.5.0/0")  # as in Beirut
    time.tzset()
    assert (
        parse_time("2026-10-24", whole=True)
        == parse_time("2026-10-25") - 0.001
        == 1792879200 - 0.001
    )


def test_what_ends_with_a_day_or_a_month_ends_with_all_of_it() -> None:
    assert parse_time("2026-02-20", whole=True) == 1771545600 + DAY - 0.001
    assert parse_time("2026-02", whole=True) == 1769904000 + 28 * DAY - 0.001
    assert parse_time("2026", whole=True) == 1767225600 + 365 * DAY - 0.001
    assert parse_time("2024", whole=True) == 1704067200 + 366 * DAY - 0.001
    assert parse_time("2026-02-20T00:00:01Z", whole=True) == 1771545601
    assert parse_time("7d", whole=True, now=NOW) == NOW - 7 * DAY


@pytest.mark.usefixtures("east")
def test_a_time_without_a_zone_is_that_of_the_place() -> None:
    assert parse_time("2026-02-20") == 1771545600 - 7200
    assert parse_time("2026-02-20T00:00:01Z") == 1771545601
    assert parse_time("20 Feb 2026 09:30:00") == 1771579800 - 7200


def test_a_duration_is_a_number_and_a_unit() -> None:
    assert [parse_duration(text) for text in ("7d", "30m", "d", "7", "7y", "-7d", "1e3d")] == [
        7 * DAY,
        1800,
        *[None] * 5,
    ]


def test_an_option_that_takes_none_is_named_with_what_it_takes() -> None:
    with pytest.raises(UsageError, match=r"^invalid --since 'soon\\x1b'$") as refused:
        parse_option("--since", "soon\x1b")
    assert refused.value.hint.startswith("expected a date or time such as 2026-02-20")


def test_a_commit_has_a_time_that_others_take() -> None:
    assert [of_commit(each) for each in ("7", "", None, "-7")] == [7, 0, 0, 0]
    assert of_commit(str(2**63 - 1)) == of_commit(str(2**64)) == 253402300799
