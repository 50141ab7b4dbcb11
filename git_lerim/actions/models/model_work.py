"""Ask the model about the sessions of a run, several at a time, within the run's budget.

Which sessions are asked about, and the order of their commits, do not depend on how quickly
answers arrive. A part of the repository's history counts as a session.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from git_lerim import private_files
from git_lerim.actions.author_of import author_of
from git_lerim.actions.models import model_spending, model_traces
from git_lerim.errors import ModelFailed, NotAsked
from git_lerim.extraction import by_model
from git_lerim.extraction.base import Brief, Extracted
from git_lerim.extraction.by_model import OF_USER, SESSION, Before, Limits, Material, identified
from git_lerim.extraction.by_model.transcript import tokens
from git_lerim.extraction.prompt_version import COMPARE_VERSION
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.llm.base import Answer, Message, Model
from git_lerim.llm.deadline import start
from git_lerim.memories.memory import Memory
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.session import Session
from git_lerim.storage.base import Snapshot
from git_lerim.storage.review.dropped import dropped_in
from git_lerim.storage.trust.judge import Judge
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

__all__ = [
    "ModelWork",
    "Request",
    "announce",
    "before_of",
    "destination",
    "estimates",
    "identified",
    "limits_of",
    "start_model_work",
    "stored_before",
]

_TOLD = "model-told"  # file: the model and endpoint that were announced to the user
IN_A_ROW = 3  # failures of the endpoint in a row after which no more requests are sent
_HEADINGS = ("## Intent\n\n", "\n\n## What happened\n\n")


class Named(Protocol):
    """A session, or a part of the repository's history, that the model is asked about."""

    @property
    def name(self) -> str:
        """Return the name for messages, which is unique in the run."""
        ...


@dataclass(frozen=True, kw_only=True)
class Request:
    """The request to the model about one session, with what is already stored from it."""

    session: Session
    before: Before
    limits: Limits
    material: Material = SESSION

    def tokens(self) -> int:
        """Return the estimated number of tokens that the request sends."""
        return sum(by_model.requests(self.session, self.before, self.limits, self.material))

    def extract(self, model: Model) -> Extracted:
        """Ask the model, and return what it extracts. Raises ModelFailed."""
        return by_model.extract(model, self.session, self.before, self.limits, self.material)


def before_of(ws: Workspace, session: Session) -> Before:
    """Return the memories and other results that are already stored from a session."""
    return stored_before(
        ws,
        lambda memories: by_model.stored_of(session, memories),
        lambda snapshot: _brief(snapshot, session),
    )


def stored_before(
    ws: Workspace,
    mine: Callable[[Iterable[Memory]], tuple[Memory, ...]],
    brief: Callable[[Snapshot], Brief | None] = lambda _: None,
) -> Before:
    """Return what is already stored from sources that a model is about to read.

    `mine` selects the memories from these sources.
    """
    snapshot = ws.store.believed(ws.store.snapshot())
    stored = mine(item.memory for item in snapshot.memories.values())
    dropped = mine(dropped_in(ws.place))
    merged = {ident for item in snapshot.memories.values() for ident in item.memory.merged_from}
    ids = {memory.id for memory in stored}
    others = {ident: item.memory for ident, item in snapshot.memories.items() if ident not in ids}
    taken = frozenset(
        {*merged, *snapshot.purged, *snapshot.withdrawn, *(memory.id for memory in dropped)}
    )
    author = author_of(ws, snapshot)  # a colleague's memory quotes the colleague
    return Before(
        memories=stored,
        users=frozenset(m.id for m in stored if m.origin in OF_USER and not author(m.id)),
        dropped=dropped,
        brief=brief(snapshot),
        others=others,
        taken=taken,
        # opened when needed, since requests are made in threads
        is_own=lambda command: Judge(ws.place, open_objects(ws.place)).is_own(command),
    )


def limits_of(ws: Workspace) -> Limits:
    """Return the size limits of requests."""
    return Limits(window=ws.settings["maxWindowTokens"], overlap=ws.settings["windowOverlapTokens"])


def _brief(snapshot: Snapshot, session: Session) -> Brief | None:
    mine = (session.agent, session.id)
    found: Iterator[Memory] = (item.memory for item in snapshot.summaries.values())
    for memory in found:
        if any((source.agent, source.session) == mine for source in memory.sources):
            intent, _, outcome = memory.body.removeprefix(_HEADINGS[0]).partition(_HEADINGS[1])
            return (
                Brief(intent=intent.strip(), outcome=outcome.strip()) if outcome.strip() else None
            )
    return None


def estimates(ws: Workspace, catalog: Catalog, entries: Iterable[Entry]) -> list[tuple[Entry, int]]:
    """Estimate the tokens to send for each session, without sending anything."""
    request = about_sessions(ws, catalog)
    return [(entry, request(entry).tokens()) for entry in entries]


