"""Compose a handoff from a person's words, from git, and from a session."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.actions import authorship
from git_lerim.actions.handoffs.agent_words import steps_without_orders, without_orders
from git_lerim.actions.handoffs.file_names import is_order, without_odd_names
from git_lerim.actions.judged import judged
from git_lerim.errors import BadMemory, UsageError
from git_lerim.extraction.agent_orders import fit_title
from git_lerim.git.repo import head
from git_lerim.git.worktree import worktree
from git_lerim.memories import handoff, naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.format import frontmatter
from git_lerim.memories.handoff import Details, Note
from git_lerim.memories.memory import (
    BODY_LIMIT,
    Memory,
    Origin,
    Primitive,
    Source,
)
from git_lerim.memories.quotes import WANTED
from git_lerim.redaction.paths import is_ignored
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.session import Session, moment
from git_lerim.sessions.session_names import find_session
from git_lerim.storage import layout
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.extraction.base import Brief
    from git_lerim.extraction.transcript.unfinished import Unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The input for a handoff, from a person or a hook."""

    text: str = ""
    questions: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    to: str | None = None
    session: str | None = None  # the session to take missing parts from
    newest: bool = True  # without `session`, use this work tree's newest session
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A handoff that is ready to be written."""

    memory: Memory
    redactions: int
    automatic: bool
    agent: str = ""
    session: str = ""  # the session that was used, if any
    is_filled: bool = False  # whether anything of that session is in the text


@dataclass(frozen=True, slots=True, kw_only=True)
class _SessionNotes:
    """What a session contributes to a handoff: unfinished work, a summary and its folder."""

    session: Session
    left: "Unfinished"
    brief: "Brief | None"
    folder: str


def draft_handoff(ws: Workspace, draft: Draft) -> Drafted | None:
    """Compose a handoff, with the same checks as every memory; None if there is nothing to say.

    Raises UnknownMemory for an unknown session, UsageError for an invalid agent's name.
    """
    heard = _read_session(ws, draft)
    note = _note(ws, draft, heard)
    says = draft.text.strip() or note.questions or note.steps
    if not (says or (note.files and not draft.automatic)):
        return None
    memory = handoff.with_details(_memory(ws, draft, note, heard), _details(ws, draft, heard))
    memory, blanked = gated(memory, ws.redactor)
    memory = replace(memory, body=clip(memory.body, BODY_LIMIT))
    if memory.sources or memory.origin is Origin.AGENT:
        memory = judged(memory)
    frontmatter.render(memory)  # raises BadMemory if invalid
    return Drafted(
        memory=memory,
        redactions=blanked,
        automatic=draft.automatic,
        agent=memory.sources[0].agent if memory.sources else "",
        session=memory.sources[0].session if memory.sources else "",
        is_filled=not draft.text.strip() or note != _note(ws, draft, None),
    )


def _read_session(ws: Workspace, draft: Draft) -> _SessionNotes | None:
    """Read the session that the draft asks for; return None if there is none."""
    # the rules take long to load
    from git_lerim.extraction.transcript.unfinished import unfinished  # noqa: PLC0415

    with ws.catalog_to_read() as catalog:
        entries = catalog.entries()
        entry = _find_entry(ws, draft, entries)
        session = catalog.session(entry) if entry and entry.kept else None
    if entry is None or session is None:
        return None
    place = _place_of(ws, entry)
    return _SessionNotes(
        session=session,
        left=unfinished(session),
        brief=ws.extractor.summarise(session),
        folder=place or "",
    )


def _find_entry(ws: Workspace, draft: Draft, entries: list[Entry]) -> Entry | None:
    if draft.session:
        return find_session(entries, draft.session)
    return newest(ws, entries) if draft.newest else None


def newest(ws: Workspace, entries: list[Entry]) -> Entry | None:
    """Return the latest session of this work tree, ignoring other work trees nested in it."""
    return next(
        (entry for entry in entries if entry.kept and _place_of(ws, entry) is not None), None
    )


def _place_of(ws: Workspace, entry: Entry) -> str | None:
    """Return a session's last folder relative to this work tree; None if it ran elsewhere."""
    here = os.path.realpath(ws.place.worktree) if ws.place.worktree else None
    if here is None or not entry.places:
        return "" if here is None else None
    place = os.path.realpath(entry.places[-1])
    roots = [
        root
        for root in map(os.path.realpath, ws.territory.worktrees)
        if _below(place, root) is not None
    ]
    return _below(place, here) if max(roots, key=len, default=None) == here else None


def _below(place: str, root: str) -> str | None:
    if place == root:
        return ""
    return (
        place[len(root) + 1 :].replace(os.sep, "/")
        if place.startswith(root.rstrip(os.sep) + os.sep)
        else None
    )


