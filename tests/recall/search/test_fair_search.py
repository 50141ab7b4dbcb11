import pytest
from support.memories import memory

from git_lerim.memories.memory import Memory, Primitive
from git_lerim.memories.naming import memory_id
from git_lerim.recall.answers.answer import answer
from git_lerim.recall.index.index import empty
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.index_writer import Writer
from git_lerim.recall.search.fair_search import search_fairly, with_summaries

THEIRS = [f"Store orders in Redis{n}, we store orders there; store orders so" for n in range(30)]


def one(title: str, primitive: Primitive = Primitive.DECISION) -> Memory:
    return memory(id=memory_id("x", title, "decision", 0), title=title, primitive=primitive)


def mine(number: int) -> list[Memory]:
    return [
        one(f"Postgres{n} keeps what customers ordered, as SQLite locks") for n in range(number)
    ]


def index_of(own: list[Memory], of_others: list[str]) -> Reader:
    connection = empty()
    writer = Writer(connection)
    for each in own:
        writer.add(each, each.id, "0" * 40)
    for title in of_others:
        writer.add(one(title), title, "0" * 40, "Bob")
    writer.finish({})
    return Reader(connection)


@pytest.mark.parametrize(
    ("own", "limit", "kept"), [(1, 10, 1), (9, 10, 5), (9, 5, 3), (9, 1, 1), (9, 60, 9), (0, 10, 0)]
)
def test_the_users_memories_keep_half_of_the_hits(own: int, limit: int, kept: int) -> None:
    hits = search_fairly(index_of(mine(own), THEIRS), "store orders", limit=limit)

    assert sum(not hit.author for hit in hits) == kept
    assert len(hits) == min(limit, own + len(THEIRS))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_users_memories_do_not_come_before_better_hits_by_meaning() -> None:
    hits = search_fairly(index_of(mine(9), THEIRS), "store orders", limit=10, near=sorted)

    assert [bool(hit.author) for hit in hits] == [True] * 5 + [False] * 5
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_users_memories_without_the_phrase_are_no_hits() -> None:
    index = index_of(mine(2), THEIRS)

    assert all(hit.author for hit in search_fairly(index, '"we store orders" ordered', limit=5))


def test_summaries_leave_the_users_memories_their_share() -> None:
    notes = [one(f"Orders, orders: store {n} orders", Primitive.SUMMARY) for n in range(3)]
    index = index_of([*mine(9), *notes], THEIRS)
    hits = search_fairly(index, "store orders", limit=10)

    found = with_summaries(index, "store orders", hits, limit=10)

    assert len(found) == 10
    assert sum(not hit.author for hit in found) >= 5


def test_the_users_memory_comes_first_among_equal_answers() -> None:
    said = "Orders are kept in Postgres, because SQLite locks under two writers"
    index = index_of([one(said)], [*(f"{said}{dot}" for dot in (".", "!", ";", ":"))])

    quoted = answer(index, "Where are orders kept, in Postgres or SQLite?").quoted

    assert not quoted[0].hit.author
