"""Repositories that are copied are those that git and our verbs would have made."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import copies, repos
from support.inside import lerim
from support.prepared import Prepared
from support.repos import Repo
from support.team import remember, shared


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


def test_a_bare_copy_and_its_clone_are_what_git_makes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(copies, "MADE", {})
    made, copied = repos.bare(tmp_path / "made"), repos.bare(tmp_path / "copied")
    assert files(copied) == files(made)

    clone, by_git = repos.cloned(copied, tmp_path / "clone"), repos.normal(tmp_path / "by-git")
    by_git.git("remote", "add", "origin", str(copied.path))
    assert files(clone) == files(by_git)


def test_what_is_prepared_is_copied_as_the_verbs_made_it(
    ann: Repo, bob: Repo, hub: Repo, prepared: Prepared, sealed_world: Path
) -> None:
    built = []

    def share() -> None:
        bob.commit({"b.py": "b = 1\n"})
        remember(bob, "Prices are rounded half to even.")
        shared(bob)
        lerim(ann.path, "pull")
        built.append(1)

    prepared(share)
    everything = [Repo(prepared.place), Repo(sealed_world)]
    before = [files(folder) for folder in everything]
    remember(ann, "What another test does is gone.")
    prepared(share)

    assert len(built) == 1
    assert [files(folder) for folder in everything] == before
    assert all(repo.git("fsck", "--strict") == "" for repo in (ann, bob, hub))
    assert bob.git("diff-files") == bob.git("status", "--porcelain") == ""
    assert lerim(bob.path, "push").out.startswith("Nothing to push to origin")
    assert "half to even" in lerim(ann.path, "list").out


def test_what_is_prepared_with_other_settings_is_made_anew(ann: Repo, prepared: Prepared) -> None:
    built = []

    def build() -> None:
        built.append(ann.git("config", "user.name"))

    prepared(build)
    ann.git("config", "user.name", "Ann")
    prepared(build)
    prepared(build)

    assert built == ["Ada Tester", "Ann"]


def test_what_names_a_folder_of_one_test_is_not_prepared(
    ann: Repo, prepared: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match="config names"):
        prepared(lambda: ann.git("config", "user.signingKey", str(tmp_path / "key")))
