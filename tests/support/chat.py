"""A model behind an endpoint on loopback that speaks `/chat/completions`: a test says what it
answers.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Said:
    """One HTTP answer."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False  # the connection ends in the middle of it
    drip: float = 0.0  # seconds between two bytes


Model = Callable[[dict[str, Any]], Said]


@dataclass
class Endpoint:
    """What was asked of it, and what it answers."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    models: list[dict[str, Any]] = field(default_factory=list)  # that it lists
    answer: Model = field(default=lambda _: completion(reply()))

    @property
    def texts(self) -> list[str]:
        """The last message of each request."""
        return [body["messages"][-1]["content"] for body in self.asked]


def memory(request: dict[str, Any], quote: str, title: str) -> dict[str, Any]:
    """Return a memory as a model writes it that was asked about a session which holds a quote."""
    record = record_of(request, quote)
    return {
        "records": [record], "quote": quote, "final_record": record, "basis": "agent_did",
        "type": "decision",
        "title": title, "body": f"{title}, since the session shows it.", "files": [],
        "value": "useful",
    }  # fmt: skip


def reply(*memories: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a whole answer as a model writes it."""
    return {
        "intent": "To build the shop.",
        "outcome": "It was built.",
        "memories": list(memories),
    } | more


def completion(
    content: object, *, finish: str = "stop", usage: bool = True, **message: Any
) -> Said:
    """Return an answer of an endpoint that works."""
    text = content if content is None or isinstance(content, str) else json.dumps(content)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": finish,
    }
    counted = {"usage": {"prompt_tokens": 5000, "completion_tokens": 70}} if usage else {}
    return Said(
        body=json.dumps(
            {"id": "c", "object": "chat.completion", "choices": [choice], **counted}
        ).encode()
    )


def streamed(text: str, pieces: int = 7) -> Said:
    """Return the answer of an endpoint that sends it piece by piece."""
    parts = [text[n : n + pieces] for n in range(0, len(text), pieces)]
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": part}}]} for part in parts
    ]
    events += [
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 5000, "completion_tokens": 70}},
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Said(body="".join([*lines, "data: [DONE]\n\n"]).encode())


def record_of(request: dict[str, Any], words: str) -> int:
    """Return the number of the record that a request shows some words in."""
    text = request["messages"][1]["content"]
    before = text[: text.index(words)]
    return int(re.findall(r"^\[(\d+)\] ", before, re.MULTILINE)[-1])


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve until the end of the block."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body)
            endpoint.keys.append(self.headers["Authorization"])
            said = endpoint.answer(body)
            try:
                self.send_response(said.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said.body)))
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                body = said.body[: len(said.body) // 2] if said.is_cut else said.body
                for piece in (body[n : n + 1] for n in range(len(body))) if said.drip else [body]:
                    self.wfile.write(piece)
                    time.sleep(said.drip)
                self.close_connection = self.close_connection or said.is_cut
            except OSError:
                return  # the caller had no more patience

        def do_GET(self) -> None:
            body = json.dumps({"object": "list", "data": endpoint.models}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
    )
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
