import contextlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest
from support.memories import later, memory
from support.repos import Repo, bare, unborn, worktree
from support.stores import adding, decision, titles

from git_lerim.errors import (
    BranchBlocked,
    GitFailed,
    LerimError,
    NewerFormat,
    NotARepository,
    ReadOnly,
    StoreMoved,
)
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Status
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.worktree import atomic_write
from git_lerim.storage.worktree.worktree_store import TreeStore

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of another kind")


def store_in(folder: Path, then: str = "") -> TreeStore:
    return TreeStore(discover(folder, os.environ), then=then)


def top(repo: Repo) -> Path:
    return repo.path / ".lerim" / "memory"


def path(number: int) -> str:
    return naming.path_of(decision(number))


def forgetting(number: int) -> Callable[[Snapshot], Change | None]:
    def operation(snapshot: Snapshot) -> Change | None:
        found = snapshot.memories.get(decision(number).id)
        if found is None or found.memory.status is Status.ARCHIVED:
            return None
        gone = found.memory.having(status=Status.ARCHIVED)
        return Change(
            files={f"archived/{found.path}": frontmatter.render(gone), found.path: None},
            subject="forget",
        )

    return operation


# -- writing


def test_memories_become_files_of_the_work_tree_and_nothing_is_staged(repo: Repo) -> None:
    store = store_in(repo.path)

    assert store.commit(adding(1, 2)) == ""
    assert titles(store.snapshot()) == {"Use thing 1", "Use thing 2"}
    assert (top(repo) / path(1)).read_bytes() == frontmatter.render(decision(1))
    assert {each.name for each in top(repo).iterdir()} == {
        "format",
        "README.md",
        ".gitattributes",
        "decisions",
    }
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert repo.git("count-objects") == repo.git("count-objects")
    assert repo.git("for-each-ref", "refs/lerim", "refs/heads/lerim") == ""


def test_no_object_of_git_is_made_by_reading_or_writing(repo: Repo) -> None:
    before = repo.git("count-objects")
    store = store_in(repo.path)
    store.commit(adding(1))

    assert titles(store.snapshot()) == {"Use thing 1"}
    assert list(store.changes(None).found)
    assert repo.git("count-objects") == before


