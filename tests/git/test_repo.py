import os
from pathlib import Path

import pytest
from support import repos, troubles
from support.repos import Repo

from git_lerim.errors import GitFailed, NotARepository, OutsideRepository
from git_lerim.git.repo import common_dir_of, discover, head, root_commits, toplevel_of, worktrees


def found(path: Path) -> tuple[Path | None, Path]:
    place = discover(path, os.environ)
    return place.worktree, place.common_dir


def test_a_repository_is_found_from_a_folder_in_it(repo: Repo) -> None:
    (repo.path / "a/b").mkdir(parents=True)

    assert found(repo.path / "a/b") == found(repo.path) == (repo.path, repo.path / ".git")


def test_a_linked_worktree_shares_its_common_directory(tmp_path: Path) -> None:
    linked = repos.worktree(tmp_path / "linked")

    place = discover(linked.path, os.environ)

    assert place.worktree == linked.path
    assert place.common_dir == tmp_path / "linked-main/.git"
    assert place.git_dir != place.common_dir


def test_a_bare_repository_has_no_worktree(tmp_path: Path) -> None:
    place = discover(repos.bare(tmp_path / "bare.git").path, os.environ)

    assert place.bare
    assert place.worktree is None
    assert place.git_dir == place.common_dir == tmp_path / "bare.git"


def test_a_repository_is_found_from_inside_its_git_folder(repo: Repo) -> None:
    assert found(repo.path / ".git/refs") == (None, repo.path / ".git")


def test_a_repository_without_a_commit_has_no_head(tmp_path: Path) -> None:
    place = discover(repos.unborn(tmp_path / "new").path, os.environ)

    assert head(place) is None
    assert root_commits(place) == []


def test_a_detached_head_is_a_commit(tmp_path: Path) -> None:
    made = repos.detached(tmp_path / "detached")

    assert head(discover(made.path, os.environ)) == made.git("rev-parse", "main")


@pytest.mark.parametrize("name", ["with space", "with\nline end", "Grüße", "--lerim", "-q"])
def test_odd_names_of_folders_do_not_matter(tmp_path: Path, name: str) -> None:
    made = repos.normal(tmp_path / name)
    (made.path / "sub").mkdir()

    assert found(made.path / "sub") == (made.path, made.path / ".git")


def test_a_submodule_is_a_repository_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repos.normal(tmp_path / "inner")
    repo.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "inner")

    assert found(repo.path / "inner") == (repo.path / "inner", repo.path / ".git/modules/inner")


def test_no_repository_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NotARepository, match="is not in a git repository") as caught:
        discover(tmp_path, os.environ)
    (tmp_path / "\x1b[31mred").mkdir()
    with pytest.raises(NotARepository, match="/red is not in a git repository"):
        discover(tmp_path / "\x1b[31mred", os.environ)

    assert "git init" in caught.value.hint


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE"])
def test_a_variable_of_git_that_leads_nowhere_is_not_taken_for_no_repository(
    tmp_path: Path, variable: str
) -> None:
    with pytest.raises(OutsideRepository):
        discover(tmp_path, os.environ)

    with pytest.raises(NotARepository) as caught:
        discover(tmp_path, os.environ | {variable: str(tmp_path / "none")})
    assert caught.type is NotARepository


def test_a_broken_dot_git_in_a_parent_is_not_taken_for_no_repository(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / ".git").write_text("gitdir: /moved/.git/worktrees/wt\n")
    (tmp_path / "folder" / ".git").mkdir(parents=True)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / ".git").symlink_to(tmp_path / "none")

    for name in ("file", "folder", "link"):
        below = tmp_path / name / "a" / "b"
        below.mkdir(parents=True)
        with pytest.raises(NotARepository) as caught:
            discover(below, os.environ)
        assert caught.type is NotARepository


def test_git_dir_is_honoured_and_makes_no_other_folder_a_worktree(
    repo: Repo, tmp_path: Path
) -> None:
    environ = os.environ | {"GIT_DIR": str(repo.path / ".git")}

    assert discover(tmp_path, environ).worktree == repo.path
    assert discover(repo.path, environ).worktree == repo.path


