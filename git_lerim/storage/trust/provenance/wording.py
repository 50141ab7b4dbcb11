"""Find who put the words of a version of a memory, by the versions before it."""

import time
from functools import cached_property

from git_lerim.git.commits.author_names import named, signature
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.storage.history.past import key
from git_lerim.storage.trust.marks import MIXED
from git_lerim.storage.trust.provenance.authors import Authors
from git_lerim.storage.trust.provenance.introduced import Introduced, put_by
from git_lerim.storage.trust.provenance.last_writers import Author
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.trust.provenance.same_words import keeps_words


def worded_by(
    place: Place, objects: Objects, commit: str, path: str, blob: str
) -> Introduced | None:
    """Return where the words of a version come from in a commit's history, or None.

    A commit that only used, archived or rated the memory is passed over.
    """
    put, found = [*put_by(place, commit, [path])], None
    while blob:
        last = next((n for n in reversed(range(len(put))) if put[n].new == blob), None)
        if last is None:
            break
        found = put[last]
        put = put[last + 1 :]  # the older ones
        blob = next((old for old in found.old if old and keeps_words(objects, old, blob)), "")
    return found


class Origins:
    """Who wrote the files of a commit that are withheld."""

    def __init__(self, place: Place, objects: Objects, branch: str, kept: str | None) -> None:
        """Prepare without reading anything; `kept` is the commit with the accepted memories."""
        self._place = place
        self._objects = objects
        self._branch = branch
        self._accepted = kept
        self._authors = Authors(place, objects, time.time())

    def of(self, view: str, path: str, blob: str) -> Author | None:
        """Return who wrote a file of a view, if git tells."""
        return self._user(view, path, blob) or self._authors.of(view, path)

    @staticmethod
    def told(author: Author | None) -> str:
        """Return the beginning of a reason: who wrote a file, and in which commit."""
        if not author:
            return ""
        return f"from {signature(author.name, author.mail)} in {author.commit[:10]}: "

    def _user(self, view: str, path: str, blob: str) -> Author | None:
        """Return the user as the author if they put these words into somebody else's memory."""
        mark = f"{MIXED}/{key(path)}"
        if not self._accepted or self._objects.entry_at(self._accepted, mark) is None:
            return None
        put = worded_by(self._place, self._objects, view, path, blob)
        if put is None or put.commit not in self._ours:
            return None
        return Author(named(put.author), self._authors.mail, 0, put.commit)

    @cached_property
    def _ours(self) -> dict[str, bool]:
        return own_by_reflog(self._place, f"refs/heads/{self._branch}")
