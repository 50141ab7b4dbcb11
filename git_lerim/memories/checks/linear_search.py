"""Search for words that follow each other at any distance, in time linear in the text.

A regular expression such as `push[^;]*before[^;]*review` tries each `push` with each `before`, so
a hostile text can make it arbitrarily slow. Here its pieces are searched one after the other, each
from where the piece before it ended.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_GAP = re.compile(r"(\.|\[\^[^\]]+\])\*\??")


class Search:
    """A regular expression whose gaps (`.*`, `[^;]*`) outside of groups are searched linearly."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Compile the alternatives of a pattern; those without gaps form one regular expression."""
        self.pattern = pattern
        alternatives = list(_split(pattern))
        plain = "|".join(pieces[0] for pieces, _ in alternatives if len(pieces) == 1)
        self._plain = re.compile(plain, flags) if plain else None
        self._chains = tuple(
            _Chain(tuple(re.compile(piece, flags) for piece in pieces), tuple(ends))
            for pieces, ends in alternatives
            if len(pieces) > 1
        )

    def search(self, text: str) -> bool:
        """Return whether the expression matches anywhere in a text."""
        return (self._plain is not None and self._plain.search(text) is not None) or any(
            chain.matches(text) for chain in self._chains
        )


@dataclass(frozen=True)
class _Chain:
    pieces: tuple[re.Pattern[str], ...]
    ends: tuple[str, ...]  # for each gap, the characters that it must not contain

    def matches(self, text: str) -> bool:
        start = 0
        while start <= len(text):
            if (again := self._again(text, start)) is None:
                return True
            start = again
        return False

    def _again(self, text: str, start: int) -> int | None:
        """Return None if all pieces match after `start`, or else where to search next.

        A position past the end of the text means that there is no match.
        """
        end = start
        for n, piece in enumerate(self.pieces):
            found = piece.search(text, end)
            if found is None:
                return len(text) + 1
            crossed = (
                max(text.rfind(each, end, found.start()) for each in self.ends[n - 1]) if n else -1
            )
            if crossed >= 0:
                return max(crossed, start + 1)
            end = found.end()
        return None


def _split(pattern: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the pieces of each alternative, and the characters that each gap must not contain."""
    pieces, ends, depth, at = [""], [], 0, 0
    while at < len(pattern):
        gap = _GAP.match(pattern, at) if depth == 0 else None
        if gap and pieces[-1]:
            pieces.append("")
            ends.append("\n" if gap[1] == "." else gap[1][2:-1].replace(r"\n", "\n"))
            at = gap.end()
            continue
        part = _TOKEN.match(pattern, at)[0]  # type: ignore[index]  # every character matches
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "|" and depth == 0:
            yield pieces, ends
            pieces, ends = [""], []
        else:
            pieces[-1] += part
        at += len(part)
    yield pieces, ends
