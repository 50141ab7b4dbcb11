"""Turn an extraction into a commit.

Candidates become memories, memories become actions, and actions become files.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from git_lerim.actions.intake.adoption import adopt_memories
from git_lerim.actions.intake.session_memories import Kept
from git_lerim.extraction.reconcile import Action, Add, Skip, Supersede, Update, reconcile
from git_lerim.extraction.supersession.force import decided_by_person
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Origin, Primitive, Status
from git_lerim.memories.writers import Author, only_user
from git_lerim.redaction.finding import MARKER
from git_lerim.sessions.session import Session
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import counted

PURGED = "was purged, by you or by somebody else"
ASIDE = "its file is set aside; git lerim lint says why"
TAKEN = "has the ID of a memory that somebody else changed; git lerim show tells more"
# the reasons of which a sync tells without being asked
NAMED = frozenset({PURGED, ASIDE, TAKEN})
_DROPPED = "was dropped; git lerim restore brings it back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The run of a command that makes the commits: its id and its operation."""

    id: str
    op: str = "sync"  # the verb


def plan(kept: Kept, snapshot: Snapshot, author: Author = only_user) -> list[Action]:
    """Decide how to change the store so that it holds a session's memories."""
    stored = {id_: item.memory for id_, item in snapshot.memories.items()}
    aside = {id_: ASIDE for item in snapshot.quarantined if (id_ := naming.id_in(item.path))}
    aside = dict.fromkeys(snapshot.withdrawn, "was deleted by someone else") | aside
    aside = dict.fromkeys(kept.dropped_before, _DROPPED) | aside
    aside = {id_: why for id_, why in aside.items() if id_ not in stored} | dict.fromkeys(
        snapshot.purged, PURGED
    )
    adopted = adopt_memories(kept.session, snapshot.memories.values())
    own = (memory for memory in adopted if not author(memory.id))
    session = (kept.session.agent, kept.session.id)
    memories = [*(memory for memory in kept.memories if memory.id not in aside), *own]
    skips = [
        Skip(memory=memory, reason=aside[memory.id])
        for memory in kept.memories
        if memory.id in aside
    ]
    withdrawn = kept.withdrawn
    may_go = reader(kept.session) if withdrawn is None else lambda memory: memory.id in withdrawn
    actions = reconcile(memories, session, stored, may_go, author)
    return [*_naming_others(actions, stored, author), *skips]


def _naming_others(
    actions: Iterable[Action], stored: Mapping[str, Memory], author: Author
) -> Iterator[Action]:
    """Yield the actions; if a colleague's memory makes one a Skip, its reason says so."""
    for action in actions:
        memory, before = action.memory, stored.get(action.memory.id)
        if not isinstance(action, Skip):
            yield action
        elif before and _words(before) != _words(memory) and author(memory.id):
            yield replace(action, reason=TAKEN)
        else:
            yield action


def _words(memory: Memory) -> tuple[str, str]:
    return memory.title, memory.body


def with_free_ids(kept: Kept, snapshot: Snapshot, author: Author = only_user) -> Kept:
    """Give new ids to memories whose id a colleague's memory about something else has.

    Ids follow from the evidence, so whoever knows a session's id can predict them.
    """
    stored = {id_: item.memory for id_, item in snapshot.memories.items()}
    session = (kept.session.agent, kept.session.id)
    ids = {one.id: _free_id(one, session, stored, author) for one in kept.memories}
    if all(old == new for old, new in ids.items()):
        return kept
    return replace(
        kept,
        memories=tuple(memory.having(id=ids[memory.id]) for memory in kept.memories),
        dropped_before=kept.dropped_before | {ids.get(id_, id_) for id_ in kept.dropped_before},
        reasons={ids.get(id_, id_): reasons for id_, reasons in kept.reasons.items()},
    )


def _free_id(
    memory: Memory, session: tuple[str, str], stored: Mapping[str, Memory], author: Author
) -> str:
    """Return the first id that is free, or whose memory is the user's or says the same.

    One that the user's own memory got before is preferred.
    """
    ids = [memory.id]
    while ids[-1] in stored or len(ids) < 2:
        ids.append(naming.memory_id(session[0], ids[-1], memory.primitive, 0))
    given = (id_ for id_ in ids[1:] if id_ in stored and not author(id_))
    return next(given, None) or next(
        id_ for id_ in ids if not (author(id_) and _is_other(stored[id_], memory, session))
    )


