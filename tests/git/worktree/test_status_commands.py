from pathlib import Path

from support.repos import Repo

from git_lerim.git.repo import discover
from git_lerim.git.running import posix_spawn
from git_lerim.git.worktree import status_commands, worktree


def run(repo: Repo, *args: str) -> bytes:
    return posix_spawn.answer(posix_spawn.start(args, str(repo.path))) or b""


def test_the_files_that_a_status_names_are_those_that_are_not_committed(repo: Repo) -> None:
    repo.commit({"old name.py": "x\n", "src/a.py": "x\n"})
    repo.git("mv", "old name.py", "new → name.py")
    (repo.path / "src" / "a.py").write_text("y\n")
    (repo.path / "src" / "new").mkdir()
    (repo.path / "src" / "new" / "b.py").write_text("y\n")

    found = status_commands.changed(run(repo, *status_commands.STATUS))

    assert set(found) == {"old name.py", "new → name.py", "src/a.py", "src/new/b.py"}
    assert found == worktree.uncommitted(discover(repo.path, {}), repo.path)


def test_a_path_that_is_no_text_is_told(repo: Repo) -> None:
    (repo.path / b"\xff.py".decode("utf-8", "surrogateescape")).write_text("x\n")
    (found,) = status_commands.changed(run(repo, *status_commands.STATUS))

    assert not status_commands.is_text(found)
    assert status_commands.is_text(str(Path("src") / "é.py"))
