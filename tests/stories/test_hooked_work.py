"""What git's hooks start: sessions become memories and are shared with nobody typing; and what a
push may not send.
"""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from support import githooks
from support.inside import lerim
from support.repos import Repo
from support.world import World

from git_lerim.actions.hooks import githook, last_run, single_flight
from git_lerim.workspace import open_workspace

REF = "refs/heads/lerim/memory"
TOKEN = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"


@pytest.fixture
def hooked(ann: Repo) -> Repo:
    """Return a clone in which the hooks are installed, of somebody for whom no window is
    too short.
    """
    ann.git("config", "lerim.syncWindow", "all")
    assert lerim(ann.path, "install", "--hooks", "--yes").code == 0
    return ann


def runs(repo: Repo) -> int:
    return githooks.runs(repo.path / ".git/lerim")


def test_status_says_that_a_run_has_not_finished(hooked: Repo) -> None:
    ran = hooked.path / ".git/lerim/hook-ran"
    ran.parent.mkdir(exist_ok=True)
    ran.write_text(json.dumps({"event": "post-commit", "at": 1.0, "pid": 1}))

    (line,) = [row for row in lerim(hooked.path, "status").out.splitlines() if "last after" in row]

    assert line.endswith(": not finished yet")
    ran.unlink()


def test_a_session_becomes_a_memory_by_a_commit(hooked: Repo, world: World) -> None:
    world.session("claude-catalog.jsonl", hooked.path)
    hooked.commit({"a": "a\n"})
    assert runs(hooked) == 1
    assert "SQLite" in lerim(hooked.path, "list").out
    assert githooks.last(hooked.path / ".git/lerim")["did"] == "1 extracted, 0 queued"
    assert "last after post-commit" in lerim(hooked.path, "status").out


def test_where_the_user_decides_a_commit_only_queues(hooked: Repo, world: World) -> None:
    hooked.git("config", "lerim.sync", "ask")
    world.session("claude-catalog.jsonl", hooked.path)
    hooked.commit({"a": "a\n"})
    assert runs(hooked) == 1
    assert lerim(hooked.path, "list").out == ""
    assert githooks.last(hooked.path / ".git/lerim")["did"] == "0 extracted, 1 queued"


def test_what_a_hook_starts_leaves_index_and_work_tree_alone(hooked: Repo) -> None:
    hooked.commit({"a": "a\n"})
    paths = hooked.path / ".git/index", hooked.path / "a"
    before = [(path.stat().st_mtime_ns, path.stat().st_ino) for path in paths]
    assert runs(hooked) == 1
    assert [(path.stat().st_mtime_ns, path.stat().st_ino) for path in paths] == before
    assert hooked.git("status", "--porcelain") == ""


