from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.screen import display_settings


def test_the_last_value_counts_and_a_bare_key_is_true(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    repo.git("config", "--global", "color.ui", "never")
    repo.git("config", "color.ui", "always")
    with (repo.path / ".git/config").open("a") as file:
        file.write("[color]\n\tpager\n")

    assert display_settings.read() == {"color.ui": "always", "color.pager": "true"}


def test_without_the_folder_or_git_nothing_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert not display_settings.may_force_colours()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert display_settings.read() == {}
