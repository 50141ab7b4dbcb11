"""Say who wrote a memory, for rules that compare memories of several people."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from git_lerim.memories.feedback import Feedback
from git_lerim.memories.writers import Author
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
