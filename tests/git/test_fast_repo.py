import os
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.errors import LerimError
from git_lerim.git import fast_repo, refs
from git_lerim.git import repo as repositories


@pytest.mark.parametrize("below", ["", "deep", "deep/er"])
def test_the_common_folder_is_the_one_that_git_finds(
    repo: Repo, tmp_path: Path, below: str
) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "side"))
    for tree in (repo.path, tmp_path / "side"):
        (tree / below).mkdir(parents=True, exist_ok=True)
        place = repositories.discover(tree / below, {})
        assert fast_repo.find_repo(str(tree / below)) == (
            str(tree),
            str(place.git_dir),
            str(place.common_dir),
        )
        assert fast_repo.common_dir(str(tree / below)) == str(place.common_dir)


def test_a_glance_does_not_tell_what_only_git_can(repo: Repo, tmp_path: Path) -> None:
    bare = repos.bare(repo.path / "inner.git")
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / ".git").write_text("gitdir: nowhere\n")

    for folder in (bare.path, repo.path / ".git", tmp_path / "none", tmp_path / "gone", tmp_path):
        assert fast_repo.common_dir(str(folder)) is None


@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_no_repository_is_around_a_path_that_no_system_takes(odd: str, repo: Repo) -> None:
    assert fast_repo.find_repo(f"{repo.path}/{odd}") is None


def test_a_glance_leaves_refs_in_a_table_to_git(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "side"))
    (repo.path / ".git/reftable").mkdir()

    assert fast_repo.common_dir(str(repo.path)) is None
    assert fast_repo.common_dir(str(tmp_path / "side")) is None


def test_a_glance_leaves_a_repository_without_configuration_to_git(repo: Repo) -> None:
    (repo.path / ".git/config").unlink()

    assert fast_repo.common_dir(str(repo.path)) is None


@pytest.mark.parametrize(
    "name", ["lerim", "lerim/runs", "lerim/cache/checked", "lerim/briefs/asked"]
)
def test_a_link_in_our_folder_is_refused(name: str, repo: Repo, tmp_path: Path) -> None:
    link = repo.path / ".git" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path)

    assert fast_repo.common_dir(str(repo.path)) is None
    with pytest.raises(LerimError, match=f"{name} is a link or a special file"):
        repositories.discover(repo.path, {})


@pytest.mark.parametrize(
    "name",
    [
        "refs/remotes/origin/lerim/memory",
        "logs/refs/remotes/origin/lerim/memory",
        "worktrees/x/gitdir",
    ],
)
def test_a_pipe_that_a_reader_would_wait_for_is_refused(name: str, repo: Repo) -> None:
    pipe = repo.path / ".git" / name
    pipe.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(pipe)

    assert fast_repo.common_dir(str(repo.path)) is None
    with pytest.raises(LerimError, match=f"{name} is a link or a special file"):
        repositories.discover(repo.path, {})


@pytest.mark.parametrize("make", ["sha1", "sha256"])
def test_a_ref_is_read_loose_and_packed(make: str, tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={make}")
    common, name = repo.path / ".git", "refs/heads/main"
    loose = fast_repo.ref(str(common), name)
    repo.git("pack-refs", "--all")

    assert loose == fast_repo.ref(str(common), name) == refs.read_ref(common, name)
    assert fast_repo.ref(str(common), "refs/heads/other") is None


def test_the_configurations_are_those_that_the_environment_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/somewhere/config")
    assert fast_repo.config_files("/r/.git") == [
        "/r/.git/config",
        "/somewhere/config",
        "/etc/gitconfig",
    ]

    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert fast_repo.config_files("/r/.git")[1:3] == [
        "/home/ada/.gitconfig",
        "/home/ada/.config/git/config",
    ]


def test_the_stamp_of_a_file_changes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    stamps = [fast_repo.stamp(str(path))]
    for text in ("a", "ab"):
        path.write_text(text)
        stamps.append(fast_repo.stamp(str(path)))

    assert len(set(stamps)) == 3
