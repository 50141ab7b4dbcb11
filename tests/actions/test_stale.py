import pytest
from support.repos import Repo
from support.world import World

from git_lerim.actions.stale import notice
from git_lerim.workspace import open_workspace


def test_one_line_says_what_new_commits_made_stale(repo: Repo, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"limits.py": "LIMIT = 10\nDEPTH = 3\n"}, "Add limits")
    for claim in ("`LIMIT` is 10", "`DEPTH` is 3"):
        world.lerim(repo.path, "remember", claim, "--file", "limits.py")
    first = repo.commit({"limits.py": "LIMIT = 20\nDEPTH = 3\n"}, "Raise the limit")
    second = repo.commit({"limits.py": "LIMIT = 20\nDEPTH = 4\n"}, "Go deeper")
    monkeypatch.chdir(repo.path)

    line = notice(open_workspace(), [second])

    assert line.startswith("git lerim: stale now: ")
    assert "'`DEPTH` is 3'; git lerim stale shows why" in line
    assert " and 1 more; " in notice(open_workspace(), [first, second])
    assert notice(open_workspace(), []) == ""
