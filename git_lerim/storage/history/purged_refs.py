"""Find the refs that still lead to purged memories."""

import os
from collections.abc import Iterable, Sequence

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain, run_git
from git_lerim.storage.history.replace_branch import KEPT
from git_lerim.storage.sharing import tombstones
from git_lerim.storage.sharing.tombstones import Purge


def refs_with_purged(
    place: Place, objects: Objects, tip: str, commits: Iterable[str] = ()
) -> list[str]:
    """Return printable names of the refs that lead to purged files or to `commits`.

    The tombstones at `tip` say what is purged. Refs that keep the old history of a purge on purpose
    are left out.
    """
    purge = tombstones.purge_in(objects, objects.tree_of(tip))
    found = {ref for commit in commits for ref in _refs(place, f"--contains={commit}")}
    if purge:
        others = (ref for ref in _stores(place, tip) if ref not in found)
        found.update(ref for ref in others if has_purged(place, objects, purge, [ref], tip))
    return sorted(plain(ref) for ref in found if not ref.startswith(KEPT))


def _refs(place: Place, *options: str) -> list[str]:
    args = place.git("for-each-ref", "--format=%(refname)", *options)
    return os.fsdecode(run_git(args, cwd=place.git_dir, check=False)).split("\n")[:-1]


def _stores(place: Place, tip: str) -> list[str]:
    return stores_among(place, tip, [ref for ref in _refs(place) if not ref.startswith(KEPT)])


def stores_among(place: Place, tip: str, names: Sequence[str]) -> list[str]:
    """Return the revisions in `names` that are stores.

    A store has the same file `format` in its root folder as the commit `tip`.
    """
    own, *others = _format_files(place, [tip, *names])
    return [name for name, file in zip(names, others, strict=True) if file == own]


def _format_files(place: Place, names: Sequence[str]) -> list[bytes]:
    """Return the id of the file `format` in each revision, or git's message if there is none.

    For a damaged revision, the result is empty.
    """
    args = place.git("cat-file", "--batch-check=%(objectname)")
    found: list[bytes] = []
    while left := names[len(found) :]:
        listed = "".join(f"{name}:format\n" for name in left)
        output = run_git(args, cwd=place.git_dir, input=os.fsencode(listed), check=False)
        rows = output.split(b"\n")[:-1]
        found += rows
        if len(rows) < len(left):  # git stops at a damaged object
            found.append(b"")
    return found


def has_purged(
    place: Place, objects: Objects, purge: Purge, names: Sequence[str], *known: str
) -> bool:
    """Return whether `names` lead to purged files to which the `known` revisions do not lead."""
    args = place.git("rev-list", "--objects", "--missing=allow-any", "--stdin")
    listed = "".join(f"{each}\n" for each in (*names, *(f"^{each}" for each in known)))
    output = run_git(args, cwd=place.git_dir, input=os.fsencode(listed), check=False)
    for row in os.fsdecode(output).split("\n"):
        id_, _, path = row.partition(" ")
        if path and purge.meets(path, None) and purge.meets(path, _content(objects, id_)):
            return True
    return False


def _content(objects: Objects, blob: str) -> bytes | None:
    """Return a file's content; None if it is damaged."""
    try:
        return objects.blob(blob)
    except GitFailed:
        return None
