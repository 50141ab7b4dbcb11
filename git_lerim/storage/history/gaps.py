"""Find git-lerim's refs whose history lacks objects, as after a crash or a prune."""

import os
from collections.abc import Iterator

from git_lerim.errors import GitFailed
from git_lerim.git import refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout

_ID = 12


def gaps(place: Place, objects: Objects, branch: str) -> Iterator[tuple[str, str]]:
    """Yield each of git-lerim's refs whose history lacks objects, with a message.

    The message names the first missing object, or is git's error. The whole history is read.
    Objects that a partial clone has left on its remote do not count as missing.
    """
    common = place.common_dir
    names = [
        f"refs/heads/{branch}",
        *refs.names_below(common, f"refs/heads/{layout.proposals(branch)}"),
        *refs.names_below(common, "refs/lerim"),
    ]
    held = {name: value for name in names if (value := objects.ref(name)) is not None}
    if not held or not _lacking(place, objects, set(held.values())):
        return
    for name, value in held.items():
        if said := _lacking(place, objects, {value}):
            yield name, said


def _lacking(place: Place, objects: Objects, values: set[str]) -> str:
    """Return a message about a missing object in the history of `values`, or an empty string."""
    how = "--exclude-promisor-objects" if objects.is_partial() else "--missing=print"
    args = place.git("rev-list", "--objects", how, "--no-object-names", *sorted(values))
    try:
        output = os.fsdecode(run_git(args, cwd=place.git_dir))
    except GitFailed as error:
        return str(error)
    missing = [line[1:] for line in output.split("\n") if line.startswith("?")]
    return f"object {missing[0][:_ID]} is missing" if missing else ""
