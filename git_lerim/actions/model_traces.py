"""What was asked of a model and what came of it, call by call, in the artifacts of the run; texts only with lerim.traceCalls."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from git_lerim.errors import ModelFailed
from git_lerim.git.repo import private_folder
from git_lerim.llm.base import Answer, Hear, Message, Model
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor

NAME = "calls.jsonl"
Sink = Callable[[dict[str, Any]], None]  # takes a call: the texts are taken out where they are not wanted


def sink(ws: Workspace, run: str) -> Sink:
    """Return what writes the calls of a run; `run` is its name, or of a verb without runs the verb."""
    with_texts = bool(ws.settings["traceCalls"])
    if not run.startswith("sync-"):
        if not with_texts:
            return lambda _: None
        run = ws.new_run(run)
    folder = ws.folder / "runs" / run

    def write(call: dict[str, Any]) -> None:
        kept = call if with_texts else {name: value for name, value in call.items() if name not in {"request", "answer"}}
        line = json.dumps(kept, ensure_ascii=True) + "\n"
        with suppress(OSError):
            private_folder(folder.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(private_folder(folder) / NAME, flags, 0o600), "a", encoding="ascii") as file:
                file.write(line)

    return write


class Traced:
    """A model whose calls are written down. It holds no key, so none can be written."""

    def __init__(self, model: Model, prompt: int, write: Sink, redactor: "Redactor", session: str = "") -> None:
        """Take the model, the version of the prompt, and the session that it is asked about, if it is about one."""
        self._model, self._prompt, self._write, self._redactor, self._session = model, prompt, write, redactor, session

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None, *, hear: Hear | None = None) -> Answer:
        """Ask the model, and write down what that took. Raises ModelFailed."""
        began = time.monotonic()
        try:
            found = self._model.ask(messages, schema, hear=hear)
        except ModelFailed as error:
            self._note(messages, Answer(text=""), began, str(error))
            raise
        self._note(messages, found, began, "cut off" if found.is_cut else "answered")
        return found

    def _note(self, messages: Sequence[Message], found: Answer, began: float, outcome: str) -> None:
        def clean(text: str) -> str:
            return self._redactor.redact(text)[0]

        self._write(
            {
                "session": self._session or None,
                "model": found.model or self.name,
                "prompt": self._prompt,
                "tokens_in": found.tokens_in,
                "tokens_out": found.tokens_out,
                "seconds": round(time.monotonic() - began, 3),
                "outcome": outcome,
                "request": [{"role": role, "text": clean(text)} for role, text in messages],
                "answer": clean(found.text),
            }
        )
