"""The questions of `install`, and what it shows before it writes."""

import stat
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo
from support.terminal import typing

from git_lerim.git.hook_folder import supports_config_hooks


def written(repo: Repo) -> bool:
    return (repo.path / ".git/hooks/lerim").exists()


def test_on_a_terminal_it_shows_each_line_and_asks(repo: Repo) -> None:
    said = typing(repo.path, ["install", "--hooks"], "n\n")
    assert not written(repo)
    assert '+ [ "${LERIM_HOOKS-1}" != 0 ]' in said
    assert str(repo.path / ".git/hooks/lerim") in said
    said = typing(repo.path, ["install", "--hooks"], "perhaps\ny\n")
    assert "git lerim: answer y or n" in said
    assert written(repo)
    assert "installed: git" in said


def test_without_a_terminal_and_without_yes_nothing_is_done(repo: Repo) -> None:
    ran = lerim(repo.path, "install", "--hooks")
    assert (ran.code, written(repo)) == (1, False)
    assert "pass --yes to answer yes" in ran.err


def test_one_place_is_chosen_at_a_time(repo: Repo) -> None:
    for verb in ("install", "uninstall"):
        ran = lerim(repo.path, verb, "--user", "--project", "--yes")
        assert (ran.code, "only one of --user and --project" in ran.err) == (2, True)


