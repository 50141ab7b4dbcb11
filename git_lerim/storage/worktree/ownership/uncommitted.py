"""Find which versions of files stand only in the work tree."""

from collections.abc import Mapping
from contextlib import suppress

from git_lerim.errors import GitFailed
from git_lerim.git import repo
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.storage import layout
from git_lerim.storage.trust.provenance.introduced import anywhere

_BELOW = f"{layout.TREE}/"
_UNDER_WAY = (
    "MERGE_HEAD",
    "SQUASH_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "rebase-merge",
    "rebase-apply",
)


def is_merging(place: Place) -> bool:
    """Return whether git is in the middle of a merge, a rebase or the like."""
    return any((place.git_dir / name).exists() for name in _UNDER_WAY)


def in_head(place: Place, objects: Objects, path: str) -> list[str]:
    """Return the blobs that HEAD has for a memory: active, archived or both."""
    if not (head := repo.head(place)):
        return []
    name = path.removeprefix("archived/")
    found = (objects.entry_at(head, f"{_BELOW}{each}") for each in (name, f"archived/{name}"))
    return [entry.id for entry in found if entry]


def is_stored(objects: Objects, blob: str) -> bool:
    """Return whether git has a blob, as after `git add` or a fetch."""
    with suppress(GitFailed):
        objects.size(blob)
        return True
    return False


def standing(place: Place, objects: Objects, files: Mapping[str, str]) -> set[str]:
    """Return the blobs that are not in HEAD and that no commit seen in this clone introduced.

    `files` maps paths to blobs.
    """
    new = {path: blob for path, blob in files.items() if blob not in in_head(place, objects, path)}
    stored = [path for path, blob in new.items() if is_stored(objects, blob)]
    brought = {each.new for each in anywhere(place, stored, _BELOW)} if stored else set()
    return {*new.values()} - brought
