import pytest
from support.repos import Repo

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


@pytest.mark.usefixtures("here")
def test_the_kinds_of_learnings_stand_below_the_learnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["remember", "We keep tabs, because the linter does."]) == 0
    assert main(["remember", "--decision", "We use SQLite, because it needs no server."]) == 0
    capsys.readouterr()

    assert main(["stats"]) == 0

    active = capsys.readouterr().out.partition("active\n")[2].splitlines()[:3]
    assert [line.split()[0] for line in active] == ["decision", "learning", "fact"]
