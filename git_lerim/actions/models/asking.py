"""Ask the configured model the questions of one run, within its budget and with traces."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

from git_lerim import private_files
from git_lerim.actions.models import model_spending, model_traces
from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.transcript import tokens
from git_lerim.git.repo import private_folder
from git_lerim.llm.base import Answer, Message, Model
from git_lerim.workspace import Workspace

T = TypeVar("T")

_ANNOUNCED = "model-told-"  # files, one per verb: the model and endpoint announced to the user


class Asking:
    """The questions that one run of a command asks a model."""

    def __init__(self, ws: Workspace, verb: str, prompt: int) -> None:
        """Open the configured model for a command (`verb`).

        `prompt` is the version of the prompt that its questions use. Raises ModelFailed,
        BadSetting.
        """
        self._ws = ws
        self._verb = verb
        self._budget = model_spending.Budget(
            settings=ws.settings, tokens=ws.settings["budgetTokens"]
        )
        self._calls = model_traces.Calls(model_traces.sink(ws, verb))
        self._model: Model = model_traces.Traced(ws.model, prompt, self._calls, ws.redactor)
        self.name = self._model.name  # of the model that answered last

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Answer:
        """Ask the model, and return its answer.

        Raises ModelFailed, also if the request would exceed the budget.
        """
        if why := self._budget.why_not(size_of(messages)):
            raise ModelFailed(why, hint="lerim.budgetTokens and lerim.budgetUsd set the budget")
        answer = self._model.ask(messages, schema)
        self._budget.add(answer.tokens_in, answer.tokens_out)
        self.name = answer.model or self._model.name
        return answer

    def ask_checked(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        read: Callable[[Answer, bool], T],
        repair: Callable[[Unusable], str],
    ) -> T:
        """Ask the model, and return what `read` makes of its answer; if unusable, ask once more.

        `read` takes an answer, and whether it is the last one. If it raises Unusable, `repair`
        explains to the model what was wrong. Raises ModelFailed, and Unusable if the second answer
        is unusable, too.
        """
        first = self.ask(messages, schema)
        try:
            return read(first, False)  # noqa: FBT003 as described
        except Unusable as fault:
            again = [*messages, ("assistant", first.text), ("user", repair(fault))]
            return read(self.ask(again, schema), True)  # noqa: FBT003 likewise

    def count(self) -> None:
        """Log the tokens of the run for `stats`."""
        spent = (self._calls.tokens_in, self._calls.tokens_out)
        model_spending.note(self._ws, self._verb, self.name, spent)

    def announce(self, what: str, number: int, say: Callable[[str], None]) -> None:
        """Before a command's first request, tell the user what will be sent and to which model."""
        name = self._ws.settings["model"]
        base = urlsplit(self._ws.settings["apiBase"]).netloc or "api.openai.com"
        target = name if name.startswith("cli:") else f"{name} at {base}"
        marker = self._ws.folder / f"{_ANNOUNCED}{self._verb}"
        with suppress(OSError):
            if private_files.read_text(marker) == target:
                return
        say(f"sending {what} to {target}: about {number:,} tokens, with secrets redacted")
        with suppress(OSError):
            private_folder(self._ws.folder)
            private_files.write(marker, target)


def size_of(messages: Sequence[Message]) -> int:
    """Estimate the tokens of a request."""
    return sum(tokens(text) for _, text in messages)
