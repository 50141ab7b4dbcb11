"""An endpoint on loopback that speaks `/embeddings`: words that mean the same have the same place
in its vectors.
"""

import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WIDTH = 1024
SAME = {
    "automobile": "car",
    "physician": "doctor",
    "database": "storage",
    "sqlite": "storage",
    "tables": "storage",
}
STOP = {"the", "is", "a", "are", "of", "to", "what", "which", "we", "in", "for", "memory"}

Answer = Callable[[list[str]], tuple[int, bytes]]


@dataclass
class Endpoint:
    """What was asked of it, and what it answers."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    answer: Answer = field(default=lambda texts: (200, reply(texts)))

    @property
    def texts(self) -> list[str]:
        """All texts that reached it."""
        return [text for body in self.asked for text in body["input"]]


def vector(text: str, width: int = WIDTH) -> list[float]:
    """Return a bag of words, hashed."""
    found = [-0.001] * width
    for word in re.findall(r"\w+", text.lower()):
        if word not in STOP:
            found[zlib.crc32(SAME.get(word, word).encode()) % width] += 1.0
    return found


def reply(texts: list[str], width: int = WIDTH) -> bytes:
    """Return the answer of an endpoint that works, in an order of its own."""
    data = [
        {"object": "embedding", "index": n, "embedding": vector(text, width)}
        for n, text in enumerate(texts)
    ]
    return json.dumps({"object": "list", "data": data[::-1], "usage": {"total_tokens": 1}}).encode()


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve until the end of the block."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body)
            endpoint.keys.append(self.headers["Authorization"])
            status, told = endpoint.answer(body["input"])
            try:
                self.send_response(status)
                if status in {301, 302, 307, 308}:
                    self.send_header("Location", told.decode())
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)
            except OSError:
                return  # the caller had no more patience

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
