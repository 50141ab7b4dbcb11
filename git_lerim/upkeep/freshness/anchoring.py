"""Find the lines of a file that a memory is about, using the identifiers it names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

from git_lerim.git.history.definitions import enclosing, extent, heads
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.claims import Word, named_words, occurs

Lines = tuple[int, int]

MOST = 3  # spans per file
WINDOW = 6  # lines of a window
NOISE = 0.35  # score of a plain word of the memory that is also in the line
LARGEST = 20_000  # lines of the largest file that is searched

_PLAIN = re.compile(r"[A-Za-z]{4,}")


def anchors_in(content: bytes, file: Anchor, title: str, body: str) -> list[Anchor]:
    """Return a memory's anchors in a file: lines with their symbols, or the whole file."""
    if b"\0" in content:
        return [file]
    rows = content.decode("utf-8", "replace").split("\n")
    found = spans(rows, named_words(title, body, rows), f"{title} {body}")
    return [
        replace(file, lines=lines, symbol=symbol(rows, (lines[1], lines[1]))) for lines in found
    ] or [file]


def spans(rows: Sequence[str], words: Sequence[Word], text: str = "") -> list[Lines]:
    """Return the lines that a memory is about, the most certain first.

    `words` are the identifiers and literals that the memory names; the other words of `text` break
    ties. Without an identifier, no lines are found.
    """
    places = (
        {word: found for word in words if (found := _lines_with(rows, word))}
        if len(rows) <= LARGEST
        else {}
    )
    names = [word for word in places if not word.literal or _is_telling(word)]
    if not names:
        return []
    weights = {
        word: log(1 + len(rows) / len(found)) * (0.6 if word.literal else 1)
        for word, found in places.items()
    }
    scopes = _scopes(rows, names)
    plain = {found.lower() for found in _PLAIN.findall(text)}
    chosen: list[Lines] = []
    left = set(places)
    while len(chosen) < MOST and any(word in left for word in names):
        best = _best(rows, {word: places[word] for word in left}, weights, (scopes, plain))
        if best is None:
            break
        chosen.append(best)
        left -= {
            word for word in left if any(best[0] <= number <= best[1] for number in places[word])
        }
    return chosen


def symbol(rows: Sequence[str], lines: Lines) -> str | None:
    """Return the definition that contains some lines, as `Class.method`; None if there is none."""
    chain = [name for name, _ in enclosing(rows, lines[0])][:2]
    return ".".join(reversed(chain)) or None


def _is_telling(word: Word) -> bool:
    """Return whether a literal is distinctive enough to identify a line."""
    return word.verbatim or (len(word.text) >= 4 and not word.text.isalpha())


def _lines_with(rows: Sequence[str], word: Word) -> list[int]:
    return [number for number, row in enumerate(rows, 1) if occurs(word, row)]


def _scopes(rows: Sequence[str], names: Sequence[Word]) -> list[Lines]:
    """Return the lines of the definitions that a memory names."""
    return [
        extent(rows, head)
        for word in names
        if not word.literal
        for head in heads(rows, word.text)[:3]
    ]


def _best(
    rows: Sequence[str],
    places: Mapping[Word, Sequence[int]],
    weights: Mapping[Word, float],
    near: tuple[list[Lines], set[str]],
) -> Lines | None:
    """Return the window of lines with the best score, cut after the last line that scores."""
    scopes, plain = near
    at: dict[int, set[Word]] = {}
    for word, found in places.items():
        for number in found:
            at.setdefault(number, set()).add(word)
    best: tuple[float, Lines] | None = None
    for start in sorted(at):
        if all(word.literal and not _is_telling(word) for word in at[start]) and not any(
            a <= start <= b for a, b in scopes
        ):
            continue
        numbers = [number for number in range(start, start + WINDOW) if number in at]
        had: set[Word] = set()
        score, last = 0.0, start
        for number in numbers:
            if new := at[number] - had:
                had |= new
                score += sum(weights[word] for word in new) * (1 - 0.05 * (number - start))
                last = number
        inside = sum(a <= start <= b for a, b in scopes)
        shared = plain & {
            found.lower() for found in _PLAIN.findall(" ".join(rows[start - 1 : last]))
        }
        score += (
            min(inside, 2)
            + NOISE * min(len(shared), 4)
            - (0.5 if rows[start - 1].lstrip()[:1] in {"#", "*", "/"} else 0)
        )
        if best is None or score > best[0]:
            best = score, (start, last)
    return best[1] if best else None
