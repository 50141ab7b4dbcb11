"""Say who wrote a memory, for rules that compare memories of several people."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from git_lerim.memories.feedback import Feedback
from git_lerim.memories.memory import Edited, Memory
from git_lerim.memories.writers import Author
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.storage.verdicts import disputed_by_others
from git_lerim.workspace import Workspace


def author_of(ws: Workspace, current: Snapshot | None = None) -> Author:
    """Return a function that maps the id of a decision or learning to the name of its author.

    The name is empty for the user's own memories and for unknown ids.
    """
    memories = (current or ws.store.snapshot()).memories

    @cache
    def author(id_: str) -> str:
        item = memories.get(id_)
        return ws.store.named([item])[0].author if item else ""

    return author


def with_accepted(ws: Workspace, memories: Iterable[Memory], snapshot: Snapshot) -> Snapshot:
    """Return a snapshot in which accepted rewordings count as edits, so that sync keeps them.

    A rewording is another person's version of one of `memories`, with a different title or text.
    """
    if ws.in_tree or ws.personal:
        return snapshot
    trust = open_store.branch_only(ws, "").trust
    marked: dict[str, Stored] = {}
    for memory in memories:
        item = snapshot.memories.get(memory.id)
        if item is None or (item.memory.title, item.memory.body) == (memory.title, memory.body):
            continue
        if (name := ws.store.named([item])[0].author) and trust.is_accepted(item.path, item.blob):
            edited = item.memory.edited or Edited(by=name, at=item.memory.updated)
            marked[memory.id] = replace(item, memory=item.memory.having(edited=edited))
    return replace(snapshot, memories={**snapshot.memories, **marked}) if marked else snapshot


def called_wrong_by_others(
    ws: Workspace, feedback: Mapping[str, tuple[Feedback, ...]]
) -> frozenset[str]:
    """Return the ids of the user's memories that others, but not the user, call wrong.

    `feedback` maps ids to the feedback that counts. Git does not show who gave it.
    """
    author, mail = author_of(ws), author_mail(ws.place)
    found = (id_ for id_, rows in feedback.items() if disputed_by_others(rows, mail))
    return frozenset(id_ for id_ in found if not author(id_))


def in_own_details(ws: Workspace, items: Collection[Stored]) -> list[Stored]:
    """Return stored memories, the user's own without others' changes and forged feedback."""
    named = ws.store.named(items)
    return [
        was if now.author else _without_forged(now) for was, now in zip(items, named, strict=True)
    ]


def _without_forged(item: Stored) -> Stored:
    memory = item.memory.having(feedback=item.feedback)
    return item if memory == item.memory else replace(item, memory=memory, believed=None)
