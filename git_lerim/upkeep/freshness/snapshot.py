"""The files and the history of one commit, read lazily and cached."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git


class Snapshot:
    """A commit with its files."""

    def __init__(self, place: Place, objects: Objects, commit: str) -> None:
        """Initialize with the repository and the commit."""
        self.place = place
        self.commit = commit
        self._objects = objects
        self._rows: dict[str, Sequence[str]] = {}
        self._here: dict[str, bool] = {}
        self._ancestors: dict[str, bool] = {}

    @cached_property
    def blobs(self) -> Mapping[str, str]:
        """The blob of each path in the commit."""
        return _listed(self.place, self.commit)

    def rows(self, blob: str) -> Sequence[str]:
        """Return the lines of a blob; empty if it is binary or missing."""
        if blob not in self._rows:
            try:
                data = self._objects.blob(blob)
            except GitFailed:
                data = b""
            self._rows[blob] = (
                () if b"\0" in data else tuple(data.decode("utf-8", "replace").split("\n"))
            )
        return self._rows[blob]

    def file(self, path: str) -> Sequence[str]:
        """Return the lines of one of the commit's files."""
        return self.rows(self.blobs[path])

    def has(self, blob: str) -> bool:
        """Return whether a blob is in this clone."""
        if blob not in self._here:
            try:
                self._here[blob] = self._objects.size(blob) >= 0
            except GitFailed:
                self._here[blob] = False
        return self._here[blob]

    def descends_from(self, commit: str) -> bool:
        """Return whether this commit descends from another."""
        if commit not in self._ancestors:
            self._ancestors[commit] = self._objects.descends(self.commit, commit)
        return self._ancestors[commit]

    def paths_before(self, commits: Iterable[str | None]) -> set[str]:
        """Return the paths in the first of these commits that the snapshot descends from."""
        first = next((commit for commit in commits if commit and self.descends_from(commit)), None)
        return set(_listed(self.place, first)) if first else set()


def _listed(place: Place, commit: str) -> Mapping[str, str]:
    """Map the path of each regular file in a commit to its blob, without links and submodules."""
    output = run_git(place.git("ls-tree", "-r", "-z", "--full-tree", commit), cwd=place.git_dir)
    rows = (row.split(b"\t", 1) for row in output.split(b"\0") if row.startswith(b"100"))
    return {os.fsdecode(path): meta.split(b" ")[2].decode() for meta, path in rows}
