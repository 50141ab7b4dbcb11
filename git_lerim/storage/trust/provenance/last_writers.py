"""Find who last wrote the words of each memory, by a walk through the history of a store.

A version is followed to the parent that has it. What differs from all parents of a merge was
written by the merge's author.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from git_lerim.git.engines.tree_diffs import PathChange
from git_lerim.git.engines.trees import Trees
from git_lerim.memories import naming
from git_lerim.storage.commit_files import Commit, CommitFiles
from git_lerim.storage.history.past import key
from git_lerim.storage.layout import is_archived
from git_lerim.storage.trust.provenance.same_words import (
    keeps_author,
    keeps_text,
    retires_or_restores,
)


class Author(NamedTuple):
    """The person who last wrote a memory, with the time and the commit."""

    name: str  # safe to print
    mail: str
    # seconds: of the commit, or when it was first seen here, if that is earlier
    at: int
    commit: str
    joint: bool = False  # whether people of other names wrote its title or body before
    reworded: bool = False  # whether the user changed its title or body later


class _Written(NamedTuple):
    """A new version of a memory, and the one before."""

    ids: tuple[str, str]  # the old is empty where there is none
    is_moved: bool  # whether only one of them is archived by its path


class _Version(NamedTuple):
    """A version of a memory that none of its commit's parents has."""

    author: Author
    old: tuple[str, ...]  # the blob in each parent, empty where there is none
    new: str


# what differs from one parent, by the key of the memory
Side: TypeAlias = Mapping[str, _Written]


