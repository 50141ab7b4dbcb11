"""Revert one change of a memory, and keep later ones."""

from collections.abc import Iterable
from dataclasses import replace

from git_lerim.memories.memory import Edited, Memory
from git_lerim.memories.merging.sides import Side
from git_lerim.memories.merging.threeway import merge

_FIELDS = ("status", "protected", "title", "body", "kind", "tags")


def without_change(span: tuple[Memory, Memory], now: Memory, later: Iterable[Memory]) -> Memory:
    """Revert one change of a memory; later edits of its text stay, paragraph by paragraph.

    A field that the `later` versions changed and set again to the same value stays, too.
    """
    before, then = span
    edited = Edited(by="undo", at=before.updated)  # so that the merge treats it as an edit
    was = before if content(before) == content(then) else replace(before, edited=edited)
    new = replace(merge(then, Side(memory=now, by=""), Side(memory=was, by="")), edited=now.edited)
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
