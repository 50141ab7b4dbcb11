"""An entry of the catalog of sessions, and what is read into it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from git_lerim.sessions.session import Header, Record


class State(StrEnum):
    """The state of a session's extraction."""

    WAITING = "waiting"  # to be extracted
    EXTRACTED = "extracted"  # gave memories, or a summary
    NOTHING = "nothing"  # has no signal: nothing is kept of it
    EMPTY = "empty"  # nobody said anything in it
    ELSEWHERE = "elsewhere"  # belongs to another repository
    OUTSIDE = "outside"  # ran in no repository: the personal store's
    UNSCOPED = "unscoped"  # its folder is gone, and nothing else says whose it is
    FAILED = "failed"  # could not be extracted; rests after three tries
    SKIPPED = "skipped"  # by the user


class Origin(NamedTuple):
    """A session, or a part of one, in a source."""

    agent: str
    session: str
    part: str  # empty for the session's own records
    source: str  # path


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The result of reading a source."""

    stored: int  # stored records, of whatever kind
    prompts: int
    started: int | None
    ended: int | None
    kept: tuple[Record, ...]  # those that belong here, compacted and redacted
    others: int = 0  # records that do not belong here


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A session in the catalog."""

    agent: str
    id: str
    header: Header
    started: int | None  # milliseconds since the epoch
    ended: int | None
    stored: int  # stored records read
    prompts: int  # prompts of the human
    kept: int  # compacted records that belong to this repository
    places: tuple[str, ...]  # the folders it ran in
    state: State
    reason: str
    generation: int  # grows with everything read of it
    extracted: int  # the generation that was extracted last
    tried: int
    rules: int  # version of the extraction rules that extracted it last

    @property
    def name(self) -> str:
        """`<agent>/<session id>`, in one line whatever the agent stored."""
        return " ".join(f"{self.agent}/{self.id}".split())
