"""Format the hits of a search: up to two lines per memory, safe for a terminal.

This module imports little, so that `git lerim search` starts quickly.
"""

from collections.abc import Collection, Iterable

from git_lerim.memories.authors import agents_note, in_their_name
from git_lerim.memories.format.body import without_title
from git_lerim.recall.index.terms import terms

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from git_lerim.recall.search.search import Hit

WIDTH = 100  # characters shown of the best matching line
BEFORE = 30  # how many of them are before the first match


def lines(found: Iterable[tuple["Hit", str]], words: Collection[str], *, coloured: bool) -> str:
    """Return the text to print for hits; each hit comes with its state.

    `words` are the terms of the query; a long line is cut to the part around the first of them.
    """
    return "".join(_entry(hit, state, words, coloured=coloured) for hit, state in found)


def _entry(hit: "Hit", state: str, words: Collection[str], *, coloured: bool) -> str:
    id_, title = hit.id, printable(in_their_name(hit.title, hit.author))
    if coloured:
        id_, title = f"\x1b[33m{id_}\x1b[0m", f"\x1b[1m{title}\x1b[0m"
    marks = [*[state] * (state not in {"fresh", "unknown"}), *agents_note(hit.origin)]
    mark = f"  ({', '.join(marks)})" if marks else ""
    sources = [printable(hit.source), f"from {printable(hit.author)}" if hit.author else ""]
    source = f"  [{', '.join(filter(None, sources))}]" if any(sources) else ""
    heading = f"{id_}  {hit.created[:10]}  {hit.kind or hit.primitive:<10}  {title}{mark}"
    rest = in_their_name(_after_title(hit.title, hit.line), hit.author)
    below = f"{printable(excerpt(rest, words))}{source}".strip()
    return f"{heading}\n" + (f"    {below}\n" if below else "")


def _after_title(title: str, line: str) -> str:
    """Return the part of a line that is not in the title, which may be the line's beginning."""
    cut = title.removesuffix("…")
    if cut != title and line.startswith(cut):
        return f"…{line[len(cut) :].lstrip()}"
    return without_title(title, line)


def excerpt(line: str, words: Collection[str]) -> str:
    """Return the part of a line around the first of some words, cut to WIDTH characters."""
    text = " ".join(line.split())
    if len(text) <= WIDTH:
        return text
    at = 0
    for word in text.split(" "):
        if not words or any(term in words for term in terms(word)):
            break
        at += len(word) + 1
    else:
        at = 0
    start = max(min(at - BEFORE, len(text) - WIDTH), 0)
    cut = text[start : start + WIDTH]
    return ("…" if start else "") + cut.strip() + ("…" if start + WIDTH < len(text) else "")


def printable(text: str) -> str:
    """Return text made safe for a terminal."""
    if text.isprintable() and not any(
        "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0000" for char in text
    ):
        return text  # letters of any script, but nothing invisible
    from git_lerim import tokens  # noqa: PLC0415 few texts need it

    return tokens.printable(text)
