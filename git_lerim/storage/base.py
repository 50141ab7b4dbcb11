"""What a store of memories can do: give a snapshot, and take a change."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from git_lerim.git.engines.trees import TreeEntry
from git_lerim.memories.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A memory and the file it stands in."""

    memory: Memory
    # below the store's root, with `/`; fixed at creation but for the one move into `archived/`
    path: str
    blob: str  # object id of the file
    author: str = (
        ""  # who shared it, as git names them, safe to print; empty where it is the user's own
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """A file in the store that is no memory: named, kept in git, never handed out."""

    path: str  # safe to print
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The whole store at one commit; what a branch holds is read when it is asked for."""

    commit: str | None  # None: there is no branch yet
    memories: Mapping[str, Stored] = field(
        default_factory=dict
    )  # decisions and learnings by id, archived ones too
    summaries: Mapping[str, Stored] = field(default_factory=dict)  # by id
    handoffs: Mapping[str, Stored] = field(default_factory=dict)  # by id
    quarantined: Collection[Quarantined] = ()
    purged: frozenset[str] = (
        frozenset()
    )  # ids that were deleted for good, and are not to be added again
    withdrawn: Mapping[str, Stored] = field(
        default_factory=dict
    )  # by id: what somebody else deleted, as archived


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One commit to be: files below the store's root (None removes one) and the message."""

    files: Mapping[str, bytes | None]
    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    author: bytes | None = None  # `Name <mail> seconds zone`, as git has it; None: who commits
    merges: str | None = None  # another history, of which the commit takes in all that counts
    theirs: frozenset[str] = (
        frozenset()
    )  # ids, or names of summaries: others wrote these, and nobody accepted them


@dataclass
class Joined:
    """What has to change in our tree for theirs to be in it."""

    files: dict[str, bytes | None] = field(default_factory=dict)  # merged, or gone
    taken: dict[str, TreeEntry] = field(
        default_factory=dict
    )  # as they are on the other side, whatever they are
    merged: list[str] = field(default_factory=list)  # ids that both sides had changed
    added: list[str] = field(default_factory=list)  # ids that were not here

    def take(self, changed: Mapping[str, bytes | TreeEntry | None]) -> None:
        """Add changed files."""
        for path, data in changed.items():
            if isinstance(data, TreeEntry):
                self.taken[path] = data
            else:
                self.files[path] = data

    def leave(self, ids: Collection[str]) -> None:
        """Leave some memories as they are on our side, and what says that they were purged out of
        it.
        """
        for files in (self.files, self.taken):
            for path in [
                path for path in files if any(id_ in path.rpartition("/")[2] for id_ in ids)
            ]:
                del files[path]
        self.merged = [id_ for id_ in self.merged if id_ not in ids]


class Known(Protocol):
    """What somebody knows of some ids in an earlier state of the store."""

    @property
    def tree(self) -> str:
        """The tree of that state."""
        ...

    @property
    def count(self) -> int:
        """How many memories it had."""
        ...

    @property
    def files(self) -> Sequence[tuple[str, str]]:
        """Path and blob of each memory that has one of the ids, or an id that begins like one."""
        ...


# Returns what is known of some ids.
Knowing: TypeAlias = Callable[[Collection[str]], Known | None]


# Adds to a change what can wait for any commit, and returns with it what to do when that commit is
# made.
Along: TypeAlias = Callable[[Snapshot, Change], tuple[Change, Callable[[], object]]]


class Store(Protocol):
    """Two answers exist: a branch of its own, and files in the user's tree."""

    def snapshot(self, at: str | None = None) -> Snapshot:
        """Return the store as it is now, or as it was at a revision or date. Empty when there is
        none yet.
        """
        ...

    def commit(self, operation: Callable[[Snapshot], Change | None]) -> str | None:
        """Carry out an operation and return the new commit's id; None when there was nothing to
        change.

        In the user's tree files can be written and not committed: then it is empty. The operation
        is called again on a newer snapshot when somebody else wrote first: it must depend on
        nothing but its snapshot.
        """
        ...
