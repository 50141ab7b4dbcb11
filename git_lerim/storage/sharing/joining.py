"""Merge two histories of a store.

A memory that only one side changed is taken from that side; if both sides changed it, its fields
are merged. A memory is identified by the id in its file's name. Renames are not detected, because
git would take a deleted memory and a similar new one for a rename.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from git_lerim.errors import BadMemory, GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import TreeEntry, Trees
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain, run_git
from git_lerim.memories import naming
from git_lerim.memories.memory import Edited, Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Change, MergeResult, Stored
from git_lerim.storage.history import past
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.sharing.tree_diff import TreeChange, differing
from git_lerim.tokens import counted

if TYPE_CHECKING:
    from git_lerim.memories.merging.sides import Side

Files = dict[str, TreeEntry]  # of one memory, by path
ARCHIVED = "archived/"
LISTED = 50  # ids listed in a message


class Wrote(NamedTuple):
    """The last author of a file, and its last edit by hand (without git-lerim)."""

    by: str = ""
    by_hand: Edited | None = None


Author = Callable[[str], Wrote]  # by path


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """One memory's files in three trees."""

    base: Files
    ours: Files
    theirs: Files


def merge_commits(
    place: Place, objects: Objects, reader: TreeReader, ours: str, theirs: str
) -> MergeResult:
    """Return the merge of two commits of a store; swapping the sides gives the same result."""
    bases = git_line(place.git("merge-base", "--all", ours, theirs), cwd=place.git_dir)
    base = min(bases.split(), default=None) if bases else None  # of several, choose always the same
    _refuse_gaps(place, ours, theirs, base)
    trees = (
        objects.tree_of(base) if base else None,
        objects.tree_of(ours),
        objects.tree_of(theirs),
    )
    return merge_trees(
        objects, reader, trees, authors(place, base, ours), authors(place, base, theirs)
    )


def merge_change(joined: MergeResult, name: str) -> Change:
    """Return the change, with its message, that merges the history of the remote `name`."""
    rows = [
        *(f"+ {id_}" for id_ in sorted(joined.added)),
        *(f"~ {id_}" for id_ in sorted(joined.merged)),
    ]
    more = [f"and {len(rows) - LISTED} more"] if len(rows) > LISTED else []
    added = [("Lerim-Added", id_) for id_ in sorted(joined.added)[:LISTED]]
    changed = [("Lerim-Changed", id_) for id_ in sorted(joined.merged)[:LISTED]]
    return Change(
        files=joined.files,
        subject=(
            f"share: join {plain(name)}, {counted(len(joined.added), 'new memory')},"
            f" {len(joined.merged)} merged"
        ),
        body="\n".join([*rows[:LISTED], *more]),
        trailers=(("Lerim-Op", "share"), *added, *changed),
    )


def merge_trees(
    objects: Trees,
    reader: TreeReader,
    trees: tuple[str | None, str | None, str],
    our_author: Author,
    their_author: Author,
) -> MergeResult:
    """Return the merge of two trees.

    `trees` holds their base (None if there is none), our tree, and their tree.
    """
    base, ours, theirs = trees
    by_us, by_them = (
        by_memory(differing(objects, base, ours)),
        by_memory(differing(objects, base, theirs)),
    )
    joined = MergeResult()
    sides = _Sides(reader, objects, our_author, their_author)
    for key, changes in by_them.items():
        if key not in by_us:
            joined.take({change.path: change.new for change in changes})
            joined.added += (
                [key] if naming.is_id(key) and not any(change.old for change in changes) else []
            )
        elif (three := _three(by_us[key], changes)).ours != three.theirs:
            joined.take(_settled(three, sides))
            joined.merged.append(key)
    return joined


def _refuse_gaps(place: Place, ours: str, theirs: str, base: str | None) -> None:
    """Raise GitFailed if a missing commit may hide the merge base.

    Merging without the right base could undo edits.
    """
    since = [f"^{base}"] if base else []
    try:
        run_git(place.git("rev-list", "--quiet", ours, theirs, *since), cwd=place.git_dir)
    except GitFailed as error:
        raise GitFailed(
            f"the history of the memory has a gap: {error}", hint="git lerim doctor says more"
        ) from error


def authors(place: Place, base: str | None, tip: str) -> Author:
    """Return a function that tells who last changed a path since a base."""
    return last_authors(
        past.read_log(place, f"{base}..{tip}" if base else tip, limit=None, path=None),
        by_hand=lambda commit: "Lerim-Op" not in dict(commit.trailers),
    )


