from datetime import UTC, datetime
from pathlib import Path

from support.repos import Repo

from git_lerim.git.history.filedates import last_commits


def test_each_file_has_the_time_and_the_id_of_its_last_commit(repo: Repo) -> None:
    repo.commit({"docs/a.md": "1", "docs/ü b.md": "1"}, when="2024-01-01T00:00:00Z")
    last = repo.commit({"docs/a.md": "2", "c.md": "1"}, when="2024-02-01T00:00:00Z")

    found = last_commits(repo.path / "docs")

    assert {name: at for name, (at, _) in found.items()} == {
        "a.md": datetime(2024, 2, 1, tzinfo=UTC), "ü b.md": datetime(2024, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    assert found["a.md"][1] == last


def test_outside_a_repository_nothing_is_known(tmp_path: Path) -> None:
    assert last_commits(tmp_path) == {}
