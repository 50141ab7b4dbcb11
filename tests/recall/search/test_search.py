import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.corpus import corpus
from support.memories import memory

from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive, Source, Status
from git_lerim.memories.naming import memory_id
from git_lerim.recall.index.index import empty
from git_lerim.recall.index.index_reader import Reader
from git_lerim.recall.index.index_writer import Writer
from git_lerim.recall.search import search as searching
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.search import Hit, search

AT = datetime(2026, 2, 1, tzinfo=UTC)


def made(*memories: Memory) -> Reader:
    """Return an index in memory."""
    connection = empty()
    writer = Writer(connection)
    for number, one in enumerate(memories):
        writer.add(one, f"{number}", "0" * 40)
    writer.finish({})
    return Reader(connection)


def one(n: int, title: str, body: str = "Nothing more.", **fields: object) -> Memory:
    at = AT + timedelta(days=n)
    return memory(
        **{
            "id": memory_id("x", str(n), "decision", 0),
            "title": title,
            "body": body,
            "at": at,
            "sources": (),
        }
        | fields
    )


STORE = (
    one(
        0,
        "Use SQLite for the catalog",
        "JSON files were rejected: two writers lost rows.",
        tags=("storage",),
    ),
    one(
        1,
        "Retry the HTTP client",
        "It backs off.\nThe header comes from parseHTTPHeader.",
        anchors=(Anchor(path="src/net/client.py"),),
    ),
    one(2, "日本語の検索", "検索エンジンは日本語を分割しない。"),
    one(
        3,
        "Descrição das integrações",
        "Os testes de integração são lentos.",
        primitive=Primitive.LEARNING,
        kind=Kind.PITFALL,
    ),
    one(
        4,
        "Lock rows before two of the writers write",
        "Locks.",
        sources=(Source(agent="codex", session="s"),),
    ),
    one(5, "An old way with SQLite", status=Status.SUPERSEDED),
    one(6, "A session about SQLite", primitive=Primitive.SUMMARY),
)


@pytest.fixture(scope="module")
def index() -> Reader:
    return made(*STORE)


def found(index: Reader, query: str, **filters: object) -> list[int]:
    titles = [memory_.title for memory_ in STORE]
    return [titles.index(hit.title) for hit in search(index, query, filters=Filters(**filters))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("sqlite", [0]),
        ("http header", [1]),
        ("parseHTTPHeader", [1]),
        ("client.py", [1]),
        ("日本語", [2]),
        ("分割", [2]),
        ("integracao", [3]),
        ("INTEGRAÇÕES", [3]),
        ('"two writers"', [0]),
        ("writers -json", [4]),
        ("path:src/net", [1]),
        ("path:./src/net/client.py", [1]),
        ("path:client.py", [1]),
        ("tag:storage", [0]),
        ("tag:nothing sqlite", []),
        ("kind:pitfall", [3]),
        ("kind:decision writers sqlite", [0, 4]),
        ("agent:codex", [4]),
        ("since:2026-02-05", [4]),
        ("cata*", [0]),
        ("walrus", []),
        ("walrus sqlite", [0]),
    ],
)
def test_a_query_finds(index: Reader, query: str, wanted: list[int]) -> None:
    assert found(index, query) == wanted


def test_what_a_question_quotes_need_not_stand_as_it_is_where_no_memory_has_it(
    index: Reader,
) -> None:
    assert found(index, '"writers lost"') == [0]
    assert found(index, 'which "lost writers" were there in the catalog') == [0, 4]
    assert found(index, '"lost writers"') == []
    assert found(index, '"lost writers" catalog -json') == [4]


def test_filters_narrow_as_the_words_of_the_query_do(index: Reader) -> None:
    assert found(index, "", tag="storage") == found(index, "tag:storage") == [0]
    assert found(index, "", primitive="learning") == [3]
    assert found(index, "sqlite", everything=True) == [0, 5] or found(
        index, "sqlite", everything=True
    ) == [5, 0]
    assert found(index, "sqlite", primitive="summary") == [6]
    assert found(index, "", since="2026-02-04", agent="codex") == [4]


def test_a_query_without_words_that_say_anything_is_answered_by_the_newest(index: Reader) -> None:
    assert found(index, "") == [4, 3, 2, 1, 0]
    assert found(index, "of the") == [4, 0, 1] or set(found(index, "of the")) == {4, 0, 1}


def test_the_line_that_fits_best_is_told(index: Reader) -> None:
    (hit,) = search(index, "header")
    assert hit.line == "The header comes from parseHTTPHeader."
    assert (hit.created, hit.places, hit.score > 0) == (
        "2026-02-02T00:00:00Z",
        [("src/net/client.py", "")],
        True,
    )


