"""Turn what was extracted from a session into memories."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from git_lerim.actions.code import anchors
from git_lerim.actions.code.session_work import Left, work_in
from git_lerim.extraction.agent_orders import fit_title
from git_lerim.extraction.base import Brief, Candidate, Dropped
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories import confidence, naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.clean_text import line
from git_lerim.memories.memory import BODY_LIMIT, Anchor, Kind, Memory, Primitive, Source, Status
from git_lerim.memories.quotes import INTENT
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.similarity import replaces
from git_lerim.sessions.session import Session, moment
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor
    from git_lerim.storage.code import Code  # loads libgit2


_ANCHORS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The memories and the summary to keep of one session, and the texts that were dropped."""

    session: Session
    memories: tuple[Memory, ...]
    summary: Memory | None
    redactions: int
    model: str = f"rules/{RULES_VERSION}"
    dropped: tuple[Dropped, ...] = ()  # by the extractor
    dropped_before: frozenset[str] = frozenset()  # ids that the user dropped in triage
    # ids of stored memories to withdraw; None: all that are no longer extracted
    withdrawn: frozenset[str] | None = None

    has_stored: bool = False  # whether the store has memories of it that stay
    # by memory id: the model's verdicts on pairs with memories of other sessions
    reasons: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def offered(self) -> tuple[Memory, ...]:
        """Return the memories that the user has not dropped in triage before."""
        return tuple(memory for memory in self.memories if memory.id not in self.dropped_before)

    def without(self, ids: Container[str]) -> "Kept":
        """Return a copy without some memories, and without the summary if no memory is left.

        If the session changed code, the summary stays, unless the user dropped a memory.
        """
        left = tuple(memory for memory in self.memories if memory.id not in ids)
        has_summary = any(memory.id not in self.dropped_before for memory in left) or (
            len(self.offered) == len(self.memories) and changed_code(self.session)
        )
        return replace(self, memories=left, summary=self.summary if has_summary else None)


def memories_of(
    session: Session,
    candidates: Sequence[Candidate],
    brief: Brief | None,
    code: "Code",
    redactor: "Redactor",
) -> Kept:
    """Turn a session's candidates into redacted memories, and its `brief` into a summary."""
    ordinals: dict[tuple[str, str], int] = {}
    decisions = [
        claim(candidate.title)
        for candidate in candidates
        if candidate.primitive is Primitive.DECISION
    ]
    made, blanked = [], 0
    for candidate in candidates:
        place = f"{candidate.origin}/{candidate.place}" if candidate.place else candidate.origin
        key = (place, candidate.primitive)
        ordinals[key] = ordinals.get(key, 0) + 1
        ident = candidate.ident or naming.memory_id(session.agent, *key, ordinals[key])
        statement = claim(candidate.title)
        disputed = any(
            replaces(statement, other) or replaces(other, statement) for other in decisions
        )
        memory, found = gated(_memory(session, candidate, ident, code, disputed=disputed), redactor)
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
    """Return whether files were written in a session."""
    return any(
        record.files and not record.failed and not record.abandoned for record in session.records
    )


def _memory(
    session: Session, candidate: Candidate, ident: str, code: "Code", *, disputed: bool
) -> Memory:
    """Return a candidate as a memory with its sources and anchors.

    If two decisions of the session replace each other, each gets the time at which it was first
    said.
    """
    time = candidate.at or _time_near(session, candidate)
    at = moment(time)
    first = moment(min(time, (disputed and _time_of(session, candidate.origin)) or time))
    branch = _branch_at(session, time)
    commit = (candidate.commit and code.exists(candidate.commit)) or code.commit_at(time, branch)
    source = Source(
        agent=session.agent,
        session=session.id,
        at=at if candidate.at else None,
        commit=commit,
        branch=branch,
        patch=code.patch(commit) if commit else None,
    )
    return Memory(
        id=ident,
        primitive=candidate.primitive,
        kind=candidate.kind,
        title=candidate.title,
        body=candidate.body,
        status=Status.SUSPECT if candidate.suspect else Status.ACTIVE,
        suspect=candidate.suspect,
        created=first,
        updated=first,
        confidence=confidence.OF_ORIGIN[candidate.provenance],
        worth=candidate.worth,
        origin=candidate.provenance,
        tags=candidate.tags,
        sources=tuple(
            replace(source, part=each.part, records=each.records) for each in candidate.evidence
        ),
        anchors=_anchors(session, candidate, source, code),
    )


def _time_of(session: Session, origin: str) -> int | None:
    """Return when a decision was first stated; later evidence must not make it look newer."""
    for record in session.records:
        place = f"{session.id}/{record.part}" if record.part else session.id
        if origin == (record.uuid or f"{place}#{record.n}"):
            return record.at
    return None


def _time_near(session: Session, candidate: Candidate) -> int:
    """Return the time of the evidence, or of a record near it; 0 if no record has a time.

    The last record up to the evidence is preferred to the next one, so that the time stays the same
    when the session grows.
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


def _anchors(
    session: Session, candidate: Candidate, source: Source, code: "Code"
) -> tuple[Anchor, ...]:
    if not candidate.files:
        return ()
    left = Left(
        code=code,
        work=work_in(session, code),
        base=source.commit,
        branch=source.branch,
        trap=candidate.kind is Kind.PITFALL,
    )
    files: dict[str, Anchor] = {}
    for named in candidate.files:
        path, blob = code.file(named, left.base) or (code.relative(named), None)
        if path and (blob or path in left.work.writes):
            at = left.base if left.base and code.blob_at(left.base, path) else code.head()
            files[path] = Anchor(path=path, blob=blob, commit=at)
    found = anchors.find_anchors(
        code, list(files.values())[:_ANCHORS], candidate.title, candidate.body, left
    )
    if candidate.kind is Kind.PREFERENCE:
        found = anchors.named_in(code, found, candidate.title)
    return tuple(anchor for anchor in found if anchor.blob)


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
        title=line(fit_title(session.header)) or brief.intent.split(". ", 1)[0].rstrip("."),
        body=f"{INTENT}\n\n{brief.intent}\n\n## What happened\n\n{brief.outcome}",
        created=at,
        updated=at,
        confidence=1.0,
        origin=brief.origin,
        status=Status.SUSPECT if brief.suspect else Status.ACTIVE,
        suspect=brief.suspect,
        sources=(source,),
    )
