import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import LerimError
from git_lerim.git import fast_repo
from git_lerim.git.endless_files import endless_above, endless_ref
from git_lerim.git.history.code_blame import start_blame
from git_lerim.git.repo import discover

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")


def refusal(repo: Repo) -> str:
    """Return why a repository is not opened, where the fast path gives no answer, either."""
    try:
        discover(repo.path, {})
    except LerimError as error:
        return "opened" if fast_repo.find_repo(str(repo.path)) else str(error)
    return "" if fast_repo.find_repo(str(repo.path)) else "not found fast"


@pytest.mark.parametrize(
    "text",
    [
        "[diff] orderFile = /dev/zero",
        "[core]\n\tattributesFile=pipe",
        "[blame]\n\tignorerevsfile = ../.git/pipe ; of the team",
        '[fsck]\n  skipList\t=\t"p\\\ni"pe # comment',
        "[commit]\r\n\ttemplate = pipe\r\n",
        '[gpg "ssh"] allowedSignersFile = ~/a\\tb',
        "[mailmap] file = %(prefix)/../dev/zero",
        "[include] path = pipe",
        "[include] path = /dev/zero",
        pytest.param(
            "[mailmap] file = /proc/self/pagemap",
            marks=pytest.mark.skipif(
                not Path("/proc/self/pagemap").is_file(), reason="no such file here"
            ),
        ),
        '[includeIf "onbranch:main"]\n path = more',
    ],
)
def test_a_setting_that_names_a_file_without_an_end_is_found(
    text: str, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    os.mkfifo(repo.path / ".git" / "pipe")
    os.mkfifo(tmp_path / "a\tb")
    (repo.path / ".git" / "more").write_text("[core] excludesFile = pipe\n[include] path = more\n")
    with (repo.path / ".git" / "config").open("a", newline="") as file:
        file.write(f"{text}\n")

    assert "is a pipe or a device, which git would read without end" in refusal(repo)


def test_settings_that_name_ordinary_files_are_left_alone(repo: Repo) -> None:
    (repo.path / ".git" / "ignored").write_text("[core]\n")
    os.mkfifo(repo.path / ".git" / "pipe")
    for name, value in {
        "core.excludesFile": "ignored",
        "core.attributesFile": os.devnull,
        "blame.ignoreRevsFile": "gone",
        "mailmap.file": ".",
        "core.pager": "/dev/zero",
        "include.path": "ignored",
    }.items():
        repo.git("config", name, value)

    assert not refusal(repo)


@pytest.mark.parametrize(
    "name", [".gitignore", ".git/.mailmap", ".git/info/exclude", ".git/refs/heads/main"]
)
def test_a_pipe_in_place_of_a_file_that_git_reads_is_found(name: str, repo: Repo) -> None:
    (repo.path / name).unlink(missing_ok=True)
    os.mkfifo(repo.path / name)

    assert "is a pipe or a device, which git would read without end" in refusal(repo)
    with pytest.raises(LerimError, match="is a pipe"):
        discover(repo.path, {"GIT_DIR": ".git"})


@pytest.mark.parametrize("name", ["heads/x", "tags/a/b", "linked/x", "device"])
def test_a_ref_without_an_end_is_found(name: str, repo: Repo, tmp_path: Path) -> None:
    common = str(repo.path / ".git")
    path = repo.path / ".git/refs" / name
    assert not endless_ref(common, common)

    if name == "device":
        path.symlink_to("/dev/zero")
    elif name == "linked/x":
        path.parent.symlink_to(tmp_path / "elsewhere")
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere/round").symlink_to(path.parent)
        os.mkfifo(tmp_path / "elsewhere/x")
    else:
        path.parent.mkdir(exist_ok=True)
        os.mkfifo(path)

    assert endless_ref(common, common).endswith(path.name)


def test_folders_of_refs_may_be_deep_or_end_in_themselves(repo: Repo) -> None:
    common = repo.path / ".git"
    (common / "refs/heads/round").symlink_to(common / "refs")
    repo.git("update-ref", "refs/tags" + "/a" * 300, "HEAD")

    assert not endless_ref(str(common), str(common))


def test_a_file_of_the_user_may_have_the_name_of_one_of_gits(repo: Repo) -> None:
    os.mkfifo(repo.path / "config")

    assert not refusal(repo)


def test_blame_waits_for_no_attributes_of_a_folder(repo: Repo) -> None:
    repo.commit({"a/b/c.py": "1\n"})
    os.mkfifo(repo.path / "a" / ".gitattributes")

    with pytest.raises(LerimError, match=r"a/.gitattributes is a pipe"):
        start_blame(discover(repo.path, {}), "a/b/c.py", None, None)
    assert not endless_above(str(repo.path), "hello.py")
