"""Write, edit, archive, restore and protect single memories, each in one commit."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TypeAlias

from git_lerim.actions import authorship
from git_lerim.actions.code import anchors
from git_lerim.actions.listing import found
from git_lerim.errors import BadMemory, Declined, UsageError
from git_lerim.memories import confidence, naming
from git_lerim.memories.checks import lint_rules
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    BODY_LIMIT,
    TITLE_LIMIT,
    Anchor,
    Kind,
    Memory,
    Primitive,
    Status,
)
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import called, holds
from git_lerim.tokens import clip, counted, span
from git_lerim.workspace import Workspace

Edit: TypeAlias = Callable[[Memory], Memory]

# mark who made a change
_MARKS = {
    "edit": authorship.rewritten,
    "restore": authorship.vouched,
}
_SECOND = timedelta(seconds=1)
_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The result of a change."""

    memories: tuple[Memory, ...]
    commit: str | None  # None: nothing changed
    redactions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A memory that a person wants to add."""

    text: str
    primitive: Primitive
    kind: Kind | None
    title: str | None = None
    tags: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    suspect: str | None = None  # why it is withheld from agents for now


def anchor(ws: Workspace, text: str) -> Anchor:
    """Return the anchor for `PATH[:LINE[-LINE]]` at HEAD. Raises UsageError."""
    match = re.fullmatch(r"(.+?)(?::([0-9]{1,9})(?:-([0-9]{1,9}))?)?", text)
    named = match[1] if match else text
    path = (
        ws.code.relative(os.path.normpath(Path.cwd() / named))
        if ws.place.worktree
        else ws.code.relative(named)
    )
    head = ws.code.head()
    found = ws.code.file(path, head) if path else None
    if match is None or found is None:
        raise UsageError(
            f"{named} is no file of this repository's HEAD",
            hint="--file takes PATH, PATH:LINE or PATH:LINE-LINE",
        )
    lines = (int(match[2]), int(match[3] or match[2])) if match[2] else None
    if lines and not 1 <= lines[0] <= lines[1] <= ws.code.length(found[1]):
        noun = "line" if lines[0] == lines[1] else "lines"
        raise UsageError(
            f"{named} has no {noun} {span(lines)}",
            hint=f"at HEAD it has {counted(ws.code.length(found[1]), 'line')}",
        )
    return Anchor(path=found[0], lines=lines, blob=found[1], commit=head)


def remember(ws: Workspace, note: Note) -> Changed:
    """Write one memory by hand, with the same checks as those from sessions.

    If an active memory already says the same in the same words, nothing new is written.
    """
    said = note.text.strip()
    if not said:
        raise UsageError("there is nothing to remember", hint='git lerim remember "what, and why"')
    _refuse_bytes(
        "nothing was remembered",
        said,
        note.title or "",
        *note.tags,
        *(each.path for each in note.anchors),
    )
    # before the title is derived from it
    text, secrets = ws.redactor.redact(said)
    title = (note.title or "").strip() or clip(
        text.split("\n", 1)[0].split(". ", 1)[0].rstrip("."), TITLE_LIMIT
    )
    if len(said) > BODY_LIMIT:
        hint = "say it shorter, or in several memories"
        raise UsageError(
            f"the text has {len(said)} characters; a memory holds at most {BODY_LIMIT}", hint=hint
        )
    created = ws.now.replace(microsecond=0)
    origin = f"{created.isoformat()}#{said}"
    memory = Memory(
        id=naming.memory_id("person", origin, note.primitive, 1),
        primitive=note.primitive,
        kind=note.kind,
        title=title,
        body=text,
        created=created,
        updated=created,
        confidence=confidence.OF_ORIGIN[authorship.origin(ws)],
        origin=authorship.origin(ws),
        tags=note.tags,
        anchors=anchors.found(ws.code, note.anchors, title, text),
    )
    if note.suspect:
        memory = replace(memory, status=Status.SUSPECT, suspect=note.suspect)
    memory, blanked = gated(authorship.judged(ws, memory), ws.redactor)
    blanked += len(secrets)
    _refuse(memory, "nothing was remembered")
    return _write_new(ws, memory, origin, blanked)


def _write_new(ws: Workspace, memory: Memory, origin: str, blanked: int) -> Changed:
    stands: list[Memory] = []

    def operation(snapshot: Snapshot) -> Change | None:
        there = next((item for item in called(snapshot, memory) if _says(ws, item, memory)), None)
        ids = (naming.memory_id("person", origin, memory.primitive, number) for number in count(1))
        new = next(one for id_ in ids if not holds(snapshot, one := memory.having(id=id_)))
        stands[:] = [there.memory if there else new]
        files = standing(ws, there) if there else {naming.path_of(new): frontmatter.render(new)}
        return Change(
            files=files,
            subject=clip(f"remember: {memory.title}", 72),
            body=f"+ {stands[0].id} {memory.title}",
            trailers=(
                ("Lerim-Op", "remember"),
                ("Lerim-Added", stands[0].id),
                ("Lerim-Redactions", str(blanked)),
            ),
        )

    commit = ws.store.commit(operation)
    return Changed(memories=tuple(stands), commit=commit, redactions=blanked)


def _says(ws: Workspace, item: Stored, new: Memory) -> bool:
    """Tell whether an active memory that a person wrote already says all that a new one would.

    Memories from sessions do not count: a later sync can supersede them, and the person's note
    would be lost with them.
    """
    old = item.memory
    return (
        old.status is Status.ACTIVE
        and not old.sources
        and (old.primitive, old.kind) == (new.primitive, new.kind)
        and _words(old) == _words(new)
        and set(new.tags) <= set(old.tags)
        and {(a.path, a.lines) for a in new.anchors} <= {(a.path, a.lines) for a in old.anchors}
        and item.path not in {each.path for each in ws.store.waiting()}
    )


def _words(memory: Memory) -> tuple[list[str], list[str]]:
    # not case-folded: options, paths and names depend on case
    return (
        memory.title.split(),
        memory.body.split(),
    )


def forget(ws: Workspace, prefixes: Sequence[str]) -> Changed:
    """Archive memories; they stay in git and can be restored."""
    return _change(ws, "forget", prefixes, _archived)


def _archived(memory: Memory) -> Memory:
    if memory.protected and memory.status is not Status.ARCHIVED:
        raise Declined(
            f"{memory.id} is protected, and nothing was archived",
            hint="git lerim protect --off ends that",
        )
    return replace(memory, status=Status.ARCHIVED)


def restore(ws: Workspace, prefixes: Sequence[str]) -> Changed:
    """Reactivate archived, superseded or suspect memories; later syncs keep them active."""
    gone = ws.store.snapshot().withdrawn
    back = _change(ws, "restore", prefixes, lambda memory: _back(ws, memory))
    for memory in (each for each in back.memories if each.id in gone and not ws.in_tree):
        ws.note(
            f"somebody else had deleted {memory.id}: git lerim push asks before it brings it back"
            " for everybody"
        )
    return back


def _back(ws: Workspace, memory: Memory) -> Memory:
    """Return the memory as active, restoring its confidence if its session had retracted it."""
    if memory.suspect:
        authorship.refuse_agent(ws, f"{memory.id} is suspect: it {memory.suspect}")
    believed = memory.confidence or confidence.OF_ORIGIN[memory.origin]
    return replace(memory, status=Status.ACTIVE, suspect=None, confidence=believed)


def protect(ws: Workspace, prefixes: Sequence[str], *, on: bool) -> Changed:
    """Protect memories from being archived or merged, or end the protection."""
    said = "protect" if on else "protect --off"
    return _change(ws, "protect", prefixes, lambda m: replace(m, protected=on), said)


def edit(ws: Workspace, prefix: str, edited: Edit) -> Changed:
    """Edit a memory's text; its id, sources and creation time stay."""
    # do not ask the person again if the commit is retried
    done: list[tuple[Memory, Memory, int]] = []

    def apply(memory: Memory) -> Memory:
        if not done or done[-1][0] != memory:
            done.append((memory, *checked(ws, memory, edited(memory))))
        return done[-1][1]

    changed = _change(ws, "edit", [prefix], apply)
    return replace(changed, redactions=done[-1][2])


