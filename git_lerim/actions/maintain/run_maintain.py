"""Maintain the store: merge duplicates, archive what is obsolete, find contradictions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from git_lerim.actions.author_of import author_of, called_wrong_by_others
from git_lerim.actions.maintain import step_commit, upkeep_note
from git_lerim.actions.maintain.maintain_anchors import anchor_step
from git_lerim.actions.maintain.maintain_options import ACTIONS, Options
from git_lerim.actions.maintain.promote import promote
from git_lerim.actions.maintain.stale_since import stale_since
from git_lerim.actions.maintain.step_text import named, named_pair, sharers
from git_lerim.actions.maintain.upkeep_note import NamedMemory
from git_lerim.bulk import uncollected
from git_lerim.extraction.prompt_version import COMPARE_VERSION
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.local import access_counts
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.storage.history.past import first_held, last_changed
from git_lerim.tokens import counted
from git_lerim.upkeep import steps
from git_lerim.upkeep.archive import Rules, Times, Why, may_fade
from git_lerim.upkeep.contradictions import Pair
from git_lerim.upkeep.likeness.pairs import Near, related
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.models.asking import Asking  # most runs ask nothing

_ROUNDS = 3  # since one action can make another one due

Progress: TypeAlias = Callable[[int, int, str], None]  # takes number done, total number, and task
# Returns by id since when and why memories are stale on the default branch.
Stale: TypeAlias = Callable[[Workspace, Sequence[Memory]], Mapping[str, tuple[datetime, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One step that the run carried out or, in a dry run, would have carried out."""

    step: Step
    commit: str | None  # None: a dry run; empty: written into the work tree


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a run did, and what it leaves for people to decide."""

    run: str
    done: list[Done] = field(default_factory=list)
    sharers: dict[str, str] = field(default_factory=dict)  # see `step_text.sharers`
    # steps whose memories somebody else has changed
    skipped: list[Step] = field(default_factory=list)
    pairs: list[upkeep_note.Pair] = field(default_factory=list)  # contradictions
    # memories on one subject that a model was not asked about
    groups: list[list[NamedMemory]] = field(default_factory=list)
    requests: dict[str, list[int]] = field(default_factory=dict)  # tokens a dry run would send
    trouble: str = ""  # why the model was not asked about everything
    patch: str = ""  # adds useful memories to the agents' instructions
    # what the patch adds, with the reasons
    promoted: list[tuple[Memory, str]] = field(default_factory=list)


def maintain(
    ws: Workspace, options: Options, progress: Progress, stale: Stale = stale_since
) -> Outcome:
    """Run the steps that are due, and commit each; an interrupted run keeps its commits.

    If the last run found nothing to do and nothing has changed since, no memory is read, unless the
    run is forced. The caller must hold the lock.
    """
    outcome = Outcome(run=ws.new_run("maintain"))
    key = upkeep_note.key(ws)
    known = None if options.force else upkeep_note.pairs(ws, key)
    if known is not None:
        outcome.pairs = known
        return outcome
    with uncollected():  # a large store is read whole, and compared with itself
        work = _Work(ws, options, outcome, progress, stale)
        try:
            work.all()
        finally:
            work.count()
    if "promote" in options.only:
        outcome.patch, outcome.promoted = promote(ws, work.rated)
    is_whole = (
        options.only == ACTIONS
        and (options.model or not ws.settings["model"])
        and not outcome.trouble
    )
    if is_whole and not options.dry_run and not outcome.skipped:
        upkeep_note.keep(ws, key, work.tip, outcome.pairs)
    _log(ws, outcome, options)
    return outcome


class _Work:
    """One run of maintenance, with the memories as they are after the steps so far."""

    def __init__(
        self, ws: Workspace, options: Options, outcome: Outcome, progress: Progress, stale: Stale
    ) -> None:
        snapshot = ws.store.snapshot()
        self._ws = ws
        self._options = options
        self._outcome = outcome
        self._progress = progress
        self._stale = stale
        self._memories = {
            id_: item.memory for id_, item in ws.store.believed(snapshot).memories.items()
        }
        self.rated = [id_ for id_, memory in self._memories.items() if memory.feedback]
        self._served = ws.store.served()
        served = look_up(self._served, self.rated)
        # excludes feedback that others wrote into a file in the user's name
        self._feedback = {id_: item.memory.feedback for id_, item in served.items()}
        self.tip = snapshot.commit
        self.pairs: list[Pair] = []
        settings = ws.settings
        self._rules = Rules(
            now=ws.now,
            period_days=settings["decayPeriodDays"],
            floor=settings["confidenceFloor"],
            threshold=settings["archiveThreshold"],
            grace_days=settings["gracePeriodDays"],
            stale_grace_days=settings["staleGraceDays"],
        )

    def all(self) -> None:
        """Run the due steps, in several rounds if one step makes another one due."""
        for _ in range(_ROUNDS):
            before = len(self._outcome.done)
            for name in self._options.only:
                for steps_due in self._due(name):
                    self._do(steps_due)
            if len(self._outcome.done) == before:
                break
        found = ((self._memories[pair.later], self._memories[pair.earlier]) for pair in self.pairs)
        active = (pair for pair in found if {each.status for each in pair} == {Status.ACTIVE})
        self._outcome.pairs = [named_pair(self._served, *pair) for pair in active]

    @property
    def _may_ask(self) -> bool:
        return self._options.model and bool(self._ws.settings["model"])

    def count(self) -> None:
        """If a model was asked, log the tokens that it used."""
        if "_asking" in self.__dict__:
            self._asking.count()

    @cached_property
    def _asking(self) -> "Asking":
        """Return the object that asks the model; it is created only when a question comes up."""
        from git_lerim.actions.models.asking import Asking  # noqa: PLC0415

        return Asking(self._ws, "maintain", COMPARE_VERSION)

    @cached_property
    def _near(self) -> Near:
        """The pairs of related memories, computed only once, since no step changes a text."""
        return related(
            memory for memory in self._memories.values() if memory.status is not Status.ARCHIVED
        )

    def _due(self, name: str) -> Iterator[list[Step]]:
        """Yield the due steps in groups to carry out together; a model's steps come one by one."""
        self._progress(len(self._outcome.done), len(self._outcome.done), name)
        if name == "compare":
            yield from ([step] for step in self._compared())
        elif name == "consolidate":
            yield from ([step] for step in self._consolidated())
        else:
            yield from step_commit.apart(self._found(name))

    def _compared(self) -> Iterator[Step]:
        """Yield steps with a model's comparisons, if a model is set and may be asked.

        A dry run only estimates the requests.
        """
        if not self._may_ask:
            return
        from git_lerim.actions.maintain.maintain_model import Comparing, estimate  # noqa: PLC0415

        if self._options.dry_run:
            if "compare" not in self._outcome.requests:  # keep the estimate before merges
                self._outcome.requests["compare"] = estimate(self._ws, self._memories)
            return
        comparing = Comparing(self._ws, self._asking)
        yield from comparing.comparing(self._memories)
        self._outcome.trouble = comparing.trouble

    def _consolidated(self) -> Iterator[Step]:
        """Yield steps that combine memories by a model; if it is not asked, note the groups."""
        is_named = self._options.only == ("consolidate",)
        if not self._may_ask and not is_named:
            return
        from git_lerim.actions.maintain import consolidate_by_model  # noqa: PLC0415

        if not self._may_ask or self._options.dry_run:
            found = consolidate_by_model.groups(self._memories)
            self._outcome.groups = [
                [named(self._served, each) for each in group] for group in found
            ]
            if self._may_ask:
                sizes = consolidate_by_model.estimate(self._ws, found)
                self._outcome.requests["consolidate"] = sizes
            return
        if self._outcome.trouble:
            return
        consolidating = consolidate_by_model.Consolidating(self._ws, self._asking)
        yield from consolidating.steps(dict(self._memories))
        self._outcome.trouble = consolidating.trouble

    def _found(self, name: str) -> list[Step]:
        if name == "anchors":
            return anchor_step(self._ws, self._memories)
        if name == "decay":
            return steps.access_steps(self._memories, self._used(), self._rules)
        if name in {"merge", "contradictions"}:
            judged, author = steps.believed(self._memories, self._feedback), author_of(self._ws)
            if name == "merge":
                return steps.merge_steps(judged, self._near, author)
            found, self.pairs = steps.replace_steps(judged, self._near, author)
            return found
        if name in {"archive", "stale"}:
            only = [Why.STALE] if name == "stale" else [why for why in Why if why is not Why.STALE]
            undecided = called_wrong_by_others(self._ws, self._feedback)
            times = replace(self._times(name), undecided=undecided)
            return steps.archive_steps(self._memories, self._rules, times, only)
        return []

    def _used(self) -> dict[str, str]:
        """Map the id of each memory to the day it was last used on this machine."""
        with self._ws.catalog_to_read() as catalog:
            uses = access_counts.uses(catalog, self._ws.folder, f"{self._ws.now:%Y-%m-%d}")
        return {id_: use.last for id_, use in uses.items()}

    def _times(self, name: str) -> Times:
        """Return the times that decide what to archive; run git only if a memory may be due."""
        memories = self._memories.values()
        if name == "stale":
            about = [each for each in memories if each.status is Status.ACTIVE and each.anchors]
            dates = self._stale(self._ws, about) if about else {}
            return Times(stale=dates, feedback=self._feedback)
        if not any(
            memory.status is Status.SUPERSEDED or may_fade(memory, self._rules)
            for memory in memories
        ):
            return Times(feedback=self._feedback)
        history = list(self._ws.store.history())
        held = {
            id_: each.at for id_, each in first_held(history).items() if each.author is not None
        }
        return Times(held=held, changed=last_changed(history), feedback=self._feedback)

    def _do(self, due: Sequence[Step]) -> None:
        """Do steps that have no memory in common, each in its own commit."""
        self._progress(len(self._outcome.done), len(self._outcome.done) + 1, due[0].summary)
        changed = [
            [
                step_commit.with_time(self._ws, self._memories[each.id], each)
                for each in step.memories
            ]
            for step in due
        ]
        for step in due:  # before a commit changes what is served
            self._outcome.sharers |= sharers(self._served, step, self._outcome.sharers)
        commits: Sequence[str | None] = [None] * len(due)
        if not self._options.dry_run:
            commits = self._ws.store.commit_each(
                [partial(self._change, step, new) for step, new in zip(due, changed, strict=True)]
            )
        for step, new, commit in zip(due, changed, commits, strict=True):
            if commit is None and not self._options.dry_run:
                self._outcome.skipped.append(step)
                continue
            self.tip = self.tip if commit is None else commit
            self._memories |= {memory.id: memory for memory in (*new, *step.added)}
            self._feedback |= {memory.id: memory.feedback for memory in new if memory.feedback}
            self._outcome.done.append(Done(step=step, commit=commit))

    def _change(self, step: Step, new: Sequence[Memory], snapshot: Snapshot) -> Change | None:
        before = {memory.id: self._memories[memory.id] for memory in step.memories}
        stored = step_commit.unchanged(self._ws, snapshot, before)
        change = step_commit.change_of(snapshot, stored, new, step, self._outcome.run)
        return step_commit.in_name_of_parts(self._ws, snapshot, step, change)


def _log(ws: Workspace, outcome: Outcome, options: Options) -> None:
    if not options.dry_run and (outcome.done or outcome.skipped):
        ws.log(
            f"maintain {outcome.run}: {counted(len(outcome.done), 'commit')},"
            f" {len(outcome.skipped)} skipped, {counted(len(outcome.pairs), 'pair')} to decide"
            " about"
        )
