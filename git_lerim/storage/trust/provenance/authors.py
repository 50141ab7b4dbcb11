"""Find who last changed each memory of a store, and when, from git alone.

A memory keeps its author when it is moved into `archived/` or deleted. What a file claims about its
author is ignored. The result is cached in `.git/lerim` and extended incrementally; the cache can be
deleted.
"""

import json
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from git_lerim import private_files
from git_lerim.errors import NoIdentity
from git_lerim.git import refs
from git_lerim.git.commits.author_names import NOBODY, mailed, named
from git_lerim.git.commits.identity import identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.environment import PLAIN_LOG
from git_lerim.git.running.process import run_git
from git_lerim.storage.commit_files import HEADER, CommitFiles, commit_of
from git_lerim.storage.history.past import key
from git_lerim.storage.trust.provenance.last_writers import Author, LastWriters

NAME, WORDED = "authors.json", "worded.json"
RULES = 7  # raised when other commits count, or something else of an author is kept


class Authors:
    """The authors of all memories at one commit."""

    def __init__(self, place: Place, objects: Objects, now: float, name: str = NAME) -> None:
        """Prepare without reading anything; no commit counts as later than `now`, in seconds.

        `name` is the file of the cache. In WORDED, the user counts as an author like all others.
        """
        self._place = place
        self._name = name
        self._objects = objects
        self._now = int(now)
        self._known: dict[str, dict[str, Author]] = {}

    def of(self, commit: str, path: str) -> Author | None:
        """Return the last author of a memory's words as of a commit, or None.

        If others also wrote the memory, the last of them is returned, even if the user changed it
        later.
        """
        if commit not in self._known:
            self._known[commit] = self._read(commit)
        return self._known[commit].get(key(path))

    def _read(self, commit: str) -> dict[str, Author]:
        since, known = self._kept()
        if since == commit:
            return known
        if since is not None and not self._objects.descends(commit, since):
            since, known = None, {}
        read = self._logged(commit, since, known)
        if since is not None and read.sought_beyond(since):
            known, read = {}, self._logged(commit, None, {})
        found = known | read.found
        self._keep(commit, found)
        return found

    def _logged(self, commit: str, since: str | None, known: dict[str, Author]) -> LastWriters:
        range_ = [commit, *([f"^{since}"] if since else [])]
        form = f"--format={HEADER}%x00%ct%x00%an%x00%ae"
        log = self._place.git("log", "-z", "--topo-order", form, *PLAIN_LOG, *range_, "--")
        tokens = iter(run_git(log, cwd=self._place.git_dir).decode("utf-8", "replace").split("\0"))
        logged = [
            (made := commit_of(each[:3]), self._author(made.id, *each[3:]))
            for each in zip(*[tokens] * 6, strict=False)
        ]
        read = LastWriters(self._objects, self.mail, known)
        if logged:
            commits = [made for made, _ in logged]
            whole = commits[0]._replace(parents=(since,) if since else ())
            read.read(logged, CommitFiles(self._place, [*commits, whole]), whole)
        return read

    def _author(self, commit: str, seconds: str, name: str, mail: str) -> Author:
        if commit in self._boundary:  # of a shallow clone: others may have written the files
            name, mail = NOBODY, ""
        return Author(named(name), mailed(mail), min(int(seconds or 0), self._now), commit)

    @cached_property
    def _boundary(self) -> set[str]:
        return refs.shallow(self._place.common_dir)

    @cached_property
    def mail(self) -> str:
        """The user's author address, or an empty string if git has none or nobody is the user."""
        return author_mail(self._place) if self._name == NAME else ""

    @property
    def _file(self) -> Path:
        return self._place.own_dir / self._name

    def _kept(self) -> tuple[str | None, dict[str, Author]]:
        try:
            raw = private_files.read_json(self._file)
            if set(raw["boundary"]) != self._boundary or raw["rules"] != RULES:
                return None, {}
            return str(raw["commit"]), {
                str(each): Author(*row) for each, row in raw["files"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None, {}

    def _keep(self, commit: str, found: dict[str, Author]) -> None:
        with suppress(OSError):
            kept = {"rules": RULES, "commit": commit, "boundary": [*self._boundary], "files": found}
            private_files.replace(self._file, json.dumps(kept))


def author_mail(place: Place) -> str:
    """Return the user's author address, or an empty string if git has none."""
    with suppress(NoIdentity):
        return identity(place).author.rpartition(b"<")[2].rstrip(b">").decode("utf-8", "replace")
    return ""
