"""Move aside the empty object files that a crash left, so that git can fetch these objects."""

from contextlib import suppress
from pathlib import Path

from git_lerim.errors import GitFailed
from git_lerim.git import damaged_refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place

_FOLDER = 0o040000


def clear(place: Place, objects: Objects, commit: str) -> list[Path]:
    """Move aside the empty files of a commit, its trees and its blobs; return their new paths.

    While such a file is there, git can neither write nor fetch the object.
    """
    moved: list[Path] = []
    _clear_one(place, commit, moved)
    pending: list[str] = []
    with suppress(GitFailed):
        pending = [objects.folders_of(commit)]
    while pending:
        tree = pending.pop()
        _clear_one(place, tree, moved)
        with suppress(GitFailed):
            for entry in objects.entries(tree):
                _clear_one(place, entry.id, moved)
                pending += [entry.id] if entry.mode == _FOLDER else []
    return moved


def _clear_one(place: Place, name: str, moved: list[Path]) -> None:
    path = place.common_dir / "objects" / name[:2] / name[2:]
    with suppress(OSError):
        if path.is_file() and not path.stat().st_size:
            moved.append(path.replace(damaged_refs.set_aside(place, "broken-object")))
