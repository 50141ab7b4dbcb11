import sqlite3
from typing import Any

from support.memories import later, memory

from git_lerim.memories import naming
from git_lerim.memories.memory import Kind, Memory, Origin, Primitive
from git_lerim.recall.brief.selection import candidates
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.index_writer import SCHEMA, Writer


def said(n: int, title: str, **changes: Any) -> Memory:
    """Return the n-th memory, an hour younger than the one before."""
    changes = {"kind": Kind.PITFALL, "origin": Origin.HUMAN} | changes
    return memory(
        id=naming.memory_id("claude", f"record {n}", "learning", 0),
        primitive=Primitive.LEARNING, title=title, body=f"{title}.", at=later(hours=n), **changes,
    )  # fmt: skip


def index_of(own: list[Memory], of_others: list[Memory]) -> Reader:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    writer = Writer(connection)
    for author, memories in (("", own), ("Mallory", of_others)):
        for each in memories:
            writer.add(each, naming.path_of(each), "b" * 40, author)
    writer.finish({})
    return Reader(connection)


def chosen(own: list[Memory], of_others: list[Memory], **asked: Any) -> list[str]:
    """Return the titles of what a brief hands out within the limits of its sections."""
    picks = candidates(index_of(own, of_others), **asked)
    return [pick.document.title for pick in picks if not pick.spare]


def test_a_title_that_is_the_id_of_another_memory_takes_no_place() -> None:
    mine = said(1, "Retries wait with jitter, because fixed delays overloaded the queue")
    theirs = said(2, mine.id, kind=Kind.PREFERENCE)

    assert chosen([mine], [theirs]) == [theirs.title, mine.title]
