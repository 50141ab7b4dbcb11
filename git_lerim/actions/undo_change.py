"""Revert one change of a memory, and keep the changes made after it."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from git_lerim.errors import BadMemory
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Edited, Memory, Status
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.workspace import Workspace

_FIELDS = ("status", "protected", "title", "body", "kind", "tags")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The changes to undo: the store before and after them, and the memories they changed."""

    name: str
    before: Snapshot
    then: Snapshot
    ids: tuple[str, ...]
    added: frozenset[str]  # paths of all files that these commits added
    edits: bool  # whether all these commits are edits
    archivings: bool  # whether all these commits are forgets or undos
    later: tuple[LoggedCommit, ...]  # later commits that were not undone


def all_of(snapshot: Snapshot) -> dict[str, Stored]:
    """Return all memories of a snapshot, with summaries and handoffs, by id."""
    return {**snapshot.summaries, **snapshot.handoffs, **snapshot.memories}


def deleted(span: Span, id_: str) -> Stored | None:
    """Return the memory if the commits to undo deleted it, else None."""
    return all_of(span.before).get(id_) if id_ not in all_of(span.then) else None


def added_junk(span: Span, now: Snapshot) -> list[str]:
    """Return the unreadable files that the commits to undo added and that nobody changed later."""
    later = {file.path for commit in span.later for file in commit.files}
    aside = {file.path for file in now.quarantined} if span.added else set[str]()
    return sorted((span.added & aside) - later)


def newly_archived(before: Snapshot, done: Iterable[Memory]) -> set[str]:
    """Return the ids of the undone memories that are archived now, and were not before."""
    active = {
        id_ for id_, item in all_of(before).items() if item.memory.status is not Status.ARCHIVED
    }
    return {memory.id for memory in done if memory.status is Status.ARCHIVED} & active


def reverted(
    ws: Workspace, span: Span, id_: str, now: Stored, left: list[tuple[str, str]]
) -> Memory | None:
    """Return a memory without the change to undo; None if the memory stays as it is.

    Later changes are kept. A memory that the change added is archived. If a memory cannot be
    undone, its id and the reason are added to `left`.
    """
    before, then = all_of(span.before).get(id_), all_of(span.then).get(id_)
    if before is not None and then is not None:
        if replace(before.memory, last_accessed=then.memory.last_accessed) == then.memory:
            return None  # the commit only recorded when it was last shown
        versions = _later_versions(ws, span, id_)
        return without_change((before.memory, then.memory), now.memory, versions)
    if then is None or now.memory.status is Status.ARCHIVED:
        return None
    if span.edits:  # in the work tree, the memory may have been there before, uncommitted
        left.append((id_, "was first committed by this edit: its text before that is not in git"))
    elif now.memory.protected:
        left.append((id_, "is protected"))
    elif replace(now.memory, last_accessed=None) != replace(then.memory, last_accessed=None):
        left.append((id_, "was changed since"))
    else:
        return replace(now.memory, status=Status.ARCHIVED)
    return None


def _later_versions(ws: Workspace, span: Span, id_: str) -> Iterator[Memory]:
    """Yield the versions in commits made on top of the change, not beside it and merged later."""
    objects, changed = open_objects(ws.place), span.then.commit
    for commit in span.later:
        blobs = [file.blob for file in commit.files if file.id == id_ and file.blob]
        if blobs and changed and objects.descends(commit.id, changed):
            for blob in blobs:
                with suppress(BadMemory):
                    yield frontmatter.parse(ws.store.content(blob))


def without_change(span: tuple[Memory, Memory], now: Memory, later: Iterable[Memory]) -> Memory:
    """Return the memory `now` without the change between the two versions in `span`.

    Later edits of its text stay, paragraph by paragraph. A field also stays if one of the `later`
    versions changed it and another set it back.
    """
    before, then = span
    edited = Edited(by="undo", at=before.updated)  # so that the merge treats it as an edit
    was = before if content(before) == content(then) else replace(before, edited=edited)
    sides = Side(memory=now, by=""), Side(memory=was, by="", is_undo=True)
    new = replace(merge(then, *sides), edited=now.edited)
    same = [
        name
        for name in _FIELDS
        if getattr(before, name) != getattr(then, name) == getattr(now, name)
    ]
    versions = list(later) if same else []
    again = {
        name: getattr(now, name)
        for name in same
        if any(getattr(each, name) != getattr(then, name) for each in versions)
    }
    return replace(new, **again)


def content(memory: Memory) -> tuple[object, ...]:
    """Return the values of the fields whose change counts as an edit."""
    return (memory.title, memory.body, memory.kind, memory.tags)
