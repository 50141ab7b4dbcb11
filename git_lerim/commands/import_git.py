"""`git lerim import git`: import memories from the repository's own history, using a model."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_lerim.actions.git_history.import_history import (
    Imported,
    Options,
    import_history,
    planned_cost,
    what,
)
from git_lerim.actions.listing import iso
from git_lerim.actions.models import model_spending
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import PARTLY_DONE, data, data_json, detail, is_quiet, say
from git_lerim.errors import NotARepository
from git_lerim.memories.memory import Status
from git_lerim.screen.progress import Progress
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_WAIT = 10  # seconds to wait for another run
_NAMES = {"+": "added", "~": "updated", "-": "superseded", "=": "unchanged"}


def import_git(*, since: str | None, paths: Sequence[str], dry_run: bool, as_json: bool) -> int:
    """Import memories from the repository's history, and print the result.

    Returns the command's exit code.
    """
    try:
        ws = opened()
    except NotARepository as error:  # its own hint would suggest --personal
        raise NotARepository(
            "import git needs a git repository, and this is not one", hint="run it in a repository"
        ) from error
    options = Options(since=since, paths=paths, dry_run=dry_run)
    if Path("git").exists():
        say(
            "reading this repository's history; to import the folder named git: git lerim import"
            " ./git"
        )
    progress = Progress(quiet=is_quiet())
    try:
        if dry_run:
            done = import_history(ws, options, progress, say)
        else:
            with ws.locked(_WAIT):
                done = import_history(ws, options, progress, say)
    finally:
        progress.close()
    if as_json:
        data_json(_as_json(ws, done, dry_run=dry_run))
    elif dry_run:
        _tell_plan(ws, done)
    else:
        _tell(ws, done)
    return PARTLY_DONE if done.failed else 0


def _tell_plan(ws: Workspace, done: Imported) -> None:
    for window, tokens in done.windows:
        data(f"{window.name}  about {tokens:,} tokens")
    for line in _left(done):
        say(line)
    if done.windows:
        price = planned_cost(ws, done)
        money = (
            f", about {model_spending.dollars(price)} plus the answers" if price is not None else ""
        )
        say(
            f"would send {what(done.windows)} to {ws.settings['model']}: about"
            f" {done.tokens:,} tokens{money}; nothing was sent"
        )


def _tell(ws: Workspace, done: Imported) -> None:
    for read in () if is_quiet() else done.read:
        for action in read.actions:
            if action.sign == "=":
                detail(f"= {action.memory.id}  {action.memory.title} ({action.reason})")
                continue
            aside = action.sign == "+" and action.memory.status is not Status.ACTIVE
            state = f"  ({action.memory.status})" if aside else ""
            data(f"{action.sign} {action.memory.id}  {action.memory.title}{state}")
            if aside or action.sign != "+":
                data(f"    {action.reason}")
        for dropped in read.dropped:
            detail(f"dropped: {dropped.text}\n    {read.window.name}: {dropped.reason}")
    for error in done.failed:
        say(f"warning: {error['session'] + ': ' if error['session'] else ''}{error['error']}")
    for line in _left(done):
        say(line)
    if done.windows:
        _tell_result(ws, done)


def _tell_result(ws: Workspace, done: Imported) -> None:
    report = done.report
    counts = Counter(_NAMES[action.sign] for read in done.read for action in read.actions)
    rest = ", ".join(f"{counts[name]} {name}" for name in ("updated", "superseded"))
    say(f"{counted(counts['added'], 'memory')} added, {rest}")
    price = f", ${report.cost_usd:.4f}" if report.cost_usd is not None else ""
    say(f"{ws.settings['model']}: {report.tokens_in:,} tokens in, {report.tokens_out:,} out{price}")
    if report.redactions:
        say(f"redacted {counted(report.redactions, 'secret')}")
    if report.commits:
        say(f"to undo this import: git lerim undo {done.run_id}")
    elif ws.in_tree and report.written:
        say(f"new files are in {ws.store_name}; git status shows them")


def _left(done: Imported) -> list[str]:
    """Return lines about commits and files that were not read, and about a shallow clone."""
    lines = []
    if not done.windows:
        day = f"{datetime.fromtimestamp(done.since, UTC):%Y-%m-%d}"
        lines.append(f"nothing new to read since {day}; to read further back, use --since")
    for noun, left in (("commit", done.commits_left), ("file", done.files_left)):
        if left:
            reasons = ", ".join(f"{count} {why}" for why, count in left.most_common())
            lines.append(f"skipped {counted(left.total(), noun)}: {reasons}")
    if done.is_shallow:
        lines.append(
            "older commits are missing from this shallow clone; to fetch them: git fetch"
            " --unshallow"
        )
    return lines


def _as_json(ws: Workspace, done: Imported, *, dry_run: bool) -> dict[str, Any]:
    report = done.report
    return {
        "run_id": done.run_id,
        "source": "git",
        "model": ws.settings["model"],
        "dry_run": dry_run,
        "requests": _requests_json(done),
        "tokens": done.tokens,
        **_actions_json(done),
        "left_out": [
            {"place": noun, "reason": why, "count": count}
            for noun, reasons in (("commits", done.commits_left), ("files", done.files_left))
            for why, count in reasons.most_common()
        ],
        "shallow": done.is_shallow,
        "failed": [{"place": one["session"], "reason": one["error"]} for one in done.failed],
        "redactions": report.redactions,
        "commits": report.commits,
        "tokens_in": report.tokens_in,
        "tokens_out": report.tokens_out,
        "cost_usd": planned_cost(ws, done) if dry_run else report.cost_usd,
    }


def _requests_json(done: Imported) -> list[dict[str, Any]]:
    return [
        {
            "name": window.name,
            "commits": window.units()[0],
            "files": window.units()[1],
            "tokens": tokens,
        }
        for window, tokens in done.windows
    ]


def _actions_json(done: Imported) -> dict[str, list[dict[str, Any]]]:
    """Group the memories by what was done with them (such as `added`), as JSON rows."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in _NAMES.values()}
    for read in done.read:
        for action in read.actions:
            found[_NAMES[action.sign]].append(
                {
                    "id": action.memory.id,
                    "primitive": action.memory.primitive,
                    "kind": action.memory.kind,
                    "title": action.memory.title,
                    "status": action.memory.status,
                    "created": iso(action.memory.created),
                    "reason": action.reason,
                }
            )
    return found
