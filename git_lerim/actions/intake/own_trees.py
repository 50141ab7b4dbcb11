"""Leave out session files in work trees: others may have committed them."""

import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from git_lerim.agents.base import Agent, Places, Source
from git_lerim.git import repo
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True)
class OwnTrees:
    """The work trees of a repository, and the folders that the user chose for agents."""

    trees: tuple[str, ...]  # real paths
    home: Path  # as a real path
    places: Places
    chosen: frozenset[str]  # agents whose folder is set by `connect --path`

    def leave_out(self, agent: Agent, root: Path, warnings: list[str]) -> Iterator[Source]:
        """Yield the session files below `root` that are outside the work trees; warn about others.

        Nothing is left out of a folder that the user chose, or that the agent uses by default,
        because the home folder can be a work tree.
        """
        usual = agent.roots(replace(self.places, env={}))
        trusted = agent.NAME in self.chosen or root in usual
        contain = functools.cache(self._contain if root.is_absolute() else self._is_in_any)
        left_out = False
        for source in agent.find(root):
            if trusted or not contain(source.path.parent):
                yield source
            else:
                left_out = True
        if left_out:
            warnings.append(_sentence(agent.NAME, root))

    def _contain(self, folder: Path) -> bool:
        real = Path(os.path.realpath(folder))
        return any(real.is_relative_to(tree) for tree in self.trees)

    def _is_in_any(self, folder: Path) -> bool:
        """Return whether a folder is in any work tree: only a project names a relative path."""
        return any(_around(Path(os.path.realpath(folder)), self.home)) or self._contain(folder)


def own_trees(ws: Workspace) -> OwnTrees:
    """Return the work trees of the repository, and those around them, as around a submodule.

    One that contains the home folder does not count.
    """
    home = Path(os.path.realpath(ws.home))
    real = {os.path.realpath(tree) for tree in _trees(ws)}
    real |= {str(above) for tree in real for above in _around(Path(tree), home)}
    trees = tuple(tree for tree in real if not home.is_relative_to(tree))
    return OwnTrees(trees, home, ws.places, frozenset(ws.settings.paths))


def _around(folder: Path, home: Path) -> Iterator[Path]:
    """Yield the work trees around a folder, without those that contain the home folder."""
    for above in (folder, *folder.parents):
        if os.path.lexists(above / ".git") and not home.is_relative_to(above):
            yield above


def _sentence(agent: str, root: Path) -> str:
    """Return a warning about a folder whose sessions were left out."""
    return (
        f"{root}: its sessions are not read, because they are in a git work tree and"
        f" can be somebody else's; to read them, run: git lerim connect {agent} --path FOLDER"
    )


def _trees(ws: Workspace) -> list[Path]:
    """Return the work trees; for the personal memory, the one around the current folder."""
    if not ws.personal:
        return repo.worktrees(ws.place)
    found = repo.toplevel_of(str(repo.here()))
    return [found[0]] if found else []
