import pytest
from support.repos import Repo
from support.stores import store_at

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


def test_a_warning_is_not_called_as_it_should_be(
    here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert capsys.readouterr().err == "2 warnings\n"  # neither a branch nor an agent's sessions

    store_at(here.path).start()
    assert main(["doctor"]) == 0
    assert capsys.readouterr().err == "1 warning\n"
