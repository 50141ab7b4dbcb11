"""The outcome of a sync, how it is logged, and how it is cached."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from git_lerim.actions import logs
from git_lerim.actions.intake.discover import Discovery
from git_lerim.actions.intake.unscoped import Unscoped
from git_lerim.actions.sync import noop_cache
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.sync.sync_report import Report
from git_lerim.git import gitconfig
from git_lerim.sessions import queue
from git_lerim.sessions.entry import Entry
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.intake.extract import SessionResult
    from git_lerim.actions.sync.triage import Ask
    from git_lerim.actions.sync.upgrade import AskKeep, Upgrade


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The report of a sync, with further facts for the messages to the user."""

    report: Report
    found: Discovery
    upgrade: "Upgrade | None"  # of outdated sessions, if any
    decided: "list[SessionResult]"  # per session, what was done or would be
    waiting: int  # sessions in the window that are still queued
    older: int  # queued sessions from before the window
    by_triage: bool  # whether queued sessions wait for triage by the user
    note: str  # why the requested session was not extracted, or ""
    unscoped: Unscoped  # sessions that match no repository
    foreign: int  # sessions found, if none of them belongs to this repository
    window: queue.Window
    oldest: int  # milliseconds: the start of the window's oldest session
    # of a dry run with a model: estimated tokens per session
    estimates: "list[tuple[Entry, int]]"
    # uncommitted files of earlier runs, if this one had nothing new to stage or commit
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The callbacks that ask the user, if there is a terminal."""

    each: "Ask | None" = None  # about each new memory
    unchecked: "AskKeep | None" = None  # about memories that an upgrade cannot check
    # announces the first request to a model in this repository
    notice: Callable[[str], None] = lambda _: None


NOBODY = Asking()


def found_none(outcome: Outcome) -> list[str]:
    """Return a line that says why a sync had no sessions to read, if it had none."""
    if not outcome.found.sources:
        return ["no agent sessions found; git lerim connect shows the folders searched"]
    if outcome.foreign:
        found = counted(outcome.foreign, "agent session")
        return [
            f"found {found}, none of them of this repository; git lerim sessions --all lists them"
        ]
    if not outcome.report.sessions_scanned and not outcome.older and outcome.window.since:
        return ["no sessions in this period; --window all includes all of them"]
    return []


def cache_noop(ws: Workspace, options: Options, outcome: Outcome, printed: str) -> None:
    """Cache the output if a sync found nothing to do, so that the next one can replay it."""
    files = gitconfig.files(ws.place) if _is_noop(ws, options, outcome) else None
    if files is None:
        return
    began = int(ws.now.timestamp() * 1000)
    span = began - outcome.window.since if outcome.window.since else -1
    question = noop_cache.question(options.window, ",".join(options.agents))
    branch = f"refs/heads/{ws.settings['branch']}"
    found = outcome.found
    noop_cache.save(
        str(ws.place.common_dir),
        [question, str(began), str(span), str(outcome.oldest), branch],
        (list(found.variables), list(ws.territory.worktrees), files, found.stood),
        [printed, _template(outcome.report)],
    )


def _is_noop(ws: Workspace, options: Options, outcome: Outcome) -> bool:
    """Return whether a run found nothing to do, and its options and store allow caching."""
    plain = Options(
        window=options.window,
        agents=options.agents,
        max_sessions=options.max_sessions,
        model=options.model,
    )
    if options != plain or ws.personal or ws.in_tree or ws.settings.refused:
        return False
    return not (
        outcome.found.read
        or outcome.report.errors
        or outcome.decided
        or outcome.upgrade
        or outcome.waiting
    )


def _template(report: Report) -> str:
    """Return the report as JSON, with placeholders for run, times and duration."""
    start = report.window_start and "@since"
    values = replace(report, run_id="@run", window_start=start, window_end="@until").as_dict()
    return json.dumps({**values, "duration_seconds": "@seconds"}, indent=2) + "\n"


def log_outcome(ws: Workspace, outcome: Outcome) -> None:
    """Log a sync, and save its results for `git lerim logs`."""
    report = outcome.report
    ws.log(
        f"sync {report.run_id}: {counted(report.sessions_extracted, 'session')},"
        f" {counted(report.decisions_added, 'decision')},"
        f" {counted(report.learnings_added, 'learning')}, {report.memories_updated} updated,"
        f" {counted(len(report.errors), 'error')}, {report.duration_seconds} s"
    )
    if outcome.decided or report.errors:
        results = ((each.entry.name, each.actions, each.dropped) for each in outcome.decided)
        logs.save_artifacts(ws, report.run_id, report.as_dict(), results)