def test_git_dir_that_is_relative_counts_from_the_start(repo: Repo) -> None:
    assert discover(repo.path, os.environ | {"GIT_DIR": ".git"}).git_dir == repo.path / ".git"


def test_git_work_tree_is_honoured(tmp_path: Path) -> None:
    made = repos.bare(tmp_path / "dots.git")
    (tmp_path / "home").mkdir()
    environ = os.environ | {"GIT_DIR": str(made.path), "GIT_WORK_TREE": str(tmp_path / "home")}

    assert discover(tmp_path / "home", environ).worktree == tmp_path / "home"


def test_formats_are_told(tmp_path: Path) -> None:
    place = discover(repos.unborn(tmp_path / "new", "--object-format=sha256").path, os.environ)

    assert (place.object_format, place.ref_format) == ("sha256", "files")


def test_a_broken_repository_is_not_taken_for_none(repo: Repo) -> None:
    repo.git("config", "core.repositoryFormatVersion", "99")

    with pytest.raises(GitFailed, match="repo version"):
        discover(repo.path, os.environ)


def test_worktrees_that_are_gone_are_listed_too(repo: Repo, tmp_path: Path) -> None:
    for name in ("kept", "go ne", "odd\nname"):
        repo.git("worktree", "add", "-q", "--detach", str(tmp_path / name))
    (tmp_path / "go ne").rename(tmp_path / "moved")

    listed = worktrees(discover(repo.path, os.environ))

    assert set(listed) == {repo.path, tmp_path / "kept", tmp_path / "go ne", tmp_path / "odd\nname"}


def test_a_bare_repository_lists_its_linked_worktrees_only(tmp_path: Path) -> None:
    made = repos.bare(tmp_path / "bare.git")
    source = repos.normal(tmp_path / "source")
    source.git("push", "-q", str(made.path), "main")
    made.git("worktree", "add", "-q", str(tmp_path / "linked"), "main")

    assert worktrees(discover(made.path, os.environ)) == [tmp_path / "linked"]


def test_root_commits_are_those_head_grew_from(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.commit({"a": "1"})

    assert root_commits(discover(repo.path, os.environ)) == [first]


def test_a_shallow_repository_tells_no_root(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))

    assert root_commits(discover(tmp_path / "shallow", os.environ)) == []


def test_the_top_of_a_folder_is_found_without_git(repo: Repo, tmp_path: Path) -> None:
    (repo.path / "a/b").mkdir(parents=True)
    linked = repos.worktree(tmp_path / "linked")

    assert toplevel_of(str(repo.path / "a/b")) == (repo.path, repo.path / ".git")
    assert toplevel_of(str(linked.path)) == (linked.path, tmp_path / "linked-main/.git")


@pytest.mark.parametrize(
    "path", ["", "relative", "/nowhere/at/all", "/", "/" + "x" * 5000, "/a\0b", "/\udcff"]
)
def test_a_folder_in_no_repository_has_no_top(path: str) -> None:
    assert toplevel_of(path) is None


def test_a_git_file_that_points_nowhere_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")

    assert toplevel_of(str(tmp_path)) is None
    assert common_dir_of(tmp_path) == tmp_path


def test_a_git_that_says_nothing_is_an_error(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = troubles.program(tmp_path / "bin", "git", "exit 0")
    monkeypatch.setenv("PATH", f"{silent}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(GitFailed, match="returned nothing"):
        discover(repo.path, os.environ)


@pytest.mark.parametrize("included", [False, True])
def test_hooks_that_the_configuration_names_are_switched_off(
    included: bool,  # noqa: FBT001 a case
    repo: Repo,
) -> None:
    told = [] if not included else ["--file", str(repo.path / ".git/more")]
    repo.git("config", *told, "hook.one.two.command", "touch ran")
    repo.git("config", *told, "hook.a=b.event", "reference-transaction")
    if included:
        repo.git("config", "include.path", "more")

    words = discover(repo.path, os.environ).git("update-ref")

    assert "hook.one.two.enabled=" in words
    assert "--config-env=hook.a=b.enabled=LERIM_EMPTY" in words
    assert words[-1] == "update-ref"
