"""A repository that is copied is the one that git would have made."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import copies, repos
from support.repos import Repo


@pytest.fixture
def by_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a repository that git made, while the next ones are copied."""
    monkeypatch.setattr(copies, "MADE", {})
    return repos.normal(tmp_path / "made")


def files(repo: Repo) -> dict[str, tuple[int, bytes]]:
    """Return what stands in a repository, but for the times in its index."""
    return {
        str(each.relative_to(repo.path)): (
            each.stat().st_mode,
            each.read_bytes() if each.is_file() and each.name != "index" else b"",
        )
        for each in repo.path.rglob("*")
    }


def test_a_copy_is_what_git_makes(by_git: Repo, tmp_path: Path) -> None:
    copied = repos.normal(tmp_path / "copied")

    assert copies.MADE
    assert files(copied) == files(by_git)
    assert copied.git("rev-parse", "HEAD") == by_git.git("rev-parse", "HEAD")
    assert copied.git("fsck", "--strict") == by_git.git("fsck", "--strict")


def test_the_index_of_a_copy_knows_its_file(by_git: Repo, tmp_path: Path) -> None:
    copied = repos.normal(tmp_path / "copied")
    lists = ("ls-files", "--debug", "--stage")
    before = copied.git(*lists)

    copied.git("update-index", "-q", "--really-refresh")

    assert copied.git(*lists) == before
    assert before.split("size:")[1] == by_git.git(*lists).split("size:")[1]
    assert copied.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "other",
    [
        lambda repo: repo.git("config", "--global", "init.defaultBranch", "trunk"),
        lambda _: os.environ.update({"GIT_AUTHOR_NAME": "Zoë"}),
    ],
)
def test_what_git_would_make_otherwise_is_made_by_git(
    other: Callable[[Repo], object], by_git: Repo, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_AUTHOR_NAME", "Ada Tester")
        repos.normal(tmp_path / "ada")
        other(by_git)
        made = repos.normal(tmp_path / "other")

    assert ("trunk" in made.git("branch")) or ("Zoë" in made.git("log", "--format=%an"))
