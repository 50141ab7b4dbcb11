"""Readings of agents' sessions: of a file at once, and of a file that grows."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from git_lerim.agents.base import Agent, Bookmark, Reading, Source
from git_lerim.agents.stored import stamped
from git_lerim.sessions.session import Record, Role

Told = tuple[int, str, str]


def source(agent: Agent, path: Path) -> Source:
    """Return a file as a source, as `find` would."""
    found = stamped(agent.NAME, path)
    assert found
    return found


def read(agent: Agent, path: Path, bookmark: Bookmark | None = None) -> Reading:
    """Return the one reading that a file of one session gives."""
    (reading,) = agent.read(source(agent, path), bookmark)
    return reading


def told(records: Iterable[Record]) -> list[Told]:
    """Return records in brief: line, role, text."""
    return [(record.n, record.role.value, record.text) for record in records]


def prompts(records: Iterable[Record]) -> list[str]:
    """Return the human's words."""
    return [record.text for record in records if record.role is Role.PROMPT]


def growing(agent: Agent, path: Path, states: Iterable[bytes]) -> Iterator[Reading]:
    """Write one state of a file after the other, and yield what is read of each."""
    bookmark = None
    for state in states:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(state)
        reading = read(agent, path, bookmark)
        bookmark = reading.bookmark
        yield reading


def joined(readings: Iterable[Reading]) -> tuple[Record, ...]:
    """Return the records that stand after several readings."""
    records: tuple[Record, ...] = ()
    for reading in readings:
        records = reading.records if reading.restart else records + reading.records
    return records
