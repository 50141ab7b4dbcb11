"""Three-way merge of a memory's text: title, body, and fields such as origin and kind."""

from typing import Any

from git_lerim.memories.format.columns import Merge
from git_lerim.memories.memory import COLUMNS, Memory, Status
from git_lerim.memories.merging import also_recorded, merging
from git_lerim.memories.merging.paragraphs import weave
from git_lerim.memories.merging.sides import ThreeWay, bares

_TEXT = tuple(each.name for each in COLUMNS if each.merge is Merge.TEXT)


def merged_text(m: ThreeWay) -> dict[str, Any]:
    """Return the merged fields of a memory's text.

    If only one side changed the text, all fields are from that side. If persons edited the text on
    both sides, their changes are merged. Otherwise, all fields are from the side whose text wins.
    """
    was, old, new = (_said(one) for one in (m.base, m.older.memory, m.newer.memory))
    if was in {old, new}:
        return _unit(m.newer.memory if old == was else m.older.memory)
    if old == new or not (
        _edited_since(m.base, m.older.memory) and _edited_since(m.base, m.newer.memory)
    ):
        return _unit(_standing(m))
    newer = m.newer.memory
    return {
        **_unit(newer),
        "kind": m.pick_column("kind"),
        "title": _woven_title(m),
        "body": _woven_body(m),
    }


def _unit(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in _TEXT} | {
        "body": also_recorded.split(memory.body)[0]
    }


def _said(memory: Memory) -> tuple[Any, ...]:
    return tuple(_unit(memory).values())


def _words(memory: Memory) -> tuple[str, str]:
    return memory.title, also_recorded.split(memory.body)[0]


def _edited_since(base: Memory, memory: Memory) -> bool:
    return memory.edited is not None and memory.edited != base.edited


def _standing(m: ThreeWay) -> Memory:
    """Return the side whose text wins, or the other one if only that one redacted a secret."""
    loser, winner = sorted((m.older.memory, m.newer.memory), key=merging.text_order_by_time)
    blanked = merging.redactions(loser) > max(
        merging.redactions(winner), merging.redactions(m.base)
    )
    return loser if blanked else winner


def _woven_title(m: ThreeWay) -> str:
    was, old, new = m.of("title")
    if was not in {old, new} and bares(new, old):
        return str(old)  # the newer one has a secret that the older one redacts
    return str(m.pick_column("title"))


def _woven_body(m: ThreeWay) -> str:
    was, old, new = (also_recorded.split(body)[0] for body in m.of("body"))
    if was not in {old, new} and bares(new, old):
        # the newer one has a secret that the older one redacts: it is ignored
        return old
    text, lost = weave(was, old, new)
    for paragraph in lost:
        if not bares(paragraph, text):
            m.note(m.older, paragraph)
    return text


def note_archiving(m: ThreeWay) -> None:
    """Record who archived a memory while another person changed its text."""
    if m.older.is_undo or m.newer.is_undo:
        return
    for one, other in ((m.older, m.newer), (m.newer, m.older)):
        archived = one.memory.status is Status.ARCHIVED and m.base.status is not Status.ARCHIVED
        is_edited = _edited_since(m.base, other.memory) and _words(other.memory) != _words(m.base)
        if archived and other.memory.status is not Status.ARCHIVED and is_edited:
            said = (
                f"archived this beside an edit of {other.name} on {other.memory.updated:%Y-%m-%d}"
            )
            m.lost.append(also_recorded.entry(one.memory.updated, one.name, said, "status"))
