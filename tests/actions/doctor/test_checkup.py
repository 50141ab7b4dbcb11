import os
from dataclasses import replace
from pathlib import Path

import pytest
from support.claude import Recording
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions.doctor.branch_checks import restore
from git_lerim.actions.doctor.check import Check
from git_lerim.actions.doctor.checkup import checkup
from git_lerim.actions.status import status
from git_lerim.errors import ReadOnly
from git_lerim.storage.base import Change
from git_lerim.storage.writing.lock import Lock
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


def states(checks: list[Check]) -> dict[str, str]:
    return {check.name: check.state for check in checks}


def said(checks: list[Check], name: str) -> Check:
    """Return the one check of a name that is not just well, or the last one."""
    named = [check for check in checks if check.name == name]
    return next((check for check in named if check.state != "ok"), named[-1])


@pytest.mark.parametrize("dangling", [False, True], ids=["file", "dangling link"])
def test_a_file_in_the_place_of_the_local_state_is_a_problem(
    ws: Workspace, *, dangling: bool
) -> None:
    if dangling:
        ws.folder.symlink_to("/nonexistent")
    else:
        ws.folder.write_text("x\n")
    found = said(checkup(ws), "folder")
    assert (found.state, "is not a folder" in found.says) == ("problem", True)
    with pytest.raises(ReadOnly) as refused, ws.locked(0):
        pass
    assert refused.value.hint == "git lerim doctor"


@pytest.mark.parametrize(
    ("path", "named"),
    [
        (["", "/x"], "an empty entry"),
        (["/x", ""], "an empty entry"),
        (["", ""], "an empty entry"),
        (["/x", "src"], "the relative entry src"),
    ],
)
def test_a_python_path_that_leads_into_each_current_folder_is_named(
    ws: Workspace, path: list[str], named: str
) -> None:
    (found,) = checkup_of({"PYTHONPATH": os.pathsep.join(path)}, ws)
    assert (found.state, named in found.says) == ("warning", True)


@pytest.mark.parametrize("env", [{}, {"PYTHONPATH": ""}, {"PYTHONPATH": "/x"}])
def test_other_python_paths_need_no_word(ws: Workspace, env: dict[str, str]) -> None:
    assert checkup_of(env, ws) == []


def checkup_of(env: dict[str, str], ws: Workspace) -> list[Check]:
    changed = replace(ws, env={k: v for k, v in ws.env.items() if k != "PYTHONPATH"} | env)
    return [check for check in checkup(changed) if check.name == "python"]


def test_a_repository_without_memory_has_warnings_and_no_problem(ws: Workspace) -> None:
    checks = checkup(ws)

    assert states(checks) == {
        "git": "ok", "repository": "ok", "identity": "ok", "branch": "warning", "memories": "ok",
        "catalog": "ok", "disk": "ok",
        "agents": "warning", "hooks": "ok",
    }  # fmt: skip
    assert said(checks, "branch").hint == "git lerim sync creates it"
    assert not ws.folder.exists()


def test_all_is_well(ws: Workspace, repo: Repo, sealed_world: Path) -> None:
    store_at(repo.path).commit(adding(1, 2))
    Recording(sealed_world, str(repo.path)).prompt("x")
    repo.git("config", "lerim.agents", "codex")
    with ws.catalog():
        checks = checkup(open_workspace())

    assert set(states(checks).values()) == {"ok"}
    assert said(checks, "agents").says == "session files: claude 1 (not connected)"
    assert said(checks, "memories").says == "2 read"
    assert said(checks, "catalog").says.startswith("no sessions (SQLite ")


def test_outside_a_repository_the_personal_store_is_looked_at(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path.parent)

    checks = checkup(open_workspace(fallback=True))

    assert "personal store" in said(checks, "repository").says
    assert "problem" not in states(checks).values()


