from pathlib import Path

import pytest
from support.claude import ID, Recording
from support.repos import Repo

from git_lerim.actions.sync.run_sync import sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.unscoped_sessions import unscoped_sessions
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a repository for which a session whose folder is gone was never read."""
    Recording(sealed_world, "/gone/shop").prompt("Where am I?")
    monkeypatch.chdir(repo.path)
    return open_workspace()


def found(ws: Workspace) -> tuple[list[str], list[str]]:
    them = unscoped_sessions(ws, lambda *_: None)
    return [row.name for row in them.rows], them.folders


def test_before_the_first_sync_they_are_looked_for_and_nothing_is_written(ws: Workspace) -> None:
    assert found(ws) == ([f"claude/{ID}"], ["/gone/shop"])
    assert not ws.folder.exists()


def test_a_file_that_cannot_be_read_is_a_warning(ws: Workspace, sealed_world: Path) -> None:
    (sealed_world / ".claude/projects/gone/broken.jsonl").mkdir(parents=True)
    (sealed_world / ".claude/projects/gone/\udcff.jsonl").write_text("{}\n")

    assert found(ws)[1] == ["/gone/shop"]
    assert [line for line in ws.warnings() if "its name is not UTF-8" in line]


def test_after_a_sync_its_list_is_shown(ws: Workspace) -> None:
    sync(ws, Options(window="all", extract=False), lambda *_: None)
    with ws.catalog() as catalog, catalog.writing():
        catalog.execute("DELETE FROM sessions")

    assert found(ws) == ([], [])
