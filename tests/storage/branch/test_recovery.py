import os
import random
import subprocess
import time
from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, store_at
from support.writers import writer

from git_lerim.errors import BranchBlocked
from git_lerim.git.repo import discover
from git_lerim.storage.branch.recovery import free_stale_locks

MEMORY = "refs/heads/lerim/memory"
GONE = "1234567890123456789012345678901234567890"


@pytest.fixture
def tip(repo: Repo) -> str:
    store_at(repo.path).commit(adding(1))
    made = store_at(repo.path).commit(adding(2))
    assert made is not None
    return made


def break_ref(repo: Repo, content: bytes) -> None:
    path = repo.path / ".git" / MEMORY
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize("content", [b"", b"\0" * 41, b"garbage\n", f"{GONE}\n".encode()])
@pytest.mark.parametrize("packed", [False, True])
def test_a_broken_ref_is_brought_back_from_the_reflog(
    repo: Repo, tip: str, content: bytes, *, packed: bool
) -> None:
    if packed:
        repo.git("pack-refs", "--all")
    break_ref(repo, content)
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")

    store = store_at(repo.path)

    assert store.snapshot().commit == tip
    assert len(store.warnings) == 1
    assert "lerim/memory was corrupted" in store.warnings[0]
    (saved,) = (repo.path / ".git/lerim").glob("broken-ref-*")
    assert saved.read_bytes() == content
    assert saved.stat().st_mode & 0o777 == 0o600
    assert repo.git("rev-parse", MEMORY) == tip
    repo.git("fetch", "-q", ".")
    repo.git("log", "--all")
    assert store.recover(lock_held=False) == store_at(repo.path).warnings or store.warnings == []


def test_without_a_reflog_the_backup_serves(repo: Repo, tip: str) -> None:
    (repo.path / ".git/logs" / MEMORY).unlink()
    break_ref(repo, b"")

    assert store_at(repo.path).snapshot().commit == tip


def test_a_reflog_that_lost_its_end_does_not_take_the_store_back(repo: Repo, tip: str) -> None:
    log = repo.path / ".git/logs" / MEMORY
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
    break_ref(repo, b"")

    assert store_at(repo.path).snapshot().commit == tip


def test_an_entry_whose_commit_is_gone_is_passed_over(repo: Repo, tip: str) -> None:
    log = repo.path / ".git/logs" / MEMORY
    log.write_bytes(log.read_bytes() + f"{tip} {GONE} A <a> 1 +0000\tx\n".encode())
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    break_ref(repo, f"{GONE}\n".encode())

    assert store_at(repo.path).snapshot().commit == tip


def test_a_commit_whose_tree_is_gone_is_no_good_state(repo: Repo, tip: str) -> None:
    before = repo.git("rev-parse", f"{tip}~1")
    tree = repo.git("rev-parse", f"{tip}^{{tree}}")
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()

    assert store_at(repo.path).snapshot().commit == before


def test_the_remotes_branch_is_the_last_resort(repo: Repo, tip: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/lerim/memory", tip)
    (repo.path / ".git/logs" / MEMORY).unlink()
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    break_ref(repo, b"")

    assert store_at(repo.path).snapshot().commit == tip


def test_an_empty_ref_with_no_earlier_state_is_cleared_away(repo: Repo) -> None:
    break_ref(repo, b"")

    store = store_at(repo.path)

    assert store.snapshot().commit is None
    assert "no earlier state" in store.warnings[0]
    repo.git("fetch", "-q", ".")
    store.commit(adding(1))
    assert len(store.snapshot().memories) == 1


def test_a_ref_to_a_commit_that_is_nowhere_is_left_for_a_person(repo: Repo) -> None:
    break_ref(repo, f"{GONE}\n".encode())

    with pytest.raises(
        BranchBlocked, match="points to 123456789012, which is not in the repository"
    ):
        store_at(repo.path).snapshot()

    assert (repo.path / ".git" / MEMORY).read_text() == f"{GONE}\n"


def test_a_broken_ref_that_is_locked_can_still_be_read(repo: Repo, tip: str) -> None:
    break_ref(repo, b"")
    (repo.path / f".git/{MEMORY}.lock").touch()

    store = store_at(repo.path)

    assert store.snapshot().commit == tip
    assert "could not be repaired" in store.warnings[0]


def test_writing_goes_on_after_a_repair(repo: Repo, tip: str) -> None:
    break_ref(repo, b"")

    store_at(repo.path).commit(adding(3))

    assert repo.git("rev-parse", f"{MEMORY}~1") == tip
    assert len(store_at(repo.path).snapshot().memories) == 3


@pytest.mark.parametrize(("age", "moved"), [(0, False), (29, False), (31, True)])
def test_only_an_old_lock_counts_as_left_behind(
    repo: Repo, tip: str, age: int, *, moved: bool
) -> None:
    lock = repo.path / f".git/{MEMORY}.lock"
    lock.touch()
    os.utime(lock, (time.time() - age,) * 2)

    told = store_at(repo.path).recover(lock_held=True)

    assert lock.exists() is not moved
    assert bool(told) is moved
    assert tip


def test_a_lock_is_left_alone_by_who_does_not_hold_the_run_lock(repo: Repo, tip: str) -> None:
    lock = repo.path / f".git/{MEMORY}.lock"
    lock.touch()
    os.utime(lock, (1, 1))

    assert store_at(repo.path).recover(lock_held=False) == []
    assert lock.exists()
    assert free_stale_locks(discover(repo.path, os.environ), "lerim/memory", older_than=1e12) == []
    assert tip


@pytest.mark.parametrize(
    "name",
    [
        "refs/heads/lerim/proposal/ann",
        "refs/lerim/served",
        "refs/lerim/dropped",
        "refs/lerim/proposed/ann",
    ],
)
def test_a_lock_left_on_any_ref_of_ours_is_moved_aside(repo: Repo, tip: str, name: str) -> None:
    lock = repo.path / f".git/{name}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (1, 1))

    (told,) = store_at(repo.path).recover(lock_held=True)

    assert told.startswith(f"moved a lock, left on {name} by a killed run, to ")
    assert not lock.exists()
    assert tip


def test_the_backup_is_unlocked_too_and_follows_again(repo: Repo, tip: str) -> None:
    lock = repo.path / ".git/refs/lerim/backup/memory.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    new = store_at(repo.path).commit(adding(3))
    assert repo.git("rev-parse", "refs/lerim/backup/memory") == tip

    assert len(store_at(repo.path).recover(lock_held=True)) == 1
    newest = store_at(repo.path).commit(adding(4))

    assert repo.git(
        "rev-parse", "refs/lerim/backup/memory", "refs/lerim/backup/memory~1"
    ).splitlines() == [newest, new]


def test_what_a_killed_import_left_is_swept(repo: Repo, tip: str) -> None:
    for name in ("1-old", "2-new"):
        repo.git("update-ref", f"refs/lerim/tmp/{name}", tip)
    os.utime(repo.path / ".git/refs/lerim/tmp/1-old", (1, 1))

    store_at(repo.path).recover(lock_held=True)

    assert (
        repo.git("for-each-ref", "--format=%(refname)", "refs/lerim/tmp") == "refs/lerim/tmp/2-new"
    )


def test_packs_that_a_killed_process_kept_are_let_go(repo: Repo) -> None:
    repo.git("repack", "-adq")
    (pack,) = (repo.path / ".git/objects/pack").glob("*.pack")
    done = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True, check=True)
    pack.with_suffix(".keep").write_text(f"git-lerim {done.stdout}")

    store_at(repo.path).recover(lock_held=True)

    assert not pack.with_suffix(".keep").exists()


