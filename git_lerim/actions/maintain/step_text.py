"""Describe what maintenance did, and say who shared the memories."""

from collections.abc import Mapping

from git_lerim.actions.judged import sharer
from git_lerim.actions.maintain.upkeep_note import NamedMemory, Pair
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage.base import Snapshot
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.upkeep.steps import Step


def sharers(served: Snapshot, step: Step, known: Mapping[str, str]) -> dict[str, str]:
    """Map the ids of a step's memories to `from NAME: `, to print before titles that others shared.

    A memory that the step adds is from all who shared one of the memories it was made from. `known`
    has the results for earlier steps, whose memories are not in `served` yet.
    """
    found = look_up(served, [memory.id for memory in step.memories])
    names = {each.id: known.get(each.id, "") for each in step.memories}
    names |= {id_: sharer(item) for id_, item in found.items()}
    parts = "".join(sorted(set(names.values())))
    return names | {memory.id: parts for memory in step.added}


def summary_of(step: Step, names: Mapping[str, str]) -> str:
    """Return a step's summary; if it ends with a title, `from NAME: ` comes before the title."""
    for memory in (*step.added, *step.memories):
        if step.summary.endswith(f": {memory.title}"):
            name = names.get(memory.id, "")
            return f"{step.summary.removesuffix(memory.title)}{name}{memory.title}"
    return step.summary


def lines(step: Step, commit: str | None, names: Mapping[str, str]) -> list[str]:
    """Return a step as lines: its commit and summary, its memories, and the reasons."""
    signs = {Status.ARCHIVED: "-", Status.SUPERSEDED: "-"}
    memories = [("+", memory) for memory in step.added]
    memories += [(signs.get(memory.status, "~"), memory) for memory in step.memories]
    return [
        f"{commit[:12] + '  ' if commit else ''}{summary_of(step, names)}",
        *(f"    {sign} {each.id}  {names.get(each.id, '')}{each.title}" for sign, each in memories),
        *(f"      {reason}" for reason in dict.fromkeys(step.reasons)),
    ]


def named_pair(served: Snapshot, later: Memory, earlier: Memory) -> Pair:
    """Return two memories as shown to a person."""
    return named(served, later), named(served, earlier)


def named(served: Snapshot, memory: Memory) -> NamedMemory:
    """Return a memory as shown to a person; its title begins with the name of who shared it."""
    item = served.memories.get(memory.id)
    title = f"{sharer(item) if item else ''}{memory.title}"
    created = item.memory.created if item else memory.created  # others can forge that in the file
    return NamedMemory(memory.id, f"{created:%Y-%m-%d}", title)
