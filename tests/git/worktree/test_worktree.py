import os
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.git.repo import discover
from git_lerim.git.running import posix_spawn
from git_lerim.git.running.process import git_line
from git_lerim.git.worktree import worktree
from git_lerim.git.worktree.status_commands import STATUS


def touched(folder: Path) -> tuple[str, ...]:
    return worktree.touched(discover(folder, {}), "origin")


def test_what_is_not_committed_comes_first_then_what_the_branch_has_changed(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"src/a b.py": "1\n", "ü.py": "1\n"})
    (repo.path / "new.txt").write_text("x")
    (repo.path / "hello.py").write_text("changed\n")
    (repo.path / "deep").mkdir()
    (repo.path / "deep" / "x.py").write_text("x")

    assert touched(repo.path) == ("hello.py", "deep/x.py", "new.txt", "src/a b.py", "ü.py")
    assert touched(repo.path / "deep") == touched(repo.path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_for_a_pipe_in_place_of_ignored_names_nothing_waits_long(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.path / "deep").mkdir()
    os.mkfifo(repo.path / "deep" / ".gitignore")
    monkeypatch.setattr(worktree, "PATIENCE", 0.2)

    assert touched(repo.path) == ()
    assert posix_spawn.answer(posix_spawn.start(STATUS, str(repo.path)), 0.2) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
@pytest.mark.parametrize("name", ["main", ""])
def test_a_pipe_in_place_of_a_tag_keeps_nobody_waiting(repo: Repo, name: str) -> None:
    commit = repo.git("rev-parse", "HEAD")
    os.mkfifo(repo.path / ".git/refs/tags" / (name or commit))
    place = discover(repo.path, {})

    assert worktree.branch(place) == "main"
    assert git_line(place.git("log", "-1", "--format=%H", commit)) == commit


def test_a_rename_touches_both_names(repo: Repo) -> None:
    repo.git("mv", "hello.py", "bye.py")

    assert set(touched(repo.path)) == {"hello.py", "bye.py"}


def test_on_the_default_branch_what_was_not_pushed_counts(tmp_path: Path, repo: Repo) -> None:
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    assert touched(clone.path) == ()

    clone.commit({"a.py": "1\n"})
    assert touched(clone.path) == ("a.py",)
    clone.git("checkout", "-q", "-b", "side")
    clone.commit({"b.py": "1\n"})
    clone.git("push", "-q", "-u", "origin", "side")
    assert touched(clone.path) == ("a.py", "b.py")


def test_looking_writes_nothing_not_even_the_index(repo: Repo) -> None:
    index = repo.path / ".git/index"
    (repo.path / "hello.py").write_text("print('hello')\n")
    before = (index.stat().st_mtime_ns, index.read_bytes())

    assert touched(repo.path) == ()
    assert (index.stat().st_mtime_ns, index.read_bytes()) == before


def test_a_repository_without_a_commit_or_without_a_work_tree_has_little_to_tell(
    tmp_path: Path,
) -> None:
    unborn = repos.unborn(tmp_path / "unborn")
    (unborn.path / "x").write_text("x")
    assert touched(unborn.path) == ("x",)
    assert worktree.branch(discover(unborn.path, {})) == "main"
    assert touched(repos.bare(tmp_path / "bare").path) == ()


def test_a_head_on_no_branch_is_on_none(tmp_path: Path) -> None:
    assert worktree.branch(discover(repos.detached(tmp_path / "repo").path, {})) is None


def test_a_linked_work_tree_tells_of_itself(tmp_path: Path) -> None:
    side = repos.worktree(tmp_path / "side")
    (side.path / "x").write_text("x")

    assert touched(side.path) == ("x",)
    assert touched(tmp_path / "side-main") == ()
    assert worktree.branch(discover(side.path, {})) == "side"


def test_a_hostile_configuration_runs_nothing(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "pwned"
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "1\n", ".gitattributes": "*.py diff=evil\n"})
    for key in ("core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv"):
        repo.git("config", key, f"touch {mark}")

    assert set(touched(repo.path)) == {"a.py", ".gitattributes"}
    assert not mark.exists()
