"""Cut merged memories to the limits of a file."""

from collections.abc import Callable

from git_lerim.errors import BadMemory
from git_lerim.memories.format.columns import Merge
from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.memory import COLUMNS, Memory
from git_lerim.memories.merging import also_recorded
from git_lerim.memories.merging.paragraphs import weave

_LISTS = {Merge.TAGS, Merge.SOURCES, Merge.ANCHORS, Merge.LINKS, Merge.FEEDBACK}


def fitting(merged: Memory, newer: Memory) -> tuple[Memory, bytes]:
    """Cut a merged memory to the limits of a file; return it with the file's content.

    If anything must be left out, the values of the newer side are preferred.
    """
    data = _file(merged)
    for shrink in _SHRINKING:
        if data is None:
            merged = shrink(merged, newer)
            data = _file(merged)
    while data is None and also_recorded.split(merged.body)[1]:
        merged = _without_oldest(merged)
        data = _file(merged)
    return (newer, render(newer)) if data is None else (merged, data)


def _file(memory: Memory) -> bytes | None:
    try:
        return render(memory)
    except BadMemory:
        return None


def _short_body(merged: Memory, newer: Memory) -> Memory:
    """Keep only the newer side's text, and record the paragraphs that it lacks."""
    text, entries = also_recorded.split(merged.body)
    kept = also_recorded.split(newer.body)[0]
    if len(text) <= len(kept):
        return merged
    lost = weave("", kept, text).text.removeprefix(kept).strip()
    return merged.having(
        body=also_recorded.join(
            kept, [*entries, also_recorded.entry(merged.updated, "a merge", lost)]
        )
    )


def _short_head(merged: Memory, newer: Memory) -> Memory:
    names = ("unknown", *(each.name for each in COLUMNS if each.merge in _LISTS))
    return merged.having(**{name: getattr(newer, name) for name in names})


def _without_oldest(merged: Memory) -> Memory:
    text, entries = also_recorded.split(merged.body)
    rest = [one for one in entries if one != also_recorded.OMITTED]
    return merged.having(
        body=also_recorded.join(text, [*rest[1:], also_recorded.OMITTED] if rest else [])
    )


_SHRINKING: tuple[Callable[[Memory, Memory], Memory], ...] = (_short_body, _short_head)
