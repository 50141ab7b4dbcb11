"""A cloned project whose symbolic links lead what `install` writes out of the clone."""

from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo

from git_lerim.git.hook_folder import supports_config_hooks

OLD_GIT = pytest.mark.skipif(supports_config_hooks(), reason="such a git needs no files")
PROJECTS = {
    ".claude": ("claude", "folder"),
    ".claude/settings.json": ("claude", "settings.json"),
    ".gemini/settings.json": ("gemini", "settings.json"),
    ".qwen/skills": ("qwen", "folder"),
    ".qwen/skills/git-lerim/SKILL.md": ("qwen", "missing/SKILL.md"),
}


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Return a folder outside the repository, with files of the user."""
    folder = tmp_path / "private"
    (folder / "folder").mkdir(parents=True)
    (folder / "bashrc").write_text("alias ll=ls\n")
    (folder / "settings.json").write_text('{"theirs": 1}\n')
    return folder


def state(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def link(path: Path, target: Path) -> str:
    """Make a link; return what is said of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return f"{path} is a symbolic link to {target}, outside this repository"


def husky(repo: Repo) -> None:
    (repo.path / ".husky/_").mkdir(parents=True)
    (repo.path / ".husky/_/h").touch()
    repo.git("config", "core.hooksPath", ".husky/_")


@OLD_GIT
def test_no_hook_of_the_team_is_written_through_a_link_out_of_the_clone(
    repo: Repo, private: Path
) -> None:
    husky(repo)
    before = state(private)
    said = link(repo.path / ".husky/post-commit", private / "bashrc")

    ran = lerim(repo.path, "install", "--hooks", "--yes")

    assert (ran.code, ran.out) == (1, f"git hooks in {repo.path / '.git'}\n")
    assert said in ran.err
    assert state(private) == before
    (repo.path / ".husky/post-commit").unlink()
    assert lerim(repo.path, "install", "--hooks", "--yes").code == 0


@OLD_GIT
def test_a_hook_that_an_older_version_wrote_through_a_link_out_of_the_clone_is_named(
    repo: Repo, private: Path
) -> None:
    husky(repo)
    lerim(repo.path, "install", "--hooks", "--yes")
    (repo.path / ".husky/post-commit").rename(private / "bashrc")
    before = state(private)
    said = link(repo.path / ".husky/post-commit", private / "bashrc")

    ran = lerim(repo.path, "uninstall", "--hooks", "--yes")
    again = lerim(repo.path, "uninstall", "--hooks", "--yes", "--json")

    left = f"{private / 'bashrc'} still has what git-lerim added, and is left alone: {said}"
    assert (ran.code, left in ran.err, state(private)) == (3, True, before)
    assert not (repo.path / ".husky/pre-push").exists()
    assert not (repo.path / ".git/hooks/lerim").exists()
    assert (again.code, again.json[0]["files"], again.json[0]["left"]) == (1, [], [left])


@OLD_GIT
def test_no_folder_of_hooks_is_written_to_through_a_link_out_of_the_clone(
    repo: Repo, private: Path
) -> None:
    repo.git("config", "core.hooksPath", ".githooks")
    said = link(repo.path / ".githooks", private / "folder")
    before = state(private)

    assert said in lerim(repo.path, "install", "--hooks", "--yes").err
    assert state(private) == before


@OLD_GIT
def test_a_link_in_the_main_work_tree_is_refused_from_a_linked_one(
    repo: Repo, private: Path, tmp_path: Path
) -> None:
    husky(repo)
    repo.git("config", "core.hooksPath", str(repo.path / ".husky/_"))
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    said = link(repo.path / ".husky/post-commit", private / "bashrc")
    before = state(private)

    assert said in lerim(tmp_path / "linked", "install", "--hooks", "--yes").err
    assert state(private) == before


def test_the_script_of_the_hooks_is_not_written_through_a_link_out_of_the_repository(
    repo: Repo, private: Path
) -> None:
    said = link(repo.path / ".git/hooks/lerim", private / "missing")
    before = state(private)

    assert said in lerim(repo.path, "install", "--hooks", "--yes").err
    assert state(private) == before


@pytest.mark.parametrize("path", PROJECTS)
def test_no_project_settings_are_written_through_a_link_out_of_the_clone(
    path: str, repo: Repo, private: Path
) -> None:
    agent, target = PROJECTS[path]
    said = link(repo.path / path, private / target)
    before = state(private)

    ran = lerim(repo.path, "install", "--agent", agent, "--project", "--yes")

    assert ran.code == 1
    assert said in ran.err
    assert "theirs" not in ran.out + ran.err
    assert state(private) == before


def test_instructions_are_not_written_through_a_link_out_of_the_clone(
    repo: Repo, private: Path
) -> None:
    said = link(repo.path / "AGENTS.md", private / "bashrc")
    before = state(private)

    assert said in lerim(repo.path, "install", "--instructions", "--yes").err
    assert state(private) == before


def test_a_link_within_the_clone_is_written_through(repo: Repo) -> None:
    (repo.path / "tools").mkdir()
    (repo.path / ".claude").symlink_to("tools")

    assert lerim(repo.path, "install", "--agent", "claude", "--project", "--yes").code == 0

    assert (repo.path / "tools/settings.json").exists()
    assert lerim(repo.path, "uninstall", "--agent", "claude", "--yes").code == 0
    assert not (repo.path / "tools/settings.json").exists()


def test_settings_of_the_user_may_be_links_even_if_the_home_is_a_repository(
    repo: Repo, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(repo.path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (repo.path / ".claude").symlink_to(private / "folder")

    assert lerim(repo.path, "install", "--agent", "claude", "--yes").code == 0

    assert (private / "folder/settings.json").exists()
