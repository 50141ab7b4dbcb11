"""A memory: one decision or learning, with its sources and the code it is about.

Each field is declared once, with its type, default and rules (`columns.py`); all else is derived
from that: files, merges, JSON, `diff` and `show`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from git_lerim.memories.feedback import FEEDBACK, Feedback
from git_lerim.memories.format.columns import Merge, Row, Rows, column, columns_of
from git_lerim.memories.format.forms import (
    BODY,
    ID,
    LINE,
    NAMES,
    OBJECT_ID,
    PATH,
    WORD,
    Maybe,
    Member,
)
from git_lerim.memories.format.quantities import DAY, FLAG, SHARE, SPAN, SPANS, TIME
from git_lerim.memories.format.shown import LINKS, PERSON
from git_lerim.memories.merging.compared import COMPARED, Compared
from git_lerim.tokens import span

TITLE_LIMIT = 120  # characters
BODY_LIMIT = 4000  # characters, a section `## Also recorded` not counted
FILE_LIMIT = 32 * 1024  # bytes
# The agent and session under which the repository's own commits and files are read. The source of a
# memory from them has this agent, and the id of a commit or the path of a file as its session.
HISTORY = ("git", "history")


class Primitive(StrEnum):
    """What a file in the format of a memory holds; only the first two are memories."""

    DECISION = "decision"
    LEARNING = "learning"
    SUMMARY = "summary"
    HANDOFF = "handoff"


class Kind(StrEnum):
    """The kinds of a learning, such as a pitfall or a preference."""

    INSIGHT = "insight"
    PROCEDURE = "procedure"
    PITFALL = "pitfall"
    PREFERENCE = "preference"
    FACT = "fact"


class Status(StrEnum):
    """Whether a memory is in use; only active ones are handed to agents."""

    ACTIVE = "active"
    SUSPECT = "suspect"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class Origin(StrEnum):
    """Where the words of a memory come from, from the strongest to the weakest in a merge."""

    HUMAN = "human"  # typed by a person, or quoted verbatim from one
    ANSWER = "answer"  # a person's answer to an agent's question
    AGENT = "agent"  # an agent wrote it down at work
    MODEL = "model"  # a model read the session
    REPAIR = "repair"  # rules found a failure and its repair
    RULES = "rules"  # rules found it in the agent's words
    IMPORT = "import"  # from a file that was imported


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Source:
    """The session records that a memory is based on."""

    agent: str = field(metadata=column(WORD))
    session: str = field(metadata=column(WORD))
    part: str | None = field(default=None, metadata=column(Maybe(WORD)))
    # first and last record of each range, both included
    records: tuple[tuple[int, int], ...] = field(default=(), metadata=column(SPANS))
    at: datetime | None = field(
        default=None, metadata=column(Maybe(TIME))
    )  # when the last of the records was written; UTC, whole seconds
    commit: str | None = field(
        default=None, metadata=column(Maybe(OBJECT_ID))
    )  # full id of the commit that was HEAD
    branch: str | None = field(default=None, metadata=column(Maybe(WORD)))  # then checked out
    patch: str | None = field(
        default=None, metadata=column(Maybe(OBJECT_ID))
    )  # `git patch-id --stable` of the commit

    @property
    def reading(self) -> tuple[str, str]:
        """The agent and id of what was read: a session, or the repository's whole history."""
        return HISTORY if self.agent == HISTORY[0] else (self.agent, self.session)

    @property
    def counts(self) -> str:
        """The unit that `records` counts: lines of a file, or records of a session."""
        return "lines" if self.agent in {HISTORY[0], "import"} else "records"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Anchor:
    """The code that a memory is about: a file, or some lines or a symbol of it."""

    path: str = field(metadata=column(PATH))  # relative to the repository's root, with `/`
    lines: tuple[int, int] | None = field(default=None, metadata=column(Maybe(SPAN)))
    symbol: str | None = field(default=None, metadata=column(Maybe(LINE)))
    blob: str | None = field(
        default=None, metadata=column(Maybe(OBJECT_ID))
    )  # full object id of the file when the anchor was made
    commit: str | None = field(default=None, metadata=column(Maybe(OBJECT_ID)))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Edited:
    """The person who last changed a memory's text, and the time."""

    by: str = field(metadata=column(PERSON))  # their git identity, `Name <mail>`
    at: datetime = field(metadata=column(TIME))


def _source_words(source: Source) -> str:
    name = f"{source.agent}/{source.session}"
    return " ".join(
        filter(
            None,
            (
                name,
                source.part,
                *map(span, source.records),
                source.branch and f"on {source.branch}",
            ),
        )
    )


def _anchor_words(anchor: Anchor) -> str:
    lines = f":{span(anchor.lines)}" if anchor.lines else ""
    symbol = f" ({anchor.symbol})" if anchor.symbol else ""
    return f"{anchor.path}{lines}{symbol} {(anchor.blob or '')[:7]}".strip()


