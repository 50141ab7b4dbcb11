"""Keep git, where it only reads, from running programs that a repository's configuration names."""

import os
import re
from functools import cache

from git_lerim.git.repo import Place
from git_lerim.git.running.environment import EMPTY
from git_lerim.git.running.process import run_git

_DRIVER = re.compile(r"(filter|diff)\.(.+)\.[a-z]+", re.DOTALL)
_OWN_SCOPES = ("local", "worktree")
_OFF = {
    "filter": ("clean", "smudge", "process", "required"),
    "diff": ("textconv", "command"),
}


_TRANSPORT = (
    r"^(remote\..*\.(uploadpack|vcs|proxy)|core\.(sshcommand|gitproxy|askpass)|"
    r"credential\.(.*\.)?helper)$"
)
_OFFLINE = tuple(
    word
    for name in ("", "file.", "git.", "ssh.", "http.", "https.")
    for word in ("-c", f"protocol.{name}allow=never")
)


@cache
def transport_programs(place: Place) -> tuple[str, ...]:
    """Return the keys by which the repository's own configuration names programs for a fetch."""
    listed = run_git(
        place.git("config", "--show-scope", "--name-only", "-z", "--get-regexp", _TRANSPORT),
        cwd=place.git_dir,
        check=False,
    )
    words = os.fsdecode(listed).split("\0")
    return tuple(
        key for scope, key in zip(words[::2], words[1::2], strict=False) if scope in _OWN_SCOPES
    )


@cache
def disable_drivers(place: Place) -> tuple[str, ...]:
    """Return the git options that disable all configured drivers.

    They also forbid git to fetch what a partial clone lacks, if the repository's own configuration
    names a program for that.
    """
    listed = run_git(
        place.git("config", "--name-only", "-z", "--get-regexp", r"^(filter|diff)\."),
        cwd=place.git_dir,
        check=False,
    )
    names = (_DRIVER.fullmatch(name) for name in os.fsdecode(listed).split("\0"))
    found = dict.fromkeys((name[1], name[2]) for name in names if name)
    drivers = (
        word
        for kind, name in found
        for key in _OFF[kind]
        for word in _emptied(f"{kind}.{name}.{key}")
    )
    return (*drivers, *(_OFFLINE if transport_programs(place) else ()))


def _emptied(key: str) -> tuple[str, ...]:
    """Return the options that empty a setting; `-c` ends a key at its first `=`."""
    return (f"--config-env={key}={EMPTY}",) if "=" in key else ("-c", f"{key}=")
