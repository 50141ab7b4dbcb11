"""Ask the model about the sessions of a run, several at a time, within the run's budget.

Which sessions are asked about, and the order of their commits, does not depend on how quickly
answers arrive.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from git_lerim.actions.models import model_spending, model_traces
from git_lerim.errors import ModelFailed, NotAsked
from git_lerim.extraction import by_model
from git_lerim.extraction.base import Brief, Extracted
from git_lerim.extraction.by_model import Before, Limits, identified
from git_lerim.extraction.by_model.transcript import tokens
from git_lerim.extraction.prompt_version import COMPARE_VERSION, PROMPT_VERSION
from git_lerim.llm.base import Answer, Message, Model
from git_lerim.llm.deadline import start
from git_lerim.memories.memory import Memory
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.session import Session
from git_lerim.storage.base import Snapshot
from git_lerim.storage.review.dropped import dropped_in
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

__all__ = [
    "ModelWork",
    "announce",
    "before_of",
    "estimates",
    "identified",
    "limits_of",
    "start_model_work",
]

_TOLD = "model-told"  # file: the model and endpoint that were announced to the user
IN_A_ROW = 3  # failures of the endpoint that end the requests
_HEADINGS = ("## Intent\n\n", "\n\n## What happened\n\n")


def before_of(ws: Workspace, session: Session) -> Before:
    """Return what is already stored of a session."""
    snapshot = ws.store.believed(ws.store.snapshot())
    stored = by_model.stored_of(session, (item.memory for item in snapshot.memories.values()))
    dropped = by_model.stored_of(session, dropped_in(ws.place))
    merged = {ident for item in snapshot.memories.values() for ident in item.memory.merged_from}
    mine = {memory.id for memory in stored}
    others = {ident: item.memory for ident, item in snapshot.memories.items() if ident not in mine}
    taken = frozenset(
        {*merged, *snapshot.purged, *snapshot.withdrawn, *(memory.id for memory in dropped)}
    )
    return Before(
        memories=stored,
        dropped=dropped,
        brief=_brief(snapshot, session),
        others=others,
        taken=taken,
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
    found = []
    for entry in entries:
        session = catalog.session(entry)
        found.append(
            (entry, sum(by_model.requests(session, before_of(ws, session), limits_of(ws))))
        )
    return found


def announce(
    ws: Workspace, catalog: Catalog, entries: Sequence[Entry], say: Callable[[str], None]
) -> None:
    """Tell the user what is sent where, before a model is first asked in this repository."""
    place = urlsplit(ws.settings["apiBase"]).netloc or (
        "api.openai.com" if not ws.settings["model"].startswith("cli:") else ""
    )
    target = f"{ws.settings['model']}{f' at {place}' if place else ''}"
    marker = ws.folder / _TOLD
    with suppress(OSError):
        if not entries or marker.read_text("utf-8") == target:
            return
    size = sum(number for _, number in estimates(ws, catalog, entries))
    say(
        f"{counted(len(entries), 'session')}, about {size:,} tokens, go to {target}: compacted,"
        " secrets blanked first"
    )
    with suppress(OSError):
        marker.write_text(target, "utf-8")


def start_model_work(
    ws: Workspace, catalog: Catalog, run: str, most: int | None = None
) -> "ModelWork":
    """Return the model work of a run, limited to `most` tokens or the configured budget.

    Raises ModelFailed, BadSetting.
    """
    limit = ws.settings["budgetTokens"] if most is None else most
    budget = model_spending.Budget(settings=ws.settings, tokens=limit)
    calls = model_traces.Calls(model_traces.sink(ws, run))
    return ModelWork(
        ws=ws,
        catalog=catalog,
        model=ws.model,
        at_a_time=ws.settings["maxConcurrency"],
        budget=budget,
        calls=calls,
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A request that is under way for a session."""

    entry: Entry
    answer: "Future[Extracted]"
    tokens: int  # estimate of what its requests send


@dataclass(kw_only=True)
class ModelWork:
    """The model requests of a run."""

    ws: Workspace
    catalog: Catalog
    model: Model
    at_a_time: int
    budget: model_spending.Budget
    calls: model_traces.Calls
    _next: Iterator[Entry] = field(default_factory=lambda: iter(()))
    _asked: deque[_Asked] = field(default_factory=deque)
    _failed: int = 0  # in a row
    _over: str = ""  # why no more requests are made

    def follow(self, entries: Iterable[Entry]) -> None:
        """Set the sessions to ask about, in the order of `taken`."""
        self._next = iter(entries)

    def taken(self, entry: Entry) -> Extracted:
        """Wait for the model's answer on a session.

        Raises ModelFailed, NotAsked after a limit.
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
        """Ask something that is not about one session.

        Raises ModelFailed, NotAsked after a limit.
        """
        if self._over or self.budget.why_not(sum(tokens(text) for _, text in messages)):
            raise NotAsked("asking has ended in this run")
        model = model_traces.Traced(self.model, COMPARE_VERSION, self.calls, self.ws.redactor)
        try:
            answer = model.ask(messages, schema)
        except ModelFailed as error:
            self._note_failure(error)
            raise
        self.budget.add(answer.tokens_in, answer.tokens_out)
        return answer

    def _of(self, entry: Entry) -> _Asked | None:
        return next((asked for asked in self._asked if asked.entry.name == entry.name), None)

    def _ask(self, entry: Entry) -> None:
        session = self.catalog.session(entry)
        before, limits = before_of(self.ws, session), limits_of(self.ws)
        size = sum(by_model.requests(session, before, limits))
        if why := self.budget.why_not(size + sum(asked.tokens for asked in self._asked)):
            self._over = f"{why}: it stays queued"
            return
        model = model_traces.Traced(
            self.model, PROMPT_VERSION, self.calls, self.ws.redactor, entry.name
        )
        answer = start(lambda: by_model.extract(model, session, before, limits))
        self._asked.append(_Asked(entry=entry, answer=answer, tokens=size))

    def _note_failure(self, error: ModelFailed) -> None:
        self._failed = 0 if error.refused else self._failed + 1
        if self._failed >= IN_A_ROW:
            self._over = f"not asked, after {IN_A_ROW} failures in a row: it stays queued"
