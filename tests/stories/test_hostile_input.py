"""File names, session ids and records that mean harm or are only odd: each costs itself, and
nothing else.
"""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, bare, cloned, normal
from support.team import REF, remember, shared
from support.world import CATALOG, World

ODD = [["x"], {"a": 1}, None, 5, True, [[]], {"text": ["q"]}]


def written(world: World, repo: Repo) -> Path:
    return world.session("claude-catalog.jsonl", repo.path)


def test_a_file_whose_name_is_not_utf8_costs_no_sync(world: World, repo: Repo) -> None:
    path = written(world, repo)
    other = path.with_name("other.jsonl")
    other.write_bytes(path.read_bytes().replace(CATALOG.encode(), b"another"))
    other.rename(other.parent / os.fsdecode(b"od\xff\xfed.jsonl"))

    for _ in range(2):
        ran = world.lerim(repo.path, "sync", "--window", "all")
        assert ran.code in {0, 3}, ran.err
        assert "internal error" not in ran.err
    assert "decision" in world.lerim(repo.path, "list").out


def test_a_session_id_steers_no_terminal_of_who_reads_gits_log(world: World, repo: Repo) -> None:
    hostile = "id\x1b]0;owned\x07\u202e\u2066"
    path = written(world, repo)
    path.write_text(path.read_text().replace(CATALOG, json.dumps(hostile)[1:-1]))
    path.rename(path.with_name(f"{hostile}.jsonl"))

    assert world.lerim(repo.path, "sync", "--window", "all").code == 0

    logged = repo.git("log", "--format=%B", REF)
    assert "Lerim-Session: id" in logged
    assert not any(char in logged for char in "\x1b\x07\u202e\u2066")


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_record_is_lost_and_never_the_rest(odd: object, world: World, repo: Repo) -> None:
    path = written(world, repo)
    first = json.loads(path.read_text().split("\n")[0])
    base = {name: first[name] for name in ("sessionId", "cwd", "timestamp") if name in first}
    lines = [
        {"type": odd},
        {**base, "type": "user", "uuid": "odd-1", "message": odd},
        {**base, "type": "user", "uuid": "odd-2", "message": {"role": odd, "content": odd}},
        {**base, "type": "attachment", "uuid": "odd-3",
         "attachment": {"type": "queued_command", "commandMode": odd, "prompt": odd}},
        {**base, "type": "user", "uuid": "odd-4",
            "toolUseResult": {"answers": {"q": "a"}, "questions": [{"question": odd}]},
         "message": {"role": "user",
             "content": [{"type": "tool_result", "tool_use_id": odd, "content": odd}]}},
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)) + "\n" + path.read_text())

    ran = world.lerim(repo.path, "sync", "--window", "all")

    assert ran.code in {0, 3}, ran.err
    assert "decision" in world.lerim(repo.path, "list").out


def test_an_odd_line_of_codex_is_lost_and_never_the_rest(world: World, repo: Repo) -> None:
    path = world.codex("codex-prices.jsonl", repo.path)
    head, _, rest = path.read_text().partition("\n")
    odd = [
        {"timestamp": each, "type": each, "payload": {"type": each, "content": each}}
        for each in ODD
    ]
    odd += [{"type": "response_item", "payload": {"type": each, "call_id": each}} for each in ODD]
    path.write_text("\n".join([head, *map(json.dumps, odd), rest]))

    assert world.lerim(repo.path, "sync", "--window", "all").code in {0, 3}
    (row,) = world.lerim(repo.path, "sessions", "--all", "--json").json
    assert row["records"] > 1


def test_a_view_without_end_does_not_hang_a_sync(
    world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = world.home / ".local/share/opencode"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "opencode.db") as made:
        endless = (
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS"
            " directory FROM n"
        )
        for name in ("session", "message", "part", "project"):
            made.execute(f"CREATE VIEW {name} AS {endless}")
    monkeypatch.setattr("git_lerim.agents.sqlite._LONGEST", 0.5)

    ran = lerim(repo.path, "sync", "--window", "all")

    assert ran.code in {0, 3}


