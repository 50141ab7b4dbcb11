"""What git's configuration says about colours and the pager. Imports little."""

import os

from git_lerim.git import fast_repo
from git_lerim.git.running import posix_spawn

_KEYS = r"^(color\.(ui|pager)|core\.pager|pager\.lerim)$"
# a bare repository inside somebody's work tree must not name a program to run
_ASK = ["-c", "safe.bareRepository=explicit", "config", "--null", "--get-regexp", _KEYS]


def read() -> dict[str, str]:
    """Return the settings by name, with one git process; the last value of each."""
    said = _answer() or b""
    entries = (entry.partition("\n") for entry in os.fsdecode(said).split("\0") if entry)
    return {key: value if newline else "true" for key, newline, value in entries}


def may_force_colours() -> bool:
    """Tell whether a configuration file can set color.ui to always, which also colours pipes."""
    around = fast_repo.find_repo(os.getcwd())  # noqa: PTH109 pathlib costs more than the answer
    if around is None or fast_repo.redirecting_variables():
        return True
    return any(map(_mentions_always, fast_repo.config_files(around[2])))


def _mentions_always(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 as above
            text = file.read().lower()
    except OSError:
        return False
    return "always" in text or "[include" in text or "worktreeconfig" in text


def _answer() -> bytes | None:
    if os.name == "posix":
        try:
            return posix_spawn.answer(posix_spawn.start(_ASK, "."))
        except OSError:
            return None
    from git_lerim.git.running.process import run_git  # noqa: PLC0415 subprocess loads slowly

    return run_git(_ASK, check=False)
