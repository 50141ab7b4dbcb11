"""Parse git's diffs, and follow lines through them. Pure functions."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

Lines = tuple[int, int]

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*$", re.MULTILINE)
_NAMES = re.compile(
    r"^(?:--- (.+?)\t?\n\+\+\+ (.+?)\t?$|rename from (.+)\nrename to (.+)$)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Hunk:
    """A change without context: lines of the old file replaced by lines of the new one."""

    old: Lines  # first line and number of lines
    new: Lines
    text: str = ""  # as git prints it

    @property
    def removed(self) -> tuple[str, ...]:
        """The removed lines."""
        return tuple(_row(line) for line in self._lines() if getattr(line, "is_removed", False))

    def _lines(self) -> Iterator[object]:
        """Yield the lines of the hunk, parsed only on demand, since parsing is slow."""
        try:
            patches = PatchSet(io.StringIO(f"--- a/x\n+++ b/x\n{self.text}\n", newline="\n"))
        except UnidiffParseError:
            return
        yield from (line for patch in patches for hunk in patch for line in hunk)


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The changes to one file, with its old and new name."""

    source: str
    target: str
    hunks: tuple[Hunk, ...] = field(default=())


def parse(diff: str) -> Iterator[FileDiff]:
    """Yield the diff of each text file in the output of `git diff -U0`."""
    for one in re.split(r"^diff --git .*\n", diff, flags=re.MULTILINE)[1:]:
        starts = list(_HUNK.finditer(one))
        names = _NAMES.search(one, 0, starts[0].start() if starts else len(one))
        if names:
            ends = [*(match.start() for match in starts[1:]), len(one)]
            hunks = tuple(
                _hunk(match, one[match.start() : end])
                for match, end in zip(starts, ends, strict=False)
            )
            yield FileDiff(_name(names[3] or names[1]), _name(names[4] or names[2]), hunks)


def _name(given: str) -> str:
    return given.removeprefix("a/").removeprefix("b/")


def _hunk(match: re.Match[str], text: str) -> Hunk:
    old, new = (int(match[1]), int(match[2] or 1)), (int(match[3]), int(match[4] or 1))
    return Hunk(old, new, text.removesuffix("\n"))


def _row(line: object) -> str:
    return str(getattr(line, "value", "")).rstrip("\n")


def touching(hunks: Iterable[Hunk], lines: Lines) -> list[Hunk]:
    """Return the hunks that removed any of these lines."""
    return [
        hunk
        for hunk in hunks
        if hunk.old[1] and hunk.old[0] <= lines[1] and hunk.old[0] + hunk.old[1] > lines[0]
    ]


def follow(hunks: Iterable[Hunk], lines: Lines) -> Lines:
    """Return where lines are in the new file; edited lines map to what replaced them."""
    ordered = sorted(hunks, key=lambda hunk: hunk.old)
    return _at(ordered, lines[0], first=True), max(
        _at(ordered, lines[1], first=False), _at(ordered, lines[0], first=True)
    )


def _at(hunks: Iterable[Hunk], number: int, *, first: bool) -> int:
    shift = 0
    for hunk in hunks:
        begin, length = hunk.old
        if (begin if length else begin + 1) > number:
            break
        if length and begin <= number < begin + length:
            return max(hunk.new[0] if first else hunk.new[0] + max(hunk.new[1] - 1, 0), 1)
        shift += hunk.new[1] - length
    return max(number + shift, 1)


def by_source(diffs: Iterable[FileDiff]) -> Mapping[str, FileDiff]:
    """Map the old name of each file to its diff."""
    return {diff.source: diff for diff in diffs}
