"""Withhold handoffs and summaries in which an agent gives orders that only a person may give.

They are judged when written, and again whenever agents get them, because anybody can edit a file.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from git_lerim.actions.authorship import by_agent
from git_lerim.memories.memory import Memory, Origin, Primitive, Status
from git_lerim.memories.quotes import WANTED
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace

WITHHELD = "(withheld from agents)"  # replaces a text
NOTES = {Primitive.HANDOFF, Primitive.SUMMARY}
MARK = "[not trusted] "  # before the title in a line
_QUOTES = re.compile(r"\b(?:said|wrote|asked)(?=: *[\"“])")  # the handoff names their author


def sharer(item: Stored) -> str:
    """Return `from NAME: `, to print before the title of a memory that somebody else shared.

    Return an empty string for the user's own memories.
    """
    return f"from {item.author}: " if item.author else ""


def judged(memory: Memory) -> Memory:
    """Return a handoff, marked as suspect if it must be withheld from agents."""
    reason = _order_in(memory) if memory.status is Status.ACTIVE else None
    return memory.having(status=Status.SUSPECT, suspect=reason) if reason else memory


def withheld(item: Stored) -> str:
    """Return why a memory's text is withheld from agents, or an empty string."""
    memory = item.memory
    if memory.primitive in NOTES and item.author and not _is_suspect(memory):
        return ""
    return withheld_text(memory)


def withheld_text(memory: Memory) -> str:
    """Return why a memory that was written in this clone is withheld from agents, or ""."""
    if _is_suspect(memory):
        return reason_of(memory)
    if memory.primitive not in NOTES or _is_a_persons(memory):
        return ""
    return _order_in(memory) or ""


def reason_of(memory: Memory) -> str:
    """Return why a memory is suspect; a stored reason that gives an order is replaced."""
    reason = memory.suspect or "is suspect"
    return order_in(reason) or reason


def _is_suspect(memory: Memory) -> bool:
    return bool(memory.suspect) or memory.status is Status.SUSPECT  # archived ones keep the reason


def marked(ws: Workspace, why: str | None, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of JSON; if its text is not trusted, the row begins with the reason.

    Agents do not get the path either, because it contains words of the original title.
    """
    if not why:
        return row
    return {"not_trusted": why} | row | ({"path": None} if by_agent(ws) else {})


def fit_to_hand_out(
    handoffs: Mapping[str, Stored], served: Mapping[str, Stored] | None = None
) -> dict[str, Stored]:
    """Return handoffs, marking those as suspect that must be withheld from agents.

    The words of a person are not judged, because a person may give orders. Handoffs that others
    shared are not judged again. `served` has the handoffs with their authors if `handoffs` lack
    them.
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


def _order_in(memory: Memory) -> str | None:
    """Return why a handoff or summary must be withheld, or None.

    One that a person edited is never withheld: by editing it, the person approved it.
    """
    if memory.edited:
        return None
    # the rules take long to load
    from git_lerim.memories.checks.disguise import undisguised  # noqa: PLC0415
    from git_lerim.memories.checks.orders_of_others import harm_in  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import suspicion  # noqa: PLC0415

    text = f"{memory.title}\n{memory.body}"
    heard = "" if memory.origin is Origin.AGENT else None
    reason = suspicion(text, heard=heard)
    if reason is None and memory.primitive is Primitive.HANDOFF:  # its next steps are orders
        reason = harm_in(undisguised(text)) or _claim_in(memory)
    return reason


def _claim_in(memory: Memory) -> str | None:
    """Return why an agent's handoff must be withheld for what it says of the user, or None."""
    if memory.origin is not Origin.AGENT:
        return None
    # the rules take long to load
    from git_lerim.memories.checks.claims_of_people import claim_of_person  # noqa: PLC0415
    from git_lerim.memories.checks.disguise import undisguised  # noqa: PLC0415

    lines = f"{memory.title}\n{memory.body}".split("\n")
    own = "\n".join(_QUOTES.sub("", line) for line in lines if not line.startswith(WANTED))
    return "claims what a person said or allowed" if claim_of_person(undisguised(own)) else None


def order_in(text: str) -> str:
    """Return why a text that the user did not write gives an order, or an empty string."""
    # the rules take long to load
    from git_lerim.memories.checks.disguise import undisguised  # noqa: PLC0415
    from git_lerim.memories.checks.orders_of_others import harm_in  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import suspicion  # noqa: PLC0415

    return suspicion(text) or harm_in(undisguised(text)) or ""


def shown_title(item: Stored, why: str) -> str:
    """Return a memory's title, with its author, and with its status if it is not active."""
    memory = item.memory
    apart = memory.status is not Status.ACTIVE and memory.primitive is not Primitive.HANDOFF
    status = f"  ({memory.status.value})" if apart else ""
    return f"{MARK if why else ''}{sharer(item)}{memory.title}{status}"
