"""Ask a language model at an endpoint with OpenAI's `/chat/completions`.

This is the only module that imports the package `openai`.
"""

import json
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import openai

from git_lerim.errors import ModelFailed
from git_lerim.llm.base import SCHEMA_TEXT, Answer, Findings, Hear, Message
from git_lerim.llm.completion import LARGEST, Completion, Stream, Usage, decode
from git_lerim.llm.deadline import start
from git_lerim.llm.openai import DEFAULT_BASE, LOOPBACK, is_private

_T = TypeVar("_T")

RETRIES = 2  # after the first try, if the endpoint is busy, fails or does not answer
# Share of a request's estimated tokens: an endpoint that reports fewer has cut off the request.
_CUT_SHORT = 0.4
_LONG = 2_000  # tokens: shorter requests are not checked


_TRIAL = {
    "type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"],
    "additionalProperties": False,
}  # fmt: skip


class _Listing(msgspec.Struct):
    """A model's entry in an endpoint's list of models, with its context length.

    OpenRouter, vLLM, Groq and LM Studio have different names for the length.
    """

    id: str = ""
    context_length: int | None = None
    max_model_len: int | None = None
    context_window: int | None = None
    max_context_length: int | None = None


class _Listed(msgspec.Struct):
    data: list[_Listing]