def _edited_words(edited: Edited) -> str:
    return f"{PERSON.shown(edited.by)}, {TIME.json(edited.at)}"


SOURCES = Rows(Row(Source, first="at", words=_source_words))
ANCHORS = Rows(
    Row(Anchor, words=_anchor_words), without_secrets=True
)  # a path with a redaction is no longer the path of a file


def _origin(before: Mapping[str, Any]) -> Origin:
    """Return the origin for a file that names none: human if it has no sources, else rules."""
    return Origin.RULES if before["sources"] else Origin.HUMAN


def _created(before: Mapping[str, Any]) -> datetime:
    created: datetime = before["created"]
    return created


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, with its fields in the order of the file."""

    id: str = field(metadata=column(ID, compared=False, label=""))
    primitive: Primitive = field(
        metadata=column(Member(Primitive), Merge.TEXT, compared=False, label="")
    )
    kind: Kind | None = field(
        default=None, metadata=column(Maybe(Member(Kind)), Merge.TEXT, label="")
    )
    title: str = field(metadata=column(LINE, Merge.TEXT, label=""))
    body: str = field(metadata=column(BODY, Merge.TEXT, compared=False, in_head=False, label=""))
    status: Status = field(
        default=Status.ACTIVE, metadata=column(Member(Status), Merge.STATE, label="")
    )
    created: datetime = field(
        metadata=column(TIME, Merge.FIRST, compared=False, label="")
    )  # when the evidence was written
    # when anybody last changed the memory; at first equal to `created`
    updated: datetime = field(
        metadata=column(TIME, Merge.CHANGED, missing=_created, compared=False, label="")
    )
    last_accessed: str | None = field(
        default=None, metadata=column(Maybe(DAY), Merge.LAST, label="")
    )  # YYYY-MM-DD
    # how often readers found memories of its origin true; 0: its own session withdrew it
    confidence: float = field(default=0.5, metadata=column(SHARE, Merge.CONFIDENCE, label=""))
    # which share of maintainers would keep it, as the model that wrote it estimates: the best come
    # first where memories are handed out
    worth: float | None = field(
        default=None, metadata=column(Maybe(SHARE), Merge.TEXT, sparse=True, compared=False)
    )
    origin: Origin = field(
        default=Origin.RULES, metadata=column(Member(Origin), Merge.TEXT, missing=_origin, label="")
    )
    # set if a person changed the text: from then on only a person may change it
    edited: Edited | None = field(
        default=None, metadata=column(Maybe(Row(Edited, words=_edited_words)), Merge.TEXT, label="")
    )
    protected: bool = field(default=False, metadata=column(FLAG, Merge.EITHER, label=""))
    suspect: str | None = field(
        default=None, metadata=column(Maybe(LINE), Merge.STATE, label="")
    )  # why it is withheld from agents
    tags: tuple[str, ...] = field(default=(), metadata=column(NAMES, Merge.TAGS))
    sources: tuple[Source, ...] = field(
        default=(), metadata=column(SOURCES, Merge.SOURCES, label="")
    )
    anchors: tuple[Anchor, ...] = field(
        default=(), metadata=column(ANCHORS, Merge.ANCHORS, label="")
    )
    supersedes: tuple[str, ...] = field(
        default=(), metadata=column(LINKS, Merge.LINKS, label="instead of")
    )
    merged_from: tuple[str, ...] = field(
        default=(), metadata=column(LINKS, Merge.LINKS, label="merged")
    )
    related: tuple[str, ...] = field(default=(), metadata=column(LINKS, Merge.LINKS, label="see"))
    # a model's verdicts on this memory and others from other sessions; syncs derive `status`,
    # `supersedes` and `related` from them
    compared: tuple[Compared, ...] = field(
        default=(), metadata=column(COMPARED, Merge.LINKS, sparse=True)
    )
    feedback: tuple[Feedback, ...] = field(
        default=(), metadata=column(FEEDBACK, Merge.FEEDBACK, label="said")
    )
    unknown: Mapping[str, Any] = field(
        default_factory=dict
    )  # keys of a newer version, kept as they are

    @property
    def text(self) -> tuple[object, ...]:
        """What the memory says, as readers see it."""
        return self.title, self.body, self.kind, self.tags

    @property
    def touched(self) -> bool:
        """Whether syncs leave the memory alone: it is edited by a person, protected or archived."""
        return self.edited is not None or self.protected or self.status is Status.ARCHIVED

    @property
    def branch(self) -> str | None:
        """The branch of the memory's latest source."""
        return next((source.branch for source in reversed(self.sources) if source.branch), None)

    @property
    def has_lines(self) -> bool:
        """Whether it is known which lines of code the memory is about."""
        return any(anchor.lines for anchor in self.anchors)

    def having(self, **changes: Any) -> "Memory":
        """Return a copy with some fields changed."""
        return replace(self, **changes)


COLUMNS = columns_of(Memory)
HEAD = tuple(each for each in COLUMNS if each.in_head)
