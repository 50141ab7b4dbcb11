import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.git.worktree.worktree_snapshot import LARGEST, TEMPORARY, Disk

DEEP = {"a", "a/b"}


def disk(repo: Repo, folder: str = "kept") -> Disk:
    place = discover(repo.path, os.environ)
    return Disk(place, repo.path / folder, lambda: open_objects(place), DEEP.__contains__)


def test_the_tree_of_a_folder_is_the_one_that_git_makes_of_it(repo: Repo) -> None:
    names = ["kept/a/b/x.md", "kept/a/b.md", "kept/a-b", "kept/a.b", "kept/z ö\n.txt"]
    repo.commit(dict.fromkeys(names, "text\n") | {"kept/a/b/y": ""})

    assert disk(repo).look().tree == repo.git("rev-parse", "HEAD:kept")


def test_a_folder_that_is_empty_or_not_there_has_no_tree(repo: Repo) -> None:
    assert disk(repo).look().tree is None
    (repo.path / "kept/a/b").mkdir(parents=True)
    assert disk(repo).look().tree is None


def test_what_git_has_and_what_stands_on_disk_are_read_alike(repo: Repo) -> None:
    repo.commit({"kept/a/x": "old\n"})
    old = repo.git("rev-parse", "HEAD:kept/a/x")
    (repo.path / "kept/a/x").write_text("new\n")
    seen = disk(repo)
    new = seen.look().files["a/x"].id

    assert (seen.blob(old), seen.blob(new)) == (b"old\n", b"new\n")
    assert (seen.size(old), seen.size(new)) == (4, 4)
    assert [entry.name for entry in seen.entries(repo.git("rev-parse", "HEAD:kept"))] == [b"a"]


def test_a_file_that_changes_while_it_is_read_is_told(repo: Repo) -> None:
    repo.commit({"kept/x": "old\n"})
    seen = disk(repo)
    name = seen.look().files["x"].id
    (repo.path / "kept/x").write_text("newer\n")
    repo.git("update-index", "--force-remove", "kept/x")

    with pytest.raises(GitFailed, match="changed while being read"):
        seen.blob(name)


def test_folders_that_are_not_entered_and_our_own_unfinished_files_hold_nothing(repo: Repo) -> None:
    repo.commit({"kept/x": "x", "kept/c/d": "d", f"kept/{TEMPORARY}1": "half"})

    assert set(disk(repo).look().files) == {"x", "c"}


def test_a_large_file_is_not_read_and_still_changes_the_tree(repo: Repo) -> None:
    repo.commit({"kept/x": "x" * (LARGEST + 1)})
    first = disk(repo).look()
    os.utime(repo.path / "kept/x", (1, 1))

    assert first.files["x"].size == LARGEST + 1
    assert disk(repo).look().tree != first.tree


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
def test_a_link_and_a_pipe_are_not_opened(repo: Repo) -> None:
    (repo.path / "kept").mkdir()
    (repo.path / "kept/link").symlink_to("/etc/passwd")
    os.mkfifo(repo.path / "kept/pipe")

    assert {path: each.mode for path, each in disk(repo).look().files.items()} == {
        "link": 0o120000,
        "pipe": stat.S_IFIFO,
    }


def test_an_earlier_state_is_known_again_by_another_process(repo: Repo) -> None:
    repo.commit({"kept/a/x": "one\n"})
    first = disk(repo)
    state = first.look()
    first.remember(state)
    (repo.path / "kept/a/y").write_text("two\n")
    later = disk(repo)
    (repo.path / ".git/objects").rename(repo.path / ".git/elsewhere")
    (repo.path / ".git/objects").mkdir()

    later.recall(state.tree or "")

    assert [entry.name for entry in later.entries(state.tree or "")] == [b"a"]


def test_where_nothing_is_to_be_written_nothing_is(repo: Repo) -> None:
    repo.commit({"kept/x": "x"})
    seen = disk(repo)
    seen.keeping = False

    seen.remember(seen.look())

    assert not (repo.path / ".git/lerim").exists()


def test_a_list_that_cannot_be_read_is_left_out(repo: Repo) -> None:
    repo.commit({"kept/x": "x"})
    for text in ("", "[]", '{"files": {"x": [1]}}', '{"files": {"x": 3}}'):
        (repo.path / ".git/lerim/trees").mkdir(parents=True, exist_ok=True)
        Path(repo.path / ".git/lerim/trees/repository").write_text(text)
        assert disk(repo).look().tree == repo.git("rev-parse", "HEAD:kept")


def test_what_a_killed_process_had_begun_to_write_down_is_removed_by_the_next(repo: Repo) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    seen = disk(repo)
    seen.cache("held", {})
    kept = repo.path / ".git/lerim/trees"
    for name in (f"held.tmp-{gone.pid}", f"held.tmp-{os.getppid()}", "worktree-a.tmp-b"):
        (kept / name).write_text("{")

    seen.cache("held", {"head": None})

    assert sorted(path.name for path in kept.iterdir()) == [
        "held",
        f"held.tmp-{os.getppid()}",
        "worktree-a.tmp-b",
    ]
