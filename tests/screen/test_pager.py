from pathlib import Path

import pytest
from support.repos import Repo
from support.terminal import screen

from git_lerim.cli import main

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)  # the child does nothing with them


@pytest.fixture
def long(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository whose list is longer than a screen of three rows."""
    monkeypatch.chdir(repo.path)
    for number in range(3):
        main(["remember", f"Number {number} was decided.", "--decision"])
    return repo.path


@pytest.mark.parametrize("words", [["list"], ["list", "--all"], ["search", "number"]])
def test_output_longer_than_the_screen_goes_through_the_pager_in_colour(
    long: Path, words: list[str]
) -> None:
    for _ in range(2):  # the second is answered at once
        code, shown = screen(long, *words, rows=3, env={"GIT_PAGER": "sed 's/^/paged: /'"})

        assert code == 0
        assert shown.startswith("paged: \x1b[33m")
        assert shown.count("paged: ") >= 3


@pytest.mark.parametrize("words", [["list"], ["list", "--all"]])
def test_output_that_fits_or_is_not_to_be_paged_is_printed(long: Path, words: list[str]) -> None:
    pager = {"GIT_PAGER": "sed 's/^/paged: /'"}

    shown = [
        screen(long, *words, rows=24, env=pager)[1],
        screen(long, *words, "--no-pager", rows=3, env=pager)[1],
        screen(long, "--no-pager", *words, rows=3, env=pager)[1],
        screen(long, *words, rows=3, env={"GIT_PAGER": "cat"})[1],
    ]

    assert [text.count("\n") for text in shown] == [3, 3, 3, 3]
    assert "paged" not in "".join(shown)


@pytest.mark.parametrize(
    ("settings", "env", "mark"),
    [
        ({}, {"PAGER": "sed s/^/p:/"}, "p:"),
        ({"core.pager": "sed s/^/core:/"}, {"PAGER": "sed s/^/p:/"}, "core:"),
        ({"core.pager": "cat", "pager.lerim": "sed s/^/own:/"}, {}, "own:"),
        ({"pager.lerim": "sed s/^/own:/"}, {"GIT_PAGER": "sed s/^/env:/"}, "env:"),
        ({"pager.lerim": "false"}, {"GIT_PAGER": "sed s/^/env:/"}, "\x1b[33m"),
        ({"pager.lerim": "true", "core.pager": "sed s/^/core:/"}, {}, "core:"),
    ],
)
def test_the_pager_is_looked_for_where_git_looks(
    long: Path, repo: Repo, settings: dict[str, str], env: dict[str, str], mark: str
) -> None:
    for name, value in settings.items():
        repo.git("config", "--global", name, value)

    assert screen(long, "list", rows=3, env=env)[1].startswith(mark)


@pytest.mark.parametrize("command", ["/no/such/pager", "no-such-pager --with option"])
def test_a_pager_that_cannot_be_run_costs_no_output(long: Path, command: str) -> None:
    code, shown = screen(long, "list", rows=3, env={"GIT_PAGER": command})

    assert code == 0
    assert shown.count("Number") == 3


def test_a_pager_that_is_quit_early_is_no_error(long: Path) -> None:
    code, shown = screen(long, "list", rows=3, env={"GIT_PAGER": "sh -c 'exec <&-; sleep 0.1'"})

    assert (code, shown) == (0, "")


def test_less_gets_the_options_that_git_gives_it(long: Path) -> None:
    assert screen(long, "list", rows=3, env={"GIT_PAGER": 'echo "$LESS $LV"'})[1] == "FRX -c\r\n"
    env = {"GIT_PAGER": 'echo "$LESS"', "LESS": "S"}
    assert screen(long, "list", rows=3, env=env)[1] == "S\r\n"


def test_a_pager_that_the_repository_names_itself_is_not_run(long: Path, repo: Repo) -> None:
    for name in ("core.pager", "pager.lerim"):
        repo.git("config", name, "touch pwned; sed s/^/own:/")

    shown = screen(long, "list", rows=3, env={"PAGER": "sed s/^/p:/"})[1]

    assert shown.startswith("p:")
    assert not (long / "pwned").exists()
