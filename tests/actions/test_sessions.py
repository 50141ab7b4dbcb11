from pathlib import Path

import pytest
from support.claude import ID, Recording
from support.repos import Repo

from git_lerim.actions import sessions
from git_lerim.actions.sync.run_sync import sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.errors import UnknownMemory
from git_lerim.workspace import Workspace, open_workspace

OTHER = "7c0d2b3a-0000-4000-8000-000000000002"
GONE = "9e0d2b3a-0000-4000-8000-000000000003"


@pytest.fixture
def ws(repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a repository that has read a session of its own, one of another one, and one whose
    folder is gone.
    """
    other = repo.path.parent / "other"
    Repo(repo.path.parent).git("init", "-q", "other")
    Recording(sealed_world, str(repo.path)).prompt("Use SQLite").reply("I do.")
    Recording(sealed_world, str(other), id=OTHER).prompt("Elsewhere")
    Recording(sealed_world, str(repo.path.parent / "gone away"), id=GONE).prompt("Where am I?")
    monkeypatch.chdir(repo.path)
    sync(open_workspace(), Options(window="all", extract=False), lambda *_: None)
    return open_workspace()


def states(rows: list[sessions.Row]) -> dict[str, str]:
    return {row.name.partition("/")[2]: row.state for row in rows}


MINE = ID


def test_sessions_of_other_repositories_are_shown_when_all_are_asked_for(ws: Workspace) -> None:
    assert states(sessions.list_sessions(ws, everything=False)) == {
        MINE: "waiting",
        GONE: "unscoped",
    }
    assert states(sessions.list_sessions(ws, everything=True)) == {
        MINE: "waiting",
        GONE: "unscoped",
        OTHER: "elsewhere",
    }


def test_a_row_tells_what_is_known(ws: Workspace, repo: Repo) -> None:
    row = sessions.get_session(ws, "5b0c")

    assert (row.name, row.state, row.records, row.prompts, row.kept) == (
        f"claude/{MINE}",
        "waiting",
        2,
        1,
        2,
    )
    assert (row.started, row.ended, row.places, row.model) == (
        "2026-02-20T09:00:01Z", row.ended, [str(repo.path)], "claude-opus",
    )  # fmt: skip
    assert row.as_dict()["name"] == row.name
    assert sessions.get_session(ws, GONE).reason.startswith("its folder is gone")


@pytest.mark.parametrize("name", ["nothing", "codex/5b0c", ""])
def test_one_session_must_be_meant(ws: Workspace, name: str) -> None:
    with pytest.raises(UnknownMemory, match=r"no session is|3 sessions are"):
        sessions.get_session(ws, name)


def test_a_session_is_left_out_and_put_back(ws: Workspace) -> None:
    skipped = sessions.skip(ws, ["5b0c"])
    queued = sessions.list_queue(ws)
    again = sessions.retry(ws, [f"claude/{MINE}"])

    assert [(row.state, row.reason) for row in skipped] == [("skipped", "skipped by you")]
    assert queued == skipped
    assert [row.state for row in again] == ["waiting"]


def test_one_that_is_unknown_leaves_all_as_they_are(ws: Workspace) -> None:
    with pytest.raises(UnknownMemory):
        sessions.skip(ws, ["5b0c", "nothing"])

    assert [row.state for row in sessions.list_queue(ws)] == ["waiting"]


def test_a_clock_that_was_wrong_is_listed_too(ws: Workspace) -> None:
    with ws.catalog() as catalog, catalog.writing():
        catalog.execute("UPDATE sessions SET started = ?, ended = ?", (-(10**15), 10**15))

    row = sessions.get_session(ws, "5b0c")

    assert (row.started, row.ended) == ("1970-01-01T00:00:00Z", "9999-12-30T23:59:59Z")


def test_looking_where_nothing_was_read_makes_no_catalog(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    ws = open_workspace()

    assert sessions.list_sessions(ws, everything=True) == sessions.list_queue(ws) == []
    assert not ws.folder.exists()


def test_a_path_is_quoted_as_a_shell_takes_it() -> None:
    quoted = "'/gone away/it'\"'\"'s'"
    assert (
        sessions.adopting_command("/gone away/it's")
        == f"git config --add lerim.repositoryPath {quoted}"
    )


def test_nothing_names_no_session_not_even_the_only_one(ws: Workspace) -> None:
    with pytest.raises(UnknownMemory, match="no session is called ''"):
        sessions.skip(ws, [""])
    with pytest.raises(UnknownMemory, match="no session is called 'claude/'"):
        sessions.skip(ws, ["claude/"])
