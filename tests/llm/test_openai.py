import json
import threading
from collections.abc import Iterator

import pytest
from support.embeddings import Endpoint as Server
from support.embeddings import reply, serving, vector

from git_lerim.errors import ModelFailed
from git_lerim.llm.openai import Endpoint, is_private


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as endpoint:
        yield endpoint


def embed(server: Server, *texts: str, key: str = "", patience: float = 20.0) -> list[list[float]]:
    return Endpoint(model="words", base=server.url, key=lambda _: key).embed(
        texts, patience=patience
    )


def test_each_text_has_its_vector_in_whatever_order_they_come(server: Server) -> None:
    assert embed(server, "car", "doctor", key="sk-1") == [vector("car"), vector("doctor")]
    assert server.asked == [{"model": "words", "input": ["car", "doctor"]}]
    assert server.keys == ["Bearer sk-1"]


def test_without_a_key_none_is_sent(server: Server) -> None:
    embed(server, "car")

    assert server.keys == [None]


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b"{}", "it needs a key"),
        (403, b"{}", "answered with 403"),
        (404, b"no such model", "answered with 404"),
        (500, b"\x1b]0;oops", "answered with 500"),
        (200, b"", "did not answer with embeddings"),
        (200, b"<html>", "did not answer with embeddings"),
        (200, b"[" * 200_000, "did not answer with embeddings"),
        (200, b'{"data": [{"embedding": "AAAA"}]}', "did not answer with embeddings"),
        (200, b'{"data": [{"embedding": [1, NaN]}]}', "did not answer with embeddings"),
        (200, b'{"data": []}', "the wrong number or length"),
        (200, b'{"data": [{"embedding": []}]}', "the wrong number or length"),
        (200, b'{"data": [{"embedding": [0.5]}]}', "the wrong number or length"),
        (
            200,
            b'{"data": [{"embedding": [1, 2], "index": 7}]}',
            "the wrong number or length",
        ),
        (
            200,
            b'{"data": [{"embedding": [1, 2]}, {"embedding": [1, 2]}]}',
            "the wrong number or length",
        ),
        (200, b'{"data": [{"embedding": [0, 0]}]}', "invalid embeddings"),
        (200, b" " * (1 << 20), "is too large"),
    ],
)
def test_whatever_else_it_answers_is_told_in_a_sentence(
    server: Server, status: int, body: bytes, said: str
) -> None:
    server.answer = lambda _: (status, body)

    with pytest.raises(ModelFailed, match=said) as caught:
        embed(server, "car")
    assert "oops" not in str(caught.value)


def test_vectors_of_different_lengths_are_refused(server: Server) -> None:
    data = [{"index": n, "embedding": [1.0] * (n + 2)} for n in range(2)]
    server.answer = lambda _: (200, json.dumps({"data": data}).encode())

    with pytest.raises(ModelFailed, match="wrong number or length"):
        embed(server, "car", "doctor")


def test_a_key_that_is_not_taken_is_told_and_never_shown(server: Server) -> None:
    server.answer = lambda _: (401, b"{}")

    with pytest.raises(ModelFailed, match="the key was rejected") as caught:
        embed(server, "car", key="sk-hidden")
    assert "sk-hidden" not in str(caught.value)
    with pytest.raises(ModelFailed, match="invalid characters") as caught:
        embed(server, "car", key="sk-hidden\nX-Other: 1")
    assert "sk-hidden" not in str(caught.value)


def test_no_answer_in_time_ends_the_wait(server: Server) -> None:
    ended = threading.Event()

    def slowly(texts: list[str]) -> tuple[int, bytes]:
        ended.wait(30)
        return 200, reply(texts)

    server.answer = slowly

    with pytest.raises(ModelFailed, match=r"did not answer within 0\.2 s"):
        embed(server, "car", patience=0.2)
    ended.set()


def test_nobody_there_is_told() -> None:
    with serving() as server:
        pass
    with pytest.raises(ModelFailed, match="cannot be reached"):
        embed(server, "car")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server: Server, status: int) -> None:
    with serving() as other:
        server.answer = lambda _: (status, other.url.encode() + b"/embeddings")
        with pytest.raises(ModelFailed, match=f"answered with {status}"):
            embed(server, "car", key="sk-1")
    assert other.asked == []


def test_what_it_refuses_to_read_is_told_apart(server: Server) -> None:
    for status, refused in (
        (400, True),
        (413, True),
        (422, True),
        (401, False),
        (429, False),
        (503, False),
    ):
        server.answer = lambda _, status=status: (status, b"{}")  # type: ignore[misc]
        with pytest.raises(ModelFailed) as caught:
            embed(server, "car")
        assert caught.value.refused is refused


def test_a_key_goes_only_where_nobody_reads_it_on_the_way() -> None:
    private = (
        "https://api.example.org/v1",
        "http://localhost:11434/v1",
        "http://127.0.0.1/v1",
        "http://[::1]:8/v1",
    )
    open_ = (
        "http://10.0.0.7/v1",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org/v1",
    )

    assert [url for url in (*private, *open_) if is_private(url)] == list(private)


def test_what_is_meant_for_this_machine_goes_through_no_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert len(embed(server, "car", key="sk-1")) == 1
    assert proxy.asked == []
