"""Filters and textconv of a repository run in no verb that reads, and what they would print changes
no answer.
"""

from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo


@pytest.fixture(params=["x", "x=y", "x.y", ""])
def driven(request: pytest.FixtureRequest, repo: Repo, tmp_path: Path) -> Repo:
    """Return a repository whose drivers leave a mark and print nothing."""
    driver = str(request.param)
    assert lerim(repo.path, "remember", "Say hello first.", "--file", "hello.py:1").code == 0
    for kind, key in (
        *(("filter", "clean"), ("filter", "smudge"), ("diff", "textconv"), ("diff", "command")),
    ):
        repo.git("config", f"{kind}.{driver}.{key}", f"touch {tmp_path}/ran")
    repo.git("config", f"filter.{driver}.required", "true")
    (repo.path / ".git/info/attributes").write_text(f"* filter={driver} diff={driver}\n")
    (repo.path / "hello.py").write_text("print('hallo')\n")
    return repo


@pytest.mark.parametrize(
    "words",
    [
        ["brief"],
        ["why", "hello.py:1"],
        ["why", "hello.py"],
        ["handoff", "begin", "Go on."],
        ["status"],
    ],
)
def test_no_driver_runs_where_something_is_read(
    words: list[str], driven: Repo, tmp_path: Path
) -> None:
    for _ in range(2):  # the second time, what was kept answers
        ran = lerim(driven.path, *words)
        assert ran.code == 0, ran.err
    assert not (tmp_path / "ran").exists()


def test_a_driver_that_prints_nothing_takes_no_line_away(driven: Repo) -> None:
    assert "Say hello first" in lerim(driven.path, "why", "hello.py:1").out
