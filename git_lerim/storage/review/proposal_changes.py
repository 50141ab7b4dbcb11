"""What a proposal would change in the memory.

Changes are compared by content, so a change that a merge, squash or rebase accepted disappears
from a proposal, whatever commits the forge made. Only memories count: no other files, no deletions.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain, run_git
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Stored
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.sharing import joining, tombstones
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.storage.sharing.tree_diff import TreeChange, differing

_SEVERAL = 2  # merge bases, which only git tells apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The memories that a proposal would change, before and after, by id."""

    tree: str  # the memory with the whole proposal applied
    before: Mapping[str, Stored] = field(default_factory=dict)
    after: Mapping[str, Stored] = field(default_factory=dict)
    aside: tuple[Quarantined, ...] = ()  # files that cannot be accepted, safe to print

    def files(self, ids: Collection[str]) -> dict[str, str | None]:
        """Map the paths that change for these ids to their new blobs, or to None if deleted."""
        gone: dict[str, str | None] = {
            item.path: None for id_, item in self.before.items() if id_ in ids
        }
        return gone | {item.path: item.blob for id_, item in self.after.items() if id_ in ids}


class Reviewed:
    """The reviewed memory at one commit, with which proposals are compared."""

    def __init__(self, place: Place, objects: Objects, reader: TreeReader, commit: str) -> None:
        """Initialize with the commit of the memory."""
        self.commit = commit
        self.tree = objects.tree_of(commit)
        self._place = place
        self._objects = objects
        self._reader = reader
        self._purged = tombstones.ids_in(objects, self.tree)
        # the merge bases of proposals that were found together
        self._bases: dict[str, str | None] = {}
        # objects added to the memory since a commit
        self._taken: dict[str, frozenset[str]] = {}

    @cached_property
    def purge(self) -> Purge:
        """What is purged from the memory."""
        return tombstones.purge_in(self._objects, self.tree)

    def base(self, tip: str) -> str | None:
        """Return the merge base of a proposal's tip and the memory, or None."""
        if tip in self._bases:
            return self._bases[tip]
        bases = git_line(
            self._place.git("merge-base", "--all", self.commit, tip), cwd=self._place.git_dir
        )
        return min(bases.split()) if bases else None

    def find_bases(self, tips: Iterable[str]) -> None:
        """Find proposals' merge bases in one walk; a tip with several bases is left to `base`."""
        wanted = dict.fromkeys(tips)
        args = self._place.git("rev-list", "--parents", "--topo-order", "--reverse", "--stdin")
        revisions = "".join(f"{each}\n" for each in (*wanted, f"^{self.commit}"))
        try:
            output = run_git(args, cwd=self._place.git_dir, input=revisions.encode())
        except GitFailed:  # a history with a gap
            return
        meets: dict[str, frozenset[str]] = {}  # of commits that the memory lacks, where they join
        for line in output.decode("ascii").splitlines():
            commit, *parents = line.split(" ")
            places = (meets.get(parent, (parent,)) for parent in parents)
            meets[commit] = frozenset(islice({*chain(*places)}, _SEVERAL))
        for tip in wanted:
            found = meets.get(tip, {tip})
            if len(found) < _SEVERAL:
                self._bases[tip] = next(iter(found), None)

    def content(self, tip: str, rejected: Collection[str] = ()) -> Content:
        """Return the changes of a proposal, except rejected versions (see `versions`)."""
        base = self.base(tip)
        old, new = self._objects.tree_of(base) if base else None, self._objects.tree_of(tip)
        changes = joining.by_memory(differing(self._objects, old, new, _is_folder))
        refused = {
            key
            for key, files in changes.items()
            if rejected and not _versions(files).isdisjoint(rejected)
        }
        taken = self._last_taken((base, tip), changes)
        tree = self.with_change(self.tree, (base, tip), since=base, without=refused, taken=taken)
        return self.between(tree, self._strange(changes, is_begun=old is not None))

    def _last_taken(
        self, span: tuple[str | None, str], changes: Mapping[str, list[TreeChange]]
    ) -> dict[str, TreeEntry | None]:
        """Return, by path, the last accepted version of files that a proposal changed again."""
        base, tip = span
        taken = self._taken_since(base)
        later = {
            key: files
            for key, files in changes.items()
            if taken and any(file.new and file.new.id not in taken for file in files)
        }
        added = {key for key, files in later.items() if not any(file.old for file in files)}
        if not later.keys() - added | self._standing(self.tree, added):
            return {}
        found: dict[str, tuple[str, TreeEntry]] = {}
        for path, blob in self._objects_of(tip, base):
            if blob in taken and naming.valid_path(path) and joining.key_of(path) in later:
                entry = TreeEntry(path.rpartition("/")[2].encode(), FILE, blob)
                found.setdefault(joining.key_of(path), (path, entry))
        gone = {file.path: None for key in found for file in later[key]}
        return {**gone, **dict(found.values())}

    def _objects_of(self, tip: str, base: str | None) -> Iterator[tuple[str, str]]:
        """Yield the path and id of each object that a proposal added, newest first."""
        args = self._place.git("rev-list", "--objects", tip, *([f"^{base}"] if base else []))
        for row in run_git(args, cwd=self._place.git_dir).decode("utf-8", "replace").splitlines():
            id_, _, path = row.partition(" ")
            yield path, id_

    def versions(self, tip: str, items: Iterable[Stored]) -> set[str]:
        """Return a proposal's versions of some memories, each as `<id>-<blob>`."""
        base = self.base(tip)
        trees = self._objects.tree_of(base) if base else None, self._objects.tree_of(tip)
        changes = joining.by_memory(differing(self._objects, *trees, _is_folder))
        return {
            version
            for item in items
            for version in _versions(changes.get(joining.key_of(item.path), ()))
        }

    def between(self, tree: str, aside: Iterable[Quarantined] = ()) -> Content:
        """Return the changes that lead from the memory to a tree.

        `aside` are files of the tree that cannot be accepted.
        """
        before: dict[str, Stored] = {}
        after: dict[str, Stored] = {}
        bad = list(aside)
        for _, old, new in self._reader.apart(self.tree, tree):
            if isinstance(old, Stored):
                before[old.memory.id] = old
            if isinstance(new, Stored):
                after[new.memory.id] = new
            elif new is not None:
                bad.append(new)
        return Content(tree=tree, before=before, after=after, aside=tuple(bad))

    def with_change(
        self,
        onto: str,
        span: tuple[str | None, str],
        *,
        since: str | None,
        without: Collection[str] = (),
        taken: Mapping[str, TreeEntry | None] | None = None,
    ) -> str:
        """Apply the changes between two commits to the tree `onto`; return the new tree.

        Skipped are changes to files that are not memories, to purged memories, to the keys in
        `without`, and those accepted since the commit `since` (see `_accepted`). For a file in
        `taken`, changes count from the version given there.
        """
        old, new = (self._objects.tree_of(each) if each else None for each in span)
        old = written(self._objects, old, taken) if taken else old
        changes = joining.by_memory(differing(self._objects, old, new, _is_folder))
        added = {key for key, files in changes.items() if not any(file.old for file in files)}
        undone = {
            *without,
            *self._purged,
            *self._standing(onto, added),
            *self._accepted(changes, since),
        }
        files = [
            file
            for key, each in changes.items()
            for file in each
            if key in undone or not _is_memory(file)
        ]
        theirs = (
            written(self._objects, new, {file.path: file.old for file in files}) if files else new
        )
        if theirs in (old, None):
            return onto
        wrote = (joining.authors(self._place, *each) for each in ((since, self.commit), span))
        trees = (old, onto, str(theirs))
        joined = joining.merge_trees(self._objects, self._reader, trees, *wrote)
        return written(self._objects, onto, {**joined.files, **joined.taken}) or onto

    def _accepted(
        self, changes: Mapping[str, list[TreeChange]], since: str | None
    ) -> Iterator[str]:
        """Yield the keys of the changes to skip.

        A change is skipped if the memory already received the new version after `since`, or if
        it would delete a file that the memory still has.
        """
        for key, files in changes.items():
            left = [file.new for file in files if file.new]
            if (
                all(entry.id in self._taken_since(since) for entry in left)
                if left
                else self._standing(self.tree, [key])
            ):
                yield key

    def _standing(self, tree: str, keys: Collection[str]) -> set[str]:
        """Return the keys whose files are in a tree.

        A summary's key is its path; the key of any other memory is its id.
        """
        ids = {key for key in keys if naming.is_id(key)}
        named = self._reader.named(tree, (*layout.PRIMITIVES,), ids) if ids else []
        files = self._reader.part(tree, (*layout.PRIMITIVES,)) if named is None else named
        paths = {
            key
            for key in keys
            if key not in ids and any(map(self._holder(tree), (key, joining.ARCHIVED + key)))
        }
        return ids.intersection(joining.key_of(file.path) for file in files) | paths

    def _holder(self, tree: str) -> Callable[[str], bool]:
        def holds(path: str) -> bool:
            here: str | None = tree
            for step in path.split("/"):
                entries = self._objects.entries(here) if here else []
                here = next(
                    (
                        entry.id
                        for entry in entries
                        if entry.name == step.encode("utf-8", "surrogateescape")
                    ),
                    None,
                )
            return here is not None

        return holds

    def _taken_since(self, base: str | None) -> frozenset[str]:
        """Return the objects added to the memory since a commit."""
        if base is None or base == self.commit:
            return frozenset()
        if base not in self._taken:
            args = self._place.git(
                "rev-list", "--objects", "--no-object-names", self.commit, f"^{base}"
            )
            self._taken[base] = frozenset(
                run_git(args, cwd=self._place.git_dir).decode("ascii").split()
            )
        return self._taken[base]

    def _strange(
        self, changes: Mapping[str, list[TreeChange]], *, is_begun: bool
    ) -> Iterator[Quarantined]:
        """Yield changes that a proposal must not make: deletions, and files other than memories."""
        holds = self._holder(self.tree)
        for key, files in changes.items():
            if not any(file.new for file in files):
                if self._standing(self.tree, [key]):
                    yield Quarantined(
                        path=plain(files[0].path),
                        reason="a proposal cannot delete it; to archive it: git lerim forget",
                    )
                continue
            for file in files:
                if file.path.startswith(f"{layout.PURGED}/") and holds(file.path):
                    # the memory has this tombstone, too: another purge rewrote the proposal's base
                    continue
                if not _is_memory(file) and (is_begun or file.path not in layout.ROOT_FILES):
                    yield Quarantined(path=plain(file.path), reason="it is not a memory")


def _is_folder(path: str) -> bool:
    """Return whether to compare a folder file by file; if not, it counts as one change."""
    return path == layout.PURGED or layout.is_folder(path)


def _is_memory(file: TreeChange) -> bool:
    return naming.valid_path(file.path) and (file.new is None or file.new.mode == FILE)


def _versions(files: Iterable[TreeChange]) -> set[str]:
    return {f"{naming.id_in(file.path) or 'summary'}-{file.new.id}" for file in files if file.new}
