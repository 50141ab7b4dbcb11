"""The steps of maintenance: each becomes one commit, with its reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from git_lerim.memories.feedback import Feedback
from git_lerim.memories.memory import Memory
from git_lerim.memories.writers import Author, only_user
from git_lerim.tokens import counted
from git_lerim.upkeep.archive import Archive, Rules, Times, Why, archives, can_fade
from git_lerim.upkeep.contradictions import Pair, contradictions
from git_lerim.upkeep.duplicates import merges
from git_lerim.upkeep.likeness.pairs import Near

_LATEST_USE = 30  # days by which a recorded day may be outdated


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of maintenance: a change to the store, with its reasons."""

    operation: str  # for the trailer `Lerim-Op`
    summary: str  # one line
    memories: tuple[Memory, ...]  # the new versions, without the time of the change
    reasons: tuple[str, ...]  # one per memory, or one for all
    model: str = ""  # the model that decided it, if any
    added: tuple[Memory, ...] = ()  # new memories


def believed(
    memories: Mapping[str, Memory], feedback: Mapping[str, tuple[Feedback, ...]]
) -> dict[str, Memory]:
    """Return the memories with only the feedback that counts, not what others forged in files.

    `feedback` maps the ids of memories to the feedback that counts.
    """
    rated = {id_: rows for id_, rows in feedback.items() if id_ in memories}
    return {**memories, **{id_: memories[id_].having(feedback=rated[id_]) for id_ in rated}}


def merge_steps(
    memories: Mapping[str, Memory], near: Near, author: Author = only_user
) -> list[Step]:
    """Return, for each group of duplicates, a step that merges them."""
    return [
        Step(
            operation="merge",
            summary=f"merge {counted(len(each.others) + 1, 'memory')}: {each.kept.title}",
            memories=(each.kept, *each.others),
            reasons=(each.reason,),
        )
        for each in merges(memories, near, author)
    ]


def replace_steps(
    memories: Mapping[str, Memory], near: Near, author: Author = only_user
) -> tuple[list[Step], list[Pair]]:
    """Return a step for each replaced memory, and the pairs that people have to decide about."""
    replaced, pairs = contradictions(memories, near, author)
    steps = [
        Step(
            operation="supersede",
            summary=f"supersede: {each.loser.title}",
            memories=(each.winner, each.loser),
            reasons=(each.reason,),
        )
        for each in replaced
    ]
    return steps, pairs


def archive_steps(
    memories: Mapping[str, Memory], rules: Rules, times: Times, only: Sequence[Why] = tuple(Why)
) -> list[Step]:
    """Return a step for each reason to archive memories, with the memories that it applies to."""
    due = archives(memories, rules, times)
    return [
        _archive_step(why, found)
        for why in only
        if (found := [each for each in due if each.why is why])
    ]


def _archive_step(why: Why, due: Sequence[Archive]) -> Step:
    return Step(
        operation="archive",
        summary=f"archive {counted(len(due), 'memory')}: {why}",
        memories=tuple(each.memory for each in due),
        reasons=tuple(each.reason for each in due),
    )


def access_steps(
    memories: Mapping[str, Memory], used: Mapping[str, str], rules: Rules
) -> list[Step]:
    """Return a step that records when memories were last used, if they can fade.

    `used` maps the ids of memories to the day of last use. A memory is left out if the day recorded
    in it is at most a month earlier.
    """
    due = [
        replace(memory, last_accessed=day)
        for id_, day in sorted(used.items())
        if (memory := memories.get(id_)) and can_fade(memory) and _is_due(memory, day, rules)
    ]
    if not due:
        return []
    summary = f"decay: record the last use of {counted(len(due), 'memory')}"
    reasons = tuple(f"last used on {memory.last_accessed}" for memory in due)
    return [Step(operation="decay", summary=summary, memories=tuple(due), reasons=reasons)]


def _is_due(memory: Memory, day: str, rules: Rules) -> bool:
    recorded = memory.last_accessed
    if day > f"{rules.now:%Y-%m-%d}":
        return False
    return (
        recorded is None
        or (date.fromisoformat(day) - date.fromisoformat(recorded)).days > _LATEST_USE
    )
