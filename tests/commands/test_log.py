import pytest
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


def test_that_nothing_fits_is_not_called_that_nothing_happened(here: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log"]) == 0
    assert capsys.readouterr().err == "nothing happened yet\n"

    store_at(here.path).commit(adding(1))
    assert main(["log", "--op", "remember"]) == 0
    assert capsys.readouterr() == ("", "nothing like that happened\n")


@pytest.mark.usefixtures("here")
def test_an_operation_that_does_not_exist_is_a_mistake_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "--op", "nonsense", "--json"]) == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[0] == "git lerim: there is no operation 'nonsense'"
    assert "remember" in told.err


def test_an_empty_word_names_no_memory_and_no_agent(here: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    store_at(here.path).commit(adding(1))

    assert main(["log", ""]) == 1
    assert "'' is too short for a memory id" in capsys.readouterr().err
    assert main(["log", "--agent", ""]) == 0
    assert capsys.readouterr().err == "nothing like that happened\n"
    assert main(["list", "--tag", ""]) == 0
    assert "no memory is like that" in capsys.readouterr().err
