"""What an index needs to know about the store that it indexes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from git_lerim.memories.memory import Memory


class Stored(Protocol):
    """A memory and the file that stores it."""

    @property
    def memory(self) -> Memory:
        """The memory."""

    @property
    def path(self) -> str:
        """The file's path in the store."""

    @property
    def blob(self) -> str:
        """The object id of the file's blob."""

    @property
    def author(self) -> str:
        """The name of the person who shared the memory; empty if that is the user."""

    @property
    def is_joint(self) -> bool:
        """Whether several people wrote the memory."""


class Changes(Protocol):
    """The changes between two trees of a store."""

    @property
    def commit(self) -> str | None:
        """The store's commit after the changes; None if there is no store yet."""

    @property
    def tree(self) -> str | None:
        """The store's tree after the changes; None if there is no store yet."""

    @property
    def gone(self) -> tuple[str, ...]:
        """The paths of deleted and changed files, whose old content must leave the index."""

    @property
    def found(self) -> Iterator[Stored]:
        """The memories in new and changed files."""

    @property
    def count(self) -> int:
        """The number of new and changed files."""

    @property
    def seen(self) -> str:
        """The store's key (`fast_repo.store_key`) after the changes; it changes with the store."""

    @property
    def first(self) -> Callable[[Collection[str]], Sequence[str]]:
        """A function that sorts the paths of files with the same id, the one to use first."""


class Store(Protocol):
    """What an index needs from a store: the changes since an earlier tree."""

    @property
    def rules(self) -> str:
        """A key of the rules by which the store redacts memories; others need another index."""
        ...

    def changes(self, since: str | None, at: str | None = None, seen: str = "") -> Changes:
        """Return the changes from the tree `since` to the store as it is now, or was at `at`.

        `seen` is the value of `Changes.seen` that belongs to that tree.
        """
        ...
