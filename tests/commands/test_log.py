import pytest
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


def test_that_nothing_fits_is_not_called_that_nothing_happened(
    here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log"]) == 0
    assert capsys.readouterr().err == "no history yet\n"

    store_at(here.path).commit(adding(1))
    assert main(["log", "--op", "remember"]) == 0
    assert capsys.readouterr() == ("", "no matching entries\n")


@pytest.mark.usefixtures("here")
def test_an_operation_that_does_not_exist_is_a_mistake_of_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["log", "--op", "nonsense", "--json"]) == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[0] == "git lerim: unknown operation 'nonsense'"
    assert "remember" in told.err


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("log", "--since"), "--since"),
        (("search", "word", "--since"), "--since"),
        (("sync", "--since"), "--since"),
        (("sync", "--until"), "--until"),
    ],
)
@pytest.mark.parametrize(
    "date",
    ["2 weeks ago", "2026-02-20", "2026-02", "7d", "24h", "2026-02-20T09:30:00Z", "yesterday"],
)
def test_a_date_is_the_same_thing_wherever_one_is_asked_for(
    words: tuple[str, ...], asked: str, date: str, here: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(here.path).commit(adding(1))

    assert main([*words, date, *(("--since", "2000-01-01") if asked == "--until" else ())]) == 0
    assert main(["list", "--at", date]) == 0
    capsys.readouterr()
    assert main([*words, "soonish"]) == 2
    refused = capsys.readouterr().err.splitlines()
    assert refused[0] == f"git lerim: invalid {asked} 'soonish'"
    assert main(["list", "--at", "soonish"]) == 2
    takes = refused[1].removeprefix("hint: expected ")
    assert takes.startswith("a date")
    assert (
        capsys.readouterr().err.splitlines()[1]
        == f"hint: expected a revision such as v1.2, or {takes}"
    )
