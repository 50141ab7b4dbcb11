import pytest
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


def test_a_branch_that_was_not_there_is_not_said_to_be_deleted(
    here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(here.path).commit(adding(1))
    assert main(["reset", "--branch", "--yes"]) == 0
    assert capsys.readouterr().out == "Deleted the local state and the branch lerim/memory\n"

    assert main(["reset", "--branch", "--yes"]) == 0
    assert capsys.readouterr().out == "Deleted the local state; there was no branch lerim/memory\n"
