"""Find out which handoffs are open, and choose one for a new session to take over."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from git_lerim.memories.handoff import details
from git_lerim.memories.memory import Memory, Origin, Status

LIFE = timedelta(days=30)  # after which a handoff expires; it can still be claimed by its id


class State(StrEnum):
    """The states of a handoff; only an open one is offered to a new session."""

    OPEN = "open"
    CLAIMED = "claimed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"  # by a later one about the same work
    SUSPECT = "suspect"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The session that asks for a handoff, and where it runs."""

    branch: str | None = None  # None: HEAD is detached
    folder: str = ""  # below the repository's root
    agent: str | None = None
    session: str | None = None
    exists: Callable[[str], bool] = lambda _: True  # whether a branch still exists


def state(memory: Memory, now: datetime) -> State:
    """Return whether a handoff is open, claimed, cancelled, superseded, suspect or expired."""
    if details(memory).claimed_by:
        return State.CLAIMED
    if memory.status is not Status.ACTIVE:
        return State.CANCELLED if memory.status is Status.ARCHIVED else State(memory.status.value)
    return State.EXPIRED if now - memory.created > LIFE else State.OPEN


def choose(
    handoffs: Iterable[Memory], here: Here, now: datetime, theirs: Collection[str] = ()
) -> Memory | None:
    """Return the open handoff that a session should take over, or None.

    The newest is chosen, one that an agent began only if the user began no other, one that
    somebody else began (its id is in `theirs`) only if the user's agents began none either, and an
    automatic one only if there is no other. An automatic handoff is meant for sessions in the
    folder where its work was done or below, but not for the session that wrote it.
    """
    fitting = [
        memory for memory in handoffs if state(memory, now) is State.OPEN and fits(memory, here)
    ]
    return max(fitting, key=lambda memory: _order(memory, theirs), default=None)


def fits(memory: Memory, here: Here) -> bool:
    """Return whether a handoff is meant for the session that asks."""
    handoff = details(memory)
    if handoff.to and here.agent and handoff.to != here.agent:
        return False
    if (
        handoff.branch
        and here.branch
        and handoff.branch != here.branch
        and here.exists(handoff.branch)
    ):
        return False
    return not handoff.automatic or (
        is_within(handoff.folder, here.folder)
        and not any(source.session == here.session for source in memory.sources)
    )


def is_within(folder: str, here: str) -> bool:
    """Return whether the folder `here` is `folder` or below it."""
    above, below = _parts(folder), _parts(here)
    return below[: len(above)] == above


def _parts(folder: str) -> list[str]:
    return [part for part in folder.replace("\\", "/").split("/") if part]


def _order(memory: Memory, theirs: Collection[str]) -> tuple[object, ...]:
    handoff = details(memory)
    return (
        not handoff.automatic,
        memory.id not in theirs,
        memory.origin is Origin.HUMAN,
        memory.created,
        len(_parts(handoff.folder)) if handoff.automatic else 0,
        memory.id,
    )