def test_the_brief_is_prepared_for_the_new_commit(
    hooked: Repo, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.delenv(name)  # with them nothing is prepared
    world.session("claude-catalog.jsonl", hooked.path)
    hooked.commit({"a": "a\n"})
    assert runs(hooked) == 1
    prepared = hooked.path / ".git/lerim/briefs/repository"
    stamp = prepared.stat().st_mtime_ns
    assert "SQLite" in world.lerim(hooked.path, "brief").out
    assert prepared.stat().st_mtime_ns == stamp


def test_the_memory_follows_a_push_where_that_was_agreed_to(
    hooked: Repo, hub: Repo, world: World
) -> None:
    lerim(hooked.path, "remember", "Prices are rounded half to even.")
    assert lerim(hooked.path, "push", "--yes").code == 0
    hooked.git("config", "--global", "lerim.push", "auto")
    world.session("claude-catalog.jsonl", hooked.path)
    hooked.git("push", "-q", "origin", "main")
    assert runs(hooked) == 1
    deadline = time.monotonic() + 60
    while hub.git("rev-parse", REF) != hooked.git("rev-parse", REF):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert "SQLite" in hub.git("ls-tree", "-r", "--name-only", REF).replace("sqlite", "SQLite")


def test_a_push_without_a_network_is_not_held_up(hooked: Repo, hub: Repo, tmp_path: Path) -> None:
    lerim(hooked.path, "remember", "Prices are rounded half to even.")
    assert lerim(hooked.path, "push", "--yes").code == 0
    hooked.git("config", "--global", "lerim.push", "auto")
    hooked.git("remote", "add", "other", str(hub.path))
    hooked.git("remote", "set-url", "origin", str(tmp_path / "gone"))
    lerim(hooked.path, "remember", "Amounts are integer cents.")
    hooked.git("push", "-q", "other", "main")
    assert hub.git("rev-parse", "refs/heads/main") == hooked.git("rev-parse", "main")


def with_secret(repo: Repo) -> None:
    """Commit a secret to the memory, past all gates."""
    lerim(repo.path, "remember", "Prices are rounded half to even.")
    text = f"token: {TOKEN}\n"
    stream = (
        f"commit {REF}\ncommitter A <a@example.org> 1771800000 +0000\ndata 1\nx\nfrom {REF}^0\n"
    )
    repo.git(
        "fast-import",
        "--quiet",
        stdin=f"{stream}M 100644 inline notes.md\ndata {len(text)}\n{text}\n",
    )


def test_a_secret_of_the_memory_stops_the_push_that_sends_it_and_no_other(
    hooked: Repo, hub: Repo
) -> None:
    with_secret(hooked)
    with pytest.raises(AssertionError, match=r"possible secret in .*notes\.md") as refused:
        hooked.git("push", "-q", "origin", "lerim/memory")
    assert TOKEN not in str(refused.value)
    with pytest.raises(AssertionError, match="possible secret"):
        hooked.git("push", "-q", "--all", "origin")
    assert hub.git("for-each-ref") == ""
    hooked.git("push", "-q", "origin", "main")
    assert hub.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"
    runs(hooked)


def test_a_push_of_a_clean_memory_goes_and_says_nothing(hooked: Repo, hub: Repo) -> None:
    lerim(hooked.path, "remember", "Prices are rounded half to even.")
    assert hooked.git("push", "-q", "origin", "lerim/memory") == ""
    assert hub.git("rev-parse", REF) == hooked.git("rev-parse", REF)
    hooked.git("push", "-q", "origin", ":lerim/memory")
    assert hub.git("for-each-ref") == ""
    runs(hooked)


def test_a_run_that_was_killed_is_told_and_the_next_one_does_its_work(hooked: Repo) -> None:
    hooked.commit({"a": "a\n"})
    assert runs(hooked) == 1
    own = hooked.path / ".git/lerim"
    ran = json.loads((own / "hook-ran").read_bytes())
    (own / "hook-ran").write_text(json.dumps(ran | {"seconds": None, "pid": 1 << 22}))
    assert "ended early" in lerim(hooked.path, "doctor").out
    (own / "hook-starting").write_text(f"{1 << 22}\n")
    hooked.commit({"a": "b\n"})
    assert runs(hooked) == 2
    assert "ended early" not in lerim(hooked.path, "doctor").out


def test_a_crash_whose_process_number_is_taken_again_stops_no_later_run(hooked: Repo) -> None:
    hooked.commit({"a": "a\n"})
    assert runs(hooked) == 1
    starting = hooked.path / ".git/lerim/hook-starting"
    starting.write_text(f"{os.getpid()}\n")
    os.utime(starting, (time.time() - 600,) * 2)

    hooked.commit({"a": "b\n"})

    assert runs(hooked) == 2


def test_a_sync_without_words_prints_nothing_when_it_is_to_be_quiet(
    ann: Repo, world: World
) -> None:
    world.session("claude-catalog.jsonl", ann.path)
    ran = lerim(ann.path, "sync", "-q", "--window", "all")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "SQLite" in lerim(ann.path, "list").out


def test_work_that_is_asked_for_while_it_is_done_is_done_again(tmp_path: Path) -> None:
    done: list[int] = []

    def work() -> None:
        done.append(1)
        if len(done) == 1:
            single_flight.request(tmp_path, "again")

    single_flight.run(tmp_path, "again", "running", work)
    assert len(done) == 2
    assert not (tmp_path / "again").exists()


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="nothing interrupts a process here")
def test_what_takes_too_long_is_ended_and_noted(
    hooked: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hooked.path)
    monkeypatch.setattr(githook, "LIMIT", 1)
    monkeypatch.setattr(githook, "_synced", lambda _: time.sleep(30) or "")
    ws = open_workspace()
    githook.run(ws, "post-commit")
    found = last_run.last(ws)
    assert found is not None
    assert found.error == "the hook took longer than 1 seconds"
    assert "took longer" in lerim(hooked.path, "doctor").out
