"""Withhold handoffs in which an agent's words order what only a person may order.

They are judged when written, and again whenever they are handed out, since a file proves nothing.
"""

from collections.abc import Mapping
from dataclasses import replace

from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.storage.base import Stored


def judged(memory: Memory) -> Memory:
    """Return a handoff, marked as suspect if it must not be handed to an agent."""
    if memory.status is not Status.ACTIVE or memory.edited:  # a person released it
        return memory
    # the rules take long to load
    from git_lerim.memories.checks.disguise import undisguised  # noqa: PLC0415
    from git_lerim.memories.checks.orders_of_others import harm_in  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import suspicion  # noqa: PLC0415

    text = f"{memory.title}\n{memory.body}"
    heard = "" if memory.origin is Origin.AGENT else None
    reason = suspicion(text, heard=heard) or harm_in(undisguised(text))
    return memory.having(status=Status.SUSPECT, suspect=reason) if reason else memory


def fit_to_hand_out(
    handoffs: Mapping[str, Stored], served: Mapping[str, Stored] | None = None
) -> dict[str, Stored]:
    """Return handoffs with those as suspect that must not be handed to an agent.

    A person's own words are their orders. What others shared was judged, or accepted, before it
    was served: `served` tells whose each is, if `handoffs` do not.
    """
    known = handoffs if served is None else served
    return {
        id_: item
        if _is_a_persons(item.memory) or (id_ in known and known[id_].author)
        else replace(item, memory=judged(item.memory))
        for id_, item in handoffs.items()
    }


def _is_a_persons(memory: Memory) -> bool:
    return memory.origin is Origin.HUMAN and not memory.sources