def test_a_folder_that_is_gone_takes_the_store_back_to_where_it_was_whole(
    repo: Repo, tip: str
) -> None:
    before = repo.git("rev-parse", f"{tip}~1")
    month = repo.git("rev-parse", f"{tip}:decisions/2026-02")
    (repo.path / ".git/objects" / month[:2] / month[2:]).unlink()

    store = store_at(repo.path)

    assert store.snapshot().commit == before
    assert "lerim/memory was corrupted" in store.warnings[0]


def test_killed_writers_lose_nothing_that_was_told(repo: Repo) -> None:
    told = kill_some(repo.path, rounds=6, wait=(0.15, 0.4))

    for lock in (repo.path / ".git").rglob("*.lock"):
        os.utime(lock, (1, 1))
    store = store_at(repo.path)
    store.recover(lock_held=True)
    store.commit(adding(10_000))
    numbers = {
        int(stored.memory.title.split()[-1]) for stored in store.snapshot().memories.values()
    }
    assert told <= numbers
    assert "missing" not in repo.git("fsck", "--strict", "--full")


def kill_some(folder: Path, rounds: int, wait: tuple[float, float]) -> set[int]:
    told: set[int] = set()
    for n in range(rounds):
        child = writer(folder, n * 1000, n * 1000 + 999)
        try:
            # - any moment will do
            out, _ = child.communicate(timeout=random.uniform(*wait))  # noqa: S311
        except subprocess.TimeoutExpired:
            child.kill()
            out, _ = child.communicate()
        told |= {int(line) for line in out.splitlines(keepends=True) if line.endswith("\n")}
        for lock in (folder / ".git").rglob("memory.lock"):
            os.utime(lock, (1, 1))
    return told


def test_a_backup_that_leads_nowhere_follows_again_and_is_not_kept(repo: Repo, tip: str) -> None:
    (repo.path / ".git/refs/lerim/backup/memory").write_text(f"{GONE}\n")

    newest = store_at(repo.path).commit(adding(3))

    assert repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/lerim/backup").split(
        "\n"
    ) == [f"refs/lerim/backup/memory {newest}"]
    assert tip in repo.git("rev-list", newest or "").split()


def test_a_backup_without_bytes_is_mended_by_who_holds_the_run_lock(repo: Repo, tip: str) -> None:
    backup = repo.path / ".git/refs/lerim/backup/memory"
    backup.write_bytes(b"")

    store_at(repo.path).recover(lock_held=True)

    assert backup.read_text() == f"{tip}\n"
    repo.git("fetch", "-q", ".")


def test_what_is_gone_goes_from_the_reflog_too_and_is_kept_aside(repo: Repo, tip: str) -> None:
    tree = repo.git("rev-parse", f"{tip}^{{tree}}")
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    log = repo.path / ".git/logs" / MEMORY
    before = log.read_bytes()

    store_at(repo.path).snapshot()

    assert tip.encode() not in log.read_bytes()
    assert len(log.read_bytes().splitlines()) == len(before.splitlines()) - 1
    assert before in {path.read_bytes() for path in (repo.path / ".git/lerim").glob("broken-log-*")}
    repo.git("gc", "-q")
