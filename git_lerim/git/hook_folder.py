"""Find the folder where git looks for hook files, and whether hooks can be added there."""

import os
from dataclasses import dataclass
from pathlib import Path

from git_lerim.git import gitconfig
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_version

CONFIGURABLE = (2, 54)  # the first git with hooks in its configuration


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder where git looks for hook files."""

    path: Path
    # the folder of hooks that the team shares by husky or core.hooksPath; we rename no file there
    shared: Path | None = None
    refused: str = ""  # why our hooks cannot go there


def supports_config_hooks() -> bool:
    """Return whether the installed git can run hooks that its configuration defines."""
    return git_version()[:2] >= CONFIGURABLE


def folder_of(place: Place) -> Folder:
    """Return the folder where git looks for hook files, and whether hooks can be added there.

    If git-lerim cannot add its hooks, the result says why.
    """
    own = place.common_dir / "hooks"
    found = [
        entry for entry in gitconfig.read(place, ("core.hookspath",)) if entry.scope != "command"
    ]
    if not found or not found[-1].value:
        return Folder(own, refused=_linked(own))
    path = Path(
        os.path.normpath((place.worktree or place.git_dir) / Path(found[-1].value).expanduser())
    )
    if path.name == "_" and (path / "h").exists():
        return Folder(path, shared=path.parent)
    is_tracked = place.worktree and path.is_relative_to(place.worktree)
    if (path / "_" / "husky.sh").exists() or (
        is_tracked and path.is_dir() and not path.is_relative_to(place.common_dir)
    ):
        return Folder(path, shared=path)
    return Folder(path, refused=_linked(own) if path == own else _refusal(path, found[-1].scope))


def _linked(own: Path) -> str:
    """Return why hooks cannot be added to a folder that is a link; empty if it is not a link."""
    if not own.is_symlink():
        return ""
    target = Path(os.path.realpath(own))
    return (
        f"{own} is a link to {target}, which other repositories may use; to use the hooks there,"
        " delete the link and set core.hooksPath to that folder"
    )


def _refusal(path: Path, scope: str) -> str:
    if scope not in {"local", "worktree"}:
        return f"core.hooksPath ({scope}) is {path}, which other repositories use too; {_newer()}"
    return (
        ""
        if path.is_dir()
        else f"core.hooksPath is {path}, which is not a folder, so git runs no hooks; {_newer()}"
    )


def _newer() -> str:
    return f"with git {'.'.join(map(str, CONFIGURABLE))} or newer, hooks need no files"
