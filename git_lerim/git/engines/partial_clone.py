"""Fetch the objects that a partial clone lacks, all at once."""

import re

from git_lerim.errors import GitFailed
from git_lerim.git.remote.fetch import fetch_objects
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import transport_settings
from git_lerim.git.running.process import git_line, plain, run_git

_ROUNDS = 4  # each fetched tree may list further missing objects
_PROMISOR = re.compile(
    r"remote\.(.*)\.promisor\Z|extensions\.partialclone\n(.*)", re.IGNORECASE | re.DOTALL
)


def fetch_missing(place: Place, *commits: str, folders: bool = False) -> None:
    """Fetch the trees and files of commits that this clone lacks. Raises GitFailed.

    Each round fetches all objects known to be missing, as fetched trees can list further ones. With
    `folders`, only trees are fetched.
    """
    for _ in range(_ROUNDS):
        lacking = missing_objects(place, *commits, folders=folders)
        if not lacking:
            return
        _fetch(place, commits[0], lacking)


def missing_objects(place: Place, *commits: str, folders: bool = False) -> list[str]:
    """Return the ids of the trees and files of commits that this clone lacks.

    Nothing is fetched. With `folders`, only the ids of trees are returned.
    """
    asked = (
        "rev-list",
        "--objects",
        "--no-walk",
        "--missing=print",
        "--no-object-names",
        *(["--filter=blob:none"] if folders else []),
        "--stdin",
    )
    names = "".join(f"{commit}\n" for commit in commits).encode()
    output = run_git(place.git(*asked), cwd=place.git_dir, input=names, check=False)
    ids = [line[1:].decode() for line in output.splitlines() if line.startswith(b"?")]
    # since 2.45 git also lists a missing commit itself
    return [id_ for id_ in ids if id_ not in commits]


def promisors(place: Place) -> list[str]:
    """Return the promisor remotes of this clone, which have the objects that it lacks."""
    asked = ("config", "-z", "--get-regexp", r"^remote\..*\.promisor$|^extensions\.partialclone$")
    output = git_line(place.git(*asked), cwd=place.git_dir) or ""
    found = (_PROMISOR.match(entry.removesuffix("\ntrue")) for entry in output.split("\0"))
    return list(dict.fromkeys(match[1] or match[2] for match in found if match))


def _fetch(place: Place, commit: str, ids: list[str]) -> None:
    failed = "no promisor remote has it"
    bent = transport_settings(place)
    if bent:
        failed = f"this repository's own configuration sets how to fetch: {plain(next(iter(bent)))}"
    for name in () if bent else promisors(place):
        try:
            return fetch_objects(place, name, ids)
        except GitFailed as error:
            failed = str(error)
    hint = (
        "if you do not know where these settings come from, do not trust this folder: clone it"
        " again"
        if bent
        else f"when the remote is reachable, fetch them once: git archive {commit[:12]} > /dev/null"
    )
    raise GitFailed(
        f"this is a partial clone, and {len(ids)} of the memory's objects could not be fetched:"
        f" {failed}",
        hint=hint,
    )
