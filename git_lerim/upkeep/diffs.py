"""What changed between two versions of a file: git's diff, parsed by unidiff, and lines of old followed through it. Pure."""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change, without context: these lines of the old file became those of the new one."""

    old: Lines  # first and number
    new: Lines
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The change as git prints it."""
        head = f"@@ -{self.old[0]},{self.old[1]} +{self.new[0]},{self.new[1]} @@"
        return "\n".join([head, *(f"-{row}" for row in self.removed), *(f"+{row}" for row in self.added)])


@dataclass(frozen=True, slots=True)
class FileDiff:
    """How one file changed, and what it was and is called."""

    source: str
    target: str
    hunks: tuple[Hunk, ...] = field(default=())


def parsed(diff: str) -> Iterator[FileDiff]:
    """Yield what a `git diff -U0` says of each file; a file that cannot be parsed is left out."""
    for one in _files(diff):
        try:
            patches = PatchSet(io.StringIO(one, newline="\n"))
        except UnidiffParseError:
            continue
        for patch in patches:
            yield FileDiff(_name(patch.source_file), _name(patch.target_file), tuple(map(_hunk, patch)))


def _files(diff: str) -> Iterator[str]:
    """Yield the part of each file, so that one of odd bytes spoils no other."""
    start = 0 if diff.startswith("diff --git ") else -1
    while start >= 0:
        end = diff.find("\ndiff --git ", start)
        yield diff[start : end + 1] if end >= 0 else diff[start:]
        start = end + 1 if end >= 0 else -1


def _name(given: str) -> str:
    return given.removeprefix("a/").removeprefix("b/")


def _hunk(hunk: Iterable[object]) -> Hunk:
    source = getattr(hunk, "source_start"), getattr(hunk, "source_length")  # noqa: B009 unidiff has no types
    target = getattr(hunk, "target_start"), getattr(hunk, "target_length")  # noqa: B009
    removed = tuple(_row(line) for line in hunk if getattr(line, "is_removed", False))
    added = tuple(_row(line) for line in hunk if getattr(line, "is_added", False))
    return Hunk(source, target, removed, added)


def _row(line: object) -> str:
    return str(getattr(line, "value", "")).rstrip("\n")


def touching(hunks: Iterable[Hunk], lines: Lines) -> list[Hunk]:
    """Return the hunks that removed any of some lines."""
    return [hunk for hunk in hunks if hunk.old[1] and hunk.old[0] <= lines[1] and hunk.old[0] + hunk.old[1] > lines[0]]


def followed(hunks: Iterable[Hunk], lines: Lines) -> Lines:
    """Return where some lines stand in the new file; where they were edited, with what came in their place."""
    ordered = sorted(hunks, key=lambda hunk: hunk.old)
    return _at(ordered, lines[0], first=True), max(_at(ordered, lines[1], first=False), _at(ordered, lines[0], first=True))


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
    """Return diffs by what their files were called."""
    return {diff.source: diff for diff in diffs}