def test_an_operation_that_finds_nothing_to_change_writes_nothing(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    stood = (top(repo) / path(1)).stat().st_mtime_ns

    assert store.commit(lambda _: None) is None
    assert store.commit(adding(1)) is None
    assert (top(repo) / path(1)).stat().st_mtime_ns == stood


def test_an_edit_of_the_user_counts_as_the_content_of_the_memory(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    file = top(repo) / path(1)
    file.write_bytes(file.read_bytes().replace(b"Use thing 1", b"Use another thing"))

    assert titles(store.snapshot()) == {"Use another thing"}


def test_an_operation_is_called_again_when_the_user_saves_a_file_meanwhile(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    file = top(repo) / path(1)
    seen = []

    def operation(snapshot: Snapshot) -> Change:
        known = snapshot.memories[decision(1).id].memory
        seen.append(known.body)
        if len(seen) == 1:
            file.write_bytes(frontmatter.render(known.having(body="Written by hand.")))
        return Change(
            files={path(1): frontmatter.render(known.having(title="New", updated=later(1)))},
            subject="edit",
        )

    assert store.commit(operation) == ""
    assert seen[1:] == ["Written by hand."]
    assert store.snapshot().memories[decision(1).id].memory.body == "Written by hand."


def test_a_file_of_the_user_that_cannot_be_read_is_never_overwritten(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    file = top(repo) / path(1)
    file.write_text("half a sentence of mine")

    again = store.commit(
        lambda _: Change(files={path(1): frontmatter.render(decision(1))}, subject="again")
    )

    assert again is None
    assert file.read_text() == "half a sentence of mine"
    assert [q.path for q in store.snapshot().quarantined] == [path(1)]
    assert any("was not changed" in warning for warning in store.warnings)


def test_a_file_that_came_meanwhile_is_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "top"
    folder.mkdir()
    (folder / "format").write_text("mine")

    with pytest.raises(StoreMoved):
        atomic_write.place(
            atomic_write.Target(folder, tmp_path / "note", "main", lambda data: data.decode()),
            {"format": b"1\n"},
            {},
        )

    assert (folder / "format").read_text() == "mine"
    assert [each.name for each in folder.iterdir()] == ["format"]


def test_a_file_that_the_user_deletes_is_gone_and_forgetting_it_again_changes_nothing(
    repo: Repo,
) -> None:
    store = store_in(repo.path)
    store.commit(adding(1, 2))
    (top(repo) / path(1)).unlink()

    assert titles(store.snapshot()) == {"Use thing 2"}
    assert store.commit(forgetting(1)) is None


def test_forgetting_moves_the_file_and_leaves_no_empty_folder(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))

    store.commit(forgetting(1))

    assert store.snapshot().memories[decision(1).id].memory.status is Status.ARCHIVED
    assert not (top(repo) / "decisions").exists()


def test_what_is_staged_is_what_was_written_and_no_more(repo: Repo) -> None:
    (repo.path / "mine.txt").write_text("mine")
    store = store_in(repo.path, "stage")
    store.commit(adding(1))
    store.commit(forgetting(1))

    staged = set(repo.git("diff", "--cached", "--name-only").split("\n"))

    first = {f".lerim/memory/{name}" for name in ("format", "README.md", ".gitattributes")}
    assert staged == first | {f".lerim/memory/archived/{path(1)}"}


def test_a_commit_holds_these_files_alone_and_what_was_staged_stays_staged(repo: Repo) -> None:
    repo.commit({"a.txt": "one"})
    (repo.path / "a.txt").write_text("two")
    repo.git("add", "a.txt")
    store = store_in(repo.path, "commit")

    made = store.commit(adding(1))

    assert made == repo.git("rev-parse", "HEAD")
    assert {
        name.split("/")[0]
        for name in repo.git("show", "--name-only", "--format=", "HEAD").split("\n")
    } == {".lerim"}
    assert repo.git("diff", "--cached", "--name-only") == "a.txt"
    assert repo.git("log", "-1", "--format=%s") == "sync: 1 decisions"
    store.commit(forgetting(1))
    assert repo.git("show", "--name-status", "--no-renames", "--format=", "HEAD").split("\n") == [
        f"A\t.lerim/memory/archived/{path(1)}",
        f"D\t.lerim/memory/{path(1)}",
    ]
    assert repo.git("diff", "--cached", "--name-only") == "a.txt"


def test_the_first_commit_of_a_repository_can_be_one_of_memory(tmp_path: Path) -> None:
    repo = unborn(tmp_path / "new")

    made = store_in(repo.path, "commit").commit(adding(1))

    assert made == repo.git("rev-parse", "HEAD")
    assert titles(store_in(repo.path).snapshot(made)) == {"Use thing 1"}


@posix
def test_a_hook_of_the_user_that_refuses_a_commit_is_told_and_the_files_stay(repo: Repo) -> None:
    hook = repo.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(GitFailed, match="git commit failed"):
        store_in(repo.path, "commit").commit(adding(1))

    assert titles(store_in(repo.path).snapshot()) == {"Use thing 1"}


def test_staging_what_is_ignored_is_an_error_and_the_files_stay(repo: Repo) -> None:
    (repo.path / ".gitignore").write_text(".lerim\n")
    store = store_in(repo.path, "stage")

    with pytest.raises(GitFailed, match="not staged"):
        store.commit(adding(1))

    assert store.is_ignored()
    assert titles(store.snapshot()) == {"Use thing 1"}


# -- crashes and many writers


DYING = """
import os, signal, sys
from pathlib import Path
from git_lerim.git.repo import discover
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Status
from git_lerim.storage.worktree import atomic_write as placing
from git_lerim.storage.base import Change
from git_lerim.storage.worktree.worktree_store import TreeStore

carry_out, moves = placing._carry_out, []

def dying(target, move):
    if len(moves) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    moves.append(move)
    return carry_out(target, move)

def forget(snapshot):
    found = next(iter(snapshot.memories.values()))
    gone = found.memory.having(status=Status.ARCHIVED)
    return Change(files={f"archived/{found.path}": frontmatter.render(gone), found.path: None}, \
subject="forget")

placing._carry_out = dying
TreeStore(discover(Path(sys.argv[1]), os.environ)).commit(forget)
"""


@posix
@pytest.mark.parametrize("moves", [0, 1])
def test_a_second_run_finishes_what_a_killed_one_has_begun(repo: Repo, moves: int) -> None:
    store_in(repo.path).commit(adding(1))
    done = subprocess.run([sys.executable, "-c", DYING, str(repo.path), str(moves)], check=False)
    assert done.returncode == -9
    assert (top(repo) / path(1)).exists()
    assert (top(repo) / "archived" / path(1)).exists() == (moves == 1)

    again = store_in(repo.path)
    again.commit(adding(3))

    assert not (top(repo) / path(1)).exists()
    assert again.snapshot().memories[decision(1).id].memory.status is Status.ARCHIVED
    assert any("killed run" in warning for warning in again.warnings)
    assert not list(top(repo).glob(".tmp-*"))


def test_what_a_killed_run_has_begun_is_left_alone_on_another_branch(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    store._note.parent.mkdir(exist_ok=True)
    name = store.look().files[path(1)].id
    store._note.write_text(f'{{"head": "elsewhere", "moves": [["{path(1)}", null, "{name}"]]}}')

    store.commit(adding(2))

    assert titles(store.snapshot()) == {"Use thing 1", "Use thing 2"}
    assert not store._note.exists()


def _write(folder: str, numbers: list[int]) -> None:
    for number in numbers:
        TreeStore(discover(Path(folder), os.environ)).commit(adding(number))


def test_writers_at_once_lose_nothing(repo: Repo) -> None:
    store_in(repo.path).start()
    context = get_context("spawn")
    writers = [
        context.Process(target=_write, args=(str(repo.path), list(range(n, 24, 4))))
        for n in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert [writer.exitcode for writer in writers] == [0] * 4
    assert titles(store_in(repo.path).snapshot()) == {f"Use thing {n}" for n in range(24)}


# -- reading


def test_a_file_that_has_not_changed_is_not_read_again(repo: Repo) -> None:
    store_in(repo.path).commit(adding(1))
    time.sleep(0.1)  # what has just changed could change again within one tick of the clock
    store_in(repo.path).look()
    kept = repo.path / ".git/lerim/trees/repository"
    told = json.loads(kept.read_text())
    told["files"][path(1)][1] = "1" * 40
    kept.write_text(json.dumps(told))

    assert store_in(repo.path).look().files[path(1)].id == "1" * 40
    (top(repo) / path(1)).touch()
    assert store_in(repo.path).look().files[path(1)].id != "1" * 40


def test_the_tree_is_the_one_that_git_would_make(repo: Repo) -> None:
    store = store_in(repo.path, "commit")
    store.commit(adding(1, 2))
    store.commit(forgetting(1))

    assert (
        store.look().tree
        == repo.git("rev-parse", "HEAD:.lerim/memory")
        == store.tree_at(repo.git("rev-parse", "HEAD"))
    )


def test_what_changed_since_an_earlier_state_is_told_to_another_process(repo: Repo) -> None:
    store_in(repo.path).commit(adding(1))
    first = store_in(repo.path).changes(None)
    store_in(repo.path).commit(adding(2))

    then = store_in(repo.path).changes(first.tree)

    assert [item.memory.title for item in then.found] == ["Use thing 2"]
    assert then.count == 1
    with pytest.raises(GitFailed):
        store_in(repo.path).changes("1" * 40)


def test_the_past_is_the_users_own_history(repo: Repo) -> None:
    before = repo.git("rev-parse", "HEAD")
    one = store_in(repo.path, "commit").commit(adding(1))
    repo.commit({"code.py": "x = 1\n"}, "code")
    store_in(repo.path, "commit").commit(adding(2))
    store_in(repo.path).commit(adding(3))
    store = store_in(repo.path)

    assert titles(store.snapshot(one)) == {"Use thing 1"}
    assert titles(store.snapshot("HEAD")) == {"Use thing 1", "Use thing 2"}
    assert store.snapshot(before).commit is None
    assert [commit.subject for commit in store.history()] == [
        "sync: 1 decisions",
        "sync: 1 decisions",
    ]
    assert [file.id for file in next(store.history()).files] == [decision(2).id]
    assert [commit.subject for commit in store.history(path=path(1))] == ["sync: 1 decisions"]
    assert set(store.first_held()) == {decision(n).id for n in (1, 2, 3)}
    gone, now = store.last_change()
    assert titles(now) - titles(gone) == {"Use thing 3"}
    assert store.uncommitted() == 1


def test_since_when_the_history_holds_a_memory_is_read_once_and_then_what_has_come_since(
    repo: Repo,
) -> None:
    store_in(repo.path).commit(adding(1))
    repo.git("add", ".lerim")
    repo.git("commit", "-q", "-m", "one", when="2026-03-01T10:00:00Z")
    first = store_in(repo.path).first_held()
    store_in(repo.path).commit(adding(2))
    (top(repo) / path(1)).unlink()
    repo.git("add", ".lerim")
    repo.git("commit", "-q", "-m", "two", when="2026-03-02T10:00:00Z")
    repo.git("revert", "--no-edit", "HEAD", when="2026-03-03T10:00:00Z")

    held = store_in(repo.path).first_held()

    assert {id_: found.at.day for id_, found in held.items()} == {
        decision(1).id: 1,
        decision(2).id: 2,
    }
    assert {found.author for found in held.values()} == {"Ada Tester <ada@example.org>"}
    assert held.items() >= first.items()
    repo.git("reset", "-q", "--hard", "HEAD~2")
    assert store_in(repo.path).first_held() == first
    (repo.path / ".git/lerim/trees/held").write_text('{"head": 1, "held": {"a": "b"}}')
    assert store_in(repo.path).first_held() == first


def test_each_linked_work_tree_has_its_own_memory(tmp_path: Path) -> None:
    side = worktree(tmp_path / "side")
    main = Repo(tmp_path / "side-main")

    store_in(side.path).commit(adding(1))
    store_in(main.path).commit(adding(2))

    assert titles(store_in(side.path).snapshot()) == {"Use thing 1"}
    assert titles(store_in(main.path).snapshot()) == {"Use thing 2"}


def test_what_a_sparse_checkout_leaves_out_was_not_deleted(repo: Repo) -> None:
    store_in(repo.path, "commit").commit(adding(1))
    repo.commit({"src/a.py": "a\n"})
    repo.git("sparse-checkout", "set", "src")
    assert not top(repo).exists()

    store = store_in(repo.path)

    assert titles(store.snapshot()) == {"Use thing 1"}
    assert store.commit(adding(1)) is None
    store_in(repo.path, "commit").commit(adding(2))
    assert (
        titles(store_in(repo.path).snapshot())
        == titles(store.snapshot("HEAD"))
        == {"Use thing 1", "Use thing 2"}
    )
    assert repo.git("status", "--short") == ""
    with pytest.raises(BranchBlocked, match="sparse checkout"):
        store.commit(forgetting(1))


def test_without_a_work_tree_there_is_no_such_memory(tmp_path: Path) -> None:
    with pytest.raises(NotARepository, match="needs a work tree"):
        store_in(bare(tmp_path / "bare").path)


@pytest.mark.parametrize("link", [".lerim", ".lerim/memory", ".lerim/memory/decisions"])
@posix
def test_a_link_out_of_the_work_tree_is_not_followed(repo: Repo, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.path / link).parent.mkdir(parents=True, exist_ok=True)
    if link.endswith("decisions"):
        store_in(repo.path).start()
    (repo.path / link).symlink_to(outside, target_is_directory=True)

    with pytest.raises(BranchBlocked, match="symbolic link"):
        store_in(repo.path).commit(adding(1))

    assert list(outside.iterdir()) == []


def test_a_repository_inside_is_not_written_into(repo: Repo) -> None:
    unborn(repo.path / ".lerim")

    with pytest.raises(BranchBlocked, match="separate repository"):
        store_in(repo.path).commit(adding(1))


def test_files_of_lerim_stop_it_and_name_import(repo: Repo) -> None:
    (top(repo) / "decisions").mkdir(parents=True)
    (top(repo) / "decisions/20260220-use-sqlite.md").write_text("---\ntitle: x\n---\ny\n")

    with pytest.raises(BranchBlocked, match="not written by git-lerim") as refused:
        store_in(repo.path).start()

    assert "git lerim import" in refused.value.hint
    assert store_in(repo.path).snapshot().commit is None


def test_a_newer_layout_is_read_and_not_written(repo: Repo) -> None:
    store_in(repo.path).commit(adding(1))
    (top(repo) / "format").write_text("2\n")

    assert titles(store_in(repo.path).snapshot()) == {"Use thing 1"}
    with pytest.raises(NewerFormat):
        store_in(repo.path).commit(adding(2))


def test_strange_files_beside_the_memories_are_named_and_left(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    (top(repo) / "notes.txt").write_text("mine")
    (top(repo) / "deep/er").mkdir(parents=True)
    (top(repo) / "deep/er/x").write_text("x")
    large = top(repo) / naming.path_of(memory(id="a" * 13))
    large.write_bytes(b"x" * (2 << 20))
    if sys.platform != "win32":
        (top(repo) / "decisions" / os.fsdecode(b"n\xffme.md")).write_text("x")
        (top(repo) / "link.md").symlink_to("/etc/passwd")
        os.mkfifo(top(repo) / "pipe.md")
        bound(top(repo) / "socket")

    snapshot = store_in(repo.path).snapshot()

    assert titles(snapshot) == {"Use thing 1"}
    assert {"notes.txt", "deep"} <= {q.path for q in snapshot.quarantined}
    assert any("has 2097152 bytes" in q.reason for q in snapshot.quarantined)
    if sys.platform != "win32":
        told = {
            q.path: q.reason.removesuffix(" that is not a memory") for q in snapshot.quarantined
        }
        assert (told["link.md"], told["pipe.md"], told["socket"]) == (
            "a symbolic link",
            "a named pipe",
            "a socket",
        )
    assert store.commit(adding(2)) == ""


def bound(path: Path) -> None:
    """Make a socket that has a name, which can be too long for one."""
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


@posix
@pytest.mark.parametrize("taken", ["format", path(1), path(2), "decisions"])
def test_a_pipe_in_the_place_of_a_file_of_ours_is_never_opened(taken: str, repo: Repo) -> None:
    store_in(repo.path).commit(adding(1))
    (
        shutil.rmtree(top(repo) / taken)
        if taken == "decisions"
        else (top(repo) / taken).unlink(missing_ok=True)
    )
    os.mkfifo(top(repo) / taken)

    snapshot = store_in(repo.path).snapshot()
    with contextlib.suppress(LerimError):
        store_in(repo.path).commit(adding(2))

    assert titles(snapshot) == ({"Use thing 1"} if taken in {path(2), "format"} else set())
    assert stat.S_ISFIFO((top(repo) / taken).lstat().st_mode)


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_is_told(repo: Repo) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    (top(repo)).chmod(0o555)
    try:
        with pytest.raises(ReadOnly):
            store.commit(adding(2))
    finally:
        top(repo).chmod(0o755)
    assert titles(store.snapshot()) == {"Use thing 1"}


def test_a_sha256_repository_has_the_trees_that_its_git_makes(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "wide")
    repo.path.mkdir()
    try:
        repo.git("init", "-q", "--object-format=sha256")
    except AssertionError:
        pytest.skip("this git knows no SHA-256")
    repo.commit({"a": "b"})
    store = store_in(repo.path, "commit")

    store.commit(adding(1))

    assert store.look().tree == repo.git("rev-parse", "HEAD:.lerim/memory")
    assert titles(store.snapshot("HEAD")) == {"Use thing 1"}


def test_an_operation_that_never_meets_a_quiet_moment_says_so(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(repo.path)
    store.commit(adding(1))
    monkeypatch.setattr("git_lerim.storage.writing.retrying.TRIES", 3)
    count = iter(range(100))

    def busy(_: Snapshot) -> Change:
        (top(repo) / path(1)).write_bytes(frontmatter.render(decision(1, f"Title {next(count)}")))
        return Change(files={path(2): frontmatter.render(decision(2))}, subject="add")

    with pytest.raises(LerimError, match="in 3 tries"):
        store.commit(busy)
