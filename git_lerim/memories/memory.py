"""What a memory is: one decision or one learning, with where it comes from and what code it is about."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

TITLE_LIMIT = 120  # characters
BODY_LIMIT = 4000  # characters, a section `## Also recorded` not counted
FILE_LIMIT = 32 * 1024  # bytes


class Primitive(StrEnum):
    """The two forms of a memory, and the two other files of the same format."""

    DECISION = "decision"
    LEARNING = "learning"
    SUMMARY = "summary"
    HANDOFF = "handoff"


class Kind(StrEnum):
    """What sort of learning."""

    INSIGHT = "insight"
    PROCEDURE = "procedure"
    PITFALL = "pitfall"
    PREFERENCE = "preference"
    FACT = "fact"


class Status(StrEnum):
    """Where a memory stands; only an active one is handed to an agent."""

    ACTIVE = "active"
    SUSPECT = "suspect"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Source:
    """The session records that a memory rests on."""

    agent: str
    session: str
    part: str | None = None
    records: tuple[tuple[int, int], ...] = ()  # first and last record of each range, both included
    at: datetime | None = None  # of the last of the records, UTC, whole seconds
    commit: str | None = None  # full id of the commit that was HEAD


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Anchor:
    """The code a memory is about."""

    path: str  # relative to the repository's root, with `/`
    lines: tuple[int, int] | None = None
    symbol: str | None = None
    blob: str | None = None  # full object id of the file as it was
    commit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory as it stands in its file."""

    id: str
    primitive: Primitive
    kind: Kind | None = None
    title: str
    body: str
    status: Status = Status.ACTIVE
    created: datetime  # of the evidence, UTC, whole seconds
    updated: datetime  # equals `created` until a person or maintenance changes it
    last_accessed: str | None = None  # a day, YYYY-MM-DD
    confidence: float = 0.5  # 0 to 1, two decimals
    protected: bool = False
    suspect: str | None = None  # why it is kept from agents
    tags: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    supersedes: tuple[str, ...] = ()
    merged_from: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    unknown: dict[str, Any] = field(default_factory=dict)  # keys of a newer version, kept as they are

    @property
    def touched(self) -> bool:
        """Whether a person or maintenance changed it since it was extracted: a later sync then leaves it alone."""
        return self.updated != self.created or self.protected or self.status is Status.ARCHIVED

    def having(self, **changes: Any) -> "Memory":
        """Return a copy with some fields changed."""
        return replace(self, **changes)
