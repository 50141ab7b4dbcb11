"""Serve the trusted memories of a branch, with their authors and with plausible times.

No memory is shown with a time later than that of the commit that added it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git import fast_repo
from git_lerim.git.commits.author_names import NOBODY, named
from git_lerim.git.engines.trees import TreeEntry
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.memories.memory import Memory
from git_lerim.storage.base import Quarantined, Snapshot, Stored, Waiting
from git_lerim.storage.branch.lazy_snapshot import unread
from git_lerim.storage.history import past
from git_lerim.storage.history.as_added import as_added
from git_lerim.storage.own_feedback import believed, credited, own_edits, plausible
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.review.own_proposal import OwnProposal
from git_lerim.storage.sharing.changes import Followed
from git_lerim.storage.trust.accepted import ever_accepted, key_of, name_of
from git_lerim.storage.trust.claims import Claims
from git_lerim.storage.trust.known import is_tagged
from git_lerim.storage.trust.provenance.authors import Authors
from git_lerim.storage.trust.provenance.wording import worded_by
from git_lerim.storage.trust.validate import BadFile, File
from git_lerim.storage.writing import preconditions

if TYPE_CHECKING:
    from git_lerim.storage.trust.trust import Trust


class Handed(OwnProposal, Followed):
    """A store that shows only memories allowed by `lerim.trust`."""

    ref: str
    remote: str | None
    warnings: list[str]
    _trusted: str
    _now: Callable[[], float]
    _view: str | None = None  # the commit handed out last
    _held: frozenset[str] = frozenset()  # paths to withhold, if no commit without them exists

    def tip(self) -> str | None:
        """Return the commit that the branch points to."""
        raise NotImplementedError

    def view(self) -> str | None:
        """Return the commit that is read: the tip, merged with what was fetched."""
        raise NotImplementedError

    @cached_property
    def _contents(self) -> dict[str, Memory | BadFile]:
        return {}  # by blob, for all readers

    @cached_property
    def trust(self) -> "Trust":
        """The trust decisions about this store's files."""
        # only needed to hand something out
        from git_lerim.storage.trust.trust import Trust  # noqa: PLC0415

        return Trust(self.place, lambda: self._objects, self.branch, self._trusted, self.own)

    @property
    def source(self) -> str:
        """What `fast_repo.store_key` takes as `source`: the remote, and what trust depends on."""
        return f"{self.remote} {self.trust.source}"

    def handed_out(self, at: str | None = None) -> str | None:
        """Return the commit with the memories that may be shown, now or as of a revision or date.

        Returns None if there is no such commit.
        """
        tip = self.view()
        commit = past.commit_at(self.place, tip, at) if at is not None else tip
        if commit is None:
            return None
        if at is not None:
            self._refuse_too_large(commit)
        self._view, self._held = commit, frozenset()
        try:
            chosen = self._chosen(commit, at)
        except LerimError as error:  # where nothing can be written, for example
            if self._trusted == "remote":
                self._held = self.trust.held(commit)
                return commit
            self.warnings.append(
                f"all memories are withheld, because lerim.trust cannot be checked: {error}"
            )
            return None
        self.seen = (
            f"{self.seen} {fast_repo.trusted(str(self.place.common_dir), self.trust.source)}"
        )
        return chosen

    def _chosen(self, commit: str, at: str | None) -> str:
        tip = self.tip() or commit
        choose = self.trust.served if at is None else self.trust.of_the_past
        try:
            return choose(tip, commit)
        except GitFailed:
            # only where an object is missing
            from git_lerim.storage.branch.mend_refs import mend_own  # noqa: PLC0415

            if not mend_own(self.place, self._objects):
                raise
        return choose(tip, commit)

    def _served(self, commit: str) -> str:
        """Return a commit with those memories of `commit` that may be shown now."""
        with suppress(LerimError):  # where nothing can be written, for example
            return self._chosen(commit, None)
        return commit

    def _taken_away(self, view: str) -> Mapping[str, TreeEntry]:
        """Return the files, by path, that are shown at the tip but withheld in a view.

        See `Trust.taken_away`.
        """
        tip = self.tip()
        with suppress(LerimError):
            return self.trust.taken_away(tip, view) if tip is not None and tip != view else {}
        return {}

    def _refuse_too_large(self, commit: str) -> None:
        tree = self._objects.tree_of(commit)
        preconditions.refuse_too_large(self._objects, tree, f"{self.branch} at {commit[:10]}")

    def served(self, at: str | None = None) -> Snapshot:
        """Return the memories that may be shown, now or as of a revision or date."""
        commit = self.handed_out(at)
        if commit is None:
            return Snapshot(commit=None)
        tree = self._objects.tree_of(commit)
        reader = TreeReader(self._objects, finish=self._finished, contents=self._contents)
        reader.first = self.first_come
        return unread(commit, reader, tree)

    def attributed(self, items: Iterable[Stored]) -> Iterator[Stored]:
        """Yield memories with authors; none has a time later than the commit that added it."""
        return (item for item in map(self._finished, items) if isinstance(item, Stored))

    def named(self, items: Iterable[Stored], at: str | None = None) -> list[Stored]:
        """Return memories, trusted or not, each with its author if somebody else wrote it."""
        items = [*items]
        if not items or (view := self.view()) is None:
            return items
        self._view = past.commit_at(self.place, view, at) if at is not None else view
        self._follow(view)
        withheld = self._withheld() if at is None else ()
        return [
            self._of_others(item)
            if item.path in withheld and self.trust.is_shared(item.path, item.blob)
            else self._named(item)
            for item in items
        ]

    def _withheld(self) -> Collection[str]:
        tip, view = self.tip(), self.view()
        with suppress(LerimError):  # where nothing can be written, for example
            return self.trust.withheld(tip or view, view) if view else ()
        return ()

    def _follow(self, view: str) -> None:
        """Accept the new commits made here, if anything can be written."""
        with suppress(LerimError):  # what was recorded before is still known
            self.trust.follow(self.tip() or view)

    def first_come(self, paths: Collection[str]) -> list[str]:
        """Sort paths by when they were added, those that the user wrote or accepted first."""
        kept = self.trust.recorded()
        own = {path for path in paths if kept and self._objects.entry_at(kept, path)}
        known = [self.ref, *([tracking_ref(self.remote, self.branch)] if self.remote else ())]
        return sorted(as_added(self.place, known, paths), key=lambda path: path not in own)

    def reaccepted(self, seen: str) -> Iterable[str]:
        """Yield the paths whose accepted version changed since `self.seen` had the value `seen`."""
        return self.trust.reaccepted(seen.partition("\t")[0].rpartition(" ")[2])

    def of_others(self, items: Iterable[Stored], at: str | None = None) -> dict[str, str]:
        """Return the authors of versions that were never written or accepted here, by key."""
        strange = [
            each for each in self.trust.never_accepted(items) if not self._is_only_tagged(each)
        ]
        return {key_of(each.path): each.author or NOBODY for each in self.named(strange, at)}

    def _is_only_tagged(self, item: Stored) -> bool:
        """Return whether others only tagged or edited a memory of the user, and left its words."""
        kept = self.trust.recorded()
        if kept is None or not self.trust.was_own(kept, item.path):
            return False
        mine = ever_accepted(self.place, self._objects, kept)
        return is_tagged(self.place, self._objects, mine, item)

    def _named(self, item: Stored) -> Stored:
        entry = self._objects.entry_at(self._view, item.path) if self._view else None
        if entry is None and self._is_own_withdrawn(item):
            return item
        if author := self._author_before(item, entry):
            return replace(item, author=author)
        found = self._finished(item) if entry is None or entry.id == item.blob else item
        if not isinstance(found, Stored):
            return item
        counted = found.memory.feedback
        memory = found.memory.having(feedback=item.memory.feedback)
        return replace(
            found,
            memory=memory,
            believed=None if counted == memory.feedback else counted,
        )

    def _author_before(self, item: Stored, standing: TreeEntry | None) -> str:
        """Return who wrote this version of a withdrawn memory that was rewritten since.

        Return an empty string for any other item.
        """
        plain = item.path.removeprefix("archived/")
        if self._view is None or plain == item.path:
            return ""
        now = standing or self._objects.entry_at(self._view, plain)
        if now is None or now.id == item.blob:
            return ""
        put = worded_by(self.place, self._objects, self._view, plain, item.blob)
        return named(put.author) if put else ""

    def _is_own_withdrawn(self, item: Stored) -> bool:
        """Return whether a memory that others deleted, now shown as archived, is the user's own."""
        return not self.trust.is_shared(item.path.removeprefix("archived/"), item.blob)

    def _finished(self, item: File) -> File:
        if (
            not isinstance(item, Stored)
            or self._view is None
            or not self.trust.is_shared(item.path, item.blob)
        ):
            return item
        if mine := self.trust.own_words(item.path, item.blob):
            mine = self._claims.credited(item.path, item.blob, mine, lambda: self._view)
            return replace(item, memory=mine)
        if item.path in self._held:
            return Quarantined(path=item.path, reason="it waits to be accepted")
        return self._of_others(item)

    def _of_others(self, item: Stored) -> Stored:
        """Return a version as it is, with its author, but not the dates and names it forges."""
        if self._view is None:
            return item
        found, memory = self._authors.of(self._view, item.path), plausible(item.memory)
        name = name_of(self.place, self._objects, item.path, item.blob)
        if found is None:  # no commit but a merge added it
            return replace(item, author=name or NOBODY, memory=memory)
        came = datetime.fromtimestamp(found.at, UTC)
        if rows := memory.feedback:
            mail = self._authors.mail
            counted = believed(self.place, self._objects, item.path, rows, mail)
            memory = memory.having(feedback=counted)
        created, updated = (min(at, came) for at in (memory.created, memory.updated))
        memory = memory.having(created=created, updated=updated)
        author = name or found.name
        edits = own_edits(self.place, self._objects, item.path)
        memory = credited(memory, author, self._authors.mail, edits)
        memory = self._claims.credited(item.path, item.blob, memory, lambda: self._view)
        return replace(item, author=author, memory=memory, is_joint=found.joint and not name)

    @cached_property
    def _claims(self) -> Claims:
        return Claims(self.place, self._objects)

    @cached_property
    def _authors(self) -> Authors:
        return Authors(self.place, self._objects, self._now())

    def believed(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot in which the untrusted files are marked as quarantined.

        The files are kept there so that nothing adds the same memories again.
        """
        commit = self.handed_out()
        return self.trust.believed(commit, snapshot) if commit else snapshot

    def waiting(self) -> list[Waiting]:
        """Return the files that are withheld, with reasons."""
        tip, view = self.tip(), self.view()
        return self.trust.waiting(tip or view, view) if view else []

    def accept(self, paths: Collection[str] | None = None) -> list[str]:
        """Accept the current files at some paths, or all; return the paths that changed."""
        tip, view = self.tip(), self.view()
        return self.trust.accept(tip or view, view, paths) if view else []
