import io
import json
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.serve.mcp import protocol
from git_lerim.serve.mcp.protocol import Connection, RpcError


def answers(*messages: bytes, **queued: Any) -> list[Any]:
    sink = io.BytesIO()
    direct = {"ping": lambda _: {}}
    Connection(io.BytesIO(b"\n".join(messages) + b"\n"), sink, direct, queued).run()
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def request(method: str, id_: Any = 1, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"junk", -32700),
        (b"[" * 100_000, -32700),
        (b"\xff\xfe", -32700),
        (b'"\x80"', -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b"{}", -32600),
        (b'{"id": {}, "method": "ping"}', -32600),
        (b'{"id": true, "method": "ping"}', -32600),
        (b'{"id": 1, "method": 7}', -32600),
        (b'{"id": 1, "method": "ping", "params": [1]}', -32602),
        (b'{"id": 1, "method": "server/discover"}', -32601),
        (b'{"id": "never-asked", "result": {}}', -32600),
    ],
)
def test_what_is_no_request_gets_its_code_and_the_next_is_answered(sent: bytes, code: int) -> None:
    first, second = answers(sent, request("ping", 2))

    assert first["error"]["code"] == code
    assert second == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_half_of_an_emoji_does_not_keep_a_request_from_its_answer() -> None:
    sent = rb'{"jsonrpc": "2.0", "id": 1, "method": "say", "params": {"text": "a rocket \ud83d"}}'
    source, sink = io.BytesIO(sent + b"\n"), io.BytesIO()

    Connection(source, sink, {"say": dict}, {}).run()

    assert json.loads(sink.getvalue()) == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"text": "a rocket ?"},
    }


@given(st.binary(max_size=200))
def test_no_bytes_end_the_server(junk: bytes) -> None:
    assert answers(junk.replace(b"\n", b" "), request("ping", "last"))[-1] == {
        "jsonrpc": "2.0",
        "id": "last",
        "result": {},
    }


def test_notifications_are_never_answered() -> None:
    assert (
        answers(
            b'{"method": "notifications/x"}',
            b'{"method": "ping", "params": 3}',
            b'{"method": "nothing"}',
        )
        == []
    )


def test_a_message_that_is_too_long_is_skipped_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LONGEST", 100)

    first, second = answers(request("ping", 1, text="x" * 1000), request("ping", 2))

    assert first["error"] == {"code": -32600, "message": "a message is longer than 100 bytes"}
    assert second["id"] == 2


def test_errors_are_answered_and_a_bug_names_no_text_of_the_call() -> None:
    def refuse(_: Any) -> None:
        raise RpcError(-32602, "not that")

    def bug(_: Any) -> None:
        raise KeyError("the user's secret")

    first, second = answers(request("refuse"), request("bug", 2), refuse=refuse, bug=bug)

    assert first["error"] == {"code": -32602, "message": "not that"}
    assert second["error"] == {"code": -32603, "message": "a bug (KeyError)"}


class Slow:
    """A client whose second line waits until the first call runs."""

    def __init__(self, lines: list[bytes], begun: threading.Event) -> None:
        self._lines, self._begun = lines, begun

    def readline(self, _: int = -1) -> bytes:
        if len(self._lines) == 1:
            self._begun.wait(10)
        return self._lines.pop(0) if self._lines else b""


def test_a_cancelled_call_gets_no_answer_and_a_waiting_one_does_not_run() -> None:
    begun, cancelled, ran, sink = threading.Event(), threading.Event(), [], io.BytesIO()

    def work(params: Any) -> dict[str, int]:
        ran.append(params["n"])
        begun.set()
        cancelled.wait(10)
        return {"n": params["n"]}

    calls = [request("work", n, n=n) + b"\n" for n in (1, 2, 3)]
    stops = [
        b'{"method": "notifications/cancelled", "params": {"requestId": %d}}\n' % n for n in (1, 2)
    ]
    source = Slow([*calls, *stops], begun)
    original = source.readline

    def readline(size: int = -1) -> bytes:
        line = original(size)
        if not line:
            cancelled.set()
        elif b"cancelled" in line:
            begun.wait(10)
        return line

    source.readline = readline  # type: ignore[method-assign]
    Connection(source, sink, {}, {"work": work}).run()  # type: ignore[arg-type]

    assert ran == [1, 3]
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [3]


def test_a_ping_is_answered_while_a_call_runs() -> None:
    go, sink = threading.Event(), io.BytesIO()

    lines = [request("work") + b"\n", request("ping", 2) + b"\n"]

    class Source:
        def readline(self, _: int = -1) -> bytes:
            if lines:
                return lines.pop(0)
            go.set()
            return b""

    def work(_: Any) -> dict[str, int]:
        go.wait(10)
        return {}

    Connection(Source(), sink, {"ping": lambda _: {}}, {"work": work}).run()  # type: ignore[arg-type]

    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [2, 1]
