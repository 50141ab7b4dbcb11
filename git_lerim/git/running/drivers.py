"""Disable configured filters, textconv and external diffs where git only reads."""

import os
import re
from functools import cache

from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_DRIVER = re.compile(r"(filter|diff)\.(.+)\.[a-z]+", re.DOTALL)
_OFF = {
    "filter": ("clean=", "smudge=", "process=", "required=false"),
    "diff": ("textconv=", "command="),
}


@cache
def disable_drivers(place: Place) -> tuple[str, ...]:
    """Return the git options that disable all configured drivers."""
    listed = run_git(
        place.git("config", "--name-only", "-z", "--get-regexp", r"^(filter|diff)\."),
        cwd=place.git_dir,
        check=False,
    )
    names = (_DRIVER.fullmatch(name) for name in os.fsdecode(listed).split("\0"))
    found = dict.fromkeys((name[1], name[2]) for name in names if name)
    return tuple(
        word
        for kind, name in found
        for off in _OFF[kind]
        for word in ("-c", f"{kind}.{name}.{off}")
    )
