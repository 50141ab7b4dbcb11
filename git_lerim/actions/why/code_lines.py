"""Read the lines of a file that a user asks about, name their symbols, and find moved lines."""

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from git_lerim.actions.why.code_location import Target
from git_lerim.git.history import code_commits
from git_lerim.memories.memory import Anchor
from git_lerim.recall.why import symbols
from git_lerim.recall.why.why import Lines, moved
from git_lerim.workspace import Workspace


def names(ws: Workspace, asked: Target) -> list[str]:
    """Return the symbols, such as functions, that the requested lines define or are part of."""
    text = content(ws, asked) if asked.lines else None
    return symbols.names_of(text, asked.lines) if text and asked.lines else []


def content(ws: Workspace, asked: Target) -> list[bytes] | None:
    """Return the lines of the file in the requested version, or None if it cannot be read."""
    if asked.live and ws.place.worktree:
        return _in_worktree(ws.place.worktree / asked.path)
    text = code_commits.content(ws.place, f"{asked.tip}:{asked.path}") if asked.tip else None
    return None if text is None else text.splitlines()


def _in_worktree(path: Path) -> list[bytes] | None:
    """Return the lines of a file, or the target of a symbolic link, as git stores it.

    Returns None for anything else, such as a device, which could have no end.
    """
    try:
        if path.is_symlink():
            return [os.fsencode(path.readlink())]
        return path.read_bytes().splitlines() if path.is_file() else None
    except OSError:
        return None


def follower(ws: Workspace, asked: Target) -> Callable[[Anchor], Sequence[Lines] | None]:
    """Return a function that maps an anchor to its lines in the requested version of the file."""

    @cache
    def now() -> list[bytes] | None:
        return content(ws, asked)

    def present(anchor: Anchor) -> Sequence[Lines] | None:
        if anchor.lines is None or anchor.blob is None:
            return None if anchor.lines is None else [anchor.lines]
        old, new = code_commits.content(ws.place, anchor.blob), now()
        return None if old is None or new is None else moved(old.splitlines(), new, anchor.lines)

    return present
