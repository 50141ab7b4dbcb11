"""The part of a long session record that a memory comes from."""

from textwrap import wrap

from git_lerim.memories.memory import Memory
from git_lerim.memories.similarity.claim import content

_WIDTH = 200  # characters after which a line is split, because some records are one long line
_BEFORE = 1 / 3  # the share of the characters that precede the line found


def passage(text: str, memory: Memory, limit: int) -> list[str]:
    """Return the lines around the one that shares the most words with a memory.

    Together they have about `limit` characters.
    """
    if len(text) <= limit:
        return text.split("\n")
    lines = [part for line in text.split("\n") for part in _parts(line)]
    said = content(f"{memory.title}\n{memory.body}")
    found = max(range(len(lines)), key=lambda n: (len(content(lines[n]) & said), -n))
    first, last = found, found + 1
    while first and _size(lines[first - 1 : found]) <= limit * _BEFORE:
        first -= 1
    while last < len(lines) and _size(lines[first : last + 1]) <= limit:
        last += 1
    return ["…"] * (first > 0) + lines[first:last] + ["…"] * (last < len(lines))


def _parts(line: str) -> list[str]:
    return [line] if len(line) <= _WIDTH else wrap(line, _WIDTH) or [""]


def _size(lines: list[str]) -> int:
    return sum(len(line) + 1 for line in lines)
