"""Find line ranges for the anchors that name only a file.

An anchor is the code that a memory is about. Such anchors were written before anchors had lines, or
before a rule recognized a name in the memory's text.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from git_lerim.actions.code import anchors
from git_lerim.memories.memory import Memory, Status
from git_lerim.tokens import counted
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace


def anchor_step(ws: Workspace, memories: Mapping[str, Memory]) -> list[Step]:
    """Return a list with one step that adds line ranges to anchors, or [] if none are found.

    The lines are looked up in the files as they were when the memory was anchored.
    """
    found = [] if ws.personal else list(_with_lines(ws, memories.values()))
    if not found:
        return []
    reasons = tuple(
        ", ".join(f"{each.path}:{each.lines[0]}" for each in one.anchors if each.lines)
        for one in found
    )
    summary = f"anchor: find the lines of {counted(len(found), 'memory')}"
    return [Step(operation="anchor", summary=summary, memories=tuple(found), reasons=reasons)]


def _with_lines(ws: Workspace, memories: Iterable[Memory]) -> Iterator[Memory]:
    for memory in memories:
        is_mention = memory.anchors and all(
            each.lines is None and each.blob for each in memory.anchors
        )
        if is_mention and may_change(memory) and memory.status is Status.ACTIVE:
            new = anchors.find_anchors(ws.code, memory.anchors, memory.title, memory.body)
            if any(each.lines for each in new):
                yield replace(memory, anchors=new)
