"""Consolidate several memories into one that supersedes them, at a person's request."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from git_lerim.actions import authorship
from git_lerim.actions.edit_memory import Changed, edit_time, edited_files, validate_edit
from git_lerim.actions.listing import find_memory
from git_lerim.errors import BadMemory, Declined, UsageError
from git_lerim.memories import confidence, naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import BODY_LIMIT, Edited, Memory, Origin, Primitive, Status
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.tokens import clip, counted
from git_lerim.upkeep.consolidation import superseded, united
from git_lerim.workspace import Workspace

LEAST = 3  # minimum number of memories; two that say the same are merged instead


def consolidate(
    ws: Workspace,
    prefixes: Sequence[str],
    edited: Callable[[Memory], Memory],
    say: Callable[[str], None],
    *,
    model: bool,
) -> Changed:
    """Replace several memories with one, which `edited` makes from a draft that combines them.

    With `model`, the configured model writes the draft; otherwise the draft joins all texts. The
    old memories become superseded. If somebody else wrote one of them, the new memory keeps that
    person's name.

    Raises UsageError if there are too few memories, or memories of different types; Declined if an
    agent runs the command, or if a memory is protected or waits to be accepted; BadMemory if the
    new memory is invalid.
    """
    authorship.refuse_agent(ws, "this supersedes memories written by others")
    # do not ask the person again if the commit is retried
    done: list[tuple[list[Stored], Memory, int]] = []
    by: list[str] = [""]  # the model that wrote the draft

    def operation(snapshot: Snapshot) -> Change:
        parts = _parts(snapshot, prefixes)
        _refuse_waiting(ws, parts)
        if not done or done[-1][0] != parts:
            draft, by[0] = _draft(ws, [part.memory for part in parts], say, model=model)
            done.append((parts, *_whole(ws, draft, edited(draft))))
        return _change(ws, parts, done[-1][1], by[0])

    commit = ws.store.commit(operation)
    parts, new, redactions = done[-1]
    return Changed(
        memories=(new, *(part.memory for part in parts)), commit=commit, redactions=redactions
    )


def _parts(snapshot: Snapshot, prefixes: Sequence[str]) -> list[Stored]:
    parts = list(
        {
            item.memory.id: item for item in (find_memory(snapshot, prefix) for prefix in prefixes)
        }.values()
    )
    if len(parts) < LEAST:
        hint = "to merge duplicates: git lerim maintain"
        raise UsageError(
            f"consolidating needs at least {LEAST} memories; got {len(parts)}", hint=hint
        )
    for part in parts:
        if part.memory.status is not Status.ACTIVE or part.memory.primitive not in {
            Primitive.DECISION,
            Primitive.LEARNING,
        }:
            raise UsageError(
                f"{part.memory.id} is not an active decision or learning",
                hint="git lerim list shows active memories",
            )
        if part.memory.protected:
            raise Declined(
                f"{part.memory.id} is protected; nothing was changed",
                hint=f"to remove the protection: git lerim protect --off {part.memory.id}",
            )
    if len({(part.memory.primitive, part.memory.kind) for part in parts}) > 1:
        raise UsageError(
            "these memories have different types",
            hint="choose only decisions, or only learnings of one kind",
        )
    return parts


def _refuse_waiting(ws: Workspace, parts: Sequence[Stored]) -> None:
    """Raise Declined if one of the memories waits to be accepted.

    Otherwise the new memory would state, in the user's name, what the user has not accepted.
    """
    reasons = {each.path: each.reason for each in ws.store.waiting()}
    for part in parts:
        if part.path in reasons:
            raise Declined(
                f"{part.memory.id} is withheld: {reasons[part.path]}; nothing was changed",
                hint=f"to accept it: git lerim pull --accept {part.memory.id}",
            )


def _draft(
    ws: Workspace, parts: Sequence[Memory], say: Callable[[str], None], *, model: bool
) -> tuple[Memory, str]:
    """Return a memory that combines several, and the model that wrote it, or "" if none did."""
    now, who = ws.now.replace(microsecond=0), ws.store.committer()
    title, body, name = _text(ws, parts, say, model=model)
    origin = Origin.MODEL if name else authorship.origin(ws)
    new = united(parts, (title, body), writer=now.isoformat(), origin=origin, now=now)
    return replace(new, edited=Edited(by=who, at=now)), name


def _text(
    ws: Workspace, parts: Sequence[Memory], say: Callable[[str], None], *, model: bool
) -> tuple[str, str, str]:
    """Return the title and body that the model drafts, with its name, or else all texts joined.

    The name is "" if no model wrote the draft.
    """
    if model and ws.settings["model"]:
        from git_lerim.actions.maintain.consolidate_by_model import (  # noqa: PLC0415 few have one
            written_by_model,
        )

        if found := written_by_model(ws, parts, say):
            return found
    first = min(parts, key=lambda each: (each.created, each.id))
    return first.title, "\n\n".join(f"{each.title.rstrip('.')}. {each.body}" for each in parts), ""


def _whole(ws: Workspace, draft: Memory, edited: Memory) -> tuple[Memory, int]:
    """Validate and redact the new memory; return it with the number of redactions.

    Raises BadMemory if the memory is too long; it is never shortened silently.
    """
    if len(edited.body) > BODY_LIMIT:
        raise BadMemory(
            f"the new memory has {len(edited.body)} characters, but a memory can have at most"
            f" {BODY_LIMIT}; nothing was changed",
            hint="consolidate fewer memories, or shorten the text in the editor",
        )
    if (edited.title, edited.body) != (draft.title, draft.body):  # a person's text now
        origin = authorship.origin(ws)
        edited = replace(edited, origin=origin, confidence=confidence.OF_ORIGIN[origin])
    return validate_edit(ws, draft, edited)


def _change(ws: Workspace, parts: Sequence[Stored], new: Memory, model: str) -> Change:
    files: dict[str, bytes | None] = {naming.path_of(new): frontmatter.render(new)}
    for part in parts:
        old = superseded(part.memory, new)
        files |= edited_files(
            part,
            replace(old, updated=edit_time(part.memory.updated, ws.now.replace(microsecond=0))),
        )
    lines = [
        f"+ {new.id} {new.title}",
        *(f"- {part.memory.id} {part.memory.title}" for part in parts),
    ]
    others = ", ".join(sorted({part.author for part in ws.store.named(parts) if part.author}))
    return Change(
        files=files,
        theirs={new.id: others} if others else {},
        subject=clip(f"maintain: consolidate {counted(len(parts), 'memory')}: {new.title}", 72),
        body="\n".join(lines),
        trailers=(
            ("Lerim-Op", "consolidate"),
            *([("Lerim-Model", model)] if model else []),
            ("Lerim-Added", new.id),
            *(("Lerim-Changed", part.memory.id) for part in parts),
        ),
    )
