"""Record feedback in the files of memories, as one row for each author and verdict.

Feedback does not change a memory's text or dates.
"""

from dataclasses import dataclass, replace

from git_lerim.actions.author_of import in_own_details
from git_lerim.actions.authorship import by_agent
from git_lerim.actions.edit_memory import edited_files, unchanged_file
from git_lerim.actions.feedback_reasons import REASON, clean_reason
from git_lerim.actions.listing import author_of, find_memory, log_shown
from git_lerim.actions.mistrust import refuse_to_change
from git_lerim.errors import Declined, UsageError
from git_lerim.memories.feedback import (
    CONFIRMED,
    RETRACTED,
    WRONG,
    Feedback,
    Voice,
    added,
    days_of_doubt,
    disputed,
)
from git_lerim.memories.memory import Anchor, Memory, Primitive
from git_lerim.storage import verdicts
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.tokens import clip
from git_lerim.upkeep.freshness.freshness import Claim, Freshness, State
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The result of `feedback`: the memory, the recorded verdict and the commit."""

    memory: Memory
    row: Feedback
    commit: str | None  # None: nothing changed
    disputed: bool  # `brief` omits disputed memories
    redactions: int


def feedback(ws: Workspace, prefix: str, verdict: str, reason: str = "") -> Given:
    """Record a verdict on a memory, at most once a day unless a reason is given.

    If a person confirms the memory, its anchors move to the code at HEAD. The reason is redacted
    and goes into the commit message. Raises UnknownMemory, UsageError if the memory is not a
    decision or learning, Declined if somebody else deleted it.
    """
    reason_text, blanked = clean_reason(ws, reason)
    done: list[tuple[Stored, Memory, Feedback]] = []

    def operation(snapshot: Snapshot) -> Change | None:
        (stored,) = in_own_details(ws, [_find_memory(snapshot, prefix)])
        refuse_to_change(ws, stored)
        row = _row(ws, stored, verdict)
        new = replace(
            stored.memory,
            feedback=tuple(added(stored.memory.feedback, row, again=bool(reason_text))),
        )
        if verdict == CONFIRMED and row.by is Voice.PERSON:
            new = replace(new, anchors=anchors_at_head(ws, new))
        done[:] = [(stored, new, row)]
        files = edited_files(stored, new) if new != stored.memory else unchanged_file(ws, stored)
        return _change(new, verdict, reason_text, files) if files else None

    commit = ws.store.commit(operation)
    stored, new, row = done[0]
    log_shown(ws, [stored])
    kept = next(
        each
        for each in new.feedback
        if (each.author, each.by, each.verdict) == (row.author, row.by, row.verdict)
    )
    verdicts.record(ws.place, new.id, kept)
    return Given(
        memory=new,
        row=kept,
        commit=commit,
        disputed=disputed(new.feedback),
        redactions=blanked,
    )


def _find_memory(snapshot: Snapshot, prefix: str) -> Stored:
    stored = find_memory(snapshot, prefix)
    if stored.memory.primitive not in {Primitive.DECISION, Primitive.LEARNING}:
        raise UsageError(
            f"{stored.memory.id} is of type {stored.memory.primitive}",
            hint="give feedback on decisions and learnings only",
        )
    if stored.memory.id not in snapshot.memories:
        raise Declined(
            f"{stored.memory.id} was deleted by someone else",
            hint="git lerim restore brings it back",
        )
    return stored


def _row(ws: Workspace, stored: Stored, verdict: str) -> Feedback:
    who, by = ws.store.committer(), Voice.AGENT if by_agent(ws) else Voice.PERSON
    if verdict == WRONG and by is Voice.PERSON and _is_author(ws, stored, who):
        verdict = RETRACTED
    day = f"{ws.now:%Y-%m-%d}"
    if verdict == CONFIRMED:  # it answers what was said before, whatever day that claims
        day = max([day, *days_of_doubt(stored.memory.feedback)])
    return Feedback(author=who, by=by, verdict=verdict, day=day)


def _is_author(ws: Workspace, stored: Stored, who: str) -> bool:
    """Return whether `who` last edited a memory or, if nobody edited it, added it.

    Return True also for a memory that nobody edited and that is not committed yet.
    """
    edited = stored.memory.edited
    author = edited.by if edited else author_of(ws, stored)
    return author is None or _mail(author) == _mail(who)


def _mail(who: str) -> str:
    return who.rpartition("<")[2].rstrip(">").casefold()


def anchors_at_head(ws: Workspace, memory: Memory) -> tuple[Anchor, ...]:
    """Return anchors moved to where their code is at HEAD, without those whose code is gone."""
    head = ws.code.head()
    if head is None or ws.personal or not memory.anchors:
        return memory.anchors
    claim = Claim(id=memory.id, title=memory.title, body=memory.body, anchors=memory.anchors)
    states = Freshness(ws.place, ws.code.objects, head).verdicts([claim])[memory.id].states
    found = (
        _move_anchor(ws, anchor, state, head)
        for anchor, state in zip(memory.anchors, states, strict=True)
    )
    return tuple(anchor for anchor in found if anchor)


def _move_anchor(ws: Workspace, anchor: Anchor, state: State, head: str) -> Anchor | None:
    blob = ws.code.blob_at(head, state.path)
    if blob is None:
        return None
    if (blob, state.path) == (anchor.blob, anchor.path):
        return anchor
    lines = (
        state.lines
        if anchor.lines and state.lines and state.lines[1] <= ws.code.length(blob)
        else None
    )
    return replace(anchor, path=state.path, blob=blob, commit=head, lines=lines)


def _change(memory: Memory, verdict: str, reason: str, files: dict[str, bytes | None]) -> Change:
    return Change(
        files=files,
        subject=clip(f"feedback: {verdict}: {memory.title}", 72),
        body=f"~ {memory.id} {memory.title}" + (f"\n\n{REASON}{reason}" if reason else ""),
        trailers=(("Lerim-Op", "feedback"), ("Lerim-Changed", memory.id)),
    )
