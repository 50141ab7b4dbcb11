"""An entry in the catalog of sessions, and what one reading of a source adds to it."""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from git_lerim.private_files import parse_json
from git_lerim.sessions.session import Header, Record


class State(StrEnum):
    """The state of a session's extraction."""

    WAITING = "waiting"  # to be extracted
    EXTRACTED = "extracted"  # gave memories, or a summary
    NOTHING = "nothing"  # was extracted, but nothing in it was worth keeping
    EMPTY = "empty"  # has no messages, or none outside ignored paths
    ELSEWHERE = "elsewhere"  # belongs to another repository
    OUTSIDE = "outside"  # ran in no repository: belongs to the personal store
    UNSCOPED = "unscoped"  # its folder is gone, and nothing else shows its repository
    FAILED = "failed"  # could not be extracted; after three tries it is left alone
    SKIPPED = "skipped"  # by the user


def shown_state(word: str) -> str:
    """Return a state as it is shown after a number of sessions: `2 without memories`."""
    return "without memories" if word == State.NOTHING else word


class Origin(NamedTuple):
    """Where records come from: a session or a part of it, and the source that contains it."""

    agent: str
    session: str
    part: str  # empty for the session's own records
    source: str  # path


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The records and counts that one reading of a source found for a session."""

    stored: int  # number of stored records, of any kind
    prompts: int
    started: int | None
    ended: int | None
    kept: tuple[Record, ...]  # records of this repository, compacted and redacted
    others: int = 0  # number of records that belong elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A session in the catalog, with its state and what is known about it."""

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
    generation: int  # grows whenever more of the session is read
    extracted: int  # the generation that was extracted last
    tried: int
    rules: int  # version of the extraction rules that extracted it last

    @property
    def name(self) -> str:
        """The session as `<agent>/<id>`, on one line even if the id contains line breaks."""
        return " ".join(f"{self.agent}/{self.id}".split())


def entry_in(row: sqlite3.Row) -> Entry | None:
    """Return the entry in a row of the table of sessions, or None if the row is damaged."""
    try:
        nested = {name: parse_json(row[name]) for name in ("header", "places")}
        return msgspec.convert({**dict(row), **nested}, Entry)
    except (TypeError, ValueError, RecursionError, msgspec.ValidationError):
        return None
