"""What `connect` says of what it changed."""

from support.inside import lerim
from support.repos import Repo


def test_what_is_connected_already_is_told_to_be_unchanged(repo: Repo) -> None:
    assert "nothing changed" in lerim(repo.path, "connect", "codex").err
    assert "nothing changed" not in lerim(repo.path, "connect", "remove", "codex").err
    assert "nothing changed" not in lerim(repo.path, "connect", "codex").err
    assert "nothing changed" not in lerim(repo.path, "connect").err
