"""Seal the world of every test: its own home, its own git configuration, a fixed time zone, nothing
of this machine.
"""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pygit2
import pytest
from hypothesis import settings
from pygit2.enums import ConfigLevel
from support import repos
from support.chat import Endpoint, serving
from support.world import World

settings.register_profile("patient", deadline=None)  # a machine with much to do is no failure
settings.register_profile("thorough", deadline=None)  # see support/examples.py
settings.load_profile("patient")
# Where the environment forbids it, each process that a test starts would compile the program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A shell starts what it leaves in the background with Ctrl-C ignored, and every process that a test
# starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup starts what it is given with it ignored
ROOM = 4 << 30  # bytes
NUMBERS = count()  # of the tests' homes
OF_THIS_MACHINE = (
    "GIT_", "LERIM_", "XDG_", "CLAUDE", "AI_AGENT", "CODEX_", "CURSOR_", "OPENCODE", "COPILOT_",
    "PI_", "GEMINI_",
    "OPENAI_", "ANTHROPIC_", "CLINE_",
)  # fmt: skip
GITCONFIG = """\
[user]
\tname = Ada Tester
\temail = ada@example.org
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[maintenance]
\tauto = false
[receive]
\tautogc = false
[core]
\tfsync = none
"""


def in_memory() -> Path | None:
    """Return a file system in memory that has room for what the tests write, or None."""
    place = Path("/dev/shm")  # noqa: S108 pytest makes a folder of its own there
    try:
        free = os.statvfs(place)
        (kilobytes,) = re.findall(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text())
    except (OSError, ValueError):
        return None
    runs_files = not free.f_flag & os.ST_NOEXEC and os.access(place, os.W_OK)
    is_large = min(free.f_bavail * free.f_frsize, int(kilobytes) << 10) > ROOM
    return place if runs_files and is_large else None


# what is flushed to the disk a thousand times a minute is not waited for; whoever sets TMPDIR chose
if not os.environ.keys() & {"TMPDIR", "PYTEST_DEBUG_TEMPROOT"} and (place := in_memory()):
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(place)


@pytest.fixture(autouse=True)
def sealed_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Give the test a home of its own, with an identity in its git configuration; return
    that home.
    """
    # not beside tmp_path: there, pytest reads through all homes for each new folder's number
    home = tmp_path.parent / "homes" / str(next(NUMBERS))
    home.mkdir(0o700, parents=True)
    for name in [name for name in os.environ if name.startswith(OF_THIS_MACHINE)]:
        monkeypatch.delenv(name)
    for name, folder in {
        "CONFIG": ".config",
        "DATA": ".local/share",
        "CACHE": ".cache",
        "STATE": ".local/state",
    }.items():
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    (home / ".gitconfig").write_text(GITCONFIG)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    # libgit2 keeps the home it saw when it was loaded
    for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = str(
            home if level is ConfigLevel.GLOBAL else home / "none"
        )
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield home
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def repo(tmp_path: Path) -> repos.Repo:
    """Return an ordinary repository with one commit."""
    return repos.normal(tmp_path / "repo")


@pytest.fixture
def endpoint(repo: repos.Repo) -> Iterator[Endpoint]:
    """Return the endpoint of the model that the user has set."""
    with serving() as server:
        repo.git("config", "--global", "lerim.model", "careful")
        repo.git("config", "--global", "lerim.apiBase", server.url)
        yield server


@pytest.fixture
def world(sealed_world: Path) -> World:
    """Return a person at a prompt, in the sealed home."""
    return World(sealed_world)
