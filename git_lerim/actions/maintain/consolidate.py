"""Consolidate several memories into one that supersedes them, at a person's request."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from git_lerim.actions import authorship
from git_lerim.actions.edit_memory import Changed, edit_time, edited_files, validate_edit
from git_lerim.actions.listing import find_memory
from git_lerim.errors import Declined, UsageError
from git_lerim.memories import confidence, feedback, naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import BODY_LIMIT, Edited, Memory, Primitive, Status
from git_lerim.memories.merging.merging import join_sources
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace

LEAST = 3  # memories; two that say the same are merged

_SECOND = timedelta(seconds=1)


def consolidate(
    ws: Workspace, prefixes: Sequence[str], edited: Callable[[Memory], Memory]
) -> Changed:
    """Supersede several memories by one, which `edited` makes of a draft that combines them.

    Raises UsageError for too few memories or different kinds, Declined for an agent or a protected
    memory, BadMemory.
    """
    authorship.refuse_agent(ws, "this supersedes what others wrote")
    # do not ask the person again if the commit is retried
    done: list[tuple[list[Stored], Memory, int]] = []

    def operation(snapshot: Snapshot) -> Change:
        parts = _parts(snapshot, prefixes)
        if not done or done[-1][0] != parts:
            draft = _draft(ws, [part.memory for part in parts])
            done.append((parts, *validate_edit(ws, draft, edited(draft))))
        return _change(ws, parts, done[-1][1])

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
        hint = "git lerim maintain merges those that say the same"
        raise UsageError(
            f"it takes {LEAST} memories to consolidate, and these are {len(parts)}", hint=hint
        )
    for part in parts:
        if part.memory.status is not Status.ACTIVE or part.memory.primitive not in {
            Primitive.DECISION,
            Primitive.LEARNING,
        }:
            raise UsageError(
                f"{part.memory.id} is not an active decision or learning",
                hint="git lerim list shows them",
            )
        if part.memory.protected:
            raise Declined(
                f"{part.memory.id} is protected, and nothing was changed",
                hint="git lerim protect --off ends that",
            )
    if len({(part.memory.primitive, part.memory.kind) for part in parts}) > 1:
        raise UsageError(
            "these are of different sorts", hint="consolidate decisions, or learnings of one kind"
        )
    return parts


def _draft(ws: Workspace, parts: Sequence[Memory]) -> Memory:
    """Return a memory that combines several.

    It is dated before them, so that they stay superseded as long as it is active.
    """
    first = min(parts, key=lambda each: (each.created, each.id))
    now = ws.now.replace(microsecond=0)
    who = ws.store.committer()
    body = "\n\n".join(f"{each.title.rstrip('.')}. {each.body}" for each in parts)
    return replace(
        first,
        id=naming.memory_id(
            "person",
            " ".join([now.isoformat(), *sorted(each.id for each in parts)]),
            first.primitive,
            1,
        ),
        body=clip(body, BODY_LIMIT),
        created=first.created - _SECOND,
        updated=now,
        origin=authorship.origin(ws),
        confidence=confidence.OF_ORIGIN[authorship.origin(ws)],
        edited=Edited(by=who, at=now),
        tags=tuple(tag for each in parts for tag in each.tags),
        sources=join_sources(source for each in parts for source in each.sources),
        anchors=tuple(dict.fromkeys(anchor for each in parts for anchor in each.anchors)),
        supersedes=tuple(each.id for each in parts),
        merged_from=(),
        related=(),
        feedback=tuple(feedback.joined(row for each in parts for row in each.feedback)),
        last_accessed=max(
            (each.last_accessed for each in parts if each.last_accessed), default=None
        ),
    )


def _change(ws: Workspace, parts: Sequence[Stored], new: Memory) -> Change:
    files: dict[str, bytes | None] = {naming.path_of(new): frontmatter.render(new)}
    for part in parts:
        old = replace(part.memory, status=Status.SUPERSEDED, related=(new.id,))
        files |= edited_files(
            part,
            replace(old, updated=edit_time(part.memory.updated, ws.now.replace(microsecond=0))),
        )
    lines = [
        f"+ {new.id} {new.title}",
        *(f"- {part.memory.id} {part.memory.title}" for part in parts),
    ]
    return Change(
        files=files,
        subject=clip(f"maintain: consolidate {counted(len(parts), 'memory')}: {new.title}", 72),
        body="\n".join(lines),
        trailers=(
            ("Lerim-Op", "consolidate"),
            ("Lerim-Added", new.id),
            *(("Lerim-Changed", part.memory.id) for part in parts),
        ),
    )