def checked(ws: Workspace, memory: Memory, edited: Memory) -> tuple[Memory, int]:
    """Validate and redact a person's edit; return the number of redactions, too.

    Raises BadMemory.
    """
    _refuse_bytes("the memory was not changed", edited.title, edited.body, *edited.tags)
    new, blanked = gated(edited, ws.redactor)
    new = replace(
        new,
        id=memory.id,
        primitive=memory.primitive,
        created=memory.created,
        sources=memory.sources,
    )
    new = authorship.judged(ws, new)
    _refuse(new, "the memory was not changed")
    return new, blanked


def _refuse_bytes(what: str, *texts: str) -> None:
    """Raise BadMemory if a text holds bytes that are not UTF-8 (surrogate escapes)."""
    if any("\ud800" <= char <= "\udfff" for text in texts for char in text):
        hint = (
            "memories are UTF-8, and so has the terminal or the file to be: iconv -f latin1 -t"
            " utf-8 FILE makes it so"
        )
        raise BadMemory(f"{what}: it holds bytes that are not UTF-8", hint=hint)


def _refuse(memory: Memory, what: str) -> None:
    """Raise BadMemory if a memory does not pass the lint rules."""
    problems = [problem.sentence for problem in lint_rules.check_memory(memory)]
    if problems:
        raise BadMemory(f"{what}: it {'; '.join(problems)}")


