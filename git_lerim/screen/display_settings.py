"""What git's configuration says about colours and the pager."""

import os

from git_lerim.git import fast_repo
from git_lerim.git.running import posix_spawn

_KEYS = r"^(color\.(ui|pager)|core\.pager|pager\.lerim)$"
_ASK = ["config", "--show-scope", "--null", "--get-regexp", _KEYS]
# Settings that are ignored in the repository's own scopes: a repository may come from a stranger,
# and must not choose a program that runs when something is shown.
_PAGERS = ("core.pager", "pager.lerim")
_OWN_SCOPES = ("local", "worktree")


def read() -> dict[str, str]:
    """Return the names and values of git's settings for colours and the pager.

    They are read by one git process. A pager that the repository's own configuration names is left
    out: the repository may come from a stranger.
    """
    fields = os.fsdecode(_answer() or b"").split("\0")
    settings = {}
    for scope, entry in zip(fields[::2], fields[1::2], strict=False):
        key, newline, value = entry.partition("\n")
        if scope not in _OWN_SCOPES or not key.endswith(_PAGERS):
            settings[key] = value if newline else "true"
    return settings


def may_force_colours() -> bool:
    """Return whether a configuration file may set color.ui to `always`, that is, also for pipes."""
    try:
        around = fast_repo.find_repo(os.getcwd())  # noqa: PTH109 pathlib costs more than the answer
    except OSError:  # the folder is gone
        return False
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