def test_a_broken_branch_is_repaired_and_told_once(ws: Workspace, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    tip = repo.git("rev-parse", "lerim/memory")
    (repo.path / ".git/refs/heads/lerim/memory").write_bytes(b"")

    checks = checkup(ws)

    branch = [(check.state, check.says[:24]) for check in checks if check.name == "branch"]
    assert branch == [
        ("warning", "lerim/memory was corrupt"),
        ("ok", f"lerim/memory at {tip[:8]}"),
    ]
    assert repo.git("rev-parse", "lerim/memory") == tip
    assert said(checkup(open_workspace()), "branch").state == "ok"
    assert ws.warnings() == []


def test_nobody_to_commit_is_a_problem_with_a_hint(
    repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sealed_world / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    monkeypatch.chdir(repo.path)

    found = said(checkup(open_workspace()), "identity")

    assert found.state == "problem"
    assert found.hint.startswith("git config --global")


def test_another_run_at_work_is_said_and_is_no_problem(ws: Workspace, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    with Lock(ws.folder / "lock").acquire(0):
        checks = checkup(ws)

    assert [check.state for check in checks if check.name == "branch"] == ["warning", "ok"]
    assert "another run is in progress" in said(checks, "branch").says


def test_a_file_that_is_set_aside_is_named(ws: Workspace, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    from_hand = "decisions/2026-02/20260220-broken-aaaaaaaaaaaaa.md"
    ws.store.commit(lambda _: Change(files={from_hand: b"no memory\n"}, subject="by hand"))

    found = said(checkup(ws), "memory")

    assert (found.state, found.says.partition(" is set aside")[0]) == ("warning", from_hand)


def test_a_catalog_that_is_damaged_is_a_problem_or_made_anew(ws: Workspace) -> None:
    with ws.catalog() as catalog, catalog.writing():
        for n in range(500):
            catalog.save_source(f"/some/path/{n}", "claude", "1,2,3", b"x" * 100)
    path = ws.folder / "catalog.sqlite3"
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xff" * (len(data) - 4096 * 3)
    path.write_bytes(data)

    found = said(checkup(open_workspace()), "catalog")

    assert found.state == "problem"
    assert "git lerim reset" in found.hint


def test_what_was_set_aside_is_told_by_what_it_was(ws: Workspace) -> None:
    with ws.catalog():
        pass
    (ws.folder / "catalog.sqlite3").write_bytes(b"no database at all, but something else" * 100)
    (ws.folder / "index.sqlite3.broken").write_bytes(b"an index, set aside")

    told = {
        check.name: check
        for check in checkup(ws)
        if check.name in {"catalog", "index"} and check.state == "warning"
    }

    assert set(told) == {"catalog", "index"}
    assert told["catalog"].says.startswith(
        f"{ws.folder / 'catalog.sqlite3.broken'}, the catalog of sessions, could not be read"
    )
    assert told["index"].says.startswith(
        f"{ws.folder / 'index.sqlite3.broken'}, the search index, could not be read"
    )


def test_what_was_set_aside_is_told_where_nothing_was_synced_yet(ws: Workspace) -> None:
    ws.folder.mkdir(exist_ok=True)
    (ws.folder / "index.sqlite3.broken").write_bytes(b"an index, set aside")

    assert [check.state for check in checkup(ws) if check.name == "index"] == ["warning"]


def test_a_store_that_cannot_be_read_spoils_no_other_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repo(tmp_path).git("init", "-q", "odd")
    (tmp_path / "odd/.git/refs/heads/lerim").mkdir()
    (tmp_path / "odd/.git/refs/heads/lerim/memory").write_text("1" * 40 + "\n")
    monkeypatch.chdir(tmp_path / "odd")

    checks = checkup(open_workspace())

    assert [name for name, state in states(checks).items() if state == "problem"] == [
        "branch",
        "files",
    ]
    assert said(checks, "disk").state == "ok"


def moved_back(repo: Repo, by: int) -> str:
    """Rewind the branch as somebody could, and return where it stood."""
    tip = repo.git("rev-parse", "lerim/memory")
    repo.git(
        "update-ref", "-m", "a slip of the hand", "refs/heads/lerim/memory", f"lerim/memory~{by}"
    )
    return tip


def test_a_rewound_branch_is_noticed_explained_and_put_back_on_request(
    ws: Workspace, repo: Repo
) -> None:
    for n in range(3):
        store_at(repo.path).commit(adding(n))
    tip = moved_back(repo, 2)

    check = said(checkup(ws), "branch")

    assert check.state == "problem"
    assert "last changed" in check.says
    assert "a slip of the hand" in check.says
    assert f"refs/lerim/backup/memory (2 commits missing, up to {tip[:10]}" in check.says
    assert "git lerim doctor --restore" in check.hint
    assert [one["commits"] for one in status(ws)["lost"]] == [2]
    assert repo.git("rev-parse", "lerim/memory") != tip  # looking put nothing back
    assert "merged refs/lerim/backup/memory" in restore(open_workspace())[0].says
    assert repo.git("rev-parse", "lerim/memory") == tip
    assert said(checkup(open_workspace()), "branch").state == "ok"


def test_what_was_written_after_a_rewind_and_what_stood_there_before_are_joined(
    ws: Workspace, repo: Repo
) -> None:
    for n in range(3):
        store_at(repo.path).commit(adding(n))
    moved_back(repo, 2)
    store_at(repo.path).commit(adding(7))

    check = said(checkup(ws), "branch")

    assert check.state == "warning"
    assert "refs/lerim/backup/memory-" in check.says
    restore(ws)
    assert set(store_at(repo.path).snapshot().memories) == {decision(n).id for n in (0, 1, 2, 7)}
    assert status(open_workspace())["lost"] == []


@pytest.mark.parametrize("what", ["refs/lerim/backup/memory", "refs/remotes/origin/lerim/memory"])
def test_a_deleted_branch_comes_back_from_what_still_has_it(
    ws: Workspace, repo: Repo, what: str
) -> None:
    store_at(repo.path).commit(adding(1, 2))
    tip = repo.git("rev-parse", "lerim/memory")
    repo.git("update-ref", "refs/remotes/origin/lerim/memory", tip)
    if "remotes" in what:
        repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    repo.git("update-ref", "-d", "refs/heads/lerim/memory")

    check = said(checkup(ws), "branch")

    assert check.state == "warning"
    assert (
        "remotes" in what
        or "was deleted; its old commits are in refs/lerim/backup/memory" in check.says
    )
    assert what in restore(open_workspace())[0].says
    assert repo.git("rev-parse", "lerim/memory") == tip


def test_there_is_nothing_to_restore_where_nothing_was_lost(ws: Workspace, repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))

    assert [check.state for check in restore(ws)] == ["ok"]