class LastWriters:
    """The last writers of the memories that were changed in a part of a history.

    A change by `mine`, the user's own address, does not hide others who wrote the memory before. If
    only the user wrote a memory, whoever else retires or restores it counts as its writer. Whoever
    adds a deleted memory again with the same words restores it. `known` maps memories to their
    writers at the commit where this part of the history begins.
    """

    def __init__(self, objects: Trees, mine: str, known: Mapping[str, Author]) -> None:
        """Prepare without reading anything."""
        self.found: dict[str, Author] = {}
        self._objects = objects
        self._mine = mine or None  # an empty address is nobody's
        self._known = known
        self._sought: dict[str, set[str]] = defaultdict(set)  # memories to look for, by commit
        self._decided: set[str] = set()
        self._retirers: dict[str, Author] = {}  # who of the others retired or restored it last
        # who of the others added it, and the blob, while its version before a deletion is sought
        self._added: dict[str, tuple[Author, str]] = {}
        self._versions: dict[str, list[_Version]] = defaultdict(list)  # newest first
        self._is_whole = True  # whether no history precedes this part

    def read(
        self, commits: Sequence[tuple[Commit, Author]], files: CommitFiles, whole: Commit
    ) -> None:
        """Read commits, children first.

        `whole` stands for this part of the history as one commit: it has the newest commit's files,
        and its parent is the commit before this part.
        """
        self._is_whole = not whole.parents
        changed = files.of(whole)
        in_last = {*_written(changed)}
        self._sought[whole.id] |= in_last
        deleted = {key(change.path) for change in changed} - in_last
        for commit, author in commits:
            sides = [_written(side) for side in files.against_parents(commit)]
            self._note_versions(author, sides)
            sought = self._sought.pop(commit.id, set())
            changed_here = sides[0].keys() & sought
            for each in changed_here - self._decided:
                for parent in self._follow(each, commit, author, sides):
                    self._sought[parent].add(each)
            sought -= changed_here
            for parent in commit.parents[:1]:  # most of them, in a set that is passed on as it is
                sought |= self._sought[parent]
                self._sought[parent] = sought
            for each in sides[0].keys() - in_last - self._decided if len(sides) == 1 else ():
                if each in deleted or each not in self._known:  # no version leads to it
                    self._follow(each, commit, author, sides)
        for each, author in self._retirers.items():
            writer = self.found.get(each) or self._known.get(each)
            if writer is None or writer.mail == self._mine:
                self.found[each] = author
        self._add_others()

    def sought_beyond(self, start: str | None) -> bool:
        """Return whether a memory was followed to an older commit than `start`, or has to be."""
        return bool(self._added) or any(
            keys - self._decided for at, keys in self._sought.items() if at != start
        )

    def _note_versions(self, author: Author, sides: Sequence[Side]) -> None:
        for each in set(sides[0]).intersection(*sides[1:]):
            old, new = zip(*(side[each].ids for side in sides), strict=True)
            self._versions[each].append(_Version(author, old, new[0]))

    def _add_others(self) -> None:
        """Note for each writer found or known whether others worded the memory, too."""
        for each, versions in self._versions.items():
            known = self._known.get(each)
            writer = self.found.get(each, known)
            if writer is None:
                continue
            if writer is known:
                later = self._is_by_others(writer.name, versions)
                self.found[each] = writer._replace(reworded=writer.reworded or later)
                continue
            last = [version.author.commit for version in versions].index(writer.commit)
            self.found[each] = writer._replace(
                joint=bool(known and (known.joint or known.reworded or known.name != writer.name))
                or self._is_by_others(writer.name, versions[last:]),
                reworded=self._is_by_others(writer.name, versions[:last], versions[last].new),
            )

    def _is_by_others(self, name: str, versions: Sequence[_Version], before: str = "") -> bool:
        """Return whether somebody of another name wrote a title or body in versions of a memory.

        `before` is the blob of the next older version, if any.
        """
        for each in reversed(versions):
            if each.author.name != name and not any(
                # a memory that was added again is compared with the one that was deleted
                keeps_text(self._objects, old or before, each.new)
                for old in each.old
            ):
                return True
            before = each.new
        return False

    def _follow(
        self, each: str, commit: Commit, author: Author, sides: Sequence[Side]
    ) -> Iterable[str]:
        """Return the parents to search next; record the commit's author if they are the writer."""
        if same := [n for n, side in enumerate(sides) if each not in side]:
            return commit.parents[same[0] : same[0] + 1]
        if each in self._added and not self._is_restored(each, sides[0][each].ids[1]):
            self._decided.add(each)
            return ()
        if author.mail == self._mine:
            if each not in self._known and len(sides) == 1:  # a merge is of what others wrote
                self.found.setdefault(each, author)
            return commit.parents
        for n, side in enumerate(sides):
            if keeps_author(self._objects, *side[each].ids, author.mail):
                if side[each].is_moved or retires_or_restores(self._objects, *side[each].ids):
                    self._retirers.setdefault(each, author)
                return commit.parents[n : n + 1]
        is_new = not any(side[each].ids[0] for side in sides)
        self.found[each] = author
        if is_new and (self._is_whole or each in self._known):
            self._added[each] = author, sides[0][each].ids[1]
            return commit.parents
        self._decided.add(each)
        return ()

    def _is_restored(self, each: str, before: str) -> bool:
        """Return whether the version that somebody added says what it said before a deletion."""
        author, blob = self._added.pop(each)
        if not keeps_author(self._objects, before, blob, author.mail):
            self.found[each] = author
            return False
        self.found.pop(each)
        self._retirers.setdefault(each, author)
        return True


def _written(changes: Sequence[PathChange]) -> dict[str, _Written]:
    """Map each memory to its versions; if its file was moved, the old one is the former file."""
    moved = {key(each.path): each for each in changes if each.status == "D"}
    written = {
        key(each.path): each
        for each in changes
        if each.status != "D" and naming.valid_path(each.path)
    }
    return {name: _version(each, moved.get(name)) for name, each in written.items()}


def _version(new: PathChange, old: PathChange | None) -> _Written:
    if new.ids[0] or old is None:
        return _Written(new.ids, is_moved=False)
    return _Written((old.ids[0], new.ids[1]), is_archived(new.path) != is_archived(old.path))
