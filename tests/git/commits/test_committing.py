import os
from pathlib import Path

import pytest
from support.repos import Repo, unborn

from git_lerim.errors import GitFailed
from git_lerim.git.commits import committing
from git_lerim.git.repo import Place, discover


def at(repo: Repo) -> Place:
    return discover(repo.path, os.environ)


def test_files_that_came_changed_and_went_are_committed_alone(repo: Repo) -> None:
    repo.commit({"kept/old": "x", "kept/gone": "x", "mine": "x"})
    (repo.path / "mine").write_text("staged")
    repo.git("add", "mine")
    (repo.path / "kept/old").write_text("y")
    (repo.path / "kept/gone").unlink()
    (repo.path / "kept/new*").write_text("z")

    made = committing.commit(
        at(repo),
        repo.path,
        ["kept/old", "kept/gone", "kept/new*", "kept/never"],
        b"Keep\n\nOp: x\n",
    )

    assert made == repo.git("rev-parse", "HEAD")
    assert repo.git("show", "--format=%s", "--name-status", "HEAD").split("\n") == [
        "Keep", "", "D\tkept/gone", "A\tkept/new*", "M\tkept/old",
    ]  # fmt: skip
    assert repo.git("status", "--short") == "M  mine"


def test_a_file_that_was_only_staged_and_went_needs_no_commit(repo: Repo) -> None:
    (repo.path / "x").write_text("x")
    repo.git("add", "x")
    (repo.path / "x").unlink()
    before = repo.git("rev-parse", "HEAD")

    assert committing.commit(at(repo), repo.path, ["x"], b"no") == before
    assert repo.git("status", "--short") == ""


def test_many_files_are_no_trouble(repo: Repo) -> None:
    paths = [f"kept/{'n' * 80}{number}" for number in range(1500)]
    (repo.path / "kept").mkdir()
    for path in paths:
        (repo.path / path).write_text(path)

    committing.commit(at(repo), repo.path, paths, b"Many")
    for path in paths:
        (repo.path / path).unlink()
    committing.commit(at(repo), repo.path, paths, b"None")

    assert repo.git("log", "-2", "--format=%s") == "None\nMany"
    assert repo.git("ls-files") == "hello.py"


def test_only_files_that_git_does_not_know_are_unknown(repo: Repo) -> None:
    (repo.path / "x").write_text("x")

    assert committing.untracked(at(repo), repo.path, ["x", "hello.py"], "stage") == ["x"]
    assert committing.stage(at(repo), repo.path, ["x"]) == ["x"]
    assert committing.untracked(at(repo), repo.path, ["x"], "stage") == []
    assert committing.untracked(at(repo), repo.path, ["x", "hello.py"], "commit") == ["x"]


def test_what_git_ignores_is_told(repo: Repo) -> None:
    (repo.path / ".gitignore").write_text("kept/\n")
    (repo.path / "kept").mkdir()
    (repo.path / "kept/x").write_text("x")

    assert committing.is_ignored(at(repo), repo.path, "kept/x")
    assert not committing.is_ignored(at(repo), repo.path, "hello.py")
    with pytest.raises(GitFailed, match="not staged"):
        committing.stage(at(repo), repo.path, ["kept/x"])


def test_a_message_is_kept_as_it_is(tmp_path: Path) -> None:
    repo = unborn(tmp_path / "new")
    (repo.path / "x").write_text("x")

    committing.commit(at(repo), repo.path, ["x"], b"Subject\n\n# no comment\n\nLerim-Op: sync\n")

    assert repo.git("log", "-1", "--format=%B") == "Subject\n\n# no comment\n\nLerim-Op: sync"