def test_quietly_it_shows_only_the_lines_that_it_asks_about(repo: Repo) -> None:
    assert lerim(repo.path, "install", "--hooks", "-q").out == ""
    assert "+ #!/bin/sh" in typing(repo.path, ["install", "--hooks", "-q"], "n\n")
    assert "+ #!/bin/sh" in lerim(repo.path, "install", "--hooks", "--dry-run", "-q").out
    for verb in ("install", "install", "uninstall"):
        ran = lerim(repo.path, verb, "--hooks", "--yes", "-q")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert written(repo) == (verb == "install")
    assert typing(repo.path, ["uninstall", "-q"], "") == ""


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_what_fails_is_said_quietly_too(
    repo: Repo, tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text("{ broken")

    ran = lerim(repo.path, verb, "--agent", "claude", "--yes", "-q")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert f"{tmp_path}/.claude/settings.json" in ran.err


def test_a_dry_run_shows_all_and_writes_nothing(repo: Repo) -> None:
    before = sorted((repo.path / ".git").rglob("*"))
    ran = lerim(repo.path, "install", "--all", "--dry-run")
    assert ran.code == 0
    assert "hooks/lerim (new)" in ran.out
    assert sorted((repo.path / ".git").rglob("*")) == before


def test_json_has_each_file_and_whether_it_was_done(repo: Repo) -> None:
    (part,) = (
        part
        for part in lerim(repo.path, "install", "--hooks", "--yes", "--json").json
        if part["name"] == "git"
    )
    assert part["done"]
    assert part["files"][0]["path"] == str(repo.path / ".git/hooks/lerim")
    assert part["files"][0]["action"] == "create"
    assert part["files"][0]["lines"][0] == "+ #!/bin/sh"
    (again,) = lerim(repo.path, "install", "--hooks", "--yes", "--json").json
    assert (again["files"], again["done"]) == ([], False)


def test_a_second_time_needs_no_answer(repo: Repo) -> None:
    assert lerim(repo.path, "install", "--hooks", "--yes").code == 0
    ran = lerim(repo.path, "install", "--hooks")
    assert (ran.code, "already installed" in ran.out) == (0, True)


def test_an_agent_gets_hooks_server_and_skill_until_uninstall(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini/settings.json").write_text('{\n  "theme": "dark"\n}\n')
    monkeypatch.setenv("HOME", str(home))

    ran = lerim(repo.path, "install", "--agent", "gemini,codex", "--yes")

    assert ran.code == 0
    assert '+   "mcpServers": {' in ran.out
    assert "SKILL.md (new): the skill that git lerim skill prints" in ran.out
    assert "Search when an answer" not in ran.out
    assert (home / ".codex/config.toml").exists()
    assert (
        lerim(repo.path, "install", "--agent", "gemini,codex", "--yes").out.count("SKILL.md") == 0
    )
    assert lerim(repo.path, "uninstall", "--agent", "gemini,codex", "--yes").code == 0
    assert (home / ".gemini/settings.json").read_text() == '{\n  "theme": "dark"\n}\n'
    assert [path for path in home.rglob("*") if path.is_file()] == [home / ".gemini/settings.json"]


def test_server_and_skill_can_be_left_out(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("install", "--agent", "gemini", "--no-mcp", "--no-skill", "--yes", "--json")

    monkeypatch.setenv("HOME", str(tmp_path))

    (part,) = lerim(repo.path, *words).json

    assert [Path(file["path"]).name for file in part["files"]] == ["settings.json"]
    assert "mcpServers" not in (tmp_path / ".gemini/settings.json").read_text()


def test_uninstalling_what_is_not_installed_says_so(repo: Repo) -> None:
    ran = lerim(repo.path, "uninstall")
    assert (ran.code, ran.err) == (0, "nothing installed here\n")


def test_the_script_of_another_version_is_replaced_and_nothing_else_asked(repo: Repo) -> None:
    lerim(repo.path, "install", "--hooks", "--yes")
    script = repo.path / ".git/hooks/lerim"
    script.write_text(script.read_text().replace("git-lerim hook v1", "git-lerim hook v0"))
    assert "written by another version" in lerim(repo.path, "doctor").out
    (part,) = lerim(repo.path, "install", "--hooks", "--yes", "--json").json
    assert [Path(file["path"]).name for file in part["files"]] == ["lerim"]
    assert stat.S_IMODE(script.stat().st_mode) & 0o111
    assert lerim(repo.path, "uninstall", "--yes").code == 0
    assert not list((repo.path / ".git/hooks").glob("*lerim*"))


def test_a_hook_left_by_somebody_is_never_lost(repo: Repo) -> None:
    if supports_config_hooks():
        pytest.skip("this git needs no files")
    theirs = repo.path / ".git/hooks/post-commit"
    theirs.with_name("post-commit.pre-lerim").write_text("older\n")
    theirs.write_text("theirs\n")
    ran = lerim(repo.path, "install", "--hooks", "--yes")
    assert ran.code == 1
    assert "exists already" in ran.err
    assert theirs.read_text() == "theirs\n"
    assert theirs.with_name("post-commit.pre-lerim").read_text() == "older\n"


def test_a_configuration_that_git_is_writing_is_not_touched(repo: Repo) -> None:
    if not supports_config_hooks():
        pytest.skip("this git has no hooks in its configuration")
    (repo.path / ".git/config.lock").write_text("")
    before = (repo.path / ".git/config").read_bytes()
    ran = lerim(repo.path, "install", "--hooks", "--yes")
    assert (ran.code, "another git process is writing" in ran.err) == (1, True)
    assert (repo.path / ".git/config").read_bytes() == before


def test_instructions_go_into_the_work_tree_without_being_told(repo: Repo) -> None:
    assert lerim(repo.path, "install", "--instructions", "--yes").code == 0
    assert "git lerim brief" in (repo.path / "AGENTS.md").read_text()


@pytest.mark.skipif(supports_config_hooks(), reason="such a git needs no files")
def test_hooks_that_were_asked_for_and_cannot_be_installed_are_an_error(
    repo: Repo, tmp_path: Path
) -> None:
    repo.git("config", "--global", "core.hooksPath", str(tmp_path / "everywhere"))

    ran = lerim(repo.path, "install", "--hooks", "--yes")

    assert ran.code == 1
    assert "not installed: core.hooksPath (global) is" in ran.err
    assert f"git config core.hooksPath {repo.path / '.git/hooks'}" in ran.err
    assert "nothing to change" not in ran.out
    repo.git("config", "core.hooksPath", str(repo.path / ".git/hooks"))
    assert lerim(repo.path, "install", "--hooks", "--yes").code == 0


@pytest.mark.skipif(supports_config_hooks(), reason="such a git needs no files")
@pytest.mark.parametrize("inside", [False, True])
def test_nothing_is_written_through_a_hooks_folder_that_is_a_link(
    repo: Repo, tmp_path: Path, *, inside: bool
) -> None:
    target = repo.path / "hooks" if inside else tmp_path / "everywhere"
    (repo.path / ".git/hooks").rename(target)
    (repo.path / ".git/hooks").symlink_to(target)
    before = sorted(target.iterdir())

    ran = lerim(repo.path, "install", "--hooks", "--yes")

    assert ran.code == 1
    assert f"is a link to {target}" in ran.err
    assert sorted(target.iterdir()) == before
    (repo.path / ".git/hooks").unlink()
    repo.git("config", "core.hooksPath", str(target))
    assert lerim(repo.path, "install", "--hooks", "--yes").code == 0


@pytest.mark.skipif(supports_config_hooks(), reason="such a git needs no files")
def test_hooks_that_become_files_of_the_work_tree_are_named(repo: Repo) -> None:
    (repo.path / ".myhooks").mkdir()
    repo.git("config", "core.hooksPath", ".myhooks")

    ran = lerim(repo.path, "install", "--hooks", "--yes")

    assert ".myhooks is part of the repository" in ran.err


@pytest.mark.parametrize(
    "words",
    [("--hooks", "--project"), ("--agent", "nobody"), ("--instructions", "--user")],
)
def test_what_makes_no_sense_is_refused(repo: Repo, words: tuple[str, ...]) -> None:
    assert lerim(repo.path, "install", *words).code == 2


def test_outside_a_repository_there_are_no_hooks_of_git(tmp_path: Path) -> None:
    assert lerim(tmp_path, "install", "--hooks", "--yes").code == 2
    assert lerim(tmp_path, "uninstall", "--yes").code == 0
