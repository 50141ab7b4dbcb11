import pytest

from git_lerim.recall.why.writes import ago


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, "less than a minute"),
        (60, "1 minute"),
        (1500, "25 minutes"),
        (3600, "1 hour"),
        (5 * 86400, "5 days"),
    ],
)
def test_a_time_is_said_in_words(seconds: int, said: str) -> None:
    assert ago(seconds) == said
