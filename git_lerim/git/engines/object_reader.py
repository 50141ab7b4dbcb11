"""Read the objects of one repository, whichever engine (libgit2 or git processes) is used.

Trees are cached. Objects that a partial clone has not fetched from its remote are fetched by git,
all at once.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git.engines.trees import FOLDER, Raw, TreeEntry, raw_entries
from git_lerim.git.repo import Place
from git_lerim.private_files import LARGE, read_small

ROOM = 1 << 25  # bytes of cached trees: room for three states of a store that is some years old
FOLDERS = 128  # cached folders
_FOLDER = b"%o " % FOLDER


class ObjectReader(ABC):
    """A reader of one repository's objects; each engine implements it."""

    def __init__(self, place: Place) -> None:
        """Prepare without opening the repository; an engine opens it."""
        self._place = place
        self._trees: dict[str, bytes] = {}
        self._room = ROOM
        self._folders: dict[str, Mapping[bytes, Raw]] = {}
        self._roots: dict[str, str] = {}  # cached root trees, by commit
        self._partial: bool | None = None
        self._gathered: set[str] = set()
        self._lacking: dict[str, LerimError] = {}

    @abstractmethod
    def _read(self, name: str, kind: str) -> bytes:
        """Return the bytes of an object.

        Raises GitFailed if it is missing, damaged or of another type.
        """

    @abstractmethod
    def size(self, blob: str) -> int:
        """Return the size of a blob without reading it."""

    @abstractmethod
    def full_id(self, prefix: str) -> str | None:
        """Return the full id of the commit with this unique prefix, or None."""

    @abstractmethod
    def descends(self, commit: str, ancestor: str) -> bool:
        """Return whether `commit` is `ancestor` or descends from it."""

    def _reaches(self, commit: str, ancestor: str) -> bool:
        """Return whether `commit` descends from `ancestor`, as far as its history can be read."""
        seen, left = {commit}, [commit]
        while left and ancestor not in seen:
            with suppress(GitFailed):
                new = set(self.parents(left.pop())) - seen
                seen |= new
                left += new
        return ancestor in seen

    def raw_tree(self, tree: str) -> bytes:
        """Return the bytes of a tree, from the cache if possible."""
        found = self._trees.get(tree)
        return found if found is not None else self._keep(tree, self._read(tree, "tree"))

    def entries(self, tree: str) -> list[TreeEntry]:
        """Return the entries of a tree."""
        return [
            TreeEntry(name, int(mode, 8), id_.hex()) for mode, name, id_ in raw_entries(self, tree)
        ]

    def blob(self, blob: str) -> bytes:
        """Return the bytes of a blob."""
        return self._read(blob, "blob")

    def commit(self, commit: str) -> bytes:
        """Return the bytes of a commit."""
        return self._read(commit, "commit")

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the ids of a commit's parents."""
        return parents_in(self._read(commit, "commit"))

    def entry_at(self, commit: str, path: str) -> TreeEntry | None:
        """Return the tree entry at a path in a commit, or None if there is none."""
        try:
            found = TreeEntry(b"", FOLDER, self._tree_id(commit))
            for name in path.encode("utf-8", "surrogateescape").split(b"/"):
                entry = self._named(found.id).get(name) if found.mode == FOLDER else None
                if entry is None:
                    return None
                found = TreeEntry(name, int(entry[0], 8), entry[2].hex())
        except GitFailed:
            return None
        return found

    def _named(self, tree: str) -> Mapping[bytes, Raw]:
        if tree not in self._folders:
            if len(self._folders) >= FOLDERS:
                self._folders.clear()
            self._folders[tree] = {entry[1]: entry for entry in reversed(raw_entries(self, tree))}
        return self._folders[tree]

    def _tree_id(self, commit: str) -> str:
        if commit not in self._roots:  # a commit's message can be long, so it is read once
            if len(self._roots) >= FOLDERS:
                self._roots.clear()
            head = self._read(commit, "commit").partition(b"\n")[0]
            self._roots[commit] = head.removeprefix(b"tree ").decode("ascii", "replace")
        return self._roots[commit]

    def _is_here(self, commit: str) -> bool:
        """Return whether this clone has a commit and its root tree."""
        try:
            tree = self._tree_id(commit)
            self.size(commit)  # what is cached may have been pruned since
            self.size(tree)
            self.raw_tree(tree)
        except GitFailed:
            return False
        return True

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree; in a partial clone, first fetch all missing files."""
        self.gather(commit)
        return self._tree_id(commit)

    def folders_of(self, commit: str) -> str:
        """Return the id of a commit's tree; in a partial clone, first fetch all missing folders."""
        if self.is_partial():
            # few clones are partial
            from git_lerim.git.engines.partial_clone import fetch_missing  # noqa: PLC0415

            fetch_missing(self._place, commit, folders=True)
        return self._tree_id(commit)

    def is_whole(self, commit: str) -> bool:
        """Return whether this clone has a commit and its root tree.

        A partial clone first fetches what is missing.
        """
        if self._is_here(commit):
            return True
        if not self.is_partial():
            return False
        with suppress(LerimError):
            self.gather(commit)
        return self._is_here(commit)

    def is_complete(self, commit: str) -> bool:
        """Return whether this clone has a commit and its trees, three levels of folders deep.

        That includes the folders in which a store keeps the memories of each month.
        """
        return self.is_whole(commit) and self._has_folders(self._tree_id(commit), 3)

    def _has_folders(self, tree: str, depth: int) -> bool:
        try:
            self.size(tree)  # a cached tree may have been pruned since
            may_have = depth and _FOLDER in self.raw_tree(tree)
            folders = (
                [entry.id for entry in self.entries(tree) if entry.mode == FOLDER]
                if may_have
                else []
            )
        except GitFailed:
            return False
        return all(self._has_folders(folder, depth - 1) for folder in folders)

    def is_partial(self) -> bool:
        """Return whether this is a partial clone, whose missing objects only git can fetch."""
        if self._partial is None:
            try:
                told = read_small(self._place.common_dir / "config", LARGE).lower()
            except OSError:
                told = b""
            self._partial = b"promisor" in told or b"partialclone" in told
        return self._partial

    def gather(self, commit: str) -> None:
        """Fetch all missing files of a commit at once if this is a partial clone.

        Raises GitFailed.
        """
        if commit in self._gathered or not self.is_partial():
            return
        if commit in self._lacking:  # it would fail again
            raise self._lacking[commit]
        # few clones are partial
        from git_lerim.git.engines.partial_clone import fetch_missing  # noqa: PLC0415

        try:
            fetch_missing(self._place, commit)
        except LerimError as error:
            self._lacking[commit] = error
            raise
        self._gathered.add(commit)

    def _keep(self, tree: str, data: bytes) -> bytes:
        if len(data) > self._room:
            self._trees.clear()
            self._room = ROOM
        self._trees[tree] = data
        self._room -= len(data)
        return data


def parents_in(commit: bytes) -> tuple[str, ...]:
    """Return the ids of a commit's parents, given the bytes of the commit."""
    return tuple(
        line[7:].decode("ascii", "replace")
        for line in commit.partition(b"\n\n")[0].split(b"\n")
        if line.startswith(b"parent ")
    )
