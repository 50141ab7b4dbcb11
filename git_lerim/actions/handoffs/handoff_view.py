"""Format handoffs for people, for agents and as JSON."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from git_lerim.actions.judged import marked
from git_lerim.actions.listing import iso
from git_lerim.errors import LerimError, NoIdentity
from git_lerim.memories import handoff
from git_lerim.memories.authors import from_other, in_their_name
from git_lerim.memories.format import frontmatter
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import Memory, Origin
from git_lerim.recall.brief import prompt_fence
from git_lerim.recall.brief.handoff import State, state
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A handoff for output: redacted, with its state, its author and any doubt about it."""

    memory: Memory
    path: str
    state: State
    author: str  # `name <mail>` of who wrote its text, as far as git knows
    other: str = ""  # the name of who changed it last, if that was somebody else
    speaker: str = ""  # whom "the user" in its text means, if not the user
    doubt: str = ""  # why it is not trusted


class First(NamedTuple):
    """The first version of a handoff, and its author in the form `name <mail>`."""

    who: str
    blob: str

    def has_words_of(self, ws: Workspace, memory: Memory) -> bool:
        """Return whether a handoff has the same text as this version."""
        with suppress(LerimError):  # a partial clone lacks it
            old = frontmatter.parse(ws.store.content(self.blob))
            return (old.title, old.body) == (memory.title, memory.body)
        return False


def row_of(ws: Workspace, item: Stored, known: Mapping[str, First], doubt: str = "") -> Row:
    """Return a redacted handoff and its state; `doubt` says why its text is not trusted."""
    first = known.get(item.memory.id)
    is_unchanged = first and (not item.author or first.has_words_of(ws, item.memory))
    (item,) = ws.store.gate([item])
    return Row(
        memory=item.memory,
        path=item.path,
        state=state(item.memory, ws.now),
        author=first.who if first and is_unchanged else item.author or _writer_here(ws, item),
        other=item.author,
        speaker=item.speaker,
        doubt=doubt,
    )


def _writer_here(ws: Workspace, item: Stored) -> str:
    """Return the author of a handoff that is not committed yet: the user, or whoever is known."""
    (known,) = ws.store.named([item])
    with suppress(NoIdentity):
        return known.author or ws.store.committer()
    return ""


def first_versions(ws: Workspace) -> dict[str, First]:
    """Map the id of each handoff to its first version, with the author."""
    found: dict[str, First] = {}
    for commit in ws.store.history(path="handoffs"):
        found |= {
            file.id: First(commit.who, file.blob)
            for file in commit.files
            if file.id and file.status == "A"
        }
    return found


def fence_handoff(ws: Workspace, row: Row) -> str:
    """Return a handoff for an agent, inside a fence that its text cannot close."""
    memory, facts, note = row.memory, details(row.memory), handoff.read(row.memory.body)
    where = f" on {facts.branch}" if facts.branch else ""
    at = f" at {facts.head[:10]}" if facts.head else ""
    is_in_text = " ".join(note.text.split()).startswith(memory.title.rstrip("…"))
    title = "" if is_in_text else f" {memory.title}"
    lines = [
        *([row.doubt] if row.doubt else []),
        (
            f"Handoff {memory.id} {_writer(row)}, {iso(memory.created)}{where}{at},"
            f" {row.state}:{title}"
        ),
        *note.text.splitlines(),
    ]
    for heading, items in (
        (handoff.QUESTIONS, note.questions),
        (handoff.STEPS, note.steps),
        (handoff.FILES, note.files),
    ):
        lines += [f"{heading}:", *(f"- {item}" for item in items)] if items else []
    return fence_lines(ws, [in_their_name(line, row.speaker) for line in lines])


def _writer(row: Row) -> str:
    """Return who wrote a handoff, so that an agent can tell the user's words from others'."""
    author = row.other or row.author.partition(" <")[0] or "somebody"
    session = next((f"{one.agent}/{one.session}" for one in row.memory.sources), "")
    if row.memory.origin is not Origin.HUMAN:
        writer = f"an agent (not {author}'s words{f'; session {session}' if session else ''})"
    else:
        filled = f", completed from session {session} (parts can be an agent's words)"
        writer = f"{author}{filled if session else ''}"
    return from_other(writer) if row.other else f"from {writer}"


def fence_lines(ws: Workspace, lines: Sequence[str]) -> str:
    """Return lines for an agent, inside a fence that they cannot close."""
    return prompt_fence.fence(lines, prompt_fence.local_key(str(ws.folder)))


def short_author(row: Row) -> str:
    """Return who wrote a handoff, for a table; an agent's is not said to be its user's.

    A handoff that was not made in this clone is marked, whatever name it bears.
    """
    name = row.author.partition(" <")[0][:20] or "somebody"
    writer = f"{name}'s agent" if row.memory.origin is not Origin.HUMAN else name
    return f"{writer} (from elsewhere)" if row.other else writer


def as_json(ws: Workspace, row: Row) -> dict[str, Any]:
    """Return a handoff in the format of `--json`."""
    memory, facts, note = row.memory, details(row.memory), handoff.read(row.memory.body)
    found = {
        "id": memory.id,
        "title": memory.title,
        "state": row.state,
        "text": note.text,
        "open_questions": list(note.questions),
        "next_steps": list(note.steps),
        "files_touched": list(note.files),
        "branch": facts.branch,
        "head": facts.head,
        "folder": facts.folder,
        "to": facts.to,
        "automatic": facts.automatic,
        "author": row.author,
        "origin": memory.origin.value,
        "created": iso(memory.created),
        "claimed_by": claim_json(memory),
        "sources": [
            {"agent": source.agent, "session": source.session} for source in memory.sources
        ],
        "path": row.path,
    }
    return marked(ws, row.doubt, found)


def claim_json(memory: Memory) -> dict[str, str | None] | None:
    """Return a handoff's claim in the format of `--json`, or None if nobody claimed it."""
    claim = details(memory).claimed_by
    return (
        {key: getattr(claim, key) for key in ("who", "agent", "session", "at")} if claim else None
    )
