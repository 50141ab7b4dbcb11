"""Tombstones: the ids of purged memories, so that neither a sync nor a colleague adds them again.

Each is a file `purged/<id>` with constant content, so that merging never conflicts. It contains
nothing of the memory.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, Trees
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Change
from git_lerim.storage.sharing.tree_diff import differing

MARK = "[purged]"
_SAYS = (
    "This memory was deleted for good, from the whole history. No sync and no join adds it again.\n"
)
_LIMIT = 1024  # bytes
_ARCHIVED = "archived/"


@dataclass(frozen=True)
class Purge:
    """The purged memories: ids, and the paths of summaries, whose names contain no id."""

    ids: frozenset[str] = frozenset()
    # id → paths, without `archived/`
    summaries: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether anything is purged."""
        return bool(self.ids)

    def __or__(self, other: "Purge") -> "Purge":
        """Return the union of two purges."""
        both = (self.summaries, other.summaries)
        paths = {
            id_: frozenset().union(*(each.get(id_, ()) for each in both))
            for id_ in {*both[0], *both[1]}
        }
        return Purge(self.ids | other.ids, paths)

    def without(self, ids: frozenset[str]) -> "Purge":
        """Return the purge without some ids."""
        return Purge(
            self.ids - ids, {id_: paths for id_, paths in self.summaries.items() if id_ not in ids}
        )

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths of the summaries."""
        return frozenset().union(*self.summaries.values())

    def names(self, path: str) -> bool:
        """Return whether the id in a file's name is that of a purged memory."""
        return naming.last_id_in(path) in self.ids

    def meets(self, path: str, data: bytes | None) -> bool:
        """Return whether the purge deletes a file with this path and content.

        A summary's path may now belong to another summary, so its content is checked; without
        `data`, the path is enough.
        """
        if path.startswith(f"{layout.PURGED}/"):
            return False
        if self.names(path):
            return True
        if path.removeprefix(_ARCHIVED) not in self.paths:
            return False
        told = re.search(rb"^id: *[\"']?([a-z2-7]{13})", data or b"", re.MULTILINE)
        return told is None or told[1].decode() in self.ids


def purge_in(objects: Trees, tree: str) -> Purge:
    """Return the purge recorded in a store's tree."""
    files = _files(objects, tree)
    summaries = {}
    for id_, blob in files.items():
        lines = (
            objects.blob(blob).decode("utf-8", "replace").split("\n")
            if objects.size(blob) <= _LIMIT
            else []
        )
        summaries[id_] = frozenset(line for line in lines if layout.primitive_at(line) == "summary")
    return Purge(frozenset(files), summaries)


def ids_in(objects: Trees, tree: str) -> frozenset[str]:
    """Return the purged ids recorded in a store's tree."""
    return frozenset(_files(objects, tree))


def purge_difference(
    objects: Objects, ours: str, theirs: str, but: frozenset[str] = frozenset()
) -> Purge | None:
    """Return all that either of two commits has purged, or None if both purged the same ids.

    The ids in `but` are ignored.
    """
    trees = [objects.tree_of(commit) for commit in (ours, theirs)]
    if ids_in(objects, trees[0]) - but == ids_in(objects, trees[1]) - but:
        return None
    return (purge_in(objects, trees[0]) | purge_in(objects, trees[1])).without(but)


def lacks_tombstones(
    objects: Objects, ours: str, theirs: str, but: frozenset[str] = frozenset()
) -> bool:
    """Return whether our commit lacks a tombstone that theirs has, ignoring the ids in `but`."""
    new, known = (ids_in(objects, objects.tree_of(commit)) for commit in (theirs, ours))
    return not new - but <= known


def tombstone_files(objects: Objects, purge: Purge, ids: Iterable[str]) -> dict[str, TreeEntry]:
    """Write the tombstones of some ids; map each tombstone's path to its entry.

    The tombstone of a summary lists the paths that the summary has had.
    """
    made = {}
    for id_ in ids:
        data = _SAYS + "".join(f"{path}\n" for path in sorted(purge.summaries.get(id_, ())))
        made[f"{layout.PURGED}/{id_}"] = TreeEntry(
            id_.encode(), FILE, objects.write_blob(data.encode())
        )
    return made


def without(objects: Trees, tree: str, change: Change) -> Change:
    """Return a change without the purged memories that are already gone from the tree.

    Those that are still in the tree stay in the change, because they have yet to be purged.
    """
    purge = purge_in(objects, tree)
    met = {path for path, data in change.files.items() if purge and purge.meets(path, data)}
    if met:
        here = {_key(each.path) for each in differing(objects, None, tree, layout.is_folder)}
        met = {path for path in met if _key(path) not in here}
    if not met:
        return change
    kept = {path: data for path, data in change.files.items() if path not in met}
    subject, body = (scrub_message(text, purge.ids, ()) for text in (change.subject, change.body))
    return replace(change, files=kept, subject=subject, body=body)


def _key(path: str) -> str:
    return naming.last_id_in(path) or path.removeprefix(_ARCHIVED)


def scrub_message(message: str, ids: Iterable[str], titles: Iterable[str]) -> str:
    """Return a commit message with the ids and titles of memories replaced by `[purged]`."""
    for id_ in sorted(ids):
        if id_ in message:
            message = re.sub(rf"^([+~-]) {id_}\b.*$", rf"\1 {MARK}", message, flags=re.MULTILINE)
            # an id of letters alone may be a word, so only our trailers are sure to mean the id
            place = r"^Lerim-[A-Za-z-]+: " if id_.isalpha() else ""
            message = re.sub(rf"({place})\b{id_}\b", rf"\1{MARK}", message, flags=re.MULTILINE)
    for title in sorted(titles, key=lambda title: (-len(title), title)):
        message = message.replace(title, MARK)
        subject, end, rest = message.partition("\n")
        message = _without_cut(subject, title) + end + rest
    return message


def _without_cut(subject: str, title: str) -> str:
    """Return a subject in which `[purged]` replaces a title that was cut short."""
    for colon in re.finditer(": ", subject):
        told = subject[colon.end() :].removesuffix("…").rstrip()
        if told and title.startswith(told):
            return subject[: colon.end()] + MARK
    return subject


def _files(objects: Trees, tree: str) -> dict[str, str]:
    folder = next(
        (
            e.id
            for e in objects.entries(tree)
            if e.name == layout.PURGED.encode() and e.mode == FOLDER
        ),
        None,
    )
    found = objects.entries(folder) if folder else []
    return {
        e.name.decode(): e.id
        for e in found
        if e.mode == FILE and e.name.isascii() and naming.is_id(e.name.decode())
    }
