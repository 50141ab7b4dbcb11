"""Ask the model a question about given notes; redact the prompt and check the answer."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from git_lerim import private_files
from git_lerim.actions.models import model_spending, model_traces
from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model.transcript import tokens as tokens_of
from git_lerim.git.repo import private_folder
from git_lerim.llm.base import Answer, Message
from git_lerim.recall.by_model.cited import AnswerReader, Note, Sentence
from git_lerim.recall.by_model.prompt import PROMPT_VERSION, messages
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_TOLD = "model-told-ask"  # file: the model and endpoint that were announced to the user


@dataclass(frozen=True, kw_only=True)
class Request:
    """A question for the model, with the notes and the code that it needs for the answer."""

    name: str  # of the prompt: ask or explain
    notes: Sequence[Note]
    question: str
    code: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The model's checked answer and its cost."""

    model: str
    sentences: list[Sentence]
    left_out: list[tuple[str, str]]  # rejected sentences with the reasons
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    broke_off: str = ""


def ask(
    ws: Workspace,
    request: Request,
    say: Callable[[str], None],
    hear: Callable[[Sentence], None],
    *,
    is_streamed: bool,
) -> Reply:
    """Ask the model, pass each checked sentence of its answer to `hear`, and return the reply.

    If the notes do not answer the question, `hear` is not called. Raises BadSetting, and
    ModelFailed if there is no usable answer.
    """
    model = ws.language_model(ws.settings.answers_by)
    notes, prompt = _redacted(ws, request)
    tokens = sum(tokens_of(text) for _, text in prompt)
    budget = model_spending.Budget(settings=ws.settings, tokens=ws.settings["budgetTokens"])
    if why := budget.why_not(tokens):
        raise ModelFailed(f"did not ask {model.name}: {why}")
    _announce(ws, request, tokens, say)
    reading = AnswerReader({note.name: note for note in notes}, request.question)
    heard = _Sentences(ws=ws, reading=reading, hear=hear)
    calls = model_traces.Calls(model_traces.sink(ws, request.name))
    traced = model_traces.Traced(model, PROMPT_VERSION, calls, ws.redactor)
    answer, broke_off = _answer(traced, prompt, heard, is_streamed=is_streamed)
    spent, name = (calls.tokens_in, calls.tokens_out), answer.model or model.name
    model_spending.note(ws, request.name, name, spent)
    if not heard.kept and not reading.is_nothing:
        raise ModelFailed(f"{name} gave no answer that cites its sources")
    return Reply(
        model=name,
        sentences=heard.kept,
        left_out=reading.left_out,
        tokens_in=spent[0],
        tokens_out=spent[1],
        cost_usd=model_spending.cost(ws.settings, *spent),
        broke_off=broke_off,
    )


@dataclass(kw_only=True)
class _Sentences:
    """A collector that redacts each checked sentence of an answer and passes it on."""

    ws: Workspace
    reading: AnswerReader
    hear: Callable[[Sentence], None]
    kept: list[Sentence] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add the next piece of the answer, and pass on the sentences that it completes."""
        self._take(self.reading.add(text))

    def end(self) -> None:
        """Pass on the sentences that remain when the answer has ended."""
        self._take(self.reading.end())

    def _take(self, sentences: Sequence[Sentence]) -> None:
        for sentence in sentences:
            text = self.ws.redactor.redact(sentence.text)[0]
            self.kept.append(replace(sentence, text=text))
            self.hear(self.kept[-1])


def _answer(
    traced: model_traces.Traced, prompt: list[Message], heard: _Sentences, *, is_streamed: bool
) -> tuple[Answer, str]:
    """Ask the model; return its answer and, if the answer broke off, the reason."""
    began = time.monotonic()
    try:
        answer = traced.ask(prompt, hear=heard.add if is_streamed else None)
    except ModelFailed as error:
        if not heard.kept:
            raise
        seconds = time.monotonic() - began
        return Answer(text=""), f"{error} ({seconds:.0f} s): the answer is incomplete"
    if not is_streamed:
        heard.add(answer.text)
    heard.end()
    return answer, ""


def _redacted(ws: Workspace, request: Request) -> tuple[list[Note], list[Message]]:
    def clean(text: str) -> str:
        return ws.redactor.redact(text)[0]

    notes = [
        replace(note, text=clean(note.text), facts=clean(note.facts)) for note in request.notes
    ]
    return notes, messages(
        request.name, notes, clean(request.question), [*map(clean, request.code)]
    )


def _announce(ws: Workspace, request: Request, tokens: int, say: Callable[[str], None]) -> None:
    """Before the first question to a model, tell the user what will be sent and to which model."""
    name = ws.settings[ws.settings.answers_by]
    place = (
        ""
        if name.startswith("cli:")
        else urlsplit(ws.settings["apiBase"]).netloc or "api.openai.com"
    )
    target = f"{name}{f' at {place}' if place else ''}"
    with suppress(OSError):
        if private_files.read_text(ws.folder / _TOLD) == target:
            return
    what = "the question" if request.name == "ask" else "the code"
    notes = counted(len(request.notes), "note")
    say(
        f"sending {what} and {notes} about it to {target}: about {tokens:,} tokens, with secrets"
        " redacted"
    )
    with suppress(OSError):
        private_files.write(private_folder(ws.folder) / _TOLD, target)
