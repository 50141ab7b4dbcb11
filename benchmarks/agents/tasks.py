"""The tasks of the agent benchmark: what was said earlier, what is wanted later, what a grader
looks at.

One TOML file holds one task; `FORMAT.md` beside this file describes it for whoever writes tasks.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec


class _Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A table of the file."""


class Turn(_Part, omit_defaults=True):
    """One thing said or done in a session: by the user, by the agent, a command it ran, or an edit
    it made.
    """

    user: str = ""
    agent: str = ""
    command: str = ""
    output: str = ""
    exit: int = 0
    edit: str = ""
    old: str = ""
    new: str = ""

    def __post_init__(self) -> None:
        given = [name for name in ("user", "agent", "command", "edit") if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(
                "a turn has one of user, agent, command and edit; this has"
                f" {' and '.join(given) or 'none'}"
            )
        beside = {"command": {"output", "exit"}, "edit": {"old", "new"}}.get(given[0], set())
        if (
            strange := {name for name in ("output", "exit", "old", "new") if getattr(self, name)}
            - beside
        ):
            raise ValueError(f"{', '.join(sorted(strange))} does not belong to {given[0]}")


class Session(_Part):
    """An earlier session."""

    date: datetime
    turns: list[Turn]


class Work(_Part):
    """What is wanted in the new session."""

    date: datetime
    prompt: str
    reply: str  # to any question
    open: list[str] = []  # files on the screen when it begins: PATH or PATH:FIRST-LAST


class Grading(_Part):
    """What a grader looks at."""

    kind: Literal["trap", "wish", "decision"]
    lesson: str
    solved: str
    mistake: str
    asked: str


class Task(_Part):
    """One task."""

    repository: str
    commit: str
    sessions: list[Session]
    task: Work
    grading: Grading


def loaded(folder: Path) -> dict[str, Task]:
    """Return the tasks of a folder by the names of their files. Exits with a sentence for each file
    that is wrong.
    """
    found, wrong = {}, []
    for path in sorted(folder.glob("*.toml")):
        try:
            found[path.stem] = task = msgspec.toml.decode(path.read_bytes(), type=Task)
            wrong += [f"{path.name}: {problem}" for problem in _problems(task)]
        except msgspec.DecodeError as error:
            wrong.append(f"{path.name}: {error}")
    if wrong or not found:
        raise SystemExit("\n".join(wrong) or f"no task in {folder}")
    return found


def span(opened: str) -> tuple[str, int, int]:
    """Return the path, first and last line that an entry of `open` names; the last is 0 for the
    whole file.
    """
    path, _, lines = opened.partition(":")
    first, _, last = lines.partition("-")
    return path, int(first or 1), int(last or 0)


def utc(moment: datetime) -> datetime:
    """Return a moment in UTC; one without a zone is taken for UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _problems(task: Task) -> list[str]:
    dates = [utc(session.date) for session in task.sessions]
    checks = {
        "no earlier session": not task.sessions,
        "sessions are not in the order of their dates": dates != sorted(dates),
        "a session is not earlier than the task": any(
            date >= utc(task.task.date) for date in dates
        ),
        "a session without a word of the user": any(
            not any(turn.user for turn in each.turns) for each in task.sessions
        ),
        "commit is not a full id": len(task.commit) not in {40, 64},
    }
    return [problem for problem, holds in checks.items() if holds]
