"""What `config` shows of one setting."""

import pytest
from support.inside import lerim
from support.repos import Repo


@pytest.mark.parametrize("name", ["syncWindow", "lerim.syncWindow", "LERIM.SYNCWINDOW"])
def test_one_setting_is_shown_by_its_name(repo: Repo, name: str) -> None:
    repo.git("config", "lerim.syncWindow", "30d")
    repo.git("config", "--global", "lerim.claude.path", "/elsewhere")

    (line,) = lerim(repo.path, "config", name).out.splitlines()
    (row,) = lerim(repo.path, "config", name, "--json").json

    assert line.split()[:2] == ["lerim.syncWindow", "30d"]
    assert (row["name"], row["value"]) == ("lerim.syncWindow", "30d")
    assert "/elsewhere" in lerim(repo.path, "config", "claude.path").out


def test_the_folder_of_an_agents_sessions_is_shown_like_a_setting(repo: Repo) -> None:
    repo.git("config", "--global", "lerim.claude.path", "/elsewhere")

    line = lerim(repo.path, "config", "claude.path").out
    (row,) = lerim(repo.path, "config", "claude.path", "--json").json

    name, value, origin = line.split(maxsplit=2)
    assert row == {"name": name, "value": value, "origin": origin.strip(), "environment": None}
    assert (name, value, origin[:5]) == ("lerim.claude.path", "/elsewhere", "file:")
    assert row in lerim(repo.path, "config", "--json").json


def test_a_value_is_set_by_git_and_an_unknown_name_is_refused(repo: Repo) -> None:
    ran = lerim(repo.path, "config", "syncWindow", "2 weeks")
    assert (ran.code, ran.out) == (2, "")
    assert "to change one: git config lerim.syncWindow '2 weeks'\n" in ran.err

    ran = lerim(repo.path, "config", "syncwindows")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown setting 'syncwindows'\n" in ran.err


def test_the_query_of_an_endpoint_is_not_shown(repo: Repo) -> None:
    repo.git("config", "--global", "lerim.apiBase", "http://127.0.0.1:9/v1?key=mooncat57x")

    for words in (["config"], ["config", "--json"], ["config", "apiBase"]):
        ran = lerim(repo.path, *words)
        assert "http://127.0.0.1:9/v1?…" in ran.out.replace("\\u2026", "…")
        assert "mooncat" not in ran.out + ran.err
