"""JSON-RPC 2.0 over two streams, one message per line, as in MCP's stdio transport.

Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic
"""

import json
import queue
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any, TypeAlias

import msgspec

Params: TypeAlias = Mapping[str, Any]
Id: TypeAlias = str | int | None

LONGEST = 1 << 22  # bytes of a message; a longer one is skipped and answered with an error
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)


class RpcError(Exception):
    """An error that is sent to the client as the answer to its request."""

    def __init__(self, code: int, message: str) -> None:
        """Initialize with an error code of JSON-RPC and a message for the client."""
        super().__init__(message)
        self.code = code


class Connection:
    """A connection that answers a client's requests, and can send requests to the client.

    `direct` methods are answered as soon as they are read, so that a long call delays no ping.
    `queued` ones run one after another in a separate thread; a request that is cancelled gets no
    answer, and does not run if it has not started.
    """

    def __init__(
        self,
        source: IO[bytes],
        sink: IO[bytes],
        direct: Mapping[str, Callable[[Params], Any]],
        queued: Mapping[str, Callable[[Params], Any]],
    ) -> None:
        """Initialize with the streams from and to the client, and the methods that it can call."""
        self._source = source
        self._sink = sink
        self._direct = direct
        self._queued = queued
        self._waiting: queue.SimpleQueue[tuple[Id, str, Params] | None] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._open: set[Id] = set()  # requests that wait or run and are not cancelled
        self._asked: dict[str, Callable[[Any], None]] = {}

    def run(self) -> None:
        """Answer requests until the client has closed its stream and all of them are answered."""
        worker = threading.Thread(target=self._work, daemon=True)
        worker.start()
        while (line := self._source.readline(LONGEST + 1)) != b"":
            if len(line) > LONGEST:
                self._skip(line)
                self._refuse(
                    None, RpcError(INVALID_REQUEST, f"a message is longer than {LONGEST} bytes")
                )
            elif line.strip():
                self._take(line)
        self._waiting.put(None)
        worker.join()

    def ask(self, method: str, then: Callable[[Any], None]) -> None:
        """Send the client a request, and pass the result to `then` unless it is an error."""
        name = f"{method}-{len(self._asked)}"
        self._asked[name] = then
        self._send({"id": name, "method": method})

    def notify(self, method: str) -> None:
        """Send the client a notification."""
        self._send({"method": method})

    def _skip(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._source.readline(LONGEST)

    def _take(self, line: bytes) -> None:
        try:
            message = _decoded(line)
        except (ValueError, RecursionError):
            return self._refuse(None, RpcError(PARSE_ERROR, "this is not JSON"))
        if not isinstance(message, dict):
            return self._refuse(None, RpcError(INVALID_REQUEST, "a message must be a JSON object"))
        id_, method = message.get("id"), message.get("method")
        if method is None and isinstance(id_, str) and id_ in self._asked:
            return self._answered(id_, message)
        if (
            not isinstance(method, str)
            or not isinstance(id_, str | int | None)
            or isinstance(id_, bool)
        ):
            return self._refuse(
                id_ if isinstance(id_, str | int) else None,
                RpcError(INVALID_REQUEST, "this is not a request"),
            )
        params = message.get("params", {})
        return (
            self._notice(method, params)
            if "id" not in message
            else self._request(id_, method, params)
        )

    def _notice(self, method: str, params: Any) -> None:
        """Handle a notification, which never gets an answer."""
        if method == "notifications/cancelled" and isinstance(params, dict):
            id_ = params.get("requestId")
            self._open.discard(id_ if isinstance(id_, str | int) else None)
        elif method in self._direct:
            self._direct[method](params if isinstance(params, dict) else {})

    def _request(self, id_: Id, method: str, params: Any) -> None:
        if not isinstance(params, dict):
            self._refuse(id_, RpcError(INVALID_PARAMS, "params must be a JSON object"))
        elif method in self._queued:
            self._open.add(id_)
            self._waiting.put((id_, method, params))
        elif method in self._direct and not method.startswith("notifications/"):
            self._reply(id_, self._direct[method], params)
        else:
            self._refuse(id_, RpcError(METHOD_NOT_FOUND, f"unknown method {method[:80]}"))

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            id_, method, params = item
            if id_ in self._open:
                self._reply(id_, self._queued[method], params, open_only=True)
                self._open.discard(id_)

    def _reply(
        self, id_: Id, act: Callable[[Params], Any], params: Params, *, open_only: bool = False
    ) -> None:
        try:
            answer: dict[str, Any] = {"id": id_, "result": act(params)}
        except RpcError as error:
            answer = _error(id_, error)
        # an unexpected error must not end the server
        except Exception as error:  # noqa: BLE001
            answer = _error(id_, RpcError(INTERNAL_ERROR, f"a bug ({type(error).__name__})"))
        if not open_only or id_ in self._open:
            self._send(answer)

    def _answered(self, name: str, message: Mapping[str, Any]) -> None:
        then = self._asked.pop(name)
        if "result" in message:
            then(message["result"])

    def _refuse(self, id_: Id, error: RpcError) -> None:
        self._send(_error(id_, error))

    def _send(self, message: Mapping[str, Any]) -> None:
        data = msgspec.json.encode({"jsonrpc": "2.0", **message}) + b"\n"
        with self._writing:
            self._sink.write(data)
            self._sink.flush()


def _decoded(line: bytes) -> Any:
    """Parse a message. Raises ValueError if it is not JSON.

    Half of a surrogate pair, which clients write if they cut a text inside an emoji, becomes a
    question mark.
    """
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        text = json.dumps(json.loads(line), ensure_ascii=False)
        return msgspec.json.decode(text.encode("utf-8", "replace"))


def _error(id_: Id, error: RpcError) -> dict[str, Any]:
    return {"id": id_, "error": {"code": error.code, "message": str(error)}}
