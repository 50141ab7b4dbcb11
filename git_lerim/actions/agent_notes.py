"""Write and change memories for an agent, with stricter checks than for a person."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from git_lerim.actions import add_memory, edit_memory
from git_lerim.actions.add_memory import Note
from git_lerim.actions.authorship import SAID, UNHEARD, by_agent
from git_lerim.actions.edit_memory import Changed
from git_lerim.actions.judged import withheld
from git_lerim.actions.listing import redact_memories
from git_lerim.actions.quoted_words import says_more
from git_lerim.actions.search import SearchQuery, search_memories
from git_lerim.errors import UsageError
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive
from git_lerim.memories.naming import title_from
from git_lerim.memories.retitled import retitled
from git_lerim.memories.similarity.similarity import alike, near_duplicate
from git_lerim.storage.base import Stored
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

# The minimum score of `alike` for similar memories: 1 of 1,157 unrelated pairs reaches it, and
# 23 of 24 restatements do.
NEAR = 0.2
_MOST_NEAR = 3
REJECTED = "Rejected: "  # the beginning of the paragraph of rejected options


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentNote:
    """A memory that an agent wants to add."""

    title: str
    why: str
    primitive: Primitive
    kind: Kind | None
    rejected: tuple[str, ...] = ()  # rejected options
    anchors: tuple[Anchor, ...] = ()
    tags: tuple[str, ...] = ()
    user_words: str = ""  # verbatim


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The changes that an agent wants to make to a memory; an empty field changes nothing."""

    title: str = ""
    why: str = ""
    rejected: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The result of `remember`: the memory, its commit, and memories similar to it."""

    id: str
    suspect: str | None  # why the memory is not handed out yet
    commit: str | None  # None: an existing memory, the only one in `near`, already says it
    near: tuple[Stored, ...]  # similar memories, the most similar first


def remember(ws: Workspace, note: AgentNote) -> Noted:
    """Write an agent's note as a memory, unless a stored memory already says the same.

    Raises UsageError if the title says nothing worth remembering, or if a preference comes without
    the user's own words.
    """
    if reason := noise(note.title):
        raise UsageError(
            f"nothing was remembered: the title {reason}",
            hint="state in one sentence what the next session has to know",
        )
    _check_preference(note.kind, note.user_words, "user_words, verbatim")
    _refuse_more_than_said(note.title, note.why, note.user_words)
    near = _similar_memories(ws, note)
    known = next((each for each in near if _says_same(each.memory, note)), None)
    if known is not None:
        return Noted(id=known.memory.id, suspect=None, commit=None, near=(known,))
    suspect = UNHEARD if note.user_words.strip() else None
    made = add_memory.remember(ws, Note(
        text=_body(note), primitive=note.primitive, kind=note.kind, title=note.title,
        tags=note.tags, anchors=note.anchors,
        suspect=suspect,
    ))  # fmt: skip
    (memory,) = made.memories
    return Noted(
        id=memory.id, suspect=memory.suspect, commit=made.commit, near=tuple(near[:_MOST_NEAR])
    )


def with_user_words(ws: Workspace, note: Note, user_words: str) -> Note:
    """Return a note from the command line with a quote of the user, if an agent gives one.

    Raises UsageError if an agent's preference comes without the user's own words, or if a person
    gives some: all that a person writes is their own words.
    """
    if not by_agent(ws):
        if user_words:
            raise UsageError(
                "--user-words is only for agents, which quote their user with it",
                hint="your TEXT counts as your own words",
            )
        return note
    _check_preference(note.kind, user_words, "--user-words, verbatim")
    if not (note.text.strip() and user_words.strip()):
        return note
    _refuse_more_than_said(note.title or title_from(note.text), note.text, user_words)
    return replace(note, text=f"{note.text.strip()}\n\n{_quote(user_words)}", suspect=UNHEARD)


def _check_preference(kind: Kind | None, user_words: str, where: str) -> None:
    if kind is Kind.PREFERENCE and not user_words.strip():
        raise UsageError(
            "nothing was remembered: only the user can state a preference",
            hint=f"pass the user's own words in {where}",
        )


def _refuse_more_than_said(title: str, reason: str, user_words: str) -> None:
    more = says_more(title, reason, user_words) if user_words.strip() else None
    if more is not None:
        raise UsageError(
            f"nothing was remembered: the user's words do not say “{clip(more, 60)}”",
            hint="use their words alone; what you add is your own note, without the user's words",
        )


def update(ws: Workspace, id_: str, correction: Correction) -> Changed:
    """Rewrite parts of a memory for an agent."""
    if correction.title and (reason := noise(correction.title)):
        raise UsageError(f"nothing was changed: the title {reason}")

    def corrected(memory: Memory) -> Memory:
        renamed = retitled(memory, correction.title or memory.title)
        return replace(
            renamed,
            body=_corrected(renamed.body, correction),
            anchors=correction.anchors or memory.anchors,
        )

    return edit_memory.edit(ws, id_, corrected)


def _corrected(body: str, correction: Correction) -> str:
    """Return a body with a new reason or new rejected options; the user's words in it stay."""
    paragraphs = body.split("\n\n")
    why = [each for each in paragraphs if not each.startswith((REJECTED, SAID))]
    rejected = [each for each in paragraphs if each.startswith(REJECTED)]
    said = [each for each in paragraphs if each.startswith(SAID)]
    if correction.why.strip():
        why = [correction.why.strip()]
    if correction.rejected:
        rejected = [_rejected(correction.rejected)]
    return "\n\n".join([*why, *rejected, *said])


def _similar_memories(ws: Workspace, note: AgentNote) -> list[Stored]:
    """Return active memories that agents may read and that are similar to a note.

    The most similar is first.
    """
    if not ws.has_memory():
        return []
    served = ws.store.served().memories
    hits = search_memories(ws, SearchQuery(query=note.title, limit=10))
    found = redact_memories(ws, [served[hit.hit.id] for hit in hits if hit.hit.id in served])
    rated = [
        (alike(item.memory, _as_memory(note, item.memory)), item.memory.id, item)
        for item in found
        if not withheld(item)
    ]
    rated.sort(key=itemgetter(0, 1), reverse=True)
    return [item for score, _, item in rated if score >= NEAR]


def _says_same(memory: Memory, note: AgentNote) -> bool:
    return memory.primitive is note.primitive and near_duplicate(memory, _as_memory(note, memory))


def _as_memory(note: AgentNote, beside: Memory) -> Memory:
    return replace(
        beside, primitive=note.primitive, kind=note.kind, title=note.title, body=_body(note)
    )


def _body(note: AgentNote) -> str:
    parts = [note.why.strip()]
    if note.rejected:
        parts.append(_rejected(note.rejected))
    if note.user_words.strip():
        parts.append(_quote(note.user_words))
    return "\n\n".join(parts)


def _quote(user_words: str) -> str:
    return f"{SAID}{' '.join(user_words.split())}”"


def _rejected(options: Sequence[str]) -> str:
    return f"{REJECTED}{'; '.join(' '.join(each.split()) for each in options)}."
