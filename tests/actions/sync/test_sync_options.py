import re
from datetime import UTC, datetime, timedelta

import pytest

from git_lerim.actions.sync.sync_options import window_start
from git_lerim.errors import UsageError

NOW = datetime(2026, 2, 20, 9, 30, tzinfo=UTC)


def test_since_beats_window() -> None:
    assert window_start(NOW, since="2026-02-01", window="nonsense") == datetime(
        2026, 2, 1, tzinfo=UTC
    )
    assert window_start(NOW, since=None, window="7d") == NOW - timedelta(days=7)
    assert window_start(NOW, since=None, window="all") == datetime.fromtimestamp(0, UTC)
    assert window_start(NOW, since=None, window="999999w") == datetime.fromtimestamp(0, UTC)


@pytest.mark.parametrize(("since", "window"), [("tomorrow", "7d"), (None, "7"), (None, "")])
def test_a_window_that_makes_no_sense_is_a_usage_error(since: str | None, window: str) -> None:
    with pytest.raises(UsageError, match=re.escape("--since" if since else "--window")) as caught:
        window_start(NOW, since=since, window=window)
    assert caught.value.hint.startswith("expected a ")
