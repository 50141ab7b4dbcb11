"""Variables that a file of the project sets."""

import os
from pathlib import Path

import pytest
from support.chat import Endpoint
from support.inside import lerim
from support.repos import Repo

from git_lerim.__main__ import SETTINGS
from git_lerim.project_variables import ignore_project_variables


@pytest.mark.parametrize("file", [".env", ".gemini/.env", ".qwen/.env"])
@pytest.mark.parametrize(
    "line", ["LERIM_MODEL=evil", "export LERIM_MODEL: evil", "a=1\rLERIM_MODEL=x"]
)
def test_a_setting_that_the_project_sets_is_deleted(file: str, line: str, repo: Repo) -> None:
    path = repo.path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{line}\nOTHER=1\n")
    env = {"LERIM_MODEL": "evil", "LERIM_TRUST": "reviewed", "OTHER": "1"}
    below = repo.path / "src"
    below.mkdir()

    assert ignore_project_variables(env, SETTINGS, below) == {"LERIM_MODEL": path}
    assert env == {"LERIM_TRUST": "reviewed", "OTHER": "1"}


def test_a_submodule_belongs_to_the_project_around_it(repo: Repo) -> None:
    (repo.path / ".env").write_text("LERIM_MODEL=evil\n")
    inner = repo.path / "lib"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../.git/modules/lib\n")
    env = {"LERIM_MODEL": "evil"}

    assert list(ignore_project_variables(env, SETTINGS, inner)) == ["LERIM_MODEL"]


def test_files_above_the_project_are_the_users(repo: Repo) -> None:
    (repo.path.parent / ".env").write_text("LERIM_MODEL=mine\n")
    env = {"LERIM_MODEL": "mine"}

    assert ignore_project_variables(env, SETTINGS, repo.path) == {}
    assert env == {"LERIM_MODEL": "mine"}


def test_a_file_in_the_home_folder_is_the_users(sealed_world: Path) -> None:
    (sealed_world / ".env").write_text("LERIM_MODEL=mine\n")
    (sealed_world / "notes").mkdir()
    env = {"LERIM_MODEL": "mine"}

    assert ignore_project_variables(env, SETTINGS, sealed_world / "notes") == {}


def test_a_home_behind_a_link_is_the_users(
    sealed_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(sealed_world)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    (sealed_world / ".env").write_text("LERIM_MODEL=mine\n")
    env = {"LERIM_MODEL": "mine"}

    assert ignore_project_variables(env, SETTINGS, sealed_world) == {}


def test_no_model_is_asked_that_a_clone_names(
    repo: Repo, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "--global", "--unset", "lerim.model")
    assert lerim(repo.path, "remember", "Makefiles use tabs.").code == 0
    monkeypatch.setenv("LERIM_MODEL", "careful")
    (repo.path / ".gemini").mkdir()
    (repo.path / ".gemini/.env").write_text("LERIM_MODEL=careful\n")

    asked = lerim(repo.path, "ask", "What do makefiles use?")

    path = str(repo.path / ".gemini/.env")
    assert asked.err.startswith(f"warning: ignored LERIM_MODEL, which {path!a} of this project")
    assert endpoint.asked == []


def test_a_hook_says_nothing_of_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LERIM_MODEL", "careful")
    (repo.path / ".env").write_text("LERIM_MODEL=careful\n")

    assert lerim(repo.path, "hook", "gemini", "SessionEnd").err == ""


def test_a_pipe_in_place_of_the_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".env")
    env = {"LERIM_MODEL": "mine"}

    assert ignore_project_variables(env, SETTINGS, tmp_path) == {}