def test_a_limit_is_kept_and_the_best_come_first() -> None:
    many = made(*(one(n, f"Queue {n}", "queue " * (n % 7)) for n in range(300)))
    hits = search(many, "queue", limit=5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len(hits) == 5
    assert [hit.id for hit in search(many, "queue", limit=250)][:5] == [hit.id for hit in hits]


def test_what_is_worked_on_comes_before_what_fits_as_well() -> None:
    both = made(
        *(one(n, "Retry the client", anchors=(Anchor(path=f"src/{n}.py"),)) for n in range(2))
    )
    assert [hit.places[0][0] for hit in search(both, "retry")] == ["src/1.py", "src/0.py"]
    assert [hit.places[0][0] for hit in search(both, "retry", paths=["src/0.py"])] == [
        "src/0.py",
        "src/1.py",
    ]


def test_what_stands_next_to_an_answer_in_its_session_comes_before_what_does_not() -> None:
    def said(n: int, record: int, title: str) -> Memory:
        return one(
            n, title, sources=(Source(agent="claude", session="s", records=((record, record),)),)
        )

    index = made(
        said(0, 10, "The retry of the client is limited"),
        said(1, 50, "The client has logs"),
        said(2, 11, "The client has hooks"),
        *(one(n, f"About {n}") for n in range(3, 40)),
    )  # fmt: skip
    assert [hit.title.split()[-1] for hit in search(index, "retry limit of the client")] == [
        "limited",
        "hooks",
        "logs",
    ]


NASTY = [
    "AND", "OR", "NOT", "NEAR", "NEAR(a b)", '"', '""', '"unbalanced', "a\0b", "\0", "*", "^",
    "title:",
    "{a b}:", "-", "--", "(", ")",
    "a*b*", "path:", 'tag:"', "since:", "since:99999999d", "kind:\0", "'", ";",
    "DROP TABLE document", "%", "_", "\ud800",
    "😀", "-*", '-"', "tag:*", "日本語*", "=",
    "=kind:pitfall", "\u202e", "since:0001-01-01", "since:9999-12-31T23:59:59+14:00",
]  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(NASTY) | st.text(max_size=8) | st.sampled_from(["sqlite", "the", "of"]),
        max_size=8,
    )
)
def test_any_query_is_answered(index: Reader, words: list[str]) -> None:
    assert all(isinstance(hit, Hit) for hit in search(index, " ".join(words)))
    assert all(isinstance(hit, Hit) for hit in search(index, "".join(words)))


def test_a_query_of_a_hundred_kilobytes_is_answered(index: Reader) -> None:
    for query in (
        "sqlite " * 15_000,
        '"' * 100_000,
        "-" * 100_000,
        "x" * 100_000,
        "a* " * 40_000,
        "tag:a " * 20_000,
    ):
        search(index, query)


@pytest.mark.corpus
def test_what_another_tool_asks_of_its_memory_is_found_here() -> None:
    data = json.loads(corpus("peers/ai-memory/recall-eval-corpus.json").read_text())
    pages = made(*(one(n, page["path"], page["body"]) for n, page in enumerate(data["corpus"])))
    first = [next(iter(search(pages, probe["query"])), None) for probe in data["probes"]]
    right = sum(
        hit is not None and hit.title == probe["expected_path"]
        for hit, probe in zip(first, data["probes"], strict=True)
    )
    assert right >= 0.9 * len(data["probes"])
    for query, _ in json.loads(corpus("peers/ai-memory/fts-query-vectors.json").read_text())[
        "cases"
    ]:
        search(pages, query)


@pytest.mark.parametrize("query", ["retry cache tag:old", "cache tag:old", "retry cache -lock"])
def test_among_very_many_a_filter_leaves_what_it_asks_for_however_old(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "VISITED", 50)
    new = [one(n, "Retry the cache", "The lock holds.") for n in range(1, 1100)]
    assert [hit.title for hit in search(made(one(0, "A cache", tags=("old",)), *new), query)] == [
        "A cache"
    ]


def test_among_very_many_a_filter_that_leaves_nothing_finds_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searching, "VISITED", 50)
    assert (
        search(made(*(one(n, "Retry the cache") for n in range(60))), "retry cache tag:old") == []
    )


@pytest.mark.parametrize("query", ['"retry cache"', 'where "retry cache" stands'])
def test_a_phrase_is_found_where_many_others_have_its_words(query: str) -> None:
    others = [
        one(n, "Cache or retry", "A cache that can retry; where it stands.") for n in range(150)
    ]
    long = one(
        0,
        "Long",
        f"The retry cache. {' '.join(f'w{n}x' for n in range(400))}",
        id=memory_id("x", "long", "decision", 0),
    )
    assert [hit.title for hit in search(made(*others, long), query)] == ["Long"]
