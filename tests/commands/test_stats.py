import pytest
from support.repos import Repo

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return the repository that we stand in."""
    monkeypatch.chdir(repo.path)
    return repo


@pytest.mark.usefixtures("here")
def test_the_kinds_of_learnings_stand_below_the_learnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["remember", "We keep tabs, because the linter does."]) == 0
    assert main(["remember", "--decision", "We use SQLite, because it needs no server."]) == 0
    capsys.readouterr()

    assert main(["stats"]) == 0

    active = capsys.readouterr().out.partition("active\n")[2].splitlines()[:3]
    assert [line.split()[0] for line in active] == ["decision", "learning", "fact"]


@pytest.mark.usefixtures("here")
def test_the_bars_are_as_long_as_a_narrow_terminal_has_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["remember", "We keep tabs, because the linter does."]) == 0
    bars = {}
    for columns in (20, 40, 200):
        capsys.readouterr()
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["stats"]) == 0
        lines = [
            line
            for line in capsys.readouterr().out.splitlines()
            if "\N{FULL BLOCK}" in line or "#" in line
        ]
        bars[columns] = max(map(len, lines))

    assert (bars[20], bars[40]) <= (24, 40)
    assert bars[200] > bars[40] > bars[20]


@pytest.mark.usefixtures("here")
def test_what_every_session_is_given_is_not_said_to_be_never_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["remember", "We keep tabs, because the linter does."]) == 0
    assert main(["brief"]) == 0
    assert "We keep tabs" in capsys.readouterr().out

    assert main(["stats"]) == 0

    assert "; never found or opened: 1\n" in capsys.readouterr().out
