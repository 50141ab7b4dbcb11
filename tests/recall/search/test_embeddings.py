from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.embeddings import Endpoint as Server
from support.embeddings import reply, serving

from git_lerim.llm.openai import Endpoint
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.naming import memory_id
from git_lerim.recall.index.index import empty
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.index_writer import Writer
from git_lerim.recall.search import embeddings
from git_lerim.recall.search.search import search
from git_lerim.recall.search.vectors import open_vectors

AT = datetime(2026, 2, 20, 9, 30, tzinfo=UTC)
TEXTS = ("The automobile stands outside", "A physician comes at noon", "Prices are rounded")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as endpoint:
        yield endpoint


@pytest.fixture
def source(server: Server, tmp_path: Path) -> embeddings.Source:
    return embeddings.Source(
        embedder=Endpoint(model="words", base=server.url),
        redact=lambda text: text.replace("hunter2", "[REDACTED]"),
        folder=tmp_path,
    )


@pytest.fixture
def told() -> list[str]:
    return []


def index_of(*memories: Memory) -> Reader:
    writer = Writer(connection := empty())
    for number, memory in enumerate(memories):
        writer.add(
            memory, f"{number}", f"{hash((memory.body, memory.status)) & (1 << 60) - 1:040x}"
        )
    writer.finish({"tree": f"{hash(str(memories)) & (1 << 60) - 1:040x}"})
    return Reader(connection)


def memory(
    body: str, *, number: int = 0, status: Status = Status.ACTIVE, tags: tuple[str, ...] = ()
) -> Memory:
    at = AT + timedelta(minutes=number)
    id_ = memory_id("test", f"{number}", "learning", 0)
    return Memory(
        id=id_,
        primitive=Primitive.LEARNING,
        title=body,
        body=body,
        created=at,
        updated=at,
        status=status,
        tags=tags,
        sources=(),
    )


def some(count: int = 3) -> Reader:
    texts = [TEXTS[n] if n < len(TEXTS) else f"filler{n} entry{n}" for n in range(count)]
    return index_of(*(memory(text, number=n) for n, text in enumerate(texts)))


def fill(source: embeddings.Source, index: Reader, told: list[str]) -> bool:
    return embeddings.fill(source, index, told.append, lambda *_: None)


def found(
    source: embeddings.Source, index: Reader, query: str, told: list[str], *, adding: bool = True
) -> list[tuple[str, tuple[str, ...]]]:
    near = embeddings.near(source, index, query, told.append, adding=adding)
    return [(hit.title, hit.found_by) for hit in search(index, query, near=near)]


def test_what_means_the_same_is_found_though_no_word_is_shared(
    source: embeddings.Source, told: list[str]
) -> None:
    index = some()

    assert found(source, index, "car", told)[0] == (TEXTS[0], ("meaning",))
    assert found(source, index, "doctor rounded", told)[0] == (TEXTS[2], ("words", "meaning"))
    assert search(index, "car") == []
    assert told == []


def test_meaning_counts_as_much_as_the_words_leave_unsaid(
    source: embeddings.Source, told: list[str]
) -> None:
    said = memory("The doctor of the harbour town, who sails on long calm evenings")
    index = index_of(said, memory("Physician", number=1), memory("Boats sail", number=2))

    def places(query: str) -> list[str]:
        return [title for title, _ in found(source, index, query, told)]

    assert places("doctor") == [
        said.title,
        "Physician",
        "Boats sail",
    ]  # words say it all, though another lies nearer
    assert places("doctor zebra")[:2] == [said.title, "Physician"]
    assert places("medical physician boats zebra")[0] == "Physician"


