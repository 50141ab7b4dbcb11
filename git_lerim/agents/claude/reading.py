"""Where Claude Code keeps its sessions, and how to read a session file.

A bookmark stores no session text, only what the next reading needs, such as the ids of the last
records and of pending tool calls. When a new prompt replaces one that was already read, the whole
file is read again, and its records replace those of earlier readings.
"""

from collections.abc import Iterator
from pathlib import Path

from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.claude.transcript import Transcript
from git_lerim.agents.lines import Lines, sources

NAME = "claude"
_NO_SESSIONS = {"history.jsonl", "journal.jsonl"}
_HOUSEKEEPING = tuple(
    f'{{"type":"{kind}'.encode()
    for kind in (
        "api-request",
        "file-history-",
        'last-prompt"',
        'queue-operation"',
        'tools-used"',
        'cost-state"',
        'atis-latch"',
        'mode"',
    )
)


def roots(places: Places) -> list[Path]:
    """Return the folder in CLAUDE_CONFIG_DIR, or else the two default folders of Claude Code."""
    named = places.env.get("CLAUDE_CONFIG_DIR")
    return [Path(named)] if named else [places.home / ".claude", places.home / ".config" / "claude"]


def find(root: Path) -> Iterator[Source]:
    """Yield the transcripts below a folder, or below its `projects` if it has one."""
    projects = root / "projects"
    below = projects if projects.is_dir() else root
    return sources(NAME, below, lambda name: name.endswith(".jsonl") and name not in _NO_SESSIONS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a transcript since the bookmark.

    If new lines change what was read before, the whole transcript is read again.
    """
    lines = Lines(source.path, bookmark, skip=_skipped)
    helper = source.path.name.startswith("agent-")
    transcript = Transcript(lines.state, helper=helper)
    transcript.take(lines)
    again = transcript.replaced
    if again:
        lines = Lines(source.path, skip=_skipped)
        transcript = Transcript({}, helper=helper)
        transcript.take(lines)
    session, part = transcript.whose(source.path)
    yield Reading(
        session=session,
        part=part,
        header=transcript.header(),
        records=transcript.records(part),
        restart=lines.restart or again,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark(transcript.state()),
    )


def _skipped(line: bytes) -> bool:
    """Return whether a line is a housekeeping record, which has no conversation."""
    return line.startswith(_HOUSEKEEPING)
