"""The interface of a store of memories: read a snapshot, commit a change."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from git_lerim.git.engines.trees import TreeEntry
from git_lerim.memories import naming
from git_lerim.memories.authors import SOMEBODY
from git_lerim.memories.feedback import Feedback
from git_lerim.memories.memory import Memory, Primitive


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A memory and the file in the store that contains it."""

    memory: Memory
    # relative to the store's root, with `/`; it changes only if the file moves into `archived/`
    path: str
    blob: str  # object id of the file
    # the author if somebody else wrote it, safe to print; empty if the user did
    author: str = ""
    # whether others wrote earlier versions, and "the user" in its text may be any of them
    is_joint: bool = False
    # the feedback that counts, if others forged some in the user's name; None: all of it counts
    believed: tuple[Feedback, ...] | None = None

    @property
    def speaker(self) -> str:
        """Whom "the user" in the text means; empty if it is the user."""
        return SOMEBODY if self.is_joint else self.author

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The feedback on the memory, without entries forged in the user's name."""
        return self.memory.feedback if self.believed is None else self.believed


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """A file in the store that is not a valid memory: reported, but never handed out."""

    path: str  # safe to print
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A file whose current version is withheld."""

    path: str
    id: str | None  # None for a summary that cannot be read: its path contains no id
    reason: str  # safe to print
    blob: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The contents of a store at one commit; on a branch they are read when needed."""

    commit: str | None  # None: there is no branch yet
    # decisions and learnings by id, archived ones too
    memories: Mapping[str, Stored] = field(default_factory=dict)
    summaries: Mapping[str, Stored] = field(default_factory=dict)  # by id
    handoffs: Mapping[str, Stored] = field(default_factory=dict)  # by id
    quarantined: Collection[Quarantined] = ()
    # ids deleted for good, which must not be added again
    purged: frozenset[str] = frozenset()
    # memories that others deleted, or rewrote so that they are withheld: by id, as archived
    withdrawn: Mapping[str, Stored] = field(default_factory=dict)
    # the user's own versions of memories that others rewrote, by id
    rewritten: Mapping[str, Stored] = field(default_factory=dict)

    def standing(self, gone: Stored) -> Stored | None:
        """Return this snapshot's own version of a withdrawn memory, or None if it has none.

        A handoff or summary does not count as a version of a memory with the same id.
        """
        notes = {Primitive.HANDOFF: self.handoffs, Primitive.SUMMARY: self.summaries}
        return notes.get(gone.memory.primitive, self.memories).get(gone.memory.id)

    def setting_aside(self, paths: Collection[str], reason: str) -> "Snapshot":
        """Return the snapshot with the files at these paths marked as quarantined."""

        def left(items: Mapping[str, Stored]) -> dict[str, Stored]:
            return {id_: item for id_, item in items.items() if item.path not in paths}

        aside = [Quarantined(path=path, reason=reason) for path in sorted(paths)]
        return replace(
            self,
            memories=left(self.memories),
            summaries=left(self.summaries),
            handoffs=left(self.handoffs),
            quarantined=[*self.quarantined, *aside],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A commit to make: its message, and the changed files below the store's root.

    The content of a deleted file is None.
    """

    files: Mapping[str, bytes | None]
    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    author: bytes | None = None  # `Name <mail> seconds zone`; None: the committer
    merges: str | None = None  # a commit to add as second parent
    # authors of what others wrote and nobody accepted, by id or summary; empty if git knows them
    theirs: Mapping[str, str] = field(default_factory=dict)


@dataclass
class MergeResult:
    """The changes that merge another tree of the store into the user's tree."""

    files: dict[str, bytes | None] = field(default_factory=dict)  # merged, or None if deleted
    # taken unchanged from the other side
    taken: dict[str, TreeEntry] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)  # ids changed on both sides
    added: list[str] = field(default_factory=list)  # ids new to us

    def take(self, changed: Mapping[str, bytes | TreeEntry | None]) -> None:
        """Add changed files to the merge."""
        for path, data in changed.items():
            if isinstance(data, TreeEntry):
                self.taken[path] = data
            else:
                self.files[path] = data

    def keep(self, paths: Iterable[str]) -> None:
        """Leave our files at some paths as they are."""
        for path in paths:
            self.files.pop(path, None)
            self.taken.pop(path, None)

    def leave(self, ids: Collection[str], summaries: Collection[str] = ()) -> None:
        """Leave out of the merge all changes to some memories and summaries, tombstones included.

        Memories are given by id, summaries by path.
        """
        for files in (self.files, self.taken):
            for path in [
                path
                for path in files
                if naming.last_id_in(path) in ids or path.removeprefix("archived/") in summaries
            ]:
                del files[path]
        self.added = [id_ for id_ in self.added if id_ not in ids]
        self.merged = [id_ for id_ in self.merged if id_ not in ids]


class KnownPaths(Protocol):
    """The paths that memories with given ids had in an earlier state of the store."""

    @property
    def tree(self) -> str:
        """The store's tree in that earlier state."""
        ...

    @property
    def count(self) -> int:
        """The number of memories in that earlier state."""
        ...

    @property
    def files(self) -> Sequence[tuple[str, str]]:
        """The path and the blob of each memory whose id starts with one of the given ids."""
        ...


# Returns the last known paths of the memories with some ids, or None.
FindKnown: TypeAlias = Callable[[Collection[str]], KnownPaths | None]


# Returns a change with secrets redacted in its message.
RedactMessage: TypeAlias = Callable[[Change], Change]

# Extends a change; returns it with a function to call once it is committed.
ExtendChange: TypeAlias = Callable[[Snapshot, Change], tuple[Change, Callable[[], object]]]


class Store(Protocol):
    """A store of memories: on a separate branch, or as files in the user's work tree."""

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store now, or at a revision or date; empty if there was none yet."""
        ...

    def commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        """Commit the change that an operation returns.

        Return the new commit's id, or None if there is no change. In a work tree, files may be
        written without a commit; then the result is an empty string. After a concurrent write the
        operation is called again with a newer snapshot, so its result must depend only on the
        snapshot.
        """
        ...

    def commit_each(
        self, operations: Sequence[Callable[[Snapshot], Change | None]]
    ) -> list[str | None]:
        """Commit the changes of several operations, faster than one by one.

        Return what `commit` would return, for each operation. The operations may get the same
        snapshot, so no two may change the same memory. After an interruption, only the first few
        may be committed.
        """
        ...
