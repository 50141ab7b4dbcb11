"""Leave out session files that a project, not the user, may have put where a variable points."""

import os
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from git_lerim.agents import roster
from git_lerim.agents.base import Agent, Places, Source
from git_lerim.errors import LerimError
from git_lerim.git import repo
from git_lerim.git.running.process import run_git
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.workspace import Workspace

_RELATIVE = "their path depends on the current folder, so it can be the project's"
_INSIDE = "they are in a git work tree and can be somebody else's"
_TRACKED = "they are tracked by a git repository, or may be, and can be somebody else's"


@dataclass(frozen=True, slots=True)
class OwnTrees:
    """The work trees of a repository, and the folders that the user chose for agents.

    Nothing is left out of a folder that the user chose, or that the agent uses by default, because
    the home folder can be a work tree.
    """

    trees: tuple[str, ...]  # real paths
    home: Path  # as a real path
    places: Places
    paths: Mapping[str, str]  # agent → folder set by `connect --path`
    _found: set[Path] = field(default_factory=set)  # session files that were not left out
    _folders: dict[Path, tuple[Path, str, tuple[Path, ...]]] = field(default_factory=dict)
    _indexes: dict[Path, frozenset[str] | None] = field(default_factory=dict)

    def leave_out(self, agent: Agent, root: Path, warnings: list[str]) -> Iterator[Source]:
        """Yield the session files below `root` that are the user's; warn about others."""
        is_usual = root in self._usual(agent.NAME)
        is_relative, why = not is_usual and _is_relative(root), ""
        for source in agent.find(root):
            found = _RELATIVE if is_relative else "" if is_usual else self._fault(source.path)
            if not found:
                self._found.add(source.path)
                yield source
            why = found or why
        if why:
            warnings.append(_sentence(agent.NAME, root, why))

    def forget_queued(self, catalog: Catalog, agents: Collection[str]) -> None:
        """Take from the queue what was read of files that `leave_out` would now leave out.

        Otherwise a sync without the variable would extract it. Call it after `leave_out` has found
        the files of these agents.
        """
        for name, source in queue.sources(catalog):
            path = Path(source)
            if name not in agents or path in self._found:
                continue
            is_usual = ".." not in path.parts and any(map(path.is_relative_to, self._usual(name)))
            if not is_usual and (_is_relative(path) or self._fault(path)):
                queue.forget_source(catalog, name, source)

    def _usual(self, name: str) -> list[Path]:
        """Return the folders that the user chose for an agent, and those it uses by default."""
        bare = replace(self.places, env={})
        return [*roster.roots(name, bare, self.paths), *roster.roots(name, bare, {})]

    def _fault(self, path: Path) -> str:
        """Return why a session file may not be the user's, or an empty text."""
        if path.parent not in self._folders:
            real = Path(os.path.realpath(path.parent))
            fault = _INSIDE if any(map(real.is_relative_to, self.trees)) else ""
            self._folders[path.parent] = real, fault, tuple(_around(real, self.home))
        real, fault, around = self._folders[path.parent]
        if fault or not any(self._is_tracked(tree, real / path.name) for tree in around):
            return fault
        return _TRACKED

    def _is_tracked(self, tree: Path, path: Path) -> bool:
        """Return whether a work tree's repository tracks a file, or whether git cannot tell."""
        if tree not in self._indexes:
            self._indexes[tree] = _tracked(tree)
        tracked = self._indexes[tree]
        return tracked is None or _comparable(path.relative_to(tree).as_posix()) in tracked


def own_trees(ws: Workspace) -> OwnTrees:
    """Return the work trees of the repository, and those around them, as around a submodule.

    One that contains the home folder does not count.
    """
    home = Path(os.path.realpath(ws.home))
    real = {os.path.realpath(tree) for tree in _trees(ws)}
    real |= {str(above) for tree in real for above in _around(Path(tree), home)}
    trees = tuple(tree for tree in real if not home.is_relative_to(tree))
    paths = {agent: path.value for agent, path in ws.settings.paths.items()}
    return OwnTrees(trees, home, ws.places, paths)


def _is_relative(path: Path) -> bool:
    """Return whether a path depends on the current folder, as `/proc/self/cwd` does, too."""
    return not path.is_absolute() or any(
        Path(os.path.realpath(above)).is_relative_to("/proc") for above in (path, *path.parents)
    )


def _around(folder: Path, home: Path) -> Iterator[Path]:
    """Yield the work trees around a folder, without those that contain the home folder."""
    for above in (folder, *folder.parents):
        if os.path.lexists(above / ".git") and not home.is_relative_to(above):
            yield above


def _tracked(tree: Path) -> frozenset[str] | None:
    """Return the tracked files of a work tree in comparable form, or None if git cannot tell."""
    try:
        listed = run_git(repo.discover(tree, {}).git("ls-files", "-z"), cwd=tree)
    except LerimError:
        return None
    return frozenset(map(_comparable, os.fsdecode(listed).split("\0")))


def _comparable(path: str) -> str:
    """Return a path in the form in which paths that some systems take for the same are equal."""
    return unicodedata.normalize("NFC", path).casefold()


def _sentence(agent: str, root: Path, why: str) -> str:
    """Return a warning about a folder whose sessions were left out."""
    return (
        f"{root}: its sessions are not read, because {why};"
        f" to read them, run: git lerim connect {agent} --path FOLDER"
    )


def _trees(ws: Workspace) -> list[Path]:
    """Return the work trees of the repository, unless it is the personal one, and the current one.

    Git still lists the old path of a linked work tree that was moved by other means.
    """
    found = repo.toplevel_of(str(repo.here()))
    return [*([found[0]] if found else []), *([] if ws.personal else repo.worktrees(ws.place))]
