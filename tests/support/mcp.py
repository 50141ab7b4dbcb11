"""An MCP client of a few lines, which sends what a test gives it, right or wrong."""

import json
import os
from pathlib import Path
from typing import Any, Self

from support import forks

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "claude-code", "version": "2.1"},
}


class Peer:
    """A running `git lerim mcp`, and the client's end of it."""

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        env = os.environ | {"PYTHONSAFEPATH": "1"} | (env or {})
        self.process = forks.start(folder, ("mcp",), env)
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: Any = None, id_: Any = None) -> None:
        """Send a request, or a notification where there is no id."""
        message = {"jsonrpc": "2.0", "method": method} | (
            {} if params is None else {"params": params}
        )
        self.raw(json.dumps(message if id_ is None else message | {"id": id_}).encode())

    def receive(self) -> Any:
        """Read the next message."""
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, params: Any = None) -> Any:
        """Send a request and return its answer; what comes between is left out."""
        self._id += 1
        self.send(method, params, self._id)
        while (answer := self.receive()).get("id") != self._id:
            pass
        return answer

    def hello(self, **params: Any) -> Any:
        """Shake hands."""
        answer = self.ask("initialize", HELLO | params)
        self.send("notifications/initialized")
        return answer["result"]

    def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """Call a tool; return its text, and whether it is an error."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return answer["result"]["content"][0]["text"], answer["result"]["isError"]

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the client's end; return the exit code and what was left to read."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err
