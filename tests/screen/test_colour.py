import os
import subprocess
from pathlib import Path

import pytest
from support.repos import Repo
from support.terminal import screen

from git_lerim.cli import main

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)  # the child does nothing with them


@pytest.fixture
def listed(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a memory."""
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("NO_COLOR", "")
    main(["remember", "Prices are cents.", "--decision"])
    return repo.path


@pytest.mark.parametrize(
    ("option", "variable", "setting", "coloured"),
    [
        ("", "", "", (True, False)),
        ("", "1", "", (False, False)),
        ("", "", "never", (False, False)),
        ("", "", "false", (False, False)),
        ("", "", "auto", (True, False)),
        ("", "", "always", (True, True)),
        ("", "1", "always", (False, False)),
        ("--color=always", "1", "never", (True, True)),
        ("--color=never", "", "always", (False, False)),
        ("--color=auto", "", "never", (True, False)),
        ("--color=auto", "", "always", (True, False)),
    ],
)
def test_the_option_counts_first_then_the_variable_then_the_setting(
    listed: Path,
    capfd: pytest.CaptureFixture[str],
    *,
    option: str,
    variable: str,
    setting: str,
    coloured: tuple[bool, bool],
) -> None:
    os.environ["NO_COLOR"] = variable
    if setting:
        subprocess.run(["git", "config", "color.ui", setting], cwd=listed, check=True)
    given = ["list", option] if option else ["list"]

    shown = screen(listed, *given)[1]
    capfd.readouterr()
    main(given)

    assert ("\x1b[" in shown, "\x1b[" in capfd.readouterr().out) == coloured


@pytest.mark.parametrize("words", [["list"], ["search", "prices"]])
def test_what_is_answered_at_once_obeys_too(listed: Path, words: list[str]) -> None:
    main(words)

    assert "\x1b[" not in screen(listed, *words, "--color=never")[1]
    assert "\x1b[33m" in screen(listed, *words, "--color", "always", env={"NO_COLOR": "1"})[1]


def test_a_dumb_terminal_is_not_coloured(listed: Path) -> None:
    assert "\x1b" not in screen(listed, "list", env={"TERM": "dumb"})[1]


def test_in_gits_own_pager_colour_is_kept_unless_color_pager_says_no(
    listed: Path, repo: Repo, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listed.exists()
    monkeypatch.setenv("GIT_PAGER_IN_USE", "true")
    monkeypatch.setenv("TERM", "xterm")
    capfd.readouterr()
    main(["list"])
    assert "\x1b[33m" in capfd.readouterr().out

    repo.git("config", "color.pager", "false")
    main(["list"])
    assert "\x1b" not in capfd.readouterr().out


def test_another_word_than_the_three_is_a_usage_error(
    listed: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert listed.exists()
    assert main(["list", "--color=blue"]) == 2
    assert "'auto', 'always', 'never'" in capfd.readouterr().err
