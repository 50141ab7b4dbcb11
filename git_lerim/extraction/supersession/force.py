"""Read from a memory's fields whether it can be in force, and who or what decided that."""

from dataclasses import dataclass
from datetime import UTC, datetime

from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.compared import Relation

IMPORTED = "import"  # the `agent` of a source that is an imported file


def decided_by_person(memory: Memory) -> bool:
    """Return whether sync must not judge a memory, since a person wrote, changed or imported it."""
    by_hand = not memory.sources and memory.origin is not Origin.AGENT
    return memory.touched or by_hand or any(source.agent == IMPORTED for source in memory.sources)


def counts(memory: Memory) -> bool:
    """Return whether a memory can affect whether others are in force.

    It cannot if it is suspect or withdrawn, or if it was replaced before it was archived.
    """
    return (
        memory.status is not Status.SUSPECT
        and not _retired(memory)
        and (memory.touched or memory.confidence > 0.0)
    )


def _retired(memory: Memory) -> bool:
    """Return whether a memory was already out of force when it was archived.

    That is so if its session had withdrawn it, or if it names its replacement.
    """
    # an active memory names these, too, but they are no replacements
    unsure = {row.other for row in memory.compared if row.verdict is Relation.UNSURE}
    replaced = set(memory.related) - unsure or not memory.confidence
    return memory.status is Status.ARCHIVED and memory.edited is None and bool(replaced)


def is_put_away(memory: Memory) -> bool:
    """Return whether a person or maintenance took a memory out of use."""
    return memory.touched and memory.status is not Status.ACTIVE


def keeps_out(winner: Memory, memory: Memory) -> bool:
    """Return whether a memory stays out of force because it said the same as the winner it names.

    It does if a person keeps the winner in force and the winner is the earlier of the two, even if
    either was reworded since. A later winner did not say the same, but withdrew the memory.
    """
    return (
        decided_by_person(winner)
        and winner.status is Status.ACTIVE
        and order_key(winner) < order_key(memory)
    )


def keeps_replaced(winner: Memory, memory: Memory) -> bool:
    """Return whether a memory stays out of force because the winner once withdrew it.

    It does as long as a person keeps the winner in force, even if the winner was reworded since:
    who corrects its words does not say that the earlier memory holds again.
    """
    return (
        decided_by_person(winner)
        and winner.status is Status.ACTIVE
        and memory.id in replaced_by(winner)
        and order_key(memory) < order_key(winner)
    )


def replaced_by(winner: Memory) -> tuple[str, ...]:
    """Return the ids of the memories that a memory replaces: those that it withdrew or merged."""
    return (*winner.supersedes, *winner.merged_from)


_FOREVER = (datetime.max.replace(tzinfo=UTC), "")


def order_key(memory: Memory) -> tuple[datetime, str]:
    """Return the sort key of the order in which memories are judged."""
    return (memory.created, memory.id)


@dataclass(frozen=True, slots=True)
class Loss:
    """What put a memory out of force: a memory that says the same, or a later contradiction."""

    by: str
    when: tuple[datetime, str]
    same: bool


def span_of(memory: Memory, loss: Loss | None) -> tuple[datetime, str] | None:
    """Return when a memory stops being in force (`_FOREVER`: never), or None if it never was.

    Other memories' outcomes depend on nothing else about the outcome of this memory.
    """
    if not counts(memory) or (loss and loss.same):
        return None
    return loss.when if loss else _FOREVER
