"""Import memories from HEAD's new commits and documents, one memory commit per window.

A window is a group of commits or documents that a model reads at once.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.actions import logs
from git_lerim.actions.git_history.passages import Gathered, gather
from git_lerim.actions.git_history.read_windows import Read, read_all, request
from git_lerim.actions.git_history.windows import Window, cut
from git_lerim.actions.intake.session_extraction import Work
from git_lerim.actions.models import model_spending, model_work
from git_lerim.actions.sync.catalog_copy import copy_of_catalog
from git_lerim.actions.sync.sync_report import Report
from git_lerim.errors import LerimError, UsageError
from git_lerim.git.history import dates
from git_lerim.git.history.code_commits import paths_of
from git_lerim.git.repo import head as head_of
from git_lerim.sessions import history_units
from git_lerim.storage import open_store
from git_lerim.tokens import counted, printable
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.sessions.catalog import Catalog

SINCE = "1 year ago"


@dataclass(slots=True, kw_only=True)
class Imported:
    """The result of an import or a dry run."""

    run_id: str
    since: int  # seconds
    commits_left: Counter[str]  # by reason
    files_left: Counter[str]
    is_shallow: bool
    windows: list[tuple[Window, int]]  # each with the estimated number of tokens
    read: list[Read] = field(default_factory=list)
    report: Report

    @property
    def tokens(self) -> int:
        """Return the estimated number of tokens of all windows."""
        return sum(size for _, size in self.windows)

    @property
    def failed(self) -> list[dict[str, str]]:
        """Return the errors of the run, each with the window in which it occurred."""
        return self.report.errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of an import: what to read, and whether only to plan it (a dry run)."""

    since: str | None = None
    paths: Sequence[str] = ()
    dry_run: bool = False


def import_history(
    ws: Workspace,
    options: Options,
    progress: Callable[[int, int, str], None],
    say: Callable[[str], None],
) -> Imported:
    """Read new commits and documents of HEAD, and commit what a model finds in them.

    If a run is interrupted, its commits stay, and the next run continues from there. The caller
    must hold the lock. Raises LerimError if no model is set, UsageError, ModelFailed, BadSetting.
    """
    _require_model(ws)
    if options.dry_run:
        open_store.keep_nothing(ws)
        with copy_of_catalog(ws) as folder, ws.catalog(folder) as catalog:
            return _planned(ws, catalog, options)[0]
    with ws.catalog() as catalog:
        done, head = _planned(ws, catalog, options)
        if done.windows:
            say(_announcement(ws, done))
            work = Work(ws=ws, catalog=catalog, report=done.report)
            windows = [window for window, _ in done.windows]
            done.read = read_all(work, windows, head, progress)
            _save(ws, done)
        return done


def _require_model(ws: Workspace) -> None:
    if not ws.settings["model"]:
        hint = (
            "to set one: git config --global lerim.model NAME; lerim.apiBase sets its endpoint;"
            " to import files without a model: git lerim import FOLDER"
        )
        raise LerimError("import git needs a model; none is configured", hint=hint)


def _planned(ws: Workspace, catalog: "Catalog", options: Options) -> tuple[Imported, str]:
    """Plan an import: return a result that has the windows to read, and the commit of HEAD."""
    head = head_of(ws.place)
    if head is None:
        raise LerimError(
            "HEAD has no commit yet", hint="there is nothing to read before the first commit"
        )
    since = int(dates.parse_option("--since", options.since or SINCE, now=ws.now.timestamp()))
    read = history_units.were_read(catalog)
    found = gather(ws, head, since, _below(ws, head, options.paths), read)
    run = ws.new_run("import")
    done = Imported(
        run_id=run,
        since=since,
        commits_left=found.commits_left,
        files_left=found.files_left,
        is_shallow=(ws.place.common_dir / "shallow").exists(),
        windows=_windows(ws, found),
        report=Report(run_id=run, window_start=None, window_end=None, branch=ws.store_name),
    )
    done.report.redactions = found.redactions
    return done, head


def _windows(ws: Workspace, found: Gathered) -> list[tuple[Window, int]]:
    windows = cut(found, ws.settings["maxWindowTokens"])
    return [(window, request(ws, window).tokens()) for window in windows]


def _below(ws: Workspace, head: str, named: Sequence[str]) -> list[str]:
    """Return paths that the user named, relative to the repository. Raises UsageError."""
    root = ws.place.worktree
    found = []
    files = paths_of(ws.place, head) if named else set()
    for name in named:
        path = os.path.normpath(Path.cwd() / name if root else name)
        below = os.path.relpath(path, root) if root else path.lstrip("/")
        if below == ".":
            return []
        below = below.replace(os.sep, "/")
        if below not in files and not any(file.startswith(f"{below}/") for file in files):
            raise UsageError(
                f"{printable(name)} is not a file or folder in HEAD",
                hint="git lerim import git reads only committed files",
            )
        found.append(below)
    return found


def _announcement(ws: Workspace, done: Imported) -> str:
    return (
        f"sending {what(done.windows)}, about {done.tokens:,} tokens, to"
        f" {model_work.destination(ws)}, with secrets redacted"
    )


def planned_cost(ws: Workspace, done: Imported) -> float | None:
    """Estimate what sending the planned requests would cost, in dollars, without the answers.

    Return None if no price is set.
    """
    return model_spending.sending_cost(ws.settings, done.tokens)


def what(windows: Sequence[tuple[Window, int]]) -> str:
    """Describe how many commits and files these windows contain, in how many requests."""
    commits = {p.unit for window, _ in windows for p in window.passages if p.blob is None}
    files = {p.unit for window, _ in windows for p in window.passages if p.blob is not None}
    return (
        f"{counted(len(commits), 'commit')} and {counted(len(files), 'file')} in"
        f" {counted(len(windows), 'request')}"
    )


def _save(ws: Workspace, done: Imported) -> None:
    report = done.report
    ws.log(
        f"import git {done.run_id}: {len(done.read)} of {counted(len(done.windows), 'request')},"
        f" {counted(report.written, 'memory')}, {counted(len(report.errors), 'error')}"
    )
    results = ((read.window.name, read.actions, read.dropped) for read in done.read)
    logs.save_artifacts(ws, done.run_id, report.as_dict(), results)
