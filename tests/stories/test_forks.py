"""The forks that `World.lerim` runs are as processes that Python starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import forks
from support.repos import Repo
from support.terminal import typing
from support.world import World

from git_lerim.storage.writing.lock import Lock

# a verb that has to load its modules itself, in whatever order it comes to them
ALONE = """
import importlib, pkgutil, sys
from git_lerim import commands, workspace
for verb in pkgutil.iter_modules(commands.__path__, "git_lerim.commands."):
    for name in [*sys.modules]:
        if name.startswith(("git_lerim.actions", "git_lerim.commands", "git_lerim.serve")):
            del sys.modules[name]
    importlib.import_module(verb.name)
    print(verb.name)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there are no forks")
@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["config", "--json"], ""),
        (["show", "no such memory"], ""),
        (["remember", "-", "--dry-run"], "What comes from\nstandard input: ü."),
        (["frobnicate"], ""),
        (["brief"], ""),
    ],
)
def test_a_fork_says_what_a_process_says(
    words: list[str], stdin: str, world: World, repo: Repo
) -> None:
    started = World(world.home, starts_python=True)

    assert world.lerim(repo.path, *words, stdin=stdin) == started.lerim(
        repo.path, *words, stdin=stdin
    )


@pytest.mark.parametrize("typed", ["n\n", "perhaps\nn\n", "\x04"])
def test_a_fork_on_a_terminal_shows_what_a_process_shows(
    typed: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked = typing(repo.path, ["install", "--hooks"], typed)
    monkeypatch.setenv("PYTHONHASHSEED", "0")

    assert not forks.can_run(os.environ)
    assert forked == typing(repo.path, ["install", "--hooks"], typed)


def test_a_fork_sees_the_folder_the_environment_and_the_git_configuration_that_it_is_given(
    world: World, repo: Repo
) -> None:
    elsewhere = {"HOME": str(repo.path), "GIT_CONFIG_GLOBAL": str(repo.path / ".gitconfig")}
    (repo.path / ".gitconfig").write_text("[user]\n\tname = Bob\n\temail = b@example.org\n")

    world.lerim(repo.path, "remember", "Ada was here.")
    world.lerim(repo.path, "remember", "Bob was here.", env=elsewhere)

    assert repo.git("log", "-2", "--format=%an", "lerim/memory") == "Bob\nAda Tester"


def test_a_fork_that_takes_too_long_is_ended(world: World, repo: Repo) -> None:
    with (
        Lock(repo.path / ".git" / "lerim" / "lock").acquire(1),
        pytest.raises(subprocess.TimeoutExpired),
    ):
        world.lerim(repo.path, "sync", "--wait", "60", timeout=1)

    assert world.lerim(repo.path, "config").code == 0


def test_what_python_reads_at_its_start_takes_a_process_that_it_starts() -> None:
    assert forks.can_run({**forks.INHERITED, "HOME": "/home/ada"})
    assert not forks.can_run({**forks.INHERITED, "HOME": "/home/ada", "PYTHONPATH": "/x"})
    assert not forks.can_run({**forks.INHERITED, "HOME": "/home/ada", "LC_ALL": "de_DE"})
    assert not forks.can_run({"PATH": "/bin"})


def test_each_verb_can_be_the_first_that_loads_its_modules() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=False
    )
    commands = Path(__file__).parents[2] / "git_lerim" / "commands"

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len([*commands.glob("[!_]*.py")])
