"""The line that an agent shows again and again comes from a cache, as long as it is true."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.claude import Recording
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim import cli
from git_lerim.recall.fast import statusline_cache

Look = Callable[[], tuple[str | None, str]]


@pytest.fixture
def look(repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Look:
    """Return what shows the line: what was printed at once (None: nothing), and by the command."""
    for name in [name for name in os.environ if name.startswith("GIT_C")]:
        monkeypatch.delenv(name)  # what seals the world sends every line the long way
    monkeypatch.chdir(repo.path)

    def both() -> tuple[str | None, str]:
        capfd.readouterr()
        at_once = capfd.readouterr().out if statusline_cache.run([]) == 0 else None
        cli.main(["statusline"])
        return at_once, capfd.readouterr().out

    return both


def test_the_line_is_repeated_until_the_memory_the_code_or_the_sessions_change(
    repo: Repo, look: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("git_lerim.recall.fast.statusline_cache._SECONDS", 1 << 40)
    store_at(repo.path).commit(adding(1, 2))
    assert look() == (None, "lerim: 2 memories\n")
    assert look() == ("lerim: 2 memories\n", "lerim: 2 memories\n")

    store_at(repo.path).commit(adding(3))
    assert look() == (None, "lerim: 3 memories\n")

    repo.commit({"a.py": "1\n"})
    assert look() == (None, "lerim: 3 memories\n")

    Recording(tmp_path / "home", str(repo.path)).prompt("Never use floats for money.")
    cli.main(["sync", "--no-extract"])
    assert look()[0] is None

    assert look()[0] is not None
    monkeypatch.setattr("git_lerim.recall.fast.statusline_cache._SECONDS", 1)
    assert look()[0] is None


def test_without_a_memory_or_with_odd_words_nothing_is_printed_at_once(
    repo: Repo, look: Look
) -> None:
    assert look() == (None, "")
    store_at(repo.path).commit(adding(1))
    look()
    assert statusline_cache.run(["--help"]) is None


def test_a_line_that_could_control_the_terminal_is_not_printed(repo: Repo, look: Look) -> None:
    store_at(repo.path).commit(adding(1))
    look()
    cached = repo.path / ".git/lerim/statusline"
    cached.write_text(cached.read_text().replace("1 memory", "\x1b[2J1 memory"))

    assert look()[0] is None
