"""Log a run's model calls beside its report, with their texts only if lerim.traceCalls is set."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model.transcript import tokens
from git_lerim.git.repo import private_folder
from git_lerim.llm.base import Answer, Hear, Message, Model
from git_lerim.private_files import OURS, parse_json, read_text
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor

NAME = "calls.jsonl"
# a function that logs a call, with its texts only if lerim.traceCalls is set
Sink = Callable[[dict[str, Any]], None]


def sink(ws: Workspace, run: str) -> Sink:
    """Return a function that logs calls; `run` is a run's id or the command that starts a run."""
    with_texts = bool(ws.settings["traceCalls"])
    if not run.startswith(("sync-", "import-")):
        if not with_texts:
            return lambda _: None
        run = ws.new_run(run)
    folder = ws.folder / "runs" / run

    def write(call: dict[str, Any]) -> None:
        kept = (
            call
            if with_texts
            else {name: value for name, value in call.items() if name not in {"request", "answer"}}
        )
        line = json.dumps(kept, ensure_ascii=True) + "\n"
        with suppress(OSError):
            private_folder(folder.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(
                os.open(private_folder(folder) / NAME, flags, 0o600), "a", encoding="ascii"
            ) as file:
                file.write(line)

    return write


class Calls:
    """The calls of one run, from all threads, logged and summed up."""

    def __init__(self, write: Sink) -> None:
        self.tokens_in = self.tokens_out = 0
        self._write = write
        self._lock = threading.Lock()

    def add(self, call: dict[str, Any]) -> None:
        """Log a call, and add its tokens to the sums."""
        with self._lock:
            self.tokens_in += call["tokens_in"]
            self.tokens_out += call["tokens_out"]
            self._write(call)


class Traced:
    """A model whose calls are logged, and whose requests are redacted as they are sent.

    This class has no API key, so it cannot log one.
    """

    def __init__(
        self, model: Model, prompt: int, calls: Calls, redactor: "Redactor", session: str = ""
    ) -> None:
        """Wrap a model so that its calls are logged in `calls`.

        `prompt` is the version of the prompt; `session` is the session that is asked about, if any.
        """
        self._model, self._prompt, self._calls, self._redactor, self._session = (
            model,
            prompt,
            calls,
            redactor,
            session,
        )

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Ask the model and log the call, estimating tokens that the model did not count.

        Raises ModelFailed.
        """
        began = time.monotonic()
        # redact again, because shortening a text may have joined the halves of a secret
        messages = [(role, self._clean(text)) for role, text in messages]
        try:
            found = self._model.ask(messages, schema, hear=hear)
        except ModelFailed as error:
            self._note(messages, Answer(text=""), began, str(error))
            raise
        sent = found.tokens_in or sum(tokens(text) for _, text in messages)
        found = replace(
            found,
            tokens_in=sent,
            tokens_out=found.tokens_out or tokens(found.text),
            model=found.model or self.name,
        )
        self._note(messages, found, began, "cut off" if found.is_cut else "answered")
        return found

    def _clean(self, text: str) -> str:
        return self._redactor.redact(text)[0]

    def _note(self, messages: Sequence[Message], found: Answer, began: float, outcome: str) -> None:
        self._calls.add(
            {
                "session": self._session or None,
                "model": found.model or self.name,
                "prompt": self._prompt,
                "tokens_in": found.tokens_in,
                "tokens_out": found.tokens_out,
                "seconds": round(time.monotonic() - began, 3),
                "outcome": outcome,
                "request": [{"role": role, "text": text} for role, text in messages],
                "answer": self._clean(found.text),
            }
        )


def calls_of(folder: Path) -> list[dict[str, Any]]:
    """Return the logged calls of a run, skipping unreadable lines."""
    found = []
    with suppress(OSError):
        for line in read_text(folder / NAME, OURS).splitlines():
            with suppress(ValueError):
                found.append(parse_json(line))
    return [call for call in found if isinstance(call, dict) and "outcome" in call]
