"""Write one memory from text that a person or an agent gives, not from a session."""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

from git_lerim.actions import authorship
from git_lerim.actions.code import anchors
from git_lerim.actions.edit_memory import (
    Changed,
    note_long_title,
    refuse_invalid,
    refuse_other_encodings,
    unchanged_file,
)
from git_lerim.actions.forgotten import refuse_forgotten
from git_lerim.errors import UsageError
from git_lerim.memories import confidence, naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    BODY_LIMIT,
    Anchor,
    Kind,
    Memory,
    Primitive,
    Status,
)
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import contains, same_name
from git_lerim.tokens import clip, counted, span, without_codes
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The text and fields of a memory that a person or an agent wants to add."""

    text: str
    primitive: Primitive
    kind: Kind | None
    title: str | None = None
    tags: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    suspect: str | None = None  # why it is withheld from agents for now


def anchor(ws: Workspace, text: str) -> Anchor:
    """Return the anchor that `PATH[:LINE[-LINE]]` describes in the code at HEAD.

    Raises UsageError if HEAD has no such file or lines.
    """
    match = re.fullmatch(r"(.+?)(?::([0-9]{1,9})(?:-([0-9]{1,9}))?)?", text)
    named = match[1] if match else text
    path = ws.code.typed(named)
    head = ws.code.head()
    found = ws.code.file(path, head) if path else None
    if match is None or found is None:
        raise _not_in_head(ws, named, path)
    lines = (int(match[2]), int(match[3] or match[2])) if match[2] else None
    if lines and 1 <= lines[1] < lines[0]:
        raise UsageError(
            f"{text} ends before it begins", hint=f"{named}:{lines[1]}-{lines[0]} names these lines"
        )
    if lines and not 1 <= lines[0] <= lines[1] <= ws.code.length(found[1]):
        noun = "line" if lines[0] == lines[1] else "lines"
        raise UsageError(
            f"{named} has no {noun} {span(lines)}",
            hint=f"at HEAD it has {counted(ws.code.length(found[1]), 'line')}",
        )
    return Anchor(path=found[0], lines=lines, blob=found[1], commit=head)


def _not_in_head(ws: Workspace, named: str, path: str | None) -> UsageError:
    """Return the error about a path that is not a file in HEAD, with a hint on what to do."""
    hint = "--file takes PATH, PATH:LINE or PATH:LINE-LINE"
    with suppress(OSError):  # the name may be too long
        if ws.place.worktree and Path(named).is_dir():
            return UsageError(f"{named} is a folder", hint=hint)
        if ws.place.worktree and path and Path(named).exists():
            hint = "commit the file first, or leave out --file"
    where = "this repository" if path is None else "HEAD"
    return UsageError(f"no such file in {where}: {named}", hint=hint)


def remember(ws: Workspace, note: Note) -> Changed:
    """Write the memory that a note describes, with the same checks as for session memories.

    Nothing is written if an active memory of the user already says the same in the same words.
    """
    note = replace(
        note,
        # before redaction, because removing codes can join the parts of a secret
        text=without_codes(note.text),
        title=note.title and without_codes(note.title),
        tags=tuple(map(without_codes, note.tags)),
    )
    words = note.text.strip()
    _check_note(ws, note, words)
    # redact before the title is derived from the text
    text, secrets = ws.redactor.redact(words)
    if len(words) > BODY_LIMIT:
        raise UsageError(
            f"the text has {len(words)} characters; a memory holds at most {BODY_LIMIT}",
            hint="shorten it, or split it into several memories",
        )
    created = ws.now.replace(microsecond=0)
    origin = f"{created.isoformat()}#{words}"
    memory = _memory(ws, note, text, created, origin)
    authorship.refuse_forged_quote(ws, memory)
    memory = _heard_before(ws, authorship.flag_injection(ws, memory))
    memory, redactions = gated(memory, ws.redactor)
    refuse_invalid(memory, "nothing was remembered")
    refuse_forgotten(ws, memory, "nothing was remembered")
    return _write_new(ws, memory, origin, redactions + len(secrets))


def _heard_before(ws: Workspace, memory: Memory) -> Memory:
    """Activate an agent's memory if the user said what it quotes in a session read before."""
    if memory.suspect not in authorship.UNCONFIRMED:
        return memory
    from git_lerim.actions.intake.earlier_words import (  # noqa: PLC0415 loads slowly
        with_earlier_words,
    )

    return with_earlier_words(ws, memory)


def _check_note(ws: Workspace, note: Note, words: str) -> None:
    if not words:
        raise UsageError("no text given", hint='for example: git lerim remember "what, and why"')
    paths = (each.path for each in note.anchors)
    note_long_title(ws, (note.title or "").strip())
    refuse_other_encodings("nothing was remembered", words, note.title or "", *note.tags, *paths)


def _memory(ws: Workspace, note: Note, text: str, created: datetime, origin: str) -> Memory:
    title = (note.title or "").strip() or naming.title_from(text)
    return Memory(
        id=naming.memory_id("person", origin, note.primitive, 1),
        primitive=note.primitive,
        kind=note.kind,
        title=title,
        body=text,
        status=Status.SUSPECT if note.suspect else Status.ACTIVE,
        suspect=note.suspect or None,
        created=created,
        updated=created,
        confidence=confidence.OF_ORIGIN[authorship.origin(ws)],
        origin=authorship.origin(ws),
        tags=note.tags,
        anchors=anchors.find_anchors(ws.code, note.anchors, title, text),
    )


def _write_new(ws: Workspace, memory: Memory, origin: str, blanked: int) -> Changed:
    written: list[Memory] = []

    def operation(snapshot: Snapshot) -> Change | None:
        known = next(
            (item for item in same_name(snapshot, memory) if _is_said_by(ws, item, memory)), None
        )
        ids = (naming.memory_id("person", origin, memory.primitive, number) for number in count(1))
        new = next(one for id_ in ids if not contains(snapshot, one := memory.having(id=id_)))
        written[:] = [known.memory if known else new]
        files = (
            unchanged_file(ws, known) if known else {naming.path_of(new): frontmatter.render(new)}
        )
        return Change(
            files=files,
            subject=clip(f"remember: {memory.title}", 72),
            body=f"+ {written[0].id} {memory.title}",
            trailers=(
                ("Lerim-Op", "remember"),
                ("Lerim-Added", written[0].id),
                ("Lerim-Redactions", str(blanked)),
            ),
        )

    commit = ws.store.commit(operation)
    return Changed(memories=tuple(written), commit=commit, redactions=blanked)


def _is_said_by(ws: Workspace, item: Stored, new: Memory) -> bool:
    """Return whether `item` is an active memory of the user that says all that `new` says.

    Memories from sessions do not count, because a later sync can supersede them; nor do memories of
    others, who can change or delete them. In both cases the note would be lost.
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
        and not any(each.author for each in ws.store.named([item]))
    )


def _words(memory: Memory) -> tuple[list[str], list[str]]:
    # not case-folded: options, paths and names depend on case
    return (
        memory.title.split(),
        memory.body.split(),
    )
