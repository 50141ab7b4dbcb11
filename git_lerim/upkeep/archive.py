"""Decide which memories to archive: superseded, faded, disputed, or stale for a long time."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from git_lerim.memories import confidence
from git_lerim.memories.feedback import Feedback, called_wrong, disputed, last_confirmed
from git_lerim.memories.memory import Kind, Memory, Primitive, Status
from git_lerim.memories.similarity.taking_back import may_be_inactive
from git_lerim.upkeep.eligible import may_change


class Why(StrEnum):
    """A reason to archive a memory."""

    SUPERSEDED = "superseded"
    FADED = "faded"
    WRONG = "wrong"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The settings for archiving."""

    now: datetime
    period_days: int
    floor: float
    threshold: float
    grace_days: int
    stale_grace_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Facts about memories that are not in their files, such as dates; the keys are ids."""

    held: Mapping[str, datetime] = field(default_factory=dict)  # first commit of the memory
    changed: Mapping[str, datetime] = field(default_factory=dict)  # last commit of its file
    # the feedback that counts, if not all of that in the file does
    feedback: Mapping[str, tuple[Feedback, ...]] = field(default_factory=dict)
    # the user's memories that only others call wrong: the user decides about these
    undecided: Collection[str] = ()
    # since when and why, on the default branch
    stale: Mapping[str, tuple[datetime, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A memory to archive."""

    memory: Memory  # the new version
    why: Why
    reason: str


def archives(memories: Mapping[str, Memory], rules: Rules, times: Times) -> list[Archive]:
    """Return the memories to archive now, each with one reason."""
    found = []
    for memory in memories.values():
        if may_change(memory):
            found += [
                Archive(memory=_archived(memory, memories), why=why, reason=r)
                for why, r in _due(_judged(memory, times), rules, times)
            ][:1]
    return found


def _judged(memory: Memory, times: Times) -> Memory:
    feedback = times.feedback.get(memory.id, memory.feedback)
    return memory if feedback is memory.feedback else replace(memory, feedback=feedback)


def can_fade(memory: Memory) -> bool:
    """Return whether a memory can be archived for its age: never a decision or a preference."""
    is_lasting = memory.primitive is Primitive.DECISION or memory.kind is Kind.PREFERENCE
    return memory.status is Status.ACTIVE and may_change(memory) and not is_lasting


def may_fade(memory: Memory, rules: Rules) -> bool:
    """Return whether a memory might have faded, judging by its file alone.

    If not, there is no need to ask git when it was first committed.
    """
    return can_fade(memory) and _left(memory, None, rules) < rules.threshold


def _due(memory: Memory, rules: Rules, times: Times) -> Iterator[tuple[Why, str]]:
    is_decided = memory.status is not Status.SUSPECT and memory.id not in times.undecided
    if is_decided and disputed(memory.feedback):
        who = sorted({row.author for row in called_wrong(memory.feedback)})
        yield Why.WRONG, f"called wrong by {', '.join(who)}"
    changed = times.changed.get(memory.id)
    if (
        memory.status is Status.SUPERSEDED
        and not may_be_inactive(memory)  # what it supersedes would come back
        and changed
        and (days := _days(rules.now - changed)) > rules.grace_days
    ):
        yield Why.SUPERSEDED, f"superseded for {days} days"
    held = times.held.get(memory.id)
    if can_fade(memory) and held and (rules.now - held).days > rules.grace_days:
        left = _left(memory, held, rules)
        if left < rules.threshold:
            yield (
                Why.FADED,
                (
                    f"confidence {left:.2f} of {confidence.reckoned(memory):.2f}, below"
                    f" {rules.threshold:.2f}"
                ),
            )
    if memory.status is Status.ACTIVE and memory.id in times.stale:
        since, why = times.stale[memory.id]
        days = _days(rules.now - max(since, _confirmed(memory, since)))
        if days > rules.stale_grace_days:
            yield Why.STALE, f"stale for {days} days, and nobody confirmed it: {why}"


def _archived(memory: Memory, memories: Mapping[str, Memory]) -> Memory:
    """Return an archived copy of a memory; if superseded, it links to its successors.

    With such a link, the archived copy no longer affects other memories in a sync.
    """
    related = memory.related
    if memory.status is Status.SUPERSEDED and not related:
        related = tuple(other.id for other in memories.values() if memory.id in other.supersedes)
    return replace(memory, status=Status.ARCHIVED, related=related)


def _left(memory: Memory, held: datetime | None, rules: Rules) -> float:
    return confidence.effective(
        memory, held, rules.now, period_days=rules.period_days, floor=rules.floor
    )


def _confirmed(memory: Memory, default: datetime) -> datetime:
    day = last_confirmed(memory.feedback)
    return datetime.fromisoformat(f"{day}T00:00:00+00:00") if day else default


def _days(span: timedelta) -> int:
    return max(span.days, 0)
