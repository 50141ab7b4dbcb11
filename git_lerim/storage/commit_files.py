"""The files that commits changed in a store; folders outside the store are not compared."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from git_lerim.errors import GitFailed
from git_lerim.git.engines.partial_clone import fetch_missing, promisors
from git_lerim.git.engines.tree_diffs import MOST, Pair, PathChange, TreeDiffs, trees_of
from git_lerim.git.repo import Place
from git_lerim.storage import layout


class Commit(NamedTuple):
    """One commit, parsed from what git prints in the format `HEADER`."""

    id: str
    tree: str
    parents: tuple[str, ...]


HEADER = "%H%x00%T%x00%P"


def commit_of(fields: Sequence[str]) -> Commit:
    """Parse a commit from the three fields of the format `HEADER`."""
    id_, tree, parents = fields
    return Commit(id_, tree, tuple(parents.split()))


class CommitFiles:
    """The changes that commits made in a store.

    `below` is the store's folder, with a slash at its end.
    """

    def __init__(self, place: Place, commits: Collection[Commit], below: str = "") -> None:
        """Compare all commits with their parents, all at once. Raises GitFailed."""
        self._below = below
        self._left = MOST
        trees = {commit.id: commit.tree for commit in commits}
        parents = {parent for commit in commits for parent in commit.parents}
        self._trees = trees | trees_of(place, parents - trees.keys())
        self._diffs = self._compared(place, [p for each in commits for p in self._pairs(each)])

    def _compared(self, place: Place, pairs: list[Pair]) -> TreeDiffs:
        """Compare pairs of trees; in a partial clone, first fetch the store's missing folders."""
        try:
            return TreeDiffs(place, pairs, self._enters)
        except GitFailed:
            if self._below or not promisors(place):  # the folders of the code are not ours to fetch
                raise
            fetch_missing(place, *self._trees, folders=True)
            return TreeDiffs(place, pairs, self._enters)

    def _enters(self, path: str) -> bool:
        if path.startswith(self._below):
            inside = path.removeprefix(self._below)
            return inside == layout.PURGED or layout.is_folder(inside)
        return self._below.startswith(f"{path}/")

    def _pairs(self, commit: Commit) -> list[Pair]:
        return [(self._trees[parent], commit.tree) for parent in commit.parents] or [
            ("", commit.tree)
        ]

    def of(self, commit: Commit) -> list[PathChange]:
        """Return the changes that a commit made, with paths relative to the store.

        A merge counts as changing the files that differ from all its parents; the changes are those
        since the first parent.
        """
        first, *others = self.against_parents(commit)
        changed = [{each.path for each in side} for side in others]
        return [each for each in first if all(each.path in paths for paths in changed)]

    def against_parents(self, commit: Commit) -> list[list[PathChange]]:
        """Return how a commit differs from each parent, with paths relative to the store."""
        return [list(self._inside(pair)) for pair in self._pairs(commit)]

    def _inside(self, pair: Pair) -> Iterator[PathChange]:
        for each in islice(self._diffs.of(pair), self._left):
            self._left -= 1
            if each.path.startswith(self._below):
                yield each._replace(path=each.path.removeprefix(self._below))
