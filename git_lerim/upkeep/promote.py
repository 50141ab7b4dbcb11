"""Suggest memories useful enough for the instructions that every agent reads."""

from collections.abc import Mapping, Sequence

from git_lerim.memories.feedback import CONFIRMED, HELPFUL, USED, Voice, disputed
from git_lerim.memories.memory import Kind, Memory, Origin, Status

OFTEN = 5  # uses, counted here or reported by readers
_KINDS = {Kind.PREFERENCE, Kind.PROCEDURE}
_TRUSTED = {Origin.HUMAN, Origin.ANSWER}


def suggestions(
    memories: Mapping[str, Memory], shown: Mapping[str, int], shared: Sequence[str]
) -> list[tuple[Memory, str]]:
    """Return often used preferences and procedures that people vouch for, each with the reason.

    A person confirmed them, or they have a person's words and a person reported a use. `shown` maps
    the id of each memory to how often this machine showed it. `shared` lists the ids of other
    people's memories, which are left out.
    """
    found = []
    for memory in sorted(memories.values(), key=lambda each: each.id):
        if (
            memory.status is not Status.ACTIVE
            or memory.kind not in _KINDS
            or memory.id in shared
            or disputed(memory.feedback)
        ):
            continue
        uses = [row for row in memory.feedback if row.verdict in {USED, HELPFUL}]
        times = shown.get(memory.id, 0) + sum(row.count for row in uses)
        confirmed = any(
            row.by is Voice.PERSON and row.verdict == CONFIRMED for row in memory.feedback
        )
        if times >= OFTEN and (
            confirmed or (memory.origin in _TRUSTED and any(row.by is Voice.PERSON for row in uses))
        ):
            found.append(
                (memory, f"used {times} times{', confirmed by a person' if confirmed else ''}")
            )
    return found
