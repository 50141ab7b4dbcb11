"""Three-way merge of texts, paragraph by paragraph."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_FENCES = ("```", "~~~")


class Woven(NamedTuple):
    """A merged text, and the changed paragraphs of the older version that it dropped."""

    text: str
    lost: tuple[str, ...]


class _Chunk(NamedTuple):
    base: list[str]
    older: list[str]
    newer: list[str]


def weave(base: str, older: str, newer: str) -> Woven:
    """Merge two changes of one text; where both changed a paragraph, the newer version wins."""
    rows: list[str] = []
    lost: list[str] = []
    for chunk in _chunks(paragraphs(base), paragraphs(older), paragraphs(newer)):
        for part in _parts(chunk):
            kept, gone = _merged(part)
            rows += kept
            lost += gone
    there = set(rows)
    return Woven("\n\n".join(rows), tuple(dict.fromkeys(row for row in lost if row not in there)))


def paragraphs(text: str) -> list[str]:
    """Split a text at empty lines, except in blocks of code."""
    found: list[list[str]] = [[]]
    fence = ""
    for row in text.split("\n"):
        mark = row.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        elif not row.strip():
            found.append([])
            continue
        found[-1].append(row)
    return ["\n".join(rows) for rows in found if rows]


def _merged(chunk: _Chunk) -> tuple[list[str], list[str]]:
    base, older, newer = chunk
    if older in (base, newer):
        return newer, []
    if newer == base:
        return older, []
    if not base:  # both added here
        return [*older, *(row for row in newer if row not in older)], []
    return newer, [row for row in older if row not in base]


def _parts(chunk: _Chunk) -> Iterator[_Chunk]:
    """Yield the paragraphs of a chunk one by one, if all three sides have the same number of them.

    Otherwise, yield the whole chunk.
    """
    if len(chunk.base) == len(chunk.older) == len(chunk.newer):
        for one in zip(*chunk, strict=True):
            yield _Chunk(*([row] for row in one))
    else:
        yield chunk


def _chunks(base: list[str], older: list[str], newer: list[str]) -> Iterator[_Chunk]:
    """Split three versions at the paragraphs that all of them share."""
    b = o = n = 0
    for start, in_older, in_newer, size in _agreed(base, older, newer):
        yield _Chunk(base[b:start], older[o:in_older], newer[n:in_newer])
        same = base[start : start + size]
        yield _Chunk(same, same, same)
        b, o, n = start + size, in_older + size, in_newer + size


def _agreed(
    base: list[str], older: list[str], newer: list[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield runs of paragraphs that all three versions share: the start in each, and the length.

    The last run is empty and starts at the end of each version.
    """
    ours, theirs = _matches(base, older), _matches(base, newer)
    i = j = 0
    while i < len(ours) and j < len(theirs):
        (b1, o, size1), (b2, n, size2) = ours[i], theirs[j]
        start, end = max(b1, b2), min(b1 + size1, b2 + size2)
        if start < end:
            yield start, o + start - b1, n + start - b2, end - start
        if b1 + size1 < b2 + size2:
            i += 1
        else:
            j += 1
    yield len(base), len(older), len(newer), 0


def _matches(base: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    return [
        (m.a, m.b, m.size)
        for m in SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
        if m.size
    ]
