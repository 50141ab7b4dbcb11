"""`sync -i`: ask about each new memory, commit what is kept, remember what is dropped.

A memory that the user keeps only for themselves goes to their personal memory, and counts as
dropped here.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from git_lerim.actions.add_memory import Note, remember
from git_lerim.actions.author_of import author_of, with_accepted
from git_lerim.actions.authorship import mark_rewritten
from git_lerim.actions.edit_memory import edit_time
from git_lerim.actions.intake import session_commit
from git_lerim.actions.intake.extract import Committed
from git_lerim.actions.intake.session_memories import Kept
from git_lerim.actions.sync.resettle import resettle
from git_lerim.extraction.base import Dropped
from git_lerim.extraction.reconcile import Action, Add
from git_lerim.memories.memory import Memory, Status
from git_lerim.sessions.session import Record, Session
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.review.dropped import DroppedStore
from git_lerim.workspace import Workspace, open_workspace


class Choice(StrEnum):
    """The user's decision about one memory."""

    KEEP = "keep"
    DROP = "drop"
    PERSONAL = "personal"  # DROP, but keep it in the personal memory
    LATER = "later"
    QUIT = "quit"  # LATER for this and everything that follows


_DROPPED = {Choice.DROP: "you dropped it", Choice.PERSONAL: "you kept it only for yourself"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The user's answer about one memory: the choice, and the edited memory if any."""

    choice: Choice
    rest: bool = False  # apply to the rest of this session
    edited: Memory | None = None  # the memory as edited by the user


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A new memory to ask the user about, with the session it comes from."""

    memory: Memory
    session: Session
    number: int  # from 1
    count: int  # of the session's memories

    def evidence(self) -> list[Record]:
        """Return the session records that the memory cites."""
        cited = [
            source
            for source in self.memory.sources
            if (source.agent, source.session) == self._session
        ]
        ranges = [(source.part, first, last) for source in cited for first, last in source.records]
        return [
            r
            for r in self.session.records
            if any(r.part == part and a <= r.n <= b for part, a, b in ranges)
        ]

    @property
    def _session(self) -> tuple[str, str]:
        return self.session.agent, self.session.id


Ask: TypeAlias = Callable[[Offer], Answer]


class Triage:
    """One run of `sync -i`, which asks about each new memory and commits what is kept."""

    def __init__(self, ws: Workspace, run: str, ask: Ask) -> None:
        """Ask questions with the callback `ask`; the commits name `run` as their run."""
        self._ws, self._run, self._ask = ws, run, ask
        self.ended = False  # the user quit

    def commit(self, kept: Kept) -> Committed:
        """Ask about a session's new memories, and commit those that the user keeps.

        If the user leaves any undecided, the session stays queued.
        """
        stored = self._believed(kept)
        kept = session_commit.with_free_ids(kept, stored, author_of(self._ws, stored))
        answers = self._answers(kept)
        dropped = [memory for memory in kept.memories if _is(answers, memory, *_DROPPED)]
        _keep_for_user(m for m in dropped if _is(answers, m, Choice.PERSONAL))
        if dropped:
            DroppedStore(self._ws.place).add(dropped, kept.model)
            kept = replace(kept, dropped_before=kept.dropped_before | {m.id for m in dropped})
        complete = not any(answer.choice is Choice.LATER for answer in answers.values())
        left_out = {memory.id for memory in kept.memories if not _is(answers, memory, Choice.KEEP)}
        if complete:  # memories that duplicate another one were not asked about and are stored, too
            left_out &= answers.keys()
        return replace(
            self._carried_out(kept if complete else replace(kept, summary=None), left_out, answers),
            complete=complete,
            dropped=tuple(
                Dropped(text=memory.title, reason=_DROPPED[answers[memory.id].choice])
                for memory in dropped
            ),
        )

    def _believed(self, kept: Kept, snapshot: Snapshot | None = None) -> Snapshot:
        """Return what a session's memories are compared with."""
        believed = self._ws.store.believed(snapshot or self._ws.store.snapshot())
        return with_accepted(self._ws, kept.memories, believed)

    def _answers(self, kept: Kept) -> dict[str, Answer]:
        """Ask about each new memory; return the answers by id.

        This takes several rounds, because dropping a memory can make its duplicate count as new.
        """
        answers: dict[str, Answer] = {}
        rest: Answer | None = None
        while offers := self._open(kept, answers):
            for number, memory in enumerate(offers, 1):
                answer = rest or self._ask(
                    Offer(memory=memory, session=kept.session, number=number, count=len(offers))
                )
                if answer.choice is Choice.QUIT:
                    self.ended, answer = True, Answer(choice=Choice.LATER, rest=True)
                rest = Answer(choice=answer.choice) if answer.rest else rest
                answers[memory.id] = answer
        return answers

    def _open(self, kept: Kept, answers: Mapping[str, Answer]) -> list[Memory]:
        dropped = {id_ for id_, answer in answers.items() if answer.choice in _DROPPED}
        stored = self._believed(kept)
        author = author_of(self._ws, stored)
        actions = session_commit.plan(kept.without(dropped), stored, author)
        new = [action.memory for action in actions if isinstance(action, Add)]
        return [
            memory
            for memory in new
            if memory.status is not Status.SUPERSEDED and memory.id not in answers
        ]

    def _carried_out(
        self, kept: Kept, left_out: set[str], answers: Mapping[str, Answer]
    ) -> Committed:
        edited = {id_: answer.edited for id_, answer in answers.items() if answer.edited}
        actions: list[Action] = []
        before = self._ws.store.believed(self._ws.store.snapshot())

        def operation(snapshot: Snapshot) -> Change | None:
            chosen = kept.without(left_out - snapshot.memories.keys())
            stored = self._believed(chosen, snapshot)
            actions[:] = [
                self._with_edit(one, edited)
                for one in session_commit.plan(chosen, stored, author_of(self._ws, stored))
            ]
            return session_commit.change(
                chosen, actions, snapshot, session_commit.Run(id=self._run)
            )

        made = self._ws.store.commit(operation)
        followed = resettle(self._ws, before, "edit", made) if edited else []
        return Committed(actions=[*actions, *followed], commit=made, kept=kept.without(left_out))

    def _with_edit(self, action: Action, edited: Mapping[str, Memory]) -> Action:
        new = edited.get(action.memory.id)
        if new is None or not isinstance(action, Add):
            return action
        updated = edit_time(action.memory.created, self._ws.now.replace(microsecond=0))
        return replace(
            action,
            memory=mark_rewritten(self._ws, replace(new, updated=updated), action.memory),
            reason="is new, edited by you",
        )


def _is(answers: Mapping[str, Answer], memory: Memory, *choices: Choice) -> bool:
    return memory.id in answers and answers[memory.id].choice in choices


def _keep_for_user(memories: Iterable[Memory]) -> None:
    """Write memories to the user's personal memory, as if the user had written them there."""
    if chosen := [*memories]:
        own = open_workspace(personal=True, making=True)
        for each in chosen:
            remember(
                own,
                Note(
                    text=each.body,
                    title=each.title,
                    primitive=each.primitive,
                    kind=each.kind,
                    tags=each.tags,
                    suspect=each.suspect,
                ),
            )