def _is_other(before: Memory, memory: Memory, session: tuple[str, str]) -> bool:
    """Return whether a colleague's memory is not the session's, and no person's edit of it.

    In a new clone, one's own memories count as a colleague's, and older rules worded the body
    otherwise.
    """
    is_named = any(one.reading == session for one in before.sources)
    is_edit = is_named and (decided_by_person(before) or before.title == memory.title)
    return _words(before) != _words(memory) and not is_edit


def reader(session: Session) -> Callable[[Memory], bool]:
    """Return a function that says whether the rules may withdraw a memory from this session.

    They may if the session still has all records that the memory cites, and no model wrote the
    memory.
    """
    times = {
        (record.part, record.at // 1000) for record in session.records if record.at is not None
    }
    numbers = {(record.part, record.n) for record in session.records}

    def was_read(memory: Memory) -> bool:
        mine = [s for s in memory.sources if (s.agent, s.session) == (session.agent, session.id)]
        return memory.origin is not Origin.MODEL and all(
            (
                source.at is None
                or (source.part, int(source.at.timestamp())) in times
                or len(mine) > 1
            )
            and all(
                any((source.part, n) in numbers for n in range(first, last + 1))
                for first, last in source.records
            )
            for source in mine
        )

    return was_read


def change(kept: Kept, actions: Sequence[Action], snapshot: Snapshot, run: Run) -> Change | None:
    """Return the commit that carries out the actions, or None if nothing would change."""
    files: dict[str, bytes | None] = {}
    lines, trailers = [], []
    for action in actions:
        if isinstance(action, Skip):
            continue
        memory = action.memory
        path = (
            naming.path_of(memory) if isinstance(action, Add) else snapshot.memories[memory.id].path
        )
        files[path] = frontmatter.render(memory)
        lines += [
            f"{action.sign} {memory.id} {memory.title}",
            *(f"    {reason}" for reason in kept.reasons.get(memory.id, ())),
        ]
        trailers.append(("Lerim-Added" if isinstance(action, Add) else "Lerim-Changed", memory.id))
    if kept.summary and kept.summary.id not in snapshot.purged:
        files |= _summary_file(kept.summary, snapshot)
    if not files:
        return None
    blanked = sum(data.count(MARKER.encode()) for data in files.values() if data)
    return Change(
        files=files,
        subject=_subject(kept, actions, run),
        body="\n".join(lines),
        trailers=_trailers(kept, run, trailers, blanked),
    )


def _summary_file(summary: Memory, snapshot: Snapshot) -> Mapping[str, bytes]:
    known = snapshot.summaries.get(summary.id)
    if known and (known.memory.touched or known.memory == summary):
        return {}
    path = known.path if known else naming.path_of(summary)
    if any(
        other.path == path and other.memory.id != summary.id
        for other in snapshot.summaries.values()
    ):
        # another session began in the same second and has the same short name
        path = f"{path.removesuffix('.md')}-{summary.id}.md"
    return {path: frontmatter.render(summary)}


def _trailers(
    kept: Kept, run: Run, changed: Iterable[tuple[str, str]], blanked: int
) -> tuple[tuple[str, str], ...]:
    dated = {(s.at, s.commit) for m in kept.memories for s in m.sources if s.commit and s.at}
    commits = [commit for _, commit in sorted(dated)]
    return (
        ("Lerim-Op", run.op),
        ("Lerim-Run", run.id),
        ("Lerim-Session", kept.session.id),
        ("Lerim-Agent", kept.session.agent),
        *(("Lerim-Source-Commit", commit) for commit in commits[-1:]),
        ("Lerim-Model", kept.model),
        *changed,
        ("Lerim-Redactions", str(blanked)),
    )


def _subject(kept: Kept, actions: Sequence[Action], run: Run) -> str:
    added = added_in(actions)
    parts = [
        counted(added.count(p), p.value)
        for p in (Primitive.DECISION, Primitive.LEARNING)
        if p in added
    ]
    updated = sum(isinstance(a, Update) for a in actions)
    superseded = sum(isinstance(a, Supersede) for a in actions)
    parts += [f"{updated} updated"] if updated else []
    parts += [f"{superseded} superseded"] if superseded else []
    aside = sum(isinstance(a, Add) for a in actions) - len(added)
    parts += [f"{aside} set aside"] if aside else []
    return (
        f"{run.op}: {', '.join(parts) or 'summary'} from {kept.session.agent}"
        f" {naming.short_session(kept.session.id)}"
    )


def added_in(actions: Iterable[Action]) -> list[Primitive]:
    """Return the types (decision or learning) of the active memories that actions add."""
    return [
        a.memory.primitive
        for a in actions
        if isinstance(a, Add) and a.memory.status is Status.ACTIVE
    ]
