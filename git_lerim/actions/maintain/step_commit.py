"""Commit each maintenance step."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from git_lerim.actions.author_of import in_own_details
from git_lerim.actions.edit_memory import edit_time, edited_files
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.tokens import clip
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

_TOGETHER = 20  # commits that land together; an interrupt loses at most these


def apart(due: Iterable[Step]) -> Iterator[list[Step]]:
    """Yield the steps in groups, in order; no two steps of a group have a memory in common."""
    group: list[Step] = []
    touched: set[str] = set()
    for step in due:
        ids = {memory.id for memory in (*step.memories, *step.added)}
        if group and (ids & touched or len(group) == _TOGETHER):
            yield group
            group, touched = [], set()
        group.append(step)
        touched |= ids
    if group:
        yield group


def with_time(ws: Workspace, before: Memory, memory: Memory) -> Memory:
    """Return the memory with a new time of change, unless only its last use changed."""
    is_change = replace(memory, last_accessed=before.last_accessed) != before
    return (
        replace(memory, updated=edit_time(before.updated, ws.now.replace(microsecond=0)))
        if is_change
        else memory
    )


def unchanged(
    ws: Workspace, snapshot: Snapshot, before: Mapping[str, Memory]
) -> Mapping[str, Stored] | None:
    """Return the stored memories of a step by id, or None if one is not as the step has read it.

    The user's own memories are read without others' changes to their details.
    """
    stored = look_up(snapshot, before)
    if len(stored) < len(before):
        return None
    others = [stored[id_] for id_, memory in before.items() if stored[id_].memory != memory]
    own = in_own_details(ws, others)
    return stored if all(each.memory == before[each.memory.id] for each in own) else None


def change_of(
    snapshot: Snapshot,
    stored: Mapping[str, Stored] | None,
    new: Sequence[Memory],
    step: Step,
    run: str,
) -> Change | None:
    """Return the change that a step commits, or None if somebody else has changed its memories.

    `stored` is what `unchanged` returns.
    """
    if stored is None:
        return None
    files: dict[str, bytes | None] = {}
    trailers = []
    if any(memory.id in snapshot.memories for memory in step.added):
        return None
    for memory in step.added:
        files[naming.path_of(memory)] = frontmatter.render(memory)
        trailers.append(("Lerim-Added", memory.id))
    for memory in new:
        files |= edited_files(stored[memory.id], memory)
        trailers.append(
            ("Lerim-Archived" if memory.status is Status.ARCHIVED else "Lerim-Changed", memory.id)
        )
    return Change(
        files=files,
        subject=clip(f"maintain: {step.summary}", 72),
        body="\n".join(_lines(step)),
        trailers=(
            ("Lerim-Op", step.operation),
            ("Lerim-Run", run),
            *([("Lerim-Model", step.model)] if step.model else []),
            *trailers,
        ),
    )


def in_name_of_parts(
    ws: Workspace, snapshot: Snapshot, step: Step, change: Change | None
) -> Change | None:
    """Name others as the authors of a new memory if a step made it from their memories."""
    if change is None or not step.added:
        return change
    parts = look_up(snapshot, [memory.id for memory in step.memories]).values()
    author = ", ".join(sorted({item.author for item in ws.store.named(parts) if item.author}))
    return replace(change, theirs={memory.id: author for memory in step.added if author})


def _lines(step: Step) -> Iterator[str]:
    each = step.reasons if len(step.reasons) == len(step.memories) > 1 else ()
    yield from (f"+ {memory.id} {memory.title}" for memory in step.added)
    for number, memory in enumerate(step.memories):
        sign = "-" if memory.status in {Status.ARCHIVED, Status.SUPERSEDED} else "~"
        yield f"{sign} {memory.id} {memory.title}{f' ({each[number]})' if each else ''}"
    if not each:
        yield ""
        yield f"Reason: {step.reasons[0]}"
