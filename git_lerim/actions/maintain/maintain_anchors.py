"""Find line ranges for the anchors that name only a file.

An anchor is the code that a memory is about. Such anchors were written before the session's change
was committed, before anchors had lines, or before a rule recognized a name in the memory's text.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.actions.code import anchors
from git_lerim.actions.code.session_work import Left, work_of
from git_lerim.memories.memory import Anchor, Kind, Memory, Status
from git_lerim.tokens import counted
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.sessions.catalog import Catalog


def anchor_step(ws: Workspace, memories: Mapping[str, Memory]) -> list[Step]:
    """Return a list with one step that adds line ranges to anchors, or [] if none are found.

    The lines are looked up in the files as the session left them, if a commit has that state by
    now, or else as they were when the memory was anchored.
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
    due = [memory for memory in memories if _is_due(memory)]
    if not due:
        return
    with ws.catalog_to_read() as catalog:
        for memory in due:
            left = _left(ws, catalog, memory)
            files = tuple(replace(each, lines=None, symbol=None) for each in memory.anchors)
            files = tuple(dict.fromkeys(files)) or tuple(_named_files(left, memory))
            found = anchors.find_anchors(ws.code, files, memory.title, memory.body, left)
            new = tuple(each for each in found if each.blob)
            if new != memory.anchors and any(each.lines for each in new):
                yield replace(memory, anchors=new)


def _is_due(memory: Memory) -> bool:
    """Return whether a memory has no lines, except if a person confirmed it without any code.

    Of a trap, the lines count only as the session's change left them.
    """
    has_none = bool(memory.sources) and not memory.feedback and not memory.anchors
    is_mention = memory.anchors and all(each.lines is None and each.blob for each in memory.anchors)
    base = {source.commit for source in memory.sources}
    is_trap = memory.kind is Kind.PITFALL and any(each.commit in base for each in memory.anchors)
    return bool(
        (has_none or is_mention or is_trap)
        and may_change(memory)
        and memory.status is Status.ACTIVE
    )


def _left(ws: Workspace, catalog: "Catalog", memory: Memory) -> Left | None:
    """Return the state in which the session of a memory left the code; None if it has several."""
    if len({source.reading for source in memory.sources}) != 1:
        return None
    last = memory.sources[-1]
    work = work_of(catalog, *last.reading, ws.code)
    return Left(
        code=ws.code,
        work=work,
        base=last.commit,
        branch=last.branch,
        trap=memory.kind is Kind.PITFALL,
    )


def _named_files(left: Left | None, memory: Memory) -> Iterator[Anchor]:
    """Yield the files that a memory names and its session wrote; none was committed before."""
    text = f"{memory.title} {memory.body}"
    for path in left.work.writes if left else ():
        if path.rpartition("/")[2] in text:
            yield Anchor(path=path)
