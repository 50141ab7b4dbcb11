"""Several processes that write at once, or are killed at it: everything is there, once. See also
`benchmarks/writers.py`.
"""

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support import crowd, repos, rush
from support.repos import Repo

NOTES = 4


@pytest.fixture
def calm(tmp_path: Path, repo: Repo) -> Repo:
    """Return a repository that takes the sessions of the other one, and that nobody disturbs."""
    made = repos.normal(tmp_path / "calm")
    made.git("config", "--global", "lerim.repositoryPath", str(repo.path))
    return made


def undisturbed(calm: Repo) -> rush.Standing:
    """Sync everything at once, in peace."""
    rush.run(calm.path, "sync", *rush.NEVER_FULL)
    return rush.standing(calm)


def whole(repo: Repo) -> rush.Standing:
    """Look at a store, and check that git finds nothing wrong with it."""
    now = rush.standing(repo)
    assert now.sound
    assert now.linear
    assert now.duplicates == 0
    return now


def test_syncs_that_wait_for_each_other_and_notes_beside_them(
    sealed_world: Path, repo: Repo, calm: Repo
) -> None:
    crowd.leave(sealed_world, repo.path, range(6))

    running = [
        rush.start(repo.path, "sync", "--wait", "60", "--window", "all", "--max-sessions", "2")
        for _ in range(3)
    ]
    running += [rush.start(repo.path, "remember", crowd.note(number)) for number in range(NOTES)]
    said = rush.finish(running)

    assert said == []
    notes = {crowd.note(number).partition(". ")[0] for number in range(NOTES)}
    there = whole(repo).active
    expected = undisturbed(calm).active
    assert {title for _, title in there - expected} == notes
    assert expected <= there
    assert len(there) == len(expected) + NOTES


def test_syncs_that_do_not_wait_lose_nothing(sealed_world: Path, repo: Repo, calm: Repo) -> None:
    crowd.leave(sealed_world, repo.path, range(6))

    said = rush.finish(
        [rush.start(repo.path, "sync", "--ignore-lock", *rush.NEVER_FULL) for _ in range(2)]
    )

    assert said == []
    assert whole(repo).active == undisturbed(calm).active
    assert rush.run(repo.path, "queue", "--json").strip() == "[]"


def test_a_sync_that_finds_another_at_work_says_so_and_leaves(
    sealed_world: Path, repo: Repo
) -> None:
    crowd.leave(sealed_world, repo.path, range(6))
    first = rush.start(repo.path, "sync", *rush.NEVER_FULL)
    while not (repo.path / ".git/lerim/lock").exists():
        time.sleep(0.005)

    second = rush.finish([rush.start(repo.path, "sync", "--wait", "0")])

    assert rush.finish([first]) == []
    assert [text[:7] for text in second] in (
        ["exit 4:"],
        [],
    )  # on a slow machine the first may be done
    assert all("another run is in progress" in text for text in second)


def test_killed_syncs_leave_what_calm_ones_leave(
    sealed_world: Path, repo: Repo, calm: Repo
) -> None:
    chance = random.Random()  # noqa: S311 any moment will do
    for number in range(10):
        crowd.leave(sealed_world, repo.path, range(number, number + 1))
        running = rush.start(repo.path, "sync", *rush.NEVER_FULL, starts_python=True)
        time.sleep(chance.uniform(0.1, 0.8))
        running.kill()
        said = running.communicate()[1].decode(errors="replace")
        assert running.returncode in {0, -signal.SIGKILL}, said
        rush.free_locks(repo)

    rush.run(repo.path, "sync", *rush.NEVER_FULL)

    assert whole(repo).active == undisturbed(calm).active
    assert rush.standing(repo).tree == rush.standing(calm).tree


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_sync_leaves_whole_commits_and_the_rest_queued(
    number: signal.Signals, sealed_world: Path, repo: Repo, calm: Repo
) -> None:
    crowd.leave(sealed_world, repo.path, range(10))
    running = rush.start(repo.path, "sync", *rush.NEVER_FULL)
    while repo.git("rev-list", "--count", "lerim/memory", check=False) in {"", "1"}:
        assert running.poll() is None
        time.sleep(0.01)

    running.send_signal(number)
    _, said = running.communicate(timeout=60)

    assert b"Traceback" not in said
    assert running.returncode == 128 + number
    assert b"interrupted" in said
    assert list((repo.path / ".git").rglob("*.lock")) == []
    rush.run(repo.path, "sync", "--wait", "0", *rush.NEVER_FULL)
    assert whole(repo).active == undisturbed(calm).active


def test_an_interrupt_at_any_moment_is_no_traceback(sealed_world: Path, repo: Repo) -> None:
    crowd.leave(sealed_world, repo.path, range(3))
    for moment in (0.1, 0.2, 0.3, 0.4):
        running = rush.start(repo.path, "sync", *rush.NEVER_FULL, starts_python=True)
        time.sleep(moment)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=10)[1].decode()
        if "site.py" in said or "encodings" in said or "frozen" in said.partition("git_lerim")[0]:
            continue  # Python itself had not begun
        assert running.returncode in {0, 130, -signal.SIGINT}, said
        assert "internal error" not in said
        assert "Traceback" not in said, said


def test_notes_of_writers_that_meet_stay_the_users_while_the_reflog_expires(repo: Repo) -> None:
    rush.run(repo.path, "init")
    repo.git("config", "gc.reflogExpire", "now")
    repo.git("config", "gc.reflogExpireUnreachable", "now")

    for start in range(0, 24, 3):
        numbers = range(start, start + 3)
        running = [rush.start(repo.path, "remember", crowd.note(number)) for number in numbers]
        while any(each.poll() is None for each in running):
            repo.git("reflog", "expire", "--expire=now", "--all", check=False)
        rush.finish(running)

    rows = json.loads(rush.run(repo.path, "list", "--json"))
    assert [row["title"] for row in rows if row["shared"]] == []
    assert len(rows) == 24


def test_git_of_the_user_works_beside_a_sync(sealed_world: Path, repo: Repo, calm: Repo) -> None:
    crowd.leave(sealed_world, repo.path, range(6))
    running = rush.start(repo.path, "sync", *rush.NEVER_FULL)
    while running.poll() is None:
        for words in (
            ["commit", "-q", "--allow-empty", "-m", "beside"],
            ["pack-refs", "--all"],
            ["gc", "-q"],
            ["status"],
        ):
            done = subprocess.run(
                ["git", *words], cwd=repo.path, capture_output=True, check=False, text=True
            )
            assert done.returncode == 0 or "lock" in done.stderr, (words, done.stderr)

    assert rush.finish([running]) == []
    assert {title for _, title in whole(repo).active} == {
        title for _, title in undisturbed(calm).active
    }