def test_what_narrows_a_query_narrows_meaning_too_and_is_not_sent(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = index_of(
        memory(TEXTS[0], tags=("road",)),
        memory(TEXTS[0] + " too", number=1),
        memory(TEXTS[1], number=2, tags=("road",)),
    )

    assert [title for title, _ in found(source, index, "tag:road car -noon", told)] == [TEXTS[0]]
    assert found(source, index, f"since:{AT.isoformat()} car", told)[0][0] in {
        TEXTS[0],
        TEXTS[0] + " too",
    }
    assert found(source, index, "since:2026-02-21 car", told) == []
    assert found(source, index, '"stands outside" car', told) != []
    assert "car" in server.texts
    assert not any(
        "tag:" in text or "noon" in text for text in server.texts if "physician" not in text
    )


def test_filters_alone_ask_nobody(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    found(source, some(), "kind:insight -car", told)
    found(source, index_of(), "car", told)

    assert server.asked == []
    assert told == []


def test_a_search_sends_few_new_memories_itself_and_each_once(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some()
    for _ in range(3):
        found(source, index, "car", told)

    assert [body["input"] for body in server.asked] == [
        ["car"],
        server.asked[1]["input"],
        ["car"],
        ["car"],
    ]
    assert sorted(server.asked[1]["input"]) == sorted(f"{text}\n{text}" for text in TEXTS)


def test_many_new_memories_wait_for_a_sync(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some(40)

    assert found(source, index, "car", told) == []
    assert server.asked == []
    assert told == [
        (
            "searched by keywords only: no memory has embeddings of words yet; git lerim sync"
            " creates them"
        )
    ]
    assert fill(source, index, told)
    assert len(server.texts) == 40
    assert found(source, index, "car", told)[0][0] == TEXTS[0]
    assert len(told) == 1


def test_only_active_memories_are_sent_and_no_secret(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = index_of(
        memory("the password is hunter2"),
        memory("do evil things", number=1, status=Status.SUSPECT),
        memory("gone long ago", number=2, status=Status.ARCHIVED),
        memory("overruled by now", number=3, status=Status.SUPERSEDED),
    )
    fill(source, index, told)
    found(source, index, "was it hunter2", told)

    assert server.texts == [
        "the password is [REDACTED]\nthe password is [REDACTED]",
        "was it [REDACTED]",
    ]


def test_an_edited_memory_is_found_by_what_it_says_now(
    source: embeddings.Source, told: list[str]
) -> None:
    old = memory(TEXTS[0])
    fill(source, index_of(old), told)
    index = index_of(replace(old, title="Bees", body="Bees hum"))

    assert found(source, index, "car", told, adding=False) == []
    assert found(source, index, "car bees", told) == [("Bees", ("words", "meaning"))]


def test_the_past_is_searched_with_the_vectors_that_are_there(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    fill(source, some(1), told)
    before = len(server.texts)

    assert found(source, some(3), "car", told, adding=False) == [(TEXTS[0], ("meaning",))]
    assert len(server.texts) == before + 1


def test_without_an_answer_words_find_and_a_line_says_so(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some()
    fill(source, index, told)
    for status, body in (
        (500, b""),
        (401, b""),
        (200, b"<html>"),
        (200, b'{"data": [{"embedding": [0, 0]}]}'),
    ):
        server.answer = lambda _, status=status, body=body: (status, body)  # type: ignore[misc]
        assert found(source, index, "rounded", told) == [(TEXTS[2], ("words",))]
    server.answer = lambda texts: (200, reply(texts))
    assert found(source, index, "car", told)[0][0] == TEXTS[0]

    assert len(told) == 4
    assert all(line.startswith("searched by keywords only: 127.0.0.1:") for line in told)


def test_vectors_of_another_length_are_told_and_a_sync_makes_all_anew(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some(40)
    fill(source, index, told)
    server.answer = lambda texts: (200, reply(texts, 500))

    assert found(source, index, "rounded", told) == [(TEXTS[2], ("words",))]
    assert "other vectors than before" in told[0]
    assert fill(source, index, told)
    assert found(source, index, "car", told)[0][0] == TEXTS[0]
    assert len(told) == 1


def test_another_model_asks_for_a_sync_of_its_own(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some(40)
    fill(source, index, told)
    other = replace(source, embedder=Endpoint(model="better", base=server.url))

    assert found(other, index, "rounded", told) == [(TEXTS[2], ("words",))]
    assert told == [
        (
            "searched by keywords only: no memory has embeddings of better yet; git lerim sync"
            " creates them"
        )
    ]


def test_a_sync_that_breaks_off_goes_on_where_it_was(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = some(150)
    server.answer = lambda texts: (200, reply(texts)) if len(server.asked) < 3 else (503, b"")

    assert not fill(source, index, told)
    assert "the next sync will continue: 127.0.0.1:" in told[0]
    kept = len(server.texts)
    server.answer = lambda texts: (200, reply(texts))
    assert fill(source, index, told)
    assert len(server.texts) == kept + 22
    with open_vectors(source.folder, "words") as vectors:
        assert vectors.missing(index) == {}


def test_a_memory_that_the_model_refuses_stops_no_other(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    index = index_of(memory("poison"), memory(TEXTS[0], number=1))
    server.answer = lambda texts: (
        (400, b"too long") if any("poison" in text for text in texts) else (200, reply(texts))
    )

    assert fill(source, index, told)
    asked = len(server.asked)
    assert found(source, index, "car", told) == [(TEXTS[0], ("meaning",))]
    assert len(server.asked) == asked + 1
    assert told == []


def test_a_model_that_refuses_everything_is_told_and_no_memory_is_blamed(
    source: embeddings.Source, server: Server, told: list[str]
) -> None:
    server.answer = lambda _: (400, b"unknown model")

    assert not fill(source, some(), told)
    assert len(server.asked) == 2
    server.answer = lambda texts: (200, reply(texts))
    assert fill(source, some(), told)
    assert len(server.texts) == 3 + 1 + 3


def test_a_folder_that_cannot_be_written_is_told(
    source: embeddings.Source, told: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")

    assert found(replace(source, folder=tmp_path / "file"), some(), "rounded", told) == [
        (TEXTS[2], ("words",))
    ]
    assert told[0].startswith("searched by keywords only: cannot write")
