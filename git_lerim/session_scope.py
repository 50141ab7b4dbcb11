"""Decide which sessions belong to a repository, comparing them with the disk and the history."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.git import repo
from git_lerim.sessions.scope import Ground, Scope, Territory

if TYPE_CHECKING:
    from git_lerim.storage.code import Code


def territory(
    place: repo.Place, extra: tuple[str, ...], remotes: tuple[str, ...], *, personal: bool
) -> Territory:
    """Return the paths and remotes that mark a session as belonging to a repository."""
    if personal:
        return Territory(personal=True, extra=extra)
    trees = [str(path) for path in repo.worktrees(place)]
    both = tuple(dict.fromkeys([*trees, *map(os.path.realpath, trees)]))
    return Territory(worktrees=both, extra=extra, remotes=remotes)


def scope_of(
    place: repo.Place, territory: Territory, code: "Callable[[], Code]", *, personal: bool
) -> Scope:
    """Return the rules that decide which sessions belong to a repository."""
    return Scope(
        territory,
        lambda cwd: _ground(place, cwd, personal=personal),
        lambda commit: code().exists(commit) is not None,
        # slow, since it walks the whole history; few sessions need it
        lambda commit: commit in repo.root_commits(place),
    )


def _ground(place: repo.Place, cwd: str, *, personal: bool) -> Ground:
    """Return whether a folder exists, and to which repository it belongs, if any."""
    if not Path(cwd).is_dir():
        return Ground.GONE
    found = repo.toplevel_of(cwd)
    if found is None:
        return Ground.NONE
    same = os.path.realpath(found[1]) == os.path.realpath(place.common_dir)
    return Ground.OURS if same and not personal else Ground.OTHER
