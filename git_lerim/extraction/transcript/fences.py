"""Remove fenced code from a prompt, by the rules of CommonMark.

A fence is closed by a fence of the same character that is at least as long, alone on its line and
hardly indented. A fence that is never closed reaches to the end. What only announces a fenced log
goes with it, so that the words below the log are not taken for more of it.
"""

import re

from git_lerim.extraction.transcript.logs import announced
from git_lerim.extraction.transcript.text import LIST_ITEM

BLOCK = "\ufffc"  # stands for a fenced block, as Unicode's object replacement character
_FENCE = r"(?<!`)`{3,}+|(?<!~)~{3,}+"  # a whole run: to try its parts takes endless time
_INLINE = re.compile(rf"({_FENCE}).*?\1")
_OPENS = re.compile(rf"(?P<before>.*?)(?P<fence>{_FENCE})(?P<info>[^`]*)$")
_CLOSES = re.compile(r"(?P<indent>\s*)(?P<fence>`{3,}|~{3,})\s*$")
_ABOVE = 3  # lines above a fence, among which is what announces it
_DEEPEST = 3  # columns by which a closing fence may be indented


def without_fenced(text: str) -> str:
    """Return the text with a line `BLOCK` in place of each fenced block."""
    kept: list[str] = []
    opened: re.Match[str] | None = None
    for line in text.split("\n"):
        if opened is not None:
            opened = None if _is_end(line, opened) else opened
            continue
        opened = _OPENS.match(_INLINE.sub(" ", line))
        if opened and not opened["before"].strip():
            kept = _without_announcement(kept)
        kept += [opened["before"], BLOCK] if opened else [_INLINE.sub(" ", line)]
    return "\n".join(kept)


def _without_announcement(lines: list[str]) -> list[str]:
    above = [line for line in lines[-_ABOVE:] if line.strip()]
    start = announced(above[-1].strip()) if above else -1
    if start < 0:
        return lines
    return [*lines[:-_ABOVE], *above[:-1], above[-1].strip()[:start].rstrip(" ,;(–—-")]


def _is_end(line: str, opened: re.Match[str]) -> bool:
    fence, before = opened["fence"], opened["before"]
    found = _CLOSES.match(line)
    if found is None:  # in chat, a block that begins within a line often ends so, too
        return bool(before.strip()) and line.rstrip().endswith(fence)
    return (
        found["fence"].startswith(fence)
        and len(found["indent"].expandtabs(4)) <= len(before.expandtabs(4)) + _DEEPEST
    )


def is_indented_block(line: str, above: str, *, is_after_gap: bool) -> bool:
    """Return whether a line is in an indented block of Markdown, also below an item of a list.

    `above` is the nearest line above it that is not empty.
    """
    if not (is_after_gap and line.startswith((" ", "\t"))) or LIST_ITEM.match(line):
        return False
    item = LIST_ITEM.match(above)
    return _indent(line) >= (len(item[0].expandtabs(4)) if item else _indent(above)) + 4


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())