def last_authors(
    history: Iterable[past.LoggedCommit],
    by_hand: Callable[[past.LoggedCommit], bool] = lambda _: False,
) -> Author:
    """Return a function that tells who last changed a path; it reads the history on first use."""
    named: dict[str, str] = {}
    edits: dict[str, Edited] = {}

    def author(path: str) -> Wrote:
        if not named:
            named[""] = ""  # read only once, even if empty
            for commit in history:
                for file in commit.files:
                    named.setdefault(file.path, commit.author)
                    if by_hand(commit):
                        edits.setdefault(key_of(file.path), Edited(by=commit.who, at=commit.at))
        return Wrote(named.get(path, ""), edits.get(key_of(path)))

    return author


def by_memory(changes: Iterable[TreeChange]) -> Mapping[str, list[TreeChange]]:
    """Group changed files by memory id, and other files by their path."""
    grouped: dict[str, list[TreeChange]] = defaultdict(list)
    for change in changes:
        grouped[key_of(change.path)].append(change)
    return grouped


def key_of(path: str) -> str:
    """Return a key that a file keeps when it is archived: its memory's id, else its path."""
    return naming.id_in(path) or path.removeprefix(ARCHIVED)


def _three(by_us: list[TreeChange], by_them: list[TreeChange]) -> ThreeWay:
    base = {change.path: change.old for change in (*by_us, *by_them) if change.old}
    return ThreeWay(base, _after(base, by_us), _after(base, by_them))


def _after(base: Files, changes: Iterable[TreeChange]) -> Files:
    files: dict[str, TreeEntry | None] = {**base}
    files |= {change.path: change.new for change in changes}
    return {path: entry for path, entry in files.items() if entry}


@dataclass(frozen=True, slots=True)
class _Sides:
    reader: TreeReader
    objects: Trees
    our_author: Author
    their_author: Author

    def memory(self, files: Files, author: Author) -> "Side | None":
        """Return the memory in some files (merged if several), or None. Raises BadMemory."""
        # slow imports, not needed for reading
        from git_lerim.memories.merging.sides import Side  # noqa: PLC0415
        from git_lerim.memories.merging.threeway import merge  # noqa: PLC0415

        sides = []
        for path, entry in sorted(files.items()):
            file = self.reader.file(path, entry)
            if not isinstance(file, Stored):
                raise BadMemory(file.reason)
            wrote = author(path)
            sides.append(Side(memory=file.memory, by=wrote.by, by_hand=wrote.by_hand))
        return reduce(lambda a, b: replace(a, memory=merge(None, a, b)), sides) if sides else None


def _settled(three: ThreeWay, sides: _Sides) -> Mapping[str, bytes | TreeEntry | None]:
    """Return the changes to our files that merge a memory changed by both sides."""
    from git_lerim.memories.merging.threeway import merge_file  # noqa: PLC0415

    try:
        was = sides.memory(three.base, sides.our_author)
        ours, theirs = (
            sides.memory(three.ours, sides.our_author),
            sides.memory(three.theirs, sides.their_author),
        )
        if ours is None or theirs is None:  # one side deleted what the other edited: the edit wins
            return {**three.theirs} if ours is None else {}
        merged, data = merge_file(was.memory if was else None, ours, theirs)
    except BadMemory:  # invalid files cannot be merged by fields
        return _by_path(three, sides)
    target = _target(three, merged)
    return {path: None for path in three.ours if path != target} | {target: data}


def _target(three: ThreeWay, merged: Memory) -> str:
    """Return the path of a merged memory: its old file name, in `archived/` if it is archived."""
    names = sorted(
        path.removeprefix(ARCHIVED) for path in three.base or {**three.ours, **three.theirs}
    )
    return (ARCHIVED if merged.status is Status.ARCHIVED else "") + names[0]


def _by_path(three: ThreeWay, sides: _Sides) -> Mapping[str, TreeEntry | None]:
    changed: dict[str, TreeEntry | None] = {}
    for path in sorted({*three.base, *three.ours, *three.theirs}):
        was, ours, theirs = (files.get(path) for files in (three.base, three.ours, three.theirs))
        if theirs in (ours, was):
            continue
        kept = (
            theirs
            if ours == was
            else max(_versions(ours, theirs), key=lambda entry: _worth(path, entry, sides))
        )
        if kept != ours:
            changed[path] = kept
    return changed


def _versions(*entries: TreeEntry | None) -> Iterator[TreeEntry]:
    yield from (entry for entry in entries if entry is not None)


def _worth(path: str, entry: TreeEntry, sides: _Sides) -> tuple[bool, int, str]:
    """Return a sort key that prefers readable versions of a file, then regular files."""
    number = _format(sides.objects, entry) if path == "format" else 0
    return isinstance(sides.reader.file(path, entry), Stored), number or -entry.mode, entry.id


def _format(objects: Trees, entry: TreeEntry) -> int:
    return layout.number_in(objects.blob(entry.id)) or 0
