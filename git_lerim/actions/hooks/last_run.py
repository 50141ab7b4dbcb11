"""The record of the last run that a hook started."""

import contextlib
import json
from dataclasses import asdict, dataclass

from git_lerim import private_files
from git_lerim.workspace import Workspace

_RAN = "hook-ran"  # a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run that a hook started: its event, its time, its duration and its result."""

    event: str
    at: float  # when it began, in seconds since the epoch
    pid: int
    seconds: float | None = None  # None: not finished
    did: str = ""
    error: str = ""


def last(ws: Workspace) -> Ran | None:
    """Return the last run that a hook started, if any."""
    try:
        return Ran(**private_files.read_json(ws.folder / _RAN))
    except (OSError, ValueError, TypeError):
        return None


def save(ws: Workspace, ran: Ran) -> None:
    """Record a run; ignore a failure to write."""
    with contextlib.suppress(OSError):
        private_files.write(ws.folder / _RAN, json.dumps(asdict(ran)))
