"""Limit what a background sync, started by a hook or a timer, may ask a model.

It may ask only if the user allowed it, only about sessions that ended or are idle and have doubled
in size since a model last read them, and only up to a number of tokens a day.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from git_lerim import private_files
from git_lerim.actions.sync.sync_options import Options
from git_lerim.guarded import A_DAY
from git_lerim.sessions.entry import Entry
from git_lerim.workspace import Workspace

NAME = "model-spent.json"
IDLE = 600_000  # milliseconds without activity after which a session counts as ended


def limit_background(ws: Workspace, options: Options) -> Options:
    """Return a run's options, changed to only queue sessions if the run may not ask its model.

    A run in the background may ask a model only if `lerim.modelInBackground` is set.
    """
    if (
        options.background
        and options.model
        and ws.settings["model"]
        and not ws.settings["modelInBackground"]
    ):
        return replace(options, extract=False)
    return options


def ready_sessions(ws: Workspace, entries: Iterable[Entry], *, ended: str | None) -> list[Entry]:
    """Return the sessions to ask about now: idle ones, and the one that just ended.

    `ended` is the beginning of the id of the session that just ended.
    """
    now = ws.now.timestamp() * 1000
    return [
        entry
        for entry in entries
        if (ended and entry.id.startswith(ended)) or now - (entry.ended or 0) >= IDLE
    ]


def left_today(ws: Workspace) -> int:
    """Return how many tokens background runs may still spend today."""
    budget = ws.settings["budgetTokens"] or A_DAY
    return max(0, int(budget) - _spent(ws))


def note_spent(ws: Workspace, tokens: int) -> None:
    """Add a background run's tokens to today's total."""
    if tokens <= 0:
        return
    spent = {"day": _day(ws.now), "tokens": _spent(ws) + tokens}
    with suppress(OSError):
        private_files.replace(ws.folder / NAME, json.dumps(spent))


def _spent(ws: Workspace) -> int:
    try:
        kept = private_files.read_json(ws.folder / NAME)
        return max(0, int(kept["tokens"])) if kept["day"] == _day(ws.now) else 0
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _day(now: datetime) -> str:
    return f"{now.astimezone():%Y-%m-%d}"
