"""Find the folder where git looks for hook files, and tell whether our hooks can go there."""

import os
from dataclasses import dataclass
from pathlib import Path

from git_lerim.git import gitconfig
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_version

CONFIGURABLE = (2, 54)  # the first git with hooks in its configuration


@dataclass(frozen=True, slots=True)
class Folder:
    """Where git looks for hook files."""

    path: Path
    # the folder of hooks that the team shares by husky or core.hooksPath; we rename no file there
    shared: Path | None = None
    refused: str = ""  # why our hooks cannot go there


def supports_config_hooks() -> bool:
    """Tell whether this git supports hooks in its configuration."""
    return git_version()[:2] >= CONFIGURABLE


def folder_of(place: Place) -> Folder:
    """Return where git looks for hook files and, if our hooks cannot go there, the reason."""
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
    """Return why we add no hooks if the hooks folder is a link, or an empty string if not."""
    if not own.is_symlink():
        return ""
    target = Path(os.path.realpath(own))
    return (
        f"{own} is a link to {target}, which other repositories may use; to use the hooks there,"
        f" delete the link and set core.hooksPath to that folder; {_newer()}"
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
