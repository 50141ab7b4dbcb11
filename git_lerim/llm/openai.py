"""Ask an embedding model at an endpoint with OpenAI's `/embeddings`.

This module uses urllib, because the package `openai` takes over a second to load, and each search
would wait for it.
"""

import math
import queue
import threading
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit

import msgspec

from git_lerim.errors import ModelFailed
from git_lerim.llm.base import Vector

DEFAULT_BASE = "https://api.openai.com/v1"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
LARGEST = 1 << 18  # bytes of an answer, per text
WIDEST = 16_384  # dimensions of a vector
_REFUSALS = {400, 413, 422}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An embedding model behind an endpoint."""

    model: str
    base: str = ""
    key: Callable[[str], str] = lambda _: ""  # returns the key for a URL, if any

    def embed(self, texts: Sequence[str], *, patience: float) -> list[Vector]:
        """Return a vector for each text, all of the same length. Raises ModelFailed.

        `patience` is the longest time to wait, in seconds.
        """
        url = (self.base or DEFAULT_BASE).rstrip("/") + "/embeddings"
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "git-lerim",
        }
        if key := self.key(url) if is_private(url) else "":
            if not (key.isascii() and key.isprintable()):
                raise ModelFailed(f"the key for {_place(url)} contains invalid characters")
            headers["Authorization"] = f"Bearer {key}"
        body = msgspec.json.encode({"model": self.model, "input": list(texts)})
        # the configuration accepts only http and https
        request = urllib.request.Request(url, body, headers, method="POST")  # noqa: S310
        return _vectors(
            _answer(request, LARGEST * len(texts) + LARGEST, patience), len(texts), _place(url)
        )


def is_private(url: str) -> bool:
    """Return whether a URL is encrypted or on this machine; keys are sent to no other URL."""
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in LOOPBACK


class _Item(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Reply(msgspec.Struct):
    data: list[_Item]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect, which could send the key and text to another host."""

    def redirect_request(  # noqa: PLR0913, PLR0917 urllib's signature
        self,
        req: urllib.request.Request,  # noqa: ARG002
        fp: IO[bytes],  # noqa: ARG002
        code: int,  # noqa: ARG002
        msg: str,  # noqa: ARG002
        headers: Message,  # noqa: ARG002
        newurl: str,  # noqa: ARG002
    ) -> None:
        """Refuse the redirect."""
        return


def _answer(request: urllib.request.Request, largest: int, patience: float) -> bytes:
    """Return the endpoint's answer, or raise ModelFailed after `patience` seconds.

    The request runs in a thread, since a slow resolver has no timeout of its own.
    """
    done: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

    # no proxy for this machine: it could read the key
    proxies: dict[str, str] | None = {} if urlsplit(request.full_url).hostname in LOOPBACK else None

    def ask() -> None:
        try:
            opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler(proxies))
            with opener.open(request, timeout=patience) as response:
                done.put(response.read(largest + 1))
        except (OSError, HTTPException, ValueError) as error:
            done.put(error)

    threading.Thread(target=ask, daemon=True).start()
    place = _place(request.full_url)
    try:
        found = done.get(timeout=patience)
    except queue.Empty:
        raise ModelFailed(f"{place} did not answer within {patience:g} s") from None
    if isinstance(found, HTTPError):
        found.close()
        raise ModelFailed(
            f"{place} {_refusal(found.code, request)}", refused=found.code in _REFUSALS
        )
    if isinstance(found, Exception):
        if isinstance(getattr(found, "reason", found), TimeoutError):
            raise ModelFailed(f"{place} did not answer within {patience:g} s")
        raise ModelFailed(
            f"{place} cannot be reached: {getattr(found, 'reason', None) or type(found).__name__}"
        )
    if len(found) > largest:
        raise ModelFailed(f"the response from {place} is too large")
    return found


def _refusal(code: int, request: urllib.request.Request) -> str:
    if code in {401, 403}:
        with_key = (
            "the key was rejected" if request.has_header("Authorization") else "it needs a key"
        )
        aside = "" if is_private(request.full_url) else ", which is sent only over https"
        return f"answered with {code}: {with_key}{aside}"
    return f"answered with {code}"


def _vectors(body: bytes, count: int, place: str) -> list[Vector]:
    try:
        items = msgspec.json.decode(body, type=_Reply).data
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ModelFailed(f"{place} did not answer with embeddings") from None
    if len(items) == count and all(item.index is not None for item in items):
        by_index = {item.index: item for item in items}
        items = [by_index[n] for n in range(count) if n in by_index]
    vectors = [item.embedding for item in items]
    if (
        len(vectors) != count
        or len(lengths := set(map(len, vectors))) != 1
        or not 2 <= lengths.pop() <= WIDEST
    ):
        raise ModelFailed(f"{place} returned embeddings of the wrong number or length")
    if not all(any(vector) and all(map(math.isfinite, vector)) for vector in vectors):
        raise ModelFailed(f"{place} returned invalid embeddings")
    return vectors


def _place(url: str) -> str:
    """Return a URL's host and port."""
    return urlsplit(url).netloc