def _note(ws: Workspace, draft: Draft, heard: _SessionNotes | None) -> Note:
    session_files = (ws.code.relative(name) for name in heard.left.files) if heard else ()
    named = dict.fromkeys(
        (
            *worktree.touched(ws.place, ws.settings["remote"]),
            *(path for path in session_files if path),
        )
    )
    # leave out the memory's files, because the next agent has the memory itself
    files = [
        path
        for path in named
        if not path.startswith(f"{layout.TREE}/")
        and not is_ignored(path, ws.settings["ignorePath"])
    ]
    # a text may be about something else than the newest session
    is_about = bool(draft.session) or not draft.text.strip()
    left = heard.left if heard and is_about else None
    return Note(
        text=draft.text.strip() or (_summary(ws, heard.brief) if heard and heard.brief else ""),
        questions=draft.questions
        or (without_orders(ws, left.questions, left.by_agent) if left else ()),
        steps=draft.steps or (steps_without_orders(ws, left.steps, left.by_agent) if left else ()),
        files=without_odd_names(files),
    )


def _summary(ws: Workspace, brief: "Brief") -> str:
    from git_lerim.extraction.transcript.text import sentences  # noqa: PLC0415 slow to load

    outcome = sentences(brief.outcome)
    stands = " ".join(without_orders(ws, outcome, outcome))
    where = f"\n\nWhere it stands: {stands}" if stands else ""
    return f"{WANTED}{brief.intent}{where}"


def _memory(ws: Workspace, draft: Draft, note: Note, heard: _SessionNotes | None) -> Memory:
    created = ws.now.replace(microsecond=0)
    took = draft.automatic or not (draft.questions and draft.steps and draft.text)
    body = handoff.compose(note)
    agent, origin = "person", f"{created.isoformat()}#{draft.to}#{body}"
    if draft.automatic and heard:
        agent, origin = heard.session.agent, f"{heard.session.id}#{heard.left.last}"
    return Memory(
        id=naming.memory_id(agent, origin, Primitive.HANDOFF, 1),
        primitive=Primitive.HANDOFF,
        title=_title(ws, draft, heard),
        body=body,
        created=created,
        updated=created,
        confidence=1.0,
        origin=Origin.RULES if draft.automatic else authorship.origin(ws),
        sources=(_source(heard.session),) if heard and took else (),
    )


def _title(ws: Workspace, draft: Draft, heard: _SessionNotes | None) -> str:
    header = heard.session.header if heard else None
    text = (
        draft.text.strip()
        or (heard.brief.intent if heard and heard.brief else "")
        or (fit_title(header) if header else "")
        or (_opening(heard) if heard else "")
    )
    branch = _valid_name(ws, "branch", worktree.branch(ws.place))
    return naming.title_from(text) or f"Work on {branch or 'this repository'}"


def _opening(heard: _SessionNotes) -> str:
    """Return a session's first line, except a mere question: it does not say what the work is."""
    opening = heard.session.header.opening
    return "" if opening.rstrip().endswith("?") and not heard.left.files else opening


def _source(session: Session) -> Source:
    numbers = [record.n for record in session.records if record.part is None] or [1]
    last = max((record.at for record in session.records if record.at), default=None)
    at = moment(last) if last else None
    return Source(
        agent=session.agent, session=session.id, records=((min(numbers), max(numbers)),), at=at
    )


def _details(ws: Workspace, draft: Draft, heard: _SessionNotes | None) -> Details:
    """Return a handoff's branch, folder and commit; omit unsafe branch and folder names."""
    folder = heard.folder if draft.automatic and heard else folder_below(ws, Path.cwd())
    try:
        handoff.check({"to": draft.to})
    except BadMemory:
        raise UsageError(
            f"{draft.to!a} is not a valid agent name", hint="for example: --to codex"
        ) from None
    return Details(
        automatic=draft.automatic,
        branch=_valid_name(
            ws,
            "branch",
            (_branch_of(heard) if draft.automatic else None) or worktree.branch(ws.place),
        ),
        folder=_valid_name(ws, "folder", folder) or "",
        head=head(ws.place),
        to=draft.to,
    )


def _branch_of(heard: _SessionNotes | None) -> str | None:
    """Return a session's last branch, if its agent recorded one."""
    records = heard.session.records if heard else ()
    return next(
        (
            record.branch
            for record in reversed(records)
            if record.branch and record.branch != "HEAD"
        ),
        None,
    )


def _valid_name(ws: Workspace, key: str, value: str | None) -> str | None:
    try:
        handoff.check({key: value})
    except BadMemory:
        return None
    return None if not value or ws.redactor.redact(value)[1] or is_order(value) else value


def folder_below(ws: Workspace, path: Path) -> str:
    """Return a path relative to this work tree, or "" if it is outside."""
    if ws.place.worktree is None:
        return ""
    return _below(os.path.realpath(path), os.path.realpath(ws.place.worktree)) or ""
