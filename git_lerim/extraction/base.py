"""The result types of an extractor: candidates, each with its evidence."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.sessions.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Records cited from one file of a session: its main file (`part` is None) or a sub-agent's."""

    part: str | None = None
    records: tuple[tuple[int, int], ...]


def evidence_of(numbers: Iterable[int]) -> tuple[Evidence, ...]:
    """Convert record numbers in a session's main file to evidence, combining them into ranges."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if ranges and number - ranges[-1][1] <= 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return (Evidence(records=tuple(ranges)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A possible memory that an extractor found in a session, with its evidence."""

    primitive: Primitive
    kind: Kind | None = None
    title: str
    body: str
    confidence: float  # the extractor's estimate; a stored memory gets that of its origin instead
    worth: float | None = None  # the share of maintainers who would keep it, as a model estimates
    provenance: Origin = Origin.RULES  # origin of the memory: whose words it is
    tags: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...]
    # uuid of the first evidence record, else `<session id>#<n>`, with a part before `#` if any
    origin: str
    # position of the candidate in that record, derived from the record alone; "" for the first
    place: str = ""
    at: int  # milliseconds since the epoch, of the last evidence record that has a time
    commit: str | None = None  # HEAD at that time, if known
    # as named in the session: absolute, or relative to the record's cwd
    files: tuple[str, ...] = ()
    suspect: str | None = None  # why agents must not see it
    ident: str | None = None  # id of the memory, if known; a restated memory keeps its id


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A possible memory that an extractor rejected, with the reason, for a user who asks why."""

    text: str  # a title or a quote
    reason: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The summary of a session: what the user intended, and the outcome."""

    intent: str
    outcome: str
    origin: Origin = Origin.RULES
    suspect: str | None = None  # why agents must not see it


class Extractor(Protocol):
    """Interface of an extractor, which finds possible memories in a session."""

    def extract(self, session: Session) -> Sequence[Candidate | Dropped]:
        """Return the memory candidates of a session, in the order of their evidence.

        The result is deterministic. It may also contain rejected candidates, each with the reason.
        """
        ...

    def summarise(self, session: Session) -> Brief | None:
        """Return the session's summary, or None if there is nothing to say."""
        ...


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    """The whole result of extraction from one session; it can be serialized."""

    candidates: tuple[Candidate, ...]
    brief: Brief | None
    dropped: tuple[Dropped, ...] = ()
    seconds: float = 0.0  # time taken
    rules: int = 0  # version of the rules; 0 if a model read the session
    model: str = ""  # the name of the model
    prompt: int = 0  # version of the model's prompt
    # ids of stored memories that the model withdrew; all others stay
    withdrawn: tuple[str, ...] = ()
    has_stored: bool = False  # whether active memories of the session are stored
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0


def extracted(extractor: Extractor, session: Session) -> Extracted:
    """Run an extractor on a session, and return its results with the time taken."""
    began = time.monotonic()
    found, brief = extractor.extract(session), extractor.summarise(session)
    return Extracted(
        candidates=tuple(one for one in found if isinstance(one, Candidate)),
        dropped=tuple(one for one in found if isinstance(one, Dropped)),
        brief=brief,
        seconds=time.monotonic() - began,
        rules=RULES_VERSION,
    )
