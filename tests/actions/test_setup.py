from pathlib import Path

import pytest
from support import repos
from support.claude import Recording
from support.repos import Repo
from support.stores import adding, store_at, titles

from git_lerim.actions import setup
from git_lerim.agents import roster
from git_lerim.cli import main
from git_lerim.errors import LerimError, UsageError
from git_lerim.workspace import Workspace, open_workspace


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


def connected() -> set[str]:
    return {row.agent for row in setup.connections(open_workspace()) if row.connected}


def test_the_branch_is_made_once(ws: Workspace, repo: Repo, sealed_world: Path) -> None:
    Recording(sealed_world, str(repo.path)).prompt("x")
    first = setup.init(ws)
    again = setup.init(open_workspace())

    assert (first.branch, first.made, first.taken_from, first.agents) == (
        "lerim/memory",
        True,
        None,
        {"claude": 1},
    )
    assert first.commit == repo.git("rev-parse", "lerim/memory")
    assert (again.commit, again.made) == (first.commit, False)


def test_the_remotes_branch_is_taken_where_it_was_fetched(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")

    begun = setup.init(open_workspace())

    assert (begun.made, begun.taken_from) == (True, "origin/lerim/memory")
    assert begun.commit == repo.git("rev-parse", "lerim/memory")
    assert titles(store_at(tmp_path / "clone").snapshot()) == {"Use thing 1"}


def test_the_remote_can_have_another_name(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_at(repo.path).commit(adding(1))
    clone = repos.normal(tmp_path / "clone")
    clone.git("remote", "add", "upstream", str(repo.path))
    clone.git("fetch", "-q", "upstream")
    monkeypatch.chdir(clone.path)
    clone.git("config", "lerim.remote", "upstream")

    assert setup.init(open_workspace()).taken_from == "upstream/lerim/memory"


def test_all_agents_are_connected_until_somebody_says_otherwise(ws: Workspace, repo: Repo) -> None:
    everybody = connected()
    setup.disconnect(ws, "codex")
    without = connected()
    setup.connect(open_workspace(), "codex", None)
    with_it = connected()
    setup.connect_auto(open_workspace())

    assert everybody == with_it == set(roster.AGENTS)
    assert without == everybody - {"codex"}
    assert repo.git("config", "--get", "lerim.agents", check=False) == ""


def test_the_last_agent_can_be_disconnected_and_one_connected_again(ws: Workspace) -> None:
    for name in roster.AGENTS:
        setup.disconnect(open_workspace(), name)
    nobody = connected()
    setup.connect(open_workspace(), "pi", None)

    assert (nobody, connected()) == (set(), {"pi"})
    setup.connect(ws, "pi", None)
    assert connected() == {"pi"}


def test_a_place_is_noted_and_forgotten(
    ws: Workspace, repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Recording(sealed_world / "else where", str(repo.path)).prompt("x")
    place = sealed_world / "else where" / ".claude"
    monkeypatch.chdir(sealed_world)
    setup.connect(ws, "claude", "else where/.claude")
    monkeypatch.chdir(repo.path)

    (row,) = (row for row in setup.connections(open_workspace()) if row.agent == "claude")
    setup.disconnect(open_workspace(), "claude")

    assert (row.paths, row.sources) == ((str(place),), 1)
    assert repo.git("config", "--get", "lerim.claude.path", check=False) == ""


def test_a_place_below_the_home_folder_is_looked_into(
    ws: Workspace, repo: Repo, sealed_world: Path
) -> None:
    Recording(sealed_world / "else", str(repo.path)).prompt("x")
    repo.git("config", "--global", "lerim.claude.path", "~/else/.claude")

    (row,) = (row for row in setup.connections(open_workspace()) if row.agent == "claude")

    assert (row.paths, row.sources) == ((str(sealed_world / "else/.claude"),), 1)
    assert ws.settings.paths == {}


def test_what_is_unknown_or_not_there_is_refused(ws: Workspace, repo: Repo) -> None:
    before = repo.git("config", "--local", "--list")

    with pytest.raises(UsageError, match="does not exist"):
        setup.connect(ws, "claude", "/no/such/folder")
    for name in ("nobody", "", "../claude"):
        with pytest.raises(LerimError):
            setup.connect(ws, name, None)
        with pytest.raises(LerimError):
            setup.disconnect(ws, name)

    assert repo.git("config", "--local", "--list") == before


@pytest.mark.parametrize(
    "case",
    [
        ("dev", "dev", "dev has no file `format`, so it is not a memory branch"),
        ("lerim/memory", "lerim", "a branch called lerim leaves no room for lerim/memory"),
        ("lerim", "lerim/x", "branches below lerim/ leave no room for lerim"),
    ],
)
def test_a_branch_that_cannot_hold_the_memory_is_reported_by_init_status_and_doctor(
    repo: Repo,
    case: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    setting, branch, why = case
    repo.git("branch", branch)
    repo.git("config", "lerim.branch", setting)
    monkeypatch.chdir(repo.path)

    assert main(["init"]) == 1
    assert why in capsys.readouterr().err
    assert main(["status"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert why in first
    assert "sync creates it" not in first
    assert main(["doctor"]) == 1
    report = capsys.readouterr().out
    assert f"problem  branch: {why}" in report
    assert "sync creates it" not in report
