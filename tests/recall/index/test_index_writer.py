import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memories import memory

from git_lerim.database import transaction
from git_lerim.memories.memory import Anchor, Memory, Primitive, Source, Status
from git_lerim.memories.naming import memory_id
from git_lerim.recall.index.index import empty
from git_lerim.recall.index.index_reader import ALL, Document, Reader, mark
from git_lerim.recall.index.index_writer import Writer
from git_lerim.recall.index.terms import terms

AT = datetime(2026, 2, 1, tzinfo=UTC)
(QUEUE,) = terms("queue")


def numbered(n: int, **fields: object) -> Memory:
    at = AT + timedelta(seconds=n)
    return memory(
        **{
            "id": memory_id("x", str(n), "decision", 0),
            "title": "Queue",
            "body": f"word{n % 3}",
            "at": at,
        }
        | fields
    )


def filled(numbers: Iterable[int]) -> Reader:
    connection = empty()
    writer = Writer(connection)
    for n in numbers:
        writer.add(numbered(n), str(n), "0" * 40)
    writer.finish({})
    return Reader(connection)


def test_documents_are_found_by_a_term_newest_first_however_they_came() -> None:
    numbers = list(range(300))
    random.Random(1).shuffle(numbers)  # noqa: S311
    reader = filled(numbers)
    keys = reader.having([0], QUEUE)
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == len(numbers) == reader.frequency([0], QUEUE)
    assert reader.newest([0], 5) == keys[:5]
    assert reader.newest([0], 5, since=keys[2]) == keys[:3]


@given(st.text(max_size=30), st.text(max_size=30))
def test_two_filters_are_the_same_term_only_where_they_are_the_same(one: str, other: str) -> None:
    assert (mark("path", one) == mark("path", other)) == (one == other)


PATHS = [
    "SRC/Main.py",
    'a "quoted" b.py',
    "größe.md",
    "a*b.py",
    "x (1).py",
    "AND",
    "it's.py",
    "-x",
    "a%41.py",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_found_as_it_is_written(path: str) -> None:
    connection = empty()
    writer = Writer(connection)
    writer.add(numbered(1, anchors=(Anchor(path=path),)), "1", "0" * 40)
    writer.add(numbered(2, anchors=(Anchor(path=path.swapcase() + "x"),)), "2", "0" * 40)
    writer.finish({})
    assert len(Reader(connection).having([0], mark("path", path))) == 1


def test_documents_that_come_in_any_order_make_one_segment() -> None:
    connection = empty()
    with transaction(connection):
        writer = Writer(connection)
        for n in range(300, 0, -1):
            writer.add(numbered(n), str(n), "0" * 40)
        writer.finish({})
    assert connection.execute("SELECT count(DISTINCT segid) FROM text0_idx").fetchone()[0] == 1


def test_documents_of_some_records_are_found_in_all_sessions_at_once() -> None:
    connection = empty()
    writer = Writer(connection)
    for n in range(40):
        source = Source(agent="claude", session=f"{n // 10}", records=((n % 10, n % 10),), at=AT)
        writer.add(numbered(n, sources=(source,)), str(n), "0" * 40)
    writer.finish({})
    reader = Reader(connection)
    found = reader.from_records(
        [0], [("0", 2, 4), ("0", 3, 5), ("3", 9, 11), ("none", 0, 9), *[("1", 20, 30)] * 600]
    )
    assert {one.path for one in reader.documents(found, Document)} == {"2", "3", "4", "5", "39"}
    assert reader.from_records([1], [("0", 0, 9)]) == reader.from_records([0], []) == set()


def test_what_is_taken_out_leaves_nothing() -> None:
    connection = empty()
    for paths in (range(5), range(5, 9)):
        writer = Writer(connection)
        for n in paths:
            writer.add(numbered(n), str(n), "0" * 40)
        writer.finish({})
    writer = Writer(connection)
    for n in range(9):
        writer.remove(str(n))
    writer.remove("never there")
    writer.finish({})
    assert Reader(connection).frequency([0], QUEUE) == 0
    assert Reader(connection).newest([0], 5) == []
    assert connection.execute("SELECT count(*) FROM document").fetchone()[0] == 0
    assert Reader(connection).size([0]) == (0, 0)


def test_memories_of_one_second_have_keys_of_their_own() -> None:
    connection = empty()
    writer = Writer(connection)
    for primitive in Primitive:  # one id in four groups
        writer.add(numbered(0, primitive=primitive, kind=None), primitive, "0" * 40)
    writer.finish({})
    assert connection.execute("SELECT count(DISTINCT key) FROM document").fetchone()[0] == 4


def test_each_status_and_sort_has_its_part_of_the_index() -> None:
    connection = empty()
    writer = Writer(connection)
    writer.add(numbered(1), "1", "0" * 40)
    writer.add(numbered(2, primitive=Primitive.SUMMARY), "2", "0" * 40)
    writer.add(numbered(3, status=Status.ARCHIVED), "3", "0" * 40)
    writer.add(numbered(4, primitive=Primitive.HANDOFF, status=Status.SUPERSEDED), "4", "0" * 40)
    writer.finish({})
    assert [Reader(connection).size([area])[0] for area in range(4)] == [1, 1, 1, 1]


def test_a_document_holds_what_a_hit_shows() -> None:
    connection = empty()
    writer = Writer(connection)
    source = Source(
        agent="codex", session="019d6306-0000-7000-8000-0000000000ab", records=((7, 9),)
    )
    one = numbered(
        1,
        sources=(source,),
        tags=("b", "a"),
        anchors=(Anchor(path="a b.py", lines=(1, 2), symbol="f"),),
    )
    writer.add(replace(one, created=datetime(1, 1, 1, tzinfo=UTC)), "path", "0" * 40)
    writer.finish({})
    reader = Reader(connection)
    (document,) = reader.documents(reader.newest([0], 1), Document)
    assert (document.source, document.session, document.record) == (
        "codex 000000ab",
        source.session,
        7,
    )
    assert (document.tags, document.places) == ("b\na", [("a b.py", "")])
    assert document.created == "0001-01-01T00:00:00Z"
    assert reader.having([0], mark("path", "a b.py")) == reader.having([0], ALL) == [document.key]
