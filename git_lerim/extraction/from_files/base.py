"""The result types of a file reader: possible memories, and what was left out and why."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from git_lerim.memories.memory import Kind, Memory, Primitive, Source, Status


class Form(StrEnum):
    """The file formats that can be imported."""

    LERIM = "lerim"
    ADR = "adr"
    RULES = "rules"
    NOTES = "notes"
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to import, with its text."""

    name: str  # the path that memories cite: relative to the repository, else to the source
    path: str  # relative to the source, with `/`
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A possible memory, read from a file."""

    file: str  # the name of the file
    origin: str  # stable identity, even if all else changes
    primitive: Primitive
    kind: Kind | None = None
    title: str
    body: str
    status: Status = Status.ACTIVE
    created: datetime | None = None  # None if the file does not say
    changed: datetime | None = None
    confidence: float = 0.9  # a person's word, as with `remember`
    tags: tuple[str, ...] = ()
    records: tuple[tuple[int, int], ...] = ()  # line ranges of the file
    sources: tuple[Source, ...] = ()  # besides the file itself
    supersedes: tuple[str, ...] = ()  # origins of other drafts
    related: tuple[str, ...] = ()
    repeats: bool = False  # whether to skip it if another memory says the same


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A file, or a part of one, that did not become a memory, and why."""

    place: str  # a file, with `:LINE` if known
    reason: str
    failed: bool = False  # whether it could not be read
    skipped: bool = False  # whether it was not searched for memories


@dataclass(slots=True)
class Reading:
    """The result of reading files to import: possible memories, and what was left out."""

    found: list[Draft] = field(default_factory=list)
    # memories that git-lerim wrote, with their paths
    whole: list[tuple[str, Memory]] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)

    def leave(
        self, place: str, reason: str, *, failed: bool = False, skipped: bool = False
    ) -> None:
        """Record that the text at `place` was left out, with the reason."""
        self.left.append(LeftOut(place=place, reason=reason, failed=failed, skipped=skipped))


class Reader(Protocol):
    """Interface of a reader for one file format."""

    def read(self, files: Sequence[File], into: Reading) -> None:
        """Read files, which are sorted by name, and add what they contain to `into`.

        Unreadable files are recorded as left out and failed.
        """
        ...
