"""Let a model read the history in groups of passages, and commit what it finds in each."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from git_lerim.actions.git_history.citing import memories_in
from git_lerim.actions.git_history.windows import Window
from git_lerim.actions.intake import extract
from git_lerim.actions.intake.compare import compare_with_others
from git_lerim.actions.intake.session_extraction import Work
from git_lerim.actions.intake.session_memories import Kept
from git_lerim.actions.models import model_spending, model_work
from git_lerim.actions.models.model_work import Request
from git_lerim.errors import BadMemory, ModelFailed, NotAsked
from git_lerim.extraction.base import Candidate, Dropped, Extracted
from git_lerim.extraction.by_model import HISTORY, MOST, Limits, identified
from git_lerim.extraction.reconcile import Action
from git_lerim.memories import naming
from git_lerim.memories.memory import Memory
from git_lerim.sessions import history_units
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

_AGAIN = "run git lerim import git again for the rest"
_SHOWN = 200  # characters of a dropped text


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The result of reading one window."""

    window: Window
    actions: tuple[Action, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def request(ws: Workspace, window: Window) -> Request:
    """Return the request to the model about a window."""
    before = model_work.stored_before(
        ws, lambda memories: tuple(placed for m in memories if (placed := window.placed(m)))
    )
    return Request(
        session=window.session, before=before, limits=Limits(window=1 << 30), material=HISTORY
    )


def _was_purged(agent: str, candidate: Candidate, purged: Collection[str]) -> bool:
    """Return whether a candidate may repeat a purged memory from the same passage."""
    ids = (
        naming.memory_id(agent, candidate.origin, candidate.primitive, ordinal)
        for ordinal in range(1, MOST + 1)
    )
    return any(id_ in purged for id_ in ids)


def read_all(
    work: Work, windows: Sequence[Window], head: str, progress: Callable[[int, int, str], None]
) -> list[Read]:
    """Let the model read windows, and commit what it finds in each; report errors.

    Raises ModelFailed and BadSetting before anything is sent.
    """
    ws, report = work.ws, work.report
    asked = model_work.start_model_work(ws, lambda window: request(ws, window), report.run_id)
    asked.left = _AGAIN
    asked.follow(windows)
    reading = _Reading(
        work=replace(work, model=asked),
        answer=asked.taken,
        commit=extract.committer(ws, report.run_id, "import"),
        head=head,
    )
    read = []
    try:
        for number, window in enumerate(windows, 1):
            progress(number, len(windows), f"reading {window.name}")
            read += reading.read(window)
    except NotAsked as error:
        report.errors.append({"session": "", "error": str(error)})
    finally:
        extract.count_memories(report, chain.from_iterable(each.actions for each in read))
        report.tokens_in, report.tokens_out = asked.calls.tokens_in, asked.calls.tokens_out
        used = (report.tokens_in, report.tokens_out)
        report.cost_usd = model_spending.cost(ws.settings, *used)
        model_spending.note(ws, "import", ws.settings["model"], used)
    return read


@dataclass(frozen=True, kw_only=True)
class _Reading:
    work: Work
    answer: Callable[[Window], Extracted]
    commit: extract.Commit
    head: str

    @property
    def ws(self) -> Workspace:
        return self.work.ws

    def read(self, window: Window) -> list[Read]:
        """Read one window and commit what was found; return an empty list if that failed."""
        try:
            kept = self._kept(window, self.answer(window))
            committed = self.commit(compare_with_others(self.work, window.name, kept))
        except (ModelFailed, BadMemory) as error:
            self.work.report.errors.append({"session": window.name, "error": str(error)})
            return []
        history_units.note_read(self.work.catalog, window.done)
        extract.count(self.work.report, kept, committed)
        return [Read(window=window, actions=tuple(committed.actions), dropped=kept.dropped)]

    def _kept(self, window: Window, found: Extracted) -> Kept:
        """Return the memories to keep from a window; those that restate a stored one get its id."""
        before = request(self.ws, window).before
        snapshot = self.ws.store.snapshot()
        known: dict[str, Memory] = {id_: item.memory for id_, item in snapshot.memories.items()}
        candidates = [
            one
            for one in identified(window.session, found.candidates, before)
            if one.ident in known or not _was_purged(window.session.agent, one, snapshot.purged)
        ]
        kept = memories_in(self.ws, window, self.head, candidates, known)
        dropped_before = frozenset(
            memory.id for memory in kept.memories if self.work.dropped.has(memory, found.model)
        )
        return replace(
            kept,
            model=found.model,
            withdrawn=frozenset(found.withdrawn),
            has_stored=found.has_stored,
            dropped=tuple(map(self._shown, found.dropped)),
            dropped_before=dropped_before,
        )

    def _shown(self, one: Dropped) -> Dropped:
        def clean(text: str) -> str:
            return clip(" ".join(self.ws.redactor.redact(text)[0].split()), _SHOWN)

        return replace(one, text=clean(one.text), reason=clean(one.reason))