def announce(
    ws: Workspace, catalog: Catalog, entries: Sequence[Entry], say: Callable[[str], None]
) -> None:
    """Before the first request to a model, tell the user what will be sent and to which model."""
    target = destination(ws)
    marker = ws.folder / _TOLD
    with suppress(OSError):
        if not entries or private_files.read_text(marker) == target:
            return
    size = sum(number for _, number in estimates(ws, catalog, entries))
    say(
        f"sending {counted(len(entries), 'session')}, about {size:,} tokens, to {target}:"
        " compacted, with secrets redacted"
    )
    with suppress(OSError):
        private_files.write(marker, target)


def destination(ws: Workspace) -> str:
    """Return the model and its endpoint, for messages."""
    place = urlsplit(ws.settings["apiBase"]).netloc or (
        "api.openai.com" if not ws.settings["model"].startswith("cli:") else ""
    )
    return f"{ws.settings['model']}{f' at {place}' if place else ''}"


def about_sessions(ws: Workspace, catalog: Catalog) -> Callable[[Entry], Request]:
    """Return a function that makes the model request for a session of the catalog."""

    def request(entry: Entry) -> Request:
        session = catalog.session(entry)
        return Request(session=session, before=before_of(ws, session), limits=limits_of(ws))

    return request


def start_model_work(
    ws: Workspace, request: Callable[[Any], Request], run: str, most: int | None = None
) -> "ModelWork":
    """Return the object that asks the model in a run, within `most` tokens.

    By default, the limit is the configured budget. Raises ModelFailed, BadSetting.
    """
    limit = ws.settings["budgetTokens"] if most is None else most
    budget = model_spending.Budget(settings=ws.settings, tokens=limit)
    calls = model_traces.Calls(model_traces.sink(ws, run))
    return ModelWork(
        ws=ws,
        request=request,
        model=ws.model,
        at_a_time=ws.settings["maxConcurrency"],
        budget=budget,
        calls=calls,
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A request that is under way for a session."""

    entry: Named
    answer: "Future[Extracted]"
    tokens: int  # estimate of what its requests send


@dataclass(kw_only=True)
class ModelWork:
    """The requests of a run to a model, several at a time and within a budget."""

    ws: Workspace
    request: Callable[[Any], Request]  # makes the request for an entry of `follow`
    model: Model
    at_a_time: int
    budget: model_spending.Budget
    calls: model_traces.Calls
    left: str = "the session stays queued"  # what happens to the rest after a limit, for messages
    _next: Iterator[Named] = field(default_factory=lambda: iter(()))
    _asked: deque[_Asked] = field(default_factory=deque)
    _failed: int = 0  # failures in a row
    _over: str = ""  # why no more requests are made

    def follow(self, entries: Iterable[Named]) -> None:
        """Set the sessions to ask about, in the order in which `taken` gets them."""
        self._next = iter(entries)

    def taken(self, entry: Named) -> Extracted:
        """Return the model's answer about a session, waiting for it if necessary.

        Requests about the next sessions are started meanwhile. Raises ModelFailed, or NotAsked if a
        budget is used up.
        """
        while (
            not self._over
            and len(self._asked) < self.at_a_time
            and (following := next(self._next, None))
        ):
            self._ask(following)
        if self._of(entry) is None and not self._over:
            self._ask(entry)
        asked = self._of(entry)
        if asked is None:
            raise NotAsked(self._over)
        self._asked.remove(asked)
        try:
            found = asked.answer.result()
        except ModelFailed as error:
            self.budget.add(asked.tokens, 0)
            self._note_failure(error)
            raise
        self._failed = 0
        self.budget.add(found.tokens_in, found.tokens_out)
        return found

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Answer:
        """Ask the model a question that is not about one session.

        Raises ModelFailed, or NotAsked if a limit was reached.
        """
        if self._over or self.budget.why_not(sum(tokens(text) for _, text in messages)):
            raise NotAsked("no more requests are sent to the model in this run")
        model = model_traces.Traced(self.model, COMPARE_VERSION, self.calls, self.ws.redactor)
        try:
            answer = model.ask(messages, schema)
        except ModelFailed as error:
            self._note_failure(error)
            raise
        self.budget.add(answer.tokens_in, answer.tokens_out)
        return answer

    def _of(self, entry: Named) -> _Asked | None:
        return next((asked for asked in self._asked if asked.entry.name == entry.name), None)

    def _ask(self, entry: Named) -> None:
        request = self.request(entry)
        size = request.tokens()
        if why := self.budget.why_not(size + sum(asked.tokens for asked in self._asked)):
            self._over = f"{why}; {self.left}"
            return
        model = model_traces.Traced(
            self.model, request.material.version, self.calls, self.ws.redactor, entry.name
        )
        answer = start(lambda: request.extract(model))
        self._asked.append(_Asked(entry=entry, answer=answer, tokens=size))

    def _note_failure(self, error: ModelFailed) -> None:
        self._failed = 0 if error.refused else self._failed + 1
        if self._failed >= IN_A_ROW:
            self._over = f"not sent, after {IN_A_ROW} failures in a row; {self.left}"
