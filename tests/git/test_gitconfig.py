import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git import gitconfig
from git_lerim.git.repo import Place, discover


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


@pytest.fixture
def place(repo: Repo) -> Place:
    return discover(repo.path, os.environ)


def test_settings_come_with_scope_and_origin_in_the_order_that_counts(
    repo: Repo, place: Place, sealed_world: Path
) -> None:
    repo.git("config", "--global", "lerim.syncWindow", "30d")
    repo.git("config", "lerim.syncWindow", "7d")

    entries = gitconfig.read(place)

    assert [(e.key, e.value, e.scope) for e in entries] == [
        ("lerim.syncwindow", "30d", "global"),
        ("lerim.syncwindow", "7d", "local"),
    ]
    assert entries[0].origin == f"file:{sealed_world / '.gitconfig'}"


def test_a_key_alone_and_an_empty_value_are_told_apart(repo: Repo, place: Place) -> None:
    append(repo.path / ".git/config", "[lerim]\n\talone\n\tempty =\n")

    assert [(e.key, e.value) for e in gitconfig.read(place)] == [
        ("lerim.alone", None),
        ("lerim.empty", ""),
    ]


def test_values_with_line_ends_stay_whole(repo: Repo, place: Place) -> None:
    repo.git("config", "lerim.redactPattern", "one\ntwo = 3")

    assert [e.value for e in gitconfig.read(place)] == ["one\ntwo = 3"]


def test_settings_of_git_dash_c_count(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "lerim.branch")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "other")

    assert [(e.value, e.scope) for e in gitconfig.read(place)] == [("other", "command")]


def test_without_a_repository_only_the_users_own_settings_count(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "lerim.model", "from the repository")
    repo.git("config", "--global", "lerim.model", "mine")
    monkeypatch.chdir(repo.path)

    assert [e.value for e in gitconfig.read(None)] == ["mine"]


def test_replacing_leaves_one_value_and_unsetting_none(repo: Repo, place: Place) -> None:
    for agent in ("claude", "codex"):
        repo.git("config", "--add", "lerim.agents", agent)
    gitconfig.replace(place, "lerim.agents", "cursor")
    assert [e.value for e in gitconfig.read(place)] == ["cursor"]

    gitconfig.unset(place, "lerim.agents")
    gitconfig.unset(place, "lerim.agents")

    assert gitconfig.read(place) == []


def test_other_sections_stay_byte_for_byte(repo: Repo, place: Place) -> None:
    config = repo.path / ".git/config"
    config.write_text(config.read_text() + "# a comment\n[alias]\n  x = y   ; odd\n")
    before = config.read_text()

    gitconfig.replace(place, "lerim.branch", "x")
    assert config.read_text().startswith(before)

    gitconfig.unset(place, "lerim.branch")
    assert before in config.read_text()


def test_a_broken_configuration_is_named(repo: Repo, place: Place) -> None:
    append(repo.path / ".git/config", "[lerim\n")

    with pytest.raises(GitFailed, match="bad config line"):
        gitconfig.read(place)


def test_a_configuration_that_another_git_writes_is_told_with_what_to_do(
    repo: Repo, place: Place
) -> None:
    (repo.path / ".git/config.lock").touch()

    with pytest.raises(GitFailed, match="could not lock config file") as caught:
        gitconfig.replace(place, "lerim.branch", "x")

    assert caught.value.hint.startswith("try again when the other git process is done")


def remotes_of(repo: Repo) -> list[str]:
    return gitconfig.remotes(gitconfig.read(discover(repo.path, os.environ), gitconfig.SECTIONS))


def test_remotes_are_told_with_push_urls_once(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "git@example.org:a/b.git")
    repo.git("remote", "set-url", "--push", "origin", "https://example.org/a/b")
    repo.git("remote", "add", "copy", "git@example.org:a/b.git")

    assert remotes_of(repo) == ["git@example.org:a/b.git", "https://example.org/a/b"]


def test_a_remote_is_told_as_written_and_as_git_expands_it(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "gh:a/b")
    repo.git("config", "url.https://example.org/.insteadOf", "gh:")

    assert remotes_of(repo) == ["gh:a/b", "https://example.org/a/b"]


def test_no_remote_is_no_error(repo: Repo) -> None:
    assert remotes_of(repo) == []


def test_the_files_of_the_configuration_are_those_that_it_includes_too(
    repo: Repo, sealed_world: Path
) -> None:
    place = discover(repo.path, {})
    repo.git("config", "include.path", "there")
    repo.git("config", "--global", "includeIf.gitdir:/nowhere/.path", "~/elsewhere")
    (repo.path / ".git" / "there").write_text("[include]\n\tpath = gone\n")

    common = str(repo.path / ".git")
    names = {
        f"{common}/config",
        f"{common}/there",
        f"{common}/gone",
        f"{sealed_world}/.gitconfig",
        f"{sealed_world}/elsewhere",
    }
    assert set(gitconfig.files(place) or ()) == names

    repo.git("config", "includeIf.onbranch:main.path", "there")
    assert gitconfig.files(place) is None


def test_a_question_is_asked_once_until_the_configuration_changes(
    repo: Repo, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("remote", "add", "origin", "https://example.org/a")
    trace = repo.path / "trace"
    question = ("remote", "get-url", "--", "origin")
    with monkeypatch.context() as patch:
        patch.setenv("GIT_TRACE", str(trace))
        first, second = (gitconfig.ask(place, *question) for _ in range(2))
    asked = trace.read_text().count("get-url")
    repo.git("remote", "set-url", "origin", "https://example.org/b")

    changed = gitconfig.ask(place, *question)
    missing = gitconfig.ask(place, "config", "no.such")

    assert (asked, first, second) == (1, "https://example.org/a", "https://example.org/a")
    assert (changed, missing) == ("https://example.org/b", None)
