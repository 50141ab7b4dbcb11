"""Find who last changed each memory of a store, and when, from git alone.

A memory keeps its author when it is moved into `archived/` or deleted. What a file claims about
its author is ignored. The result is cached beside the repository and extended incrementally; the
cache can be deleted.
"""

import json
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from git_lerim import private_files
from git_lerim.errors import NoIdentity
from git_lerim.git import refs
from git_lerim.git.commits.author_names import NOBODY, mailed, named
from git_lerim.git.commits.identity import identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.tree_diffs import PathChange
from git_lerim.git.repo import Place
from git_lerim.git.running.environment import PLAIN_LOG
from git_lerim.git.running.process import run_git
from git_lerim.memories import naming
from git_lerim.storage.commit_files import HEADER, CommitFiles, commit_of
from git_lerim.storage.history.past import key
from git_lerim.storage.trust.provenance.same_words import keeps_author

NAME = "authors.json"
RULES = 2  # raised when other commits count


class Author(NamedTuple):
    """The person who last wrote a memory, with the time and the commit."""

    name: str  # safe to print
    mail: str
    # seconds: of the commit, or when it was first seen here, if that is earlier
    at: int
    commit: str


class Authors:
    """The authors of all memories at one commit."""

    def __init__(self, place: Place, objects: Objects, now: float) -> None:
        """Prepare without reading anything; no commit counts as later than `now`, in seconds."""
        self._place = place
        self._objects = objects
        self._now = int(now)
        self._known: dict[str, dict[str, Author]] = {}

    def of(self, commit: str, path: str) -> Author | None:
        """Return the last author of a memory's words as of a commit, or None.

        If others wrote it, too, this is the last of them, even if the user changed it later.
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
        found = known | self._logged(commit, since, known)
        self._keep(commit, found)
        return found

    def _logged(
        self, commit: str, since: str | None, known: dict[str, Author]
    ) -> dict[str, Author]:
        range_ = [commit, *([f"^{since}"] if since else [])]
        form = f"--format={HEADER}%x00%ct%x00%an%x00%ae"
        log = self._place.git(
            "log", "-z", "--topo-order", "--no-merges", form, *PLAIN_LOG, *range_, "--"
        )
        tokens = iter(run_git(log, cwd=self._place.git_dir).decode("utf-8", "replace").split("\0"))
        entries = [
            (commit_of(each[:3]), each[3], each[4], each[5])
            for each in zip(*[tokens] * 6, strict=False)
        ]
        files = CommitFiles(self._place, [commit for commit, *_ in entries])
        mine, found, own = self.mail, dict[str, Author](), set[str]()
        for made, seconds, *names in entries:
            # at the boundary of a shallow clone, others may have written the files
            name, mail = (NOBODY, "") if made.id in self._boundary else names
            author = Author(named(name), mailed(mail), min(int(seconds or 0), self._now), made.id)
            for change in filter(_is_written, files.of(made)):
                each = key(change.path)
                if each not in found or (each in own and mail != mine):
                    if mail == mine and each in known:
                        continue
                    if mail != mine and keeps_author(self._objects, *change.ids, mail):
                        continue
                    found[each] = author
                    (own.add if mail == mine else own.discard)(each)
        return found

    @cached_property
    def _boundary(self) -> set[str]:
        return refs.shallow(self._place.common_dir)

    @cached_property
    def mail(self) -> str:
        """The user's author address, or an empty string if git has none."""
        return author_mail(self._place)

    @property
    def _file(self) -> Path:
        return self._place.own_dir / NAME

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


def _is_written(change: PathChange) -> bool:
    return change.status != "D" and naming.valid_path(change.path)


def author_mail(place: Place) -> str:
    """Return the user's author address, or an empty string if git has none."""
    with suppress(NoIdentity):
        return identity(place).author.rpartition(b"<")[2].rstrip(b">").decode("utf-8", "replace")
    return ""
