"""The interface of an agent module: find its stores, list their sources, read what is new."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from git_lerim.sessions.session import Header, Record


@dataclass(frozen=True, slots=True)
class Places:
    """The environment in which to look for sessions: home folder, variables and platform.

    The platform is `linux`, `darwin` or `win32`.
    """

    home: Path
    env: Mapping[str, str]
    platform: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file or database of an agent, with a stamp that changes whenever the content does."""

    agent: str
    path: Path
    stamp: tuple[int, ...]  # sizes, mtimes in ns and inodes, including a database's -wal
    modified: int  # milliseconds since the epoch: nothing in it is newer than this
    size: int


class Bookmark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a source was read, and the state its reader needs to continue from there."""

    offset: int = 0  # bytes; the next read begins here
    line: int = 0  # lines read so far
    head: str = ""  # SHA-256 of the first `head_size` bytes (at most 4 KiB)
    head_size: int = 0
    state: dict[str, Any] = {}  # kept by the agent's reader; JSON values only


def bookmark_in(saved: bytes | None) -> Bookmark | None:
    """Return a saved bookmark, or None if it is missing or damaged: then read from the start."""
    try:
        return msgspec.json.decode(saved, type=Bookmark) if saved else None
    except (TypeError, ValueError, RecursionError, msgspec.DecodeError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The records that one reading of a source found for one session."""

    session: str  # the agent's session id; for a sub-agent's file, the id of the parent session
    part: str | None = None  # name of a sub-agent's file; also set in its records
    header: Header = field(default_factory=Header)
    records: tuple[Record, ...] = ()
    restart: bool = False  # the records replace all earlier ones of this session (and part)
    stored: int = 0  # number of stored records read, of any kind
    warnings: tuple[str, ...] = ()  # what could not be read, and where
    # where the next read begins; set on a source's last reading only
    bookmark: Bookmark | None = None


class Agent(Protocol):
    """The interface of a module that reads one agent's sessions."""

    NAME: str

    def roots(self, places: Places) -> list[Path]:
        """Return the folders (or files) where the agent keeps sessions, existing or not."""
        ...

    def find(self, root: Path) -> Iterator[Source]:
        """Yield the sources below a root without opening any of them.

        Loops of symbolic links do no harm.
        """
        ...

    def read(self, source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
        """Yield what is new since the bookmark; the last reading contains the next bookmark.

        A source without a session yields one reading with `session=""` and a bookmark. Raises
        Unreadable if the source cannot be opened at all.
        """
        ...
