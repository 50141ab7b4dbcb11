"""Find a memory's file in a commit by the memory's key, since anybody may rename the file."""

from collections.abc import Mapping
from functools import lru_cache

from git_lerim.git.engines.objects import Objects
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.history.past import key
from git_lerim.storage.sharing.tree_diff import differing


def path_in(objects: Objects, commit: str | None, path: str) -> str:
    """Return a memory's path in a commit, given its path elsewhere.

    If the commit lacks the memory, the given path is returned. An archived file does not match an
    active one: whoever archives a memory withdraws it.
    """
    if commit is None or not naming.valid_path(path) or objects.entry_at(commit, path):
        return path
    return _paths(objects, commit).get((key(path), layout.is_archived(path)), path)


@lru_cache(maxsize=4)
def _paths(objects: Objects, commit: str) -> Mapping[tuple[str, bool], str]:
    """Return the paths of the memories in a commit, by key and by whether they are archived."""
    found = differing(objects, None, objects.tree_of(commit), layout.is_folder)
    paths = (each.path for each in found if naming.valid_path(each.path))
    return {(key(path), layout.is_archived(path)): path for path in paths}
