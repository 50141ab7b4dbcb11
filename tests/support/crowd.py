"""Many sessions of Claude Code: the sample that decides on a storage, told again about other things
by other names.
"""

import json
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

from support.world import CATALOG

SYLLABLES = (
    "ba",
    "do",
    "fi",
    "gu",
    "ke",
    "lo",
    "mi",
    "nu",
    "pa",
    "re",
    "si",
    "tu",
    "va",
    "wo",
    "xe",
    "zi",
)
# What the sample speaks of. The longer ones first: one stands in the other.
NAMED = (
    "product catalog", "price history", "PostgreSQL", "JSON file", "SQLite", "sqlite3", "catalog",
    "fixture", "writer", "writers",
    "TZ=UTC", "midnight", "conftest", "shop", "connection", "storage", "calendar", "zones",
    "transaction", "server",
)  # fmt: skip
FIRST = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
SPACING = timedelta(minutes=17)  # between the beginnings of two sessions
STARTED = datetime(2026, 2, 20, 9, 30, tzinfo=UTC)  # of the sample


def session_id(number: int) -> str:
    """Return the id of the n-th session."""
    return f"{number:08x}-1111-4000-8000-{number:012x}"


def leave(home: Path, cwd: Path, numbers: range) -> None:
    """Let Claude Code write these sessions, which ran in a folder."""
    folder = home / ".claude" / "projects" / "crowd"
    folder.mkdir(parents=True, exist_ok=True)
    sample = (
        files("git_lerim").joinpath("samples", "claude-catalog.jsonl").read_text(encoding="utf-8")
    )
    for number in numbers:
        (folder / f"{session_id(number)}.jsonl").write_text(
            _told(sample, number, str(cwd)), encoding="utf-8"
        )


def _told(sample: str, number: int, cwd: str) -> str:
    for place, name in enumerate(NAMED):
        sample = sample.replace(name, _invented(number, place))
    sample = sample.replace("@CWD@", json.dumps(cwd)[1:-1]).replace(CATALOG, session_id(number))
    sample = sample.replace('"00000000-0000-4000', f'"{number:08x}-0000-4000')
    lines = [json.loads(line) for line in sample.splitlines()]
    for line in lines:
        at = datetime.fromisoformat(line["timestamp"]) - STARTED + FIRST + number * SPACING
        line["timestamp"] = f"{at:%Y-%m-%dT%H:%M:%S}.000Z"
    return "".join(json.dumps(line) + "\n" for line in lines)


def _invented(number: int, place: int) -> str:
    """Return a name that nothing else has: no two sessions are about the same thing."""
    mixed = (number * len(NAMED) + place) * 40_503 % 65_536  # one to one below 65,536
    return "".join(SYLLABLES[mixed >> shift & 15] for shift in (12, 8, 4, 0))


def note(number: int) -> str:
    """Return what a person could want remembered, each time something else."""
    part, why = _invented(number, 0), _invented(number, 1)
    return f"The {part} of the bank is counted at {why}. It was tried otherwise and failed."
