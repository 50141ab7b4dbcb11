"""What the last runs left: lines of the activity log, and the artifacts of one run."""

import json
from typing import Any

from git_lerim.errors import UsageError
from git_lerim.workspace import Workspace


def activity(ws: Workspace, limit: int) -> list[str]:
    """Return the last lines of the activity log, oldest first."""
    try:
        text = (ws.folder / "activity.log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()[-limit:]


def run_artifacts(ws: Workspace, name: str) -> dict[str, Any]:
    """Return what one run decided and reported. Raises UsageError where there is no such run, or more than one."""
    runs = sorted(path for path in (ws.folder / "runs").glob("*") if path.name.startswith(name) or path.name.endswith(name))
    if len(runs) != 1:
        raise UsageError(f"{len(runs) or 'no'} runs are called {name!r}", hint="git lerim logs lists the runs")
    return {part: json.loads((runs[0] / f"{part}.json").read_text(encoding="utf-8")) for part in ("report", "actions")}
