"""Hooks where the disk is full or the index is locked: agents and commits go on as if we were not
there.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support import forks, troubles
from support.githooks import runs
from support.repos import Repo
from support.world import World

from git_lerim.agents.hooks.events import MOMENTS

DATA = Path(__file__).parents[1] / "agents" / "data" / "hooks"


@pytest.fixture
def used(repo: Repo, world: World) -> Repo:
    """Return a repository with a memory for each occasion, and everything that hooks want
    prepared.
    """
    (repo.path / "slug.py").write_text('SEP = "-"\n')
    repo.git("add", "slug.py")
    repo.git("commit", "-q", "-m", "Slugs")
    world.lerim(
        repo.path, "remember", "Always run the linter before a commit", "--kind", "preference"
    )
    world.lerim(
        repo.path,
        "remember",
        "Slugs keep the hyphen because URLs use it",
        "--decision",
        "--file",
        "slug.py",
    )
    assert forks.completed(repo.path, "brief", env=environment()).returncode == 0
    return repo


def environment() -> dict[str, str]:
    """Return the environment of a hook: no variable that seals the world of tests sends it the long
    way.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_C", "LERIM_"))
    }


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Let a folder be a file system of its own without room for another byte, but for what is in
    it.
    """
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    with troubles.mounted(folder, "-t", "tmpfs", "-o", "size=4m", "none"):
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        with (folder / "filling").open("wb", buffering=0) as file:
            while True:
                try:
                    file.write(b"0" * 4096)
                except OSError:
                    break
        yield
    shutil.rmtree(kept)


def recorded(agent: str, repo: Repo) -> list[tuple[str, bytes]]:
    rows = map(
        json.loads,
        (DATA / f"{agent}.jsonl").read_text().replace("@REPO@", str(repo.path)).splitlines(),
    )
    return [(row["event"], json.dumps(row["payload"]).encode()) for row in rows]


def hook(repo: Repo, agent: str, event: str, payload: bytes) -> bytes:
    """Run a hook, which has to succeed without a word of complaint; return what it says."""
    # an agent waits less; a machine under load needs more
    done = forks.completed(
        repo.path, "hook", agent, event, env=environment(), stdin=payload, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("agent", sorted(MOMENTS))
def test_on_a_full_disk_every_event_is_answered_by_silence(agent: str, used: Repo) -> None:
    with full(used.path / ".git" / "lerim"):
        said = [hook(used, agent, event, payload) for event, payload in recorded(agent, used)]

    assert set(said) == {b""}  # what cannot be noted as said would be said again


@pytest.mark.parametrize("agent", sorted(MOMENTS))
def test_while_the_index_is_locked_every_event_is_answered_in_time(agent: str, used: Repo) -> None:
    with closing(
        sqlite3.connect(used.path / ".git/lerim/index.sqlite3", isolation_level=None)
    ) as index:
        index.execute("PRAGMA locking_mode=EXCLUSIVE")
        index.execute("BEGIN EXCLUSIVE")

        for event, payload in recorded(agent, used):
            hook(used, agent, event, payload)


@pytest.mark.parametrize("environs", [{}, {"GIT_CONFIG_NOSYSTEM": "1"}], ids=["fast", "slow"])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
@pytest.mark.parametrize("name", ["index", "verdicts"])
def test_a_session_hardly_waits_for_a_database_that_stays_locked(
    name: str, event: str, environs: dict[str, str], used: Repo
) -> None:
    payload = {"session_id": "s", "cwd": str(used.path), "prompt": "why do slugs keep the hyphen?"}
    env, given = environment() | environs, json.dumps(payload).encode()
    with closing(
        sqlite3.connect(used.path / f".git/lerim/{name}.sqlite3", isolation_level=None)
    ) as locked:
        locked.execute("BEGIN EXCLUSIVE")
        words = ("hook", "claude", event)
        done = forks.completed(used.path, *words, env=env, stdin=given, timeout=10)

    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    if name == "verdicts":  # it is only a cache
        assert "hyphen" in said
    elif event == "SessionStart":
        assert "another process keeps" in said
        assert "git lerim brief" in said
    else:
        assert said == ""


@pytest.mark.parametrize("trouble", ["full", "locked", "no folder", "unreadable"])
def test_a_commit_is_made_in_silence_whatever_is_wrong_with_our_folder(
    trouble: str, used: Repo, world: World
) -> None:
    own = used.path / ".git" / "lerim"
    assert world.lerim(used.path, "install", "--hooks", "--yes").code == 0

    def committed() -> None:
        words = ["git", "commit", "-q", "--allow-empty", "-m", "on"]
        done = subprocess.run(
            words, cwd=used.path, env=environment(), capture_output=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    if trouble == "full":
        with full(own):
            committed()
            time.sleep(2)  # what it started looks for room
    elif trouble == "locked":
        with closing(sqlite3.connect(own / "index.sqlite3", isolation_level=None)) as index:
            index.execute("BEGIN EXCLUSIVE")
            committed()
            time.sleep(2)  # what it started waits for the lock
        assert runs(own) == 1
    else:
        shutil.rmtree(own)
        own.write_text("") if trouble == "no folder" else own.symlink_to("nowhere")
        committed()

    assert used.git("log", "-1", "--format=%s").strip() == "on"