def _change(
    ws: Workspace, operation_name: str, prefixes: Sequence[str], apply: Edit, said: str = ""
) -> Changed:
    touched: list[Memory] = []
    # the old store, if other memories depend on the changed ones
    linked: list[Snapshot] = []

    def operation(snapshot: Snapshot) -> Change | None:
        touched.clear()
        linked.clear()
        files: dict[str, bytes | None] = {}
        lines, trailers = [], []
        for stored in {
            item.memory.id: item for item in (found(snapshot, prefix) for prefix in prefixes)
        }.values():
            new = apply(stored.memory)
            touched.append(new)
            if new == stored.memory:
                files |= standing(ws, stored)
                continue
            new = replace(new, updated=after(stored.memory.updated, ws.now.replace(microsecond=0)))
            new = _MARKS[operation_name](ws, new) if operation_name in _MARKS else new
            touched[-1] = new
            linked.extend([snapshot] if _bears_on_others(stored.memory, new) else [])
            files |= moved(stored, new)
            archived = new.status is Status.ARCHIVED
            lines.append(f"{'-' if archived else '~'} {new.id} {new.title}")
            trailers.append(("Lerim-Archived" if archived else "Lerim-Changed", new.id))
        if not files:
            return None
        # unchanged memories are committed with the work tree's edits
        told = lines or [f"~ {one.id} {one.title}" for one in touched]
        subject = (
            f"{said or operation_name}:"
            f" {told[0][2:].partition(' ')[2] if len(told) == 1 else f'{len(told)} memories'}"
        )
        return Change(
            files=files,
            subject=clip(subject, 72),
            body="\n".join(told),
            trailers=(("Lerim-Op", operation_name), *trailers),
        )

    commit = ws.store.commit(operation)
    if linked:
        _settle(ws, linked[0], operation_name)
    return Changed(commit=commit, memories=tuple(touched))


def _bears_on_others(old: Memory, new: Memory) -> bool:
    """Tell whether a change can activate or supersede other memories, which sync decides."""
    changed = (old.status, old.title, old.body) != (new.status, new.title, new.body)
    return changed and bool(old.supersedes or old.related)


def _settle(ws: Workspace, old: Snapshot, operation_name: str) -> None:
    """Resettle session memories as sync does, and report what changed."""
    from git_lerim.actions.sync.resettle import settled  # noqa: PLC0415 rarely needed

    for action in settled(ws, ws.store.believed(old), operation_name):
        ws.note(f"{action.memory.id} is {action.memory.status} now: {action.reason}")


def after(before: datetime, now: datetime) -> datetime:
    """Return the time of an edit, always later than the previous one so that sync notices it."""
    return max(now, before + min(_SECOND, _END - before))


def standing(ws: Workspace, stored: Stored) -> dict[str, bytes | None]:
    """Return the file of an unchanged memory if it must still be staged or committed."""
    return {stored.path: ws.store.file(stored)} if ws.in_tree and ws.then else {}


def moved(stored: Stored, new: Memory) -> dict[str, bytes | None]:
    """Return the files of a change, moved into or out of `archived/` if its status requires it."""
    plain = stored.path.removeprefix("archived/")
    path = f"archived/{plain}" if new.status is Status.ARCHIVED else plain
    files: dict[str, bytes | None] = {path: frontmatter.render(new)}
    if path != stored.path:
        files[stored.path] = None
    return files
