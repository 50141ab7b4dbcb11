from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.actions.undo import last_run
from git_lerim.cli import main
from git_lerim.errors import UsageError
from git_lerim.workspace import open_workspace


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two memories."""
    monkeypatch.chdir(repo.path)
    for title in ("First", "Second"):
        main(["remember", f"{title} of all.", "--decision", "--title", title])
    return repo.path


def listed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main(["list", "--format=%s"])
    return sorted(capsys.readouterr().out.splitlines())


@pytest.mark.usefixtures("here")
def test_without_a_terminal_a_bare_undo_says_what_it_would_take_back_and_does_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    assert main(["undo"]) == 1

    told = capsys.readouterr().err
    assert "remember: Second" in told
    assert "nothing was done" in told
    assert "--yes" in told
    assert listed(capsys) == ["First", "Second"]


@pytest.mark.usefixtures("here")
def test_each_bare_undo_takes_back_one_more_until_nothing_is_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["undo", "--yes"]) == 0
    assert listed(capsys) == ["First"]

    assert main(["undo", "--yes"]) == 0
    assert listed(capsys) == []

    assert main(["undo", "--yes"]) == 2
    assert "nothing to undo" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_what_was_done_after_an_undo_is_the_last_again(capsys: pytest.CaptureFixture[str]) -> None:
    main(["undo", "--yes"])
    main(["remember", "Third of all.", "--decision", "--title", "Third"])

    assert main(["undo", "--yes"]) == 0
    assert listed(capsys) == ["First"]


def test_a_run_is_taken_back_as_a_whole(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "CLAUDE.md").write_text("- Always use cents for prices.\n- Never mock the clock.\n")
    assert main(["import", "CLAUDE.md"]) == 0
    assert len(listed(capsys)) == 4

    name, commits = last_run(open_workspace())

    assert name.startswith("import-")
    assert all(("Lerim-Run", name) in commit.trailers for commit in commits)
    assert main(["undo", "--yes"]) == 0
    assert listed(capsys) == ["First", "Second"]


def test_an_empty_memory_has_nothing_to_take_back(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    with pytest.raises(UsageError, match="nothing to undo"):
        last_run(open_workspace())


def id_of(title: str) -> str:
    memories = open_workspace().store.snapshot().memories
    return next(id_ for id_, item in memories.items() if item.memory.title == title)


def test_what_a_later_commit_set_again_stays_when_the_first_is_undone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = id_of("First")
    main(["forget", id_])
    first = Repo(here).git("rev-parse", "lerim/memory")
    main(["restore", id_])
    main(["forget", id_])

    assert main(["undo", first, "--yes"]) == 0
    assert "nothing to undo" in capsys.readouterr().err
    assert listed(capsys) == ["Second"]

    for expected in (["First", "Second"], ["Second"], ["First", "Second"], ["First"]):
        assert main(["undo", "--yes"]) == 0
        assert listed(capsys) == expected


def test_a_bare_undo_gets_past_what_has_nothing_left_to_undo(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Repo(here)
    main(["forget", id_of("First")])
    parents = ("-p", "lerim/memory", "-p", "lerim/memory~1")
    merge = repo.git("commit-tree", "lerim/memory~1^{tree}", *parents, "-m", "keep the other side")
    repo.git("update-ref", "refs/heads/lerim/memory", merge)
    assert listed(capsys) == ["First", "Second"]

    assert main(["undo", "--yes"]) == 0

    assert listed(capsys) == ["First"]
