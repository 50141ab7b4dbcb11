from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.git import at_head, spawn, worktree
from git_lerim.git.repo import discover


def run(repo: Repo, *args: str) -> bytes:
    return spawn.answer(spawn.start(args, str(repo.path))) or b""


def test_the_blobs_of_paths_are_those_of_head_and_a_folder_is_none(repo: Repo) -> None:
    for name in (":(top)x", "*"):
        (repo.path / name).write_text(name)
    repo.git("add", ".")
    repo.commit({"src/a b.py": "x\n", "src/é.py": "y\n"})
    (repo.path / "hello.py").write_text("changed\n")
    paths = ["hello.py", "src/a b.py", "src/é.py", "src", "gone.py", ":(top)x", "*"]

    found = at_head.blobs(run(repo, *at_head.asking_blobs(paths)), paths)

    assert found == {path: None if path in {"src", "gone.py"} else repo.git("rev-parse", f"HEAD:{path}") for path in paths}


def test_the_blobs_of_paths_are_the_same_from_a_folder_below(repo: Repo) -> None:
    repo.commit({"src/a.py": "x\n"})
    said = spawn.answer(spawn.start(at_head.asking_blobs(["src/a.py", "a.py"]), str(repo.path / "src")))

    assert at_head.blobs(said or b"", ["a.py"]) == {"a.py": None, "src/a.py": repo.git("rev-parse", "HEAD:src/a.py")}


@pytest.mark.parametrize("path", ["", "..", "../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a\0b", "a/"])
def test_a_path_that_leads_elsewhere_is_not_asked_about(path: str) -> None:
    assert not at_head.askable(path)


def test_the_files_that_a_status_names_are_those_that_are_not_committed(repo: Repo) -> None:
    repo.commit({"old name.py": "x\n", "src/a.py": "x\n"})
    repo.git("mv", "old name.py", "new → name.py")
    (repo.path / "src" / "a.py").write_text("y\n")
    (repo.path / "src" / "new").mkdir()
    (repo.path / "src" / "new" / "b.py").write_text("y\n")

    found = at_head.changed(run(repo, *at_head.STATUS))

    assert set(found) == {"old name.py", "new → name.py", "src/a.py", "src/new/b.py"}
    assert found == worktree.uncommitted(discover(repo.path, {}), repo.path)


def test_a_path_that_is_no_text_is_told(repo: Repo) -> None:
    (repo.path / b"\xff.py".decode("utf-8", "surrogateescape")).write_text("x\n")
    (found,) = at_head.changed(run(repo, *at_head.STATUS))

    assert not at_head.is_text(found)
    assert at_head.is_text(str(Path("src") / "é.py"))