def test_a_log_that_claims_to_be_huge_is_not_copied(world: World, repo: Repo) -> None:
    folder = world.home / ".local/share/opencode"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "opencode.db") as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE session (id TEXT)")
    made.close()
    with (folder / "opencode.db-wal").open("wb") as log:
        log.truncate(20 << 30)  # it takes no room, and its copy would

    ran = world.lerim(repo.path, "sync", "--window", "all")

    assert ran.code in {0, 3}
    assert "more than 4 GB" in ran.err


def test_a_remote_of_another_hash_is_told_as_such(repo: Repo, tmp_path: Path) -> None:
    other = normal(tmp_path / "other", "--object-format=sha256")
    other.git("branch", "lerim/memory")
    repo.git("remote", "add", "origin", str(other.path))

    ran = lerim(repo.path, "pull")

    assert ran.code == 1
    assert "mismatched algorithms" in ran.err
    assert "try again" not in ran.err


def test_a_branch_that_is_only_another_name_is_told_as_such(repo: Repo) -> None:
    repo.git("symbolic-ref", REF, "refs/heads/main")

    ran = lerim(repo.path, "remember", "Anything.")

    assert ran.code == 1
    assert "is a symbolic ref to refs/heads/main" in ran.err
    assert repo.git("log", "--format=%s", "main") == "first"


def test_doctor_names_what_git_takes_for_the_memory(repo: Repo) -> None:
    remember(repo, "Prices are rounded half to even.")
    remember(repo, "Tests need TZ=UTC.")
    repo.git("tag", "lerim/memory", "main")
    repo.git("replace", "--graft", REF)

    told = lerim(repo.path, "doctor").out

    assert "there is also a tag lerim/memory" in told
    assert "git replaces 1 commit of lerim/memory" in told
    assert lerim(repo.path, "list").out.count("\n") == 2
    remember(repo, "A third thing.")
    assert lerim(repo.path, "list").out.count("\n") == 3


def test_a_purge_that_was_killed_is_finished_by_doctor(repo: Repo) -> None:
    remember(repo, "A leak, to be purged.")
    remember(repo, "Something that stays.")
    before = repo.git("rev-parse", REF)
    leak = next(
        row["id"] for row in lerim(repo.path, "list", "--json").json if "leak" in row["title"]
    )
    assert lerim(repo.path, "purge", leak, "--yes").code == 0
    repo.git(
        "update-ref", "refs/lerim/backup/memory", before
    )  # as it was left when the purge was killed
    kept = repo.git("for-each-ref", "--format=%(refname)", "refs/lerim/purged").split("\n")
    for name in kept:
        repo.git("update-ref", "-d", name)

    told = lerim(repo.path, "doctor").out

    assert "what a purge or a fetch had left there" in told
    assert "leak" not in repo.git("log", "--all", "--format=%B")
    assert "what a purge or a fetch had left there" not in lerim(repo.path, "doctor").out


def test_status_names_the_proposals_that_a_fetch_brought(tmp_path: Path) -> None:
    hub = bare(tmp_path / "hub")
    ann, bob = cloned(hub, tmp_path / "ann"), cloned(hub, tmp_path / "bob")
    remember(bob, "Prices are rounded half to even.")
    shared(bob)
    lerim(ann.path, "pull")
    ann.git("config", "user.name", "Ann Other")
    ann.git("config", "user.email", "ann@example.org")
    assert lerim(ann.path, "remember", "Tests need TZ=UTC.", "--propose").code == 0
    assert lerim(ann.path, "review", "--open", "--yes").code == 0
    bob.git("config", "user.name", "Bob Other")
    bob.git("config", "user.email", "bob@example.org")

    bob.git("fetch", "-q")

    assert "1 proposal by others: git lerim review" in lerim(bob.path, "status").out


def test_a_branch_that_was_deleted_on_purpose_is_not_reported_as_lost(
    world: World, repo: Repo
) -> None:
    remember(repo, "Something old.")
    assert lerim(repo.path, "reset", "--branch", "--yes").code == 0
    written(world, repo)

    ran = world.lerim(repo.path, "sync", "--window", "all")

    assert ran.code == 0
    assert "was deleted" not in ran.err
