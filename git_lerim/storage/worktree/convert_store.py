"""Convert a store between branch and work tree, merging what is on both sides.

`refs/lerim/moved` keeps the last common state as a merge base, so that later edits on one side
do not conflict. A missing file never counts as a deletion, since the user's other branches may
never have had it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from git_lerim.git.commits.identity import identity, stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.worktree.worktree_snapshot import FileState, FolderSnapshot
from git_lerim.memories import naming
from git_lerim.memories.memory import FILE_LIMIT, Memory
from git_lerim.storage import layout
from git_lerim.storage.base import Change, MergeResult, Snapshot, Stored
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.sharing import joining
from git_lerim.storage.sharing.joining import Author, by_memory, last_authors
from git_lerim.storage.sharing.tree_diff import differing
from git_lerim.storage.trust import accepted
from git_lerim.storage.worktree.worktree_store import TreeStore
from git_lerim.storage.writing.message import commit_bytes
from git_lerim.storage.writing.retrying import retry

MOVED = "refs/lerim/moved"


@dataclass(frozen=True, slots=True)
class Moved:
    """The result of a conversion."""

    added: int = 0  # new files
    merged: int = 0  # memories changed on both sides
    changed: int = 0  # files replaced by the other side's version

    def __add__(self, other: "Moved") -> "Moved":
        """Return the sum of the results of two conversions."""
        return Moved(
            self.added + other.added, self.merged + other.merged, self.changed + other.changed
        )


def was_moved(objects: Objects, path: str, blob: str) -> bool:
    """Return whether the last conversion had this version of a file."""
    moved = objects.ref(MOVED)
    entry = objects.entry_at(moved, path) if moved else None
    return entry is not None and entry.id == blob


def into_tree(branch: BranchStore, tree: TreeStore) -> Moved:
    """Write the branch's trusted memories into the work tree; the branch stays.

    Raises StoreMoved.
    """
    objects = open_objects(branch.place)
    tip = branch.handed_out() or _fetched(branch, objects)
    if tip is None:
        return Moved()
    theirs = objects.tree_of(tip)

    def once(_: int) -> Moved:
        state = tree.look()
        joined = _joined(
            objects,
            tree,
            (state.tree, state.tree, theirs),
            (last_authors(tree.history()), last_authors(branch.history())),
        )
        files = _files(tree, joined, tombs=True)
        tree.settle(
            tree.write(state, files, _names(branch, files)),
            joining.merge_change(joined, branch.branch),
        )
        _note(branch, objects, tip)
        return _counted(files, joined, lambda path: path in state.files)

    return retry(once, f"{layout.TREE} could not be written")


def _names(branch: BranchStore, files: Iterable[str]) -> dict[str, str]:
    """Return the author of each file that others wrote, by path."""
    served = branch.served()
    items = [
        item
        for part in (served.memories, served.summaries, served.handoffs)
        for item in part.values()
    ]
    authors = {accepted.key_of(item.path): item.author for item in items if item.author}
    return {
        path: authors[accepted.key_of(path)] for path in files if accepted.key_of(path) in authors
    }


def _fetched(branch: BranchStore, objects: Objects) -> str | None:
    """Return the remote's fetched memory if there is no local branch, or None.

    If a part of that memory is withheld, a local branch is created from it, so that this part can
    wait there.
    """
    theirs = (
        objects.ref(f"refs/remotes/{branch.remote}/{branch.branch}")
        if branch.tip() is None
        else None
    )
    if theirs is None or not objects.is_whole(theirs):
        return None
    if branch.trust.word == "remote" and not branch.trust.held(theirs):
        return theirs
    return branch.handed_out() if branch.attach(branch.remote or "") else None


def into_branch(
    branch: BranchStore, tree: TreeStore, refuse: Callable[[Mapping[str, bytes | None]], None]
) -> Moved:
    """Commit the work tree's memories to the branch; the files stay.

    `refuse` raises if the files must not be committed.
    """
    state = tree.look()
    if state.tree is None:
        return Moved()
    objects = open_objects(branch.place)
    made: list[Moved] = []

    def operation(snapshot: Snapshot) -> Change | None:
        ours = objects.tree_of(snapshot.commit) if snapshot.commit else None
        joined = _joined(
            objects,
            tree,
            (state.tree, ours, state.tree or ""),
            (last_authors(branch.history()), last_authors(tree.history())),
        )
        files = _files(tree, joined, tombs=False)
        refuse(files)
        at = snapshot.commit
        made[:] = [
            _counted(
                files,
                joined,
                lambda path: at is not None and objects.entry_at(at, path) is not None,
            )
        ]
        theirs = _not_own(tree, state)
        if not files:
            return None
        return replace(joining.merge_change(joined, layout.TREE), files=files, theirs=theirs)

    branch.commit(operation)
    _note(branch, objects, _kept(branch, objects, tree, state))
    return made[-1]


def _not_own(tree: TreeStore, state: FolderSnapshot) -> dict[str, str]:
    """Return the author of each file in the work tree that others wrote, by key."""
    authors = {path: tree.trust.author(path, each.id) for path, each in state.files.items()}
    return {accepted.key_of(path): author for path, author in authors.items() if author}


def _joined(
    objects: Objects,
    tree: TreeStore,
    trees: tuple[str | None, str | None, str],
    authors: tuple[Author, Author],
) -> MergeResult:
    mine, ours, theirs = trees
    moved = objects.ref(MOVED)
    base = (
        _base(tree, objects.tree_of(moved), mine)
        if moved and mine and objects.is_whole(moved)
        else None
    )
    joined = joining.merge_trees(tree.disk, tree.reader, (base, ours, theirs), *authors)
    # each side has its own README
    joined.merged[:] = [key for key in joined.merged if naming.is_id(key) or naming.valid_path(key)]
    return joined


def _base(tree: TreeStore, moved: str, mine: str) -> str | None:
    """Return the last common state, without files that are missing or older in this work tree."""
    kept = {
        each.path: each.new
        for each in differing(tree.disk, None, moved, layout.is_folder)
        if each.new is not None
    }
    for changes in by_memory(differing(tree.disk, moved, mine, layout.is_folder)).values():
        was = _latest(tree, {change.path: change.old for change in changes})
        now = _latest(tree, {change.path: change.new for change in changes})
        if was is None or now is None or now.updated < was.updated:
            for change in changes:
                kept.pop(change.path, None)
    return tree.disk.planted(
        {path: FileState(entry.mode, entry.id, size=-1) for path, entry in kept.items()}
    )


def _latest(tree: TreeStore, entries: Mapping[str, TreeEntry | None]) -> Memory | None:
    files = [tree.reader.file(path, entry) for path, entry in entries.items() if entry is not None]
    return max(
        (file.memory for file in files if isinstance(file, Stored)),
        key=lambda memory: memory.updated,
        default=None,
    )


def _files(tree: TreeStore, joined: MergeResult, *, tombs: bool) -> dict[str, bytes | None]:
    """Return the merged files to write, by path; a file to delete has None as its content."""
    taken = {
        path: tree.disk.blob(entry.id)
        for path, entry in joined.taken.items()
        if _is_taken(tree, entry)
    }
    return {
        path: data
        for path, data in (*joined.files.items(), *taken.items())
        if _is_ours(path, tombs=tombs)
    }


def _counted(
    files: Mapping[str, bytes | None], joined: MergeResult, is_there: Callable[[str], bool]
) -> Moved:
    """Count the changes; a file that was only moved does not count as new."""
    keys = {path: naming.id_in(path) or path for path in files}
    gone = {keys[path] for path, data in files.items() if data is None}
    merged = {key for key in keys.values() if key in joined.merged}
    added = [path for path in files if keys[path] not in gone and not is_there(path)]
    rest = {key for path, key in keys.items() if key not in merged and path not in added}
    return Moved(added=len(added), merged=len(merged), changed=len(rest))


def _is_taken(tree: TreeStore, entry: TreeEntry | FileState) -> bool:
    """Return whether an entry can be converted: a file that is not too large for a memory."""
    return entry.mode == FILE and tree.disk.size(entry.id) <= FILE_LIMIT


def _is_ours(path: str, *, tombs: bool) -> bool:
    folder, _, name = path.rpartition("/")
    return naming.valid_path(path) or (tombs and folder == layout.PURGED and naming.is_id(name))


def _kept(branch: BranchStore, objects: Objects, tree: TreeStore, state: FolderSnapshot) -> str:
    """Write a commit of the work tree's files, the merge base of the next conversion."""
    files = {
        path: tree.disk.blob(each.id)
        for path, each in state.files.items()
        if naming.valid_path(path) and _is_taken(tree, each)
    }
    made = written(objects, None, files) or objects.tree_of(branch.start())
    who = identity(branch.place)
    signature = who.committer + b" " + (who.committer_date or stamp(0))
    return objects.write_commit(
        commit_bytes(made, [], signature, signature, b"What the work tree held\n")
    )


def _note(branch: BranchStore, objects: Objects, commit: str) -> None:
    old = objects.ref(MOVED)
    if old != commit:
        objects.move_ref(
            MOVED, commit, old=old, message="git-lerim: move", who=identity(branch.place)
        )
        objects.settle()
