"""Turn an extraction into a commit: candidates to memories, to actions, to files."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from git_lerim.actions.code import anchors
from git_lerim.actions.intake.adoption import adopted
from git_lerim.extraction.base import Brief, Candidate, Dropped
from git_lerim.extraction.reconcile import Action, Add, Skip, Supersede, Update, reconcile
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories import confidence, naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.clean_text import line
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import BODY_LIMIT, Anchor, Memory, Origin, Primitive, Source, Status
from git_lerim.memories.similarity import claim, replaces
from git_lerim.redaction.finding import MARKER
from git_lerim.sessions.session import Session, moment
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import clip, counted

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor
    from git_lerim.storage.code import Code  # loads libgit2

_ANCHORS = 5
_DROPPED = "you dropped it; git lerim restore brings it back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What to keep of one session."""

    session: Session
    memories: tuple[Memory, ...]
    summary: Memory | None
    redactions: int
    model: str = f"rules/{RULES_VERSION}"
    dropped: tuple[Dropped, ...] = ()  # by the extractor
    dropped_before: frozenset[str] = frozenset()  # ids that the user dropped in triage
    # ids of stored memories to withdraw; None: all that are not given
    withdrawn: frozenset[str] | None = None

    has_stored: bool = False  # the store holds memories of it that are kept
    # by id: the model's verdicts on pairs with other sessions
    reasons: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def offered(self) -> tuple[Memory, ...]:
        """The memories that the user has not dropped before."""
        return tuple(memory for memory in self.memories if memory.id not in self.dropped_before)

    def without(self, ids: Container[str]) -> "Kept":
        """Leave out some memories, and the summary if none are left and no code was changed."""
        left = tuple(memory for memory in self.memories if memory.id not in ids)
        has_summary = any(memory.id not in self.dropped_before for memory in left) or changed_code(
            self.session
        )
        return replace(self, memories=left, summary=self.summary if has_summary else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The run that makes the commits."""

    id: str


def memories_of(
    session: Session,
    candidates: Sequence[Candidate],
    brief: Brief | None,
    code: "Code",
    redactor: "Redactor",
) -> Kept:
    """Turn an extraction into memories, redacting them once more."""
    ordinals: dict[tuple[str, str], int] = {}
    decisions = [
        claim(candidate.title)
        for candidate in candidates
        if candidate.primitive is Primitive.DECISION
    ]
    made, blanked = [], 0
    for candidate in candidates:
        key = (candidate.origin, candidate.primitive)
        ordinals[key] = ordinals.get(key, 0) + 1
        said = claim(candidate.title)
        disputed = any(replaces(said, other) or replaces(other, said) for other in decisions)
        memory, found = gated(
            _memory(session, candidate, ordinals[key], code, disputed=disputed), redactor
        )
        before, now = (f"{one.title} {one.body}".casefold() for one in (candidate, memory))
        # tags that contained a secret
        blank = {
            tag for tag in memory.tags if tag.casefold() in before and tag.casefold() not in now
        }
        tags = tuple(tag for tag in memory.tags if tag not in blank)
        made.append(replace(memory, body=clip(memory.body, BODY_LIMIT), tags=tags))
        blanked += found
    summary = _summary(session, brief) if brief and (made or changed_code(session)) else None
    if summary:
        summary, found = gated(summary, redactor)
        summary = replace(summary, body=clip(summary.body, BODY_LIMIT))
        blanked += found
    return Kept(session=session, memories=tuple(made), summary=summary, redactions=blanked)


def changed_code(session: Session) -> bool:
    """Tell whether files were written in a session."""
    return any(
        record.files and not record.failed and not record.abandoned for record in session.records
    )


def _memory(
    session: Session, candidate: Candidate, ordinal: int, code: "Code", *, disputed: bool
) -> Memory:
    """Return a candidate as a memory.

    If two decisions of the session replace each other, each is dated from when it was first said.
    """
    time = candidate.at or _time_near(session, candidate)
    at = moment(time)
    first = moment(min(time, (disputed and _time_of(session, candidate.origin)) or time))
    branch = _branch_at(session, time)
    commit = (candidate.commit and code.exists(candidate.commit)) or code.commit_at(time, branch)
    patch = code.patch(commit) if commit else None
    return Memory(
        id=candidate.ident
        or naming.memory_id(session.agent, candidate.origin, candidate.primitive, ordinal),
        primitive=candidate.primitive,
        kind=candidate.kind,
        title=candidate.title,
        body=candidate.body,
        status=Status.SUSPECT if candidate.suspect else Status.ACTIVE,
        suspect=candidate.suspect,
        created=first,
        updated=first,
        confidence=confidence.OF_ORIGIN[candidate.provenance],
        origin=candidate.provenance,
        tags=candidate.tags,
        sources=tuple(
            Source(
                agent=session.agent,
                session=session.id,
                part=e.part,
                records=e.records,
                at=at if candidate.at else None,
                commit=commit,
                branch=branch,
                patch=patch,
            )
            for e in candidate.evidence
        ),
        anchors=_anchors(candidate, commit, code),
    )


def _time_of(session: Session, origin: str) -> int | None:
    """Return when a decision was first said; later evidence must not make it look newer."""
    for record in session.records:
        place = f"{session.id}/{record.part}" if record.part else session.id
        if origin == (record.uuid or f"{place}#{record.n}"):
            return record.at
    return None


def _time_near(session: Session, candidate: Candidate) -> int:
    """Return the time of the nearest record before the evidence, else of the first after, else 0.

    In this order the result stays the same when the session grows.
    """
    last = candidate.evidence[-1] if candidate.evidence else None
    number = last.records[-1][1] if last and last.records else 0
    times = [
        (record.n, record.at)
        for record in session.records
        if record.at and record.part == (last.part if last else None)
    ]
    before = [pair for pair in times if pair[0] <= number]
    near = max(before, default=None) or min(times, default=None)
    return (
        near[1] if near else min((record.at for record in session.records if record.at), default=0)
    )


def _anchors(candidate: Candidate, commit: str | None, code: "Code") -> tuple[Anchor, ...]:
    named = dict(found for path in candidate.files if (found := code.file(path, commit)))
    files = (
        Anchor(
            path=path,
            blob=blob,
            commit=commit if commit and code.blob_at(commit, path) else code.head(),
        )
        for path, blob in list(named.items())[:_ANCHORS]
    )
    return anchors.found(code, files, candidate.title, candidate.body)


def _branch_at(session: Session, at: int) -> str | None:
    branch = None
    for record in session.records:
        if record.at is not None and record.at > at:
            break
        branch = record.branch or branch
    return branch if branch != "HEAD" else None


def _summary(session: Session, brief: Brief) -> Memory:
    times = [record.at for record in session.records if record.at]
    at = moment(min(times, default=0))
    numbers = [record.n for record in session.records if record.part is None] or [1]
    source = Source(
        agent=session.agent,
        session=session.id,
        records=((min(numbers), max(numbers)),),
        at=moment(max(times)) if times else None,
    )
    return Memory(
        id=naming.memory_id(session.agent, session.id, Primitive.SUMMARY, 1),
        primitive=Primitive.SUMMARY,
        title=line(session.header.title) or brief.intent.split(". ", 1)[0].rstrip("."),
        body=f"## Intent\n\n{brief.intent}\n\n## What happened\n\n{brief.outcome}",
        created=at,
        updated=at,
        confidence=1.0,
        sources=(source,),
    )


def plan(kept: Kept, snapshot: Snapshot) -> list[Action]:
    """Decide how a session's memories change the store."""
    stored = {id_: item.memory for id_, item in snapshot.memories.items()}
    aside = {
        id_: f"{item.path} is set aside: git lerim lint says why"
        for item in snapshot.quarantined
        if (id_ := naming.id_in(item.path))
    }
    aside = dict.fromkeys(snapshot.withdrawn, "somebody else took it out of the memory") | aside
    aside = dict.fromkeys(kept.dropped_before, _DROPPED) | aside
    aside = {id_: why for id_, why in aside.items() if id_ not in stored} | dict.fromkeys(
        snapshot.purged, "it was purged"
    )
    own = adopted(kept.session, snapshot.memories.values())
    memories = [*(memory for memory in kept.memories if memory.id not in aside), *own]
    skips = [
        Skip(memory=memory, reason=aside[memory.id])
        for memory in kept.memories
        if memory.id in aside
    ]
    withdrawn = kept.withdrawn
    may_go = reader(kept.session) if withdrawn is None else lambda memory: memory.id in withdrawn
    return [*reconcile(memories, (kept.session.agent, kept.session.id), stored, may_go), *skips]


def reader(session: Session) -> Callable[[Memory], bool]:
    """Return a function that tells whether the rules may withdraw a memory of this session.

    They may if they read all that it cites and no model wrote it.
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
        subject=_subject(kept, actions),
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
        # another session has the same second and short name
        path = f"{path.removesuffix('.md')}-{summary.id}.md"
    return {path: frontmatter.render(summary)}


def _trailers(
    kept: Kept, run: Run, changed: Iterable[tuple[str, str]], blanked: int
) -> tuple[tuple[str, str], ...]:
    dated = {(s.at, s.commit) for m in kept.memories for s in m.sources if s.commit and s.at}
    commits = [commit for _, commit in sorted(dated)]
    return (
        ("Lerim-Op", "sync"),
        ("Lerim-Run", run.id),
        ("Lerim-Session", kept.session.id),
        ("Lerim-Agent", kept.session.agent),
        *(("Lerim-Source-Commit", commit) for commit in commits[-1:]),
        ("Lerim-Model", kept.model),
        *changed,
        ("Lerim-Redactions", str(blanked)),
    )


def _subject(kept: Kept, actions: Sequence[Action]) -> str:
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
        f"sync: {', '.join(parts) or 'summary'} from {kept.session.agent}"
        f" {naming.short_session(kept.session.id)}"
    )


def added_in(actions: Iterable[Action]) -> list[Primitive]:
    """Return the primitives of the added memories that are active."""
    return [
        a.memory.primitive
        for a in actions
        if isinstance(a, Add) and a.memory.status is Status.ACTIVE
    ]