class Chat:
    """A language model behind an endpoint."""

    def __init__(  # noqa: PLR0913 all that a client takes
        self,
        *,
        model: str,
        base: str,
        key: Callable[[str], str],
        variable: str,
        patience: float,
        temperature: float | None = 0.0,
    ) -> None:
        """Initialize with the model's name and the base URL of its endpoint.

        `key` returns the API key for a URL; `variable` names what people set it by. `patience` is
        the time in seconds for an answer, including all retries.
        """
        self.name = model
        self._base = (base or DEFAULT_BASE).rstrip("/")
        self._place = urlsplit(self._base).netloc
        self._patience = patience
        self._options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
        self._takes_schema = self._streams = True
        self._limit: dict[str, int] = {}
        self._client = self._connect(key, variable)

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Return the model's answer. Raises ModelFailed.

        With a schema the answer is JSON, and fits the schema if the endpoint supports that. `hear`
        is called with the text of the answer, in pieces if the endpoint can stream.
        """
        ends = time.monotonic() + self._patience
        while True:
            try:
                answer = self._request(messages, schema, hear if self._streams else None, ends)
            except openai.BadRequestError as error:
                self._step_down(error, schema, hear)
            except openai.UnprocessableEntityError as error:
                self._step_down(error, schema, hear)
            else:
                if hear and not self._streams:
                    hear(answer.text)
                return answer

    def check(self) -> Findings:
        """Ask for one token, and return findings about the endpoint. Raises ModelFailed."""
        began = time.monotonic()
        self._limit = {"max_completion_tokens": 1}
        try:
            self.ask([("user", "Answer with ok.")], _TRIAL)
        finally:
            self._limit = {}
        seconds = time.monotonic() - began
        return Findings(seconds=seconds, takes_schema=self._takes_schema, context=self._context())

    def _context(self) -> int | None:
        """Return the context length if the endpoint lists it, under any of the known names."""
        try:
            raw = self._client.models.with_raw_response.list(extra_headers=self._headers).content
            listed = msgspec.json.decode(raw, type=_Listed).data
        except (openai.OpenAIError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        found = next((one for one in listed if one.id == self.name), _Listing())
        return (
            found.context_length
            or found.max_model_len
            or found.context_window
            or found.max_context_length
        )

    def _step_down(
        self, error: openai.APIStatusError, schema: Mapping[str, Any] | None, hear: Hear | None
    ) -> None:
        """Drop the next request option that the endpoint may not support.

        Raises ModelFailed if there is no option left to drop.
        """
        text = str(error).lower()
        if self._limit:
            self._limit = {}
        elif "temperature" in self._options and "temperature" in text:
            del self._options["temperature"]
        elif schema is not None and self._takes_schema:
            self._takes_schema = False
        elif hear is not None and self._streams:
            self._streams = False
        elif self._options:
            self._options.clear()
        else:
            raise ModelFailed(
                _too_long(self._place, text, error.status_code), refused=True
            ) from None

    def _request(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        hear: Hear | None,
        ends: float,
    ) -> Answer:
        payload = [{"role": role, "content": text} for role, text in messages]
        more = {**self._options, **self._limit}
        if schema is not None and self._takes_schema:
            form = {"name": "answer", "strict": True, "schema": schema}
            more["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema is not None:
            payload[-1]["content"] += f"\n\n{SCHEMA_TEXT}{json.dumps(schema)}"
        request = {"model": self.name, "messages": payload, **more}
        completion = (
            self._send(request, ends) if hear is None else self._stream(request, hear, ends)
        )
        if completion is None:
            raise ModelFailed(f"{self._place} did not answer with a completion")
        answer = self._answer(completion)
        least = sum(len(text) for _, text in messages) / 4 * _CUT_SHORT
        if least > _LONG and 0 < answer.tokens_in < least:
            hint = (
                "raise the context length of the model at the endpoint, or lower"
                " lerim.maxWindowTokens"
            )
            raise ModelFailed(
                f"{self._place} read {answer.tokens_in} tokens and cut off the rest", hint=hint
            )
        return answer

    def _send(self, request: dict[str, Any], ends: float) -> Completion | None:
        create = self._client.chat.completions.with_raw_response.create
        raw = self._result(
            start(lambda: create(**request, extra_headers=self._headers).content), ends
        )
        if len(raw) > LARGEST:
            raise ModelFailed(f"{self._place} answered with more than {LARGEST >> 20} MiB")
        return decode(raw)

    def _stream(self, request: dict[str, Any], hear: Hear, ends: float) -> Completion | None:
        """Return an answer, passing its pieces to `hear` as they arrive.

        The caller's thread passes them on, so that `hear` gets none after the time is up.
        """
        pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

        def receive() -> None:
            create: Any = self._client.chat.completions.with_streaming_response.create
            more = {"stream": True, "stream_options": {"include_usage": True}}
            with create(**request, **more, extra_headers=self._headers) as response:
                for piece in response.iter_bytes():
                    pieces.put(piece)
                    if time.monotonic() > ends:
                        return

        future, stream = start(receive), Stream(hear)
        future.add_done_callback(lambda _: pieces.put(None))
        try:
            while (
                piece := pieces.get(timeout=max(0.0, ends - time.monotonic()))
            ) is not None and stream.size <= LARGEST:
                stream.add(piece)
        except queue.Empty:
            raise self._too_late() from None
        self._result(future, ends)
        return stream.completion()

    def _too_late(self) -> ModelFailed:
        return ModelFailed(f"{self._place} did not answer within {self._patience:g} s")

    def _result(self, future: "Future[_T]", ends: float) -> _T:
        """Return the result of a request, translating errors to ModelFailed.

        Errors that may go away with fewer options are raised unchanged.
        """
        try:
            return future.result(max(0.0, ends - time.monotonic()))
        except (TimeoutError, openai.APITimeoutError):
            raise self._too_late() from None
        except openai.APIConnectionError as error:
            cause = type(error.__cause__).__name__ if error.__cause__ else "no connection"
            raise ModelFailed(f"{self._place} cannot be reached: {cause}") from None
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            raise
        except openai.APIStatusError as error:
            raise ModelFailed(f"{self._place} {self._refusal(error.status_code)}") from None
        except openai.OpenAIError as error:
            why = f"did not answer with a completion: {type(error).__name__}"
            raise ModelFailed(f"{self._place} {why}") from None
        except Exception as error:
            # in a stream, the package does not translate errors of httpx
            if not type(error).__module__.startswith("httpx"):
                raise
            raise ModelFailed(
                f"{self._place} stopped in the middle of its answer: {type(error).__name__}"
            ) from None

    def _refusal(self, code: int) -> str:
        reasons = {
            401: f"answered with 401: the key is {self._no_key or 'invalid'}",
            403: "answered with 403: the key has no access to this model",
            404: (f"answered with 404: it has no model {self.name!r}, or lerim.apiBase is wrong"),
            429: "answered with 429: too many requests, or no credit is left",
        }
        aside = "" if is_private(self._base) else " (keys are sent only over https)"
        return reasons.get(code, f"answered with {code}") + (aside if code in {401, 403} else "")

    def _answer(self, completion: Completion) -> Answer:
        choice, usage = completion.choices[0], completion.usage or Usage()
        text = choice.message.content or ""
        if choice.message.refusal or (not text and choice.finish_reason == "content_filter"):
            raise ModelFailed(f"{self.name} refused to answer", refused=True)
        return Answer(
            text=text or choice.message.reasoning_content or "",
            is_cut=choice.finish_reason == "length",
            tokens_in=usage.prompt_tokens or 0,
            tokens_out=usage.completion_tokens or 0,
        )

    def _connect(self, key: Callable[[str], str], variable: str) -> openai.OpenAI:
        """Create the client; it follows no redirects, and uses no proxy to reach this machine."""
        found = key(self._base) if is_private(self._base) else ""
        if not (found.isascii() and (found.isprintable() or not found)):
            raise ModelFailed(f"the key for {self._place} contains invalid characters")
        left_out = [] if self._base == DEFAULT_BASE else ["OpenAI-Organization", "OpenAI-Project"]
        self._headers: dict[str, Any] = dict.fromkeys(
            [*left_out, *([] if found else ["Authorization"])], openai.Omit()
        )
        unset = f": {variable} is not set" if is_private(self._base) else ""
        self._no_key = "" if found else f"missing{unset}"
        is_local = urlsplit(self._base).hostname in LOOPBACK
        return openai.OpenAI(
            api_key=found or "none",
            base_url=self._base,
            timeout=self._patience,
            max_retries=RETRIES,
            http_client=openai.DefaultHttpxClient(follow_redirects=False, trust_env=not is_local),
        )


def _too_long(place: str, text: str, code: int) -> str:
    """Describe a refusal without quoting the endpoint, whose message may quote the request."""
    reason = "; the request is longer than the model's context" if "context" in text else ""
    return f"{place} refused the request with {code}{reason}"
