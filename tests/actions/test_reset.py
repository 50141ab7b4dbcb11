from pathlib import Path

import pytest
from support.memories import from_session
from support.repos import Repo
from support.stores import adding, put, store_at, titles

from git_lerim import cli
from git_lerim.actions.hooks.hook_work import prepare
from git_lerim.actions.reset import reset
from git_lerim.errors import ReadOnly
from git_lerim.git import fast_repo
from git_lerim.memories.memory import Origin
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(adding(1, 2))
    return open_workspace()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_all_that_can_be_made_again_is_deleted(
    ws: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in fast_repo.redirecting_variables():  # under which no listing is cached
        monkeypatch.delenv(name)
    with ws.catalog():
        ws.log("x")
    (ws.folder / "runs" / "sync-1").mkdir(parents=True)
    for name in (
        "catalog.sqlite3.broken",
        "index.sqlite3.17-a1",
        "index.sqlite3.17-a1-journal",
        "unchanged.17",
        "trees",
        "hook-again",
        "hook-notice",
        "hook-running",
        "hook-stale",
        "hook-starting",
        "authors.json",
        "worded.json",
        "claims.json",
        "judged",
        "hook-ran",
    ):
        (ws.folder / name).write_text("x")
    (ws.folder / "broken-ref-1").write_text("evidence\n")
    cli.main(["list"])
    assert {"catalog.sqlite3", "cache", "runs", "activity.log", "listing"} <= names(ws.folder)

    with ws.locked(0):
        assert reset(ws, branch=False) == {}

    # what was accepted, and that hooks ran, is recorded there only
    assert names(ws.folder) == {"lock", "writing", "broken-ref-1", "own-refs", "hook-ran"}
    assert titles(store_at(repo.path).snapshot()) == {"Use thing 1", "Use thing 2"}


@pytest.mark.usefixtures("ws")
def test_no_file_of_the_local_state_keeps_a_memory_after_a_reset_or_purge(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = repo.path / ".git" / "lerim"
    pair = [
        from_session("a", 30, title="Use Redis for the job queue", origin=Origin.HUMAN, sources=()),
        from_session("b", 3, title="Use RabbitMQ for the job queue"),
    ]
    put(repo, *pair)

    def keeping() -> set[str]:
        cli.main(["maintain"])
        prepare(open_workspace())
        return {path.name for path in folder.iterdir() if path.is_file() and holds(path)}

    def holds(path: Path) -> bool:
        return b"for the job queue" in path.read_bytes()

    assert {"maintained.json", "brief.md"} <= keeping()
    cli.main(["reset", "--yes"])
    assert [path for path in folder.rglob("*") if path.is_file() and holds(path)] == []
    assert {"maintained.json", "brief.md"} <= keeping()
    assert cli.main(["purge", "--yes", *(each.id for each in pair)]) == 0
    assert [path for path in folder.rglob("*") if path.is_file() and holds(path)] == []
    capsys.readouterr()


def test_nothing_to_delete_is_no_trouble(ws: Workspace) -> None:
    assert reset(ws, branch=False) == {}
    assert reset(ws, branch=False) == {}


def test_a_branch_that_is_deleted_is_kept_by_a_ref(ws: Workspace, repo: Repo) -> None:
    tip = repo.git("rev-parse", "lerim/memory")

    (kept,) = reset(ws, branch=True).values()

    assert kept
    assert repo.git("rev-parse", kept) == tip
    assert repo.git("branch", "--list", "lerim/*") == ""
    assert reset(ws, branch=True) == {}


@pytest.mark.usefixtures("ws")
def test_a_reset_that_the_user_wanted_is_not_named_as_a_loss_and_any_other_is(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    for title in ("One", "Two"):
        cli.main(["remember", f"{title} is a thing of ours."])
        assert cli.main(["reset", "--branch", "--yes"]) == 0
        assert "to bring them back: git lerim doctor --restore" in capsys.readouterr().err
        cli.main(["remember", "Something else that is new."])

        cli.main(["status"])
        cli.main(["doctor"])

        said = capsys.readouterr().out
        assert ("lost " in said, "was rewound" in said) == (False, False)
        assert "ok       branch: what you deleted with reset --branch is still in" in said
    cli.main(["doctor", "--restore"])
    cli.main(["list"])
    assert "Two is a thing" in capsys.readouterr().out
    repo.git("update-ref", "-d", "refs/heads/lerim/memory")

    cli.main(["status"])

    assert "deleted; to restore it: git lerim doctor --restore" in capsys.readouterr().out


@pytest.mark.usefixtures("ws")
def test_a_branch_that_came_back_and_is_lost_again_is_named(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["reset", "--branch", "--yes"])
    repo.git("branch", "lerim/memory", "refs/lerim/backup/memory")
    cli.main(["status"])
    repo.git("branch", "-D", "lerim/memory")
    capsys.readouterr()

    cli.main(["status"])

    assert "deleted; to restore it: git lerim doctor --restore" in capsys.readouterr().out


def test_a_link_in_place_of_a_folder_is_removed_and_not_followed(
    ws: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine\n")
    ws.folder.mkdir(exist_ok=True)
    (ws.folder / "runs").symlink_to(tmp_path / "mine")

    reset(ws, branch=False)

    assert (tmp_path / "mine" / "file").exists()
    assert "runs" not in names(ws.folder)


def test_what_cannot_be_deleted_is_named(ws: Workspace) -> None:
    (ws.folder / "activity.log" / "odd").mkdir(parents=True)
    (ws.folder / "catalog.sqlite3").symlink_to(ws.folder)
    reset(ws, branch=False)
    ws.folder.rename(ws.folder.with_name("lerim-before"))
    ws.folder.write_text("a file where the folder should be\n")

    with pytest.raises(ReadOnly, match="could not be deleted"):
        reset(ws, branch=False)
