"""One run of sync: read what is new, extract what waits, commit what is worth keeping."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from git_lerim.actions import extract, keep, logs
from git_lerim.actions.discover import Found, Look, discover
from git_lerim.agents import roster
from git_lerim.config import moment, window_start
from git_lerim.errors import LerimError, UsageError
from git_lerim.extraction.reconcile import Action, Add, Skip
from git_lerim.memories.memory import Primitive
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog, Entry, State
from git_lerim.workspace import Workspace

_FOREVER = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run of sync was asked for."""

    window: str | None = None
    since: str | None = None
    until: str | None = None
    session: str | None = None
    agents: tuple[str, ...] = ()
    max_sessions: int | None = None
    extract: bool = True
    force: bool = False


@dataclass(slots=True, kw_only=True)
class Report:
    """What a run of sync did; the fields of `sync --json`."""

    run_id: str
    window_start: str | None
    window_end: str | None
    sessions_scanned: int = 0
    sessions_indexed: int = 0
    sessions_extracted: int = 0
    sessions_skipped: int = 0
    sessions_failed: int = 0
    decisions_added: int = 0
    learnings_added: int = 0
    memories_updated: int = 0
    memories_unchanged: int = 0
    redactions: int = 0
    commits: list[str] = field(default_factory=list)
    branch: str = ""
    duration_seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    errors: list[dict[str, str]] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """Return the report as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A report, and what a person is told beside it."""

    report: Report
    found: Found
    decided: list[tuple[Entry, list[Action]]]  # what was done, or would be, session by session
    waiting: int  # sessions that are still queued


def sync(ws: Workspace, options: Options, progress: Callable[[int, int, str], None]) -> Outcome:
    """Run sync. The caller holds the lock. What was committed when it stops stays; the rest is still queued."""
    began = time.monotonic()
    window = _window(ws, options)
    report = _report(ws, options, window)
    if (ws.place.object_format, ws.place.ref_format) != ("sha1", "files"):
        ws.store.tip()  # it says why it cannot, before anything is read
    with ws.catalog() as catalog:
        outcome = _run(ws, catalog, (options, window, report), extract.committer(ws, report.run_id), progress)
    report.duration_seconds = round(time.monotonic() - began, 3)
    _leave(ws, outcome)
    return outcome


def rehearse(ws: Workspace, options: Options, progress: Callable[[int, int, str], None]) -> Outcome:
    """Return what sync would do. Nothing below the repository is written: the catalog is a copy in a temporary folder."""
    began = time.monotonic()
    window = _window(ws, options)
    report = _report(ws, options, window)
    with _copy_of_catalog(ws) as folder, ws.catalog(folder) as catalog:
        outcome = _run(ws, catalog, (options, window, report), extract.rehearser(ws, report.run_id), progress)
    report.duration_seconds = round(time.monotonic() - began, 3)
    return outcome


def _run(
    ws: Workspace,
    catalog: Catalog,
    what: tuple[Options, queue.Window, Report],
    commit: extract.Commit,
    progress: Callable[[int, int, str], None],
) -> Outcome:
    options, window, report = what
    found = discover(catalog, _look(ws, window), progress)
    report.sessions_indexed = len(found.sessions)
    report.redactions += found.redactions
    report.errors += [{"session": "", "error": warning} for warning in found.warnings]
    due = queue.due(catalog, window) if options.extract else []
    if options.session and not any(queue.names(entry, options.session) for entry in catalog.entries()):
        raise UsageError(f"no session {options.session!r} was found", hint="git lerim sessions lists those that were")
    limit = options.max_sessions or ws.settings["maxSessions"]
    chosen = due if options.session else due[:limit]
    decided = []
    for number, entry in enumerate(sorted(chosen, key=lambda e: (e.ended or 0, e.name)), 1):
        progress(number, len(chosen), f"extracting {entry.name}")
        actions = _extract(ws, catalog, entry, report, commit)
        decided.append((entry, actions))
    catalog.flush()
    in_window = catalog.entries("coalesce(ended, 0) BETWEEN ? AND ?", (window.since, window.until))
    report.sessions_scanned = sum(queue.is_meant(entry, window) for entry in in_window)
    report.sessions_skipped = report.sessions_scanned - report.sessions_extracted - report.sessions_failed
    return Outcome(report=report, found=found, decided=decided, waiting=len(due) - len(chosen))


def _extract(ws: Workspace, catalog: Catalog, entry: Entry, report: Report, commit: extract.Commit) -> list[Action]:
    """Take one session from the queue to the store. A failure is noted and named; the others go on."""
    try:
        kept = extract.kept_of(ws, catalog, entry)
    except Exception as error:  # noqa: BLE001 a transcript that nobody foresaw must not stop the others
        _failed(catalog, entry, report, str(error) if isinstance(error, LerimError) else f"a bug ({type(error).__name__})")
        return []
    actions, made = commit(kept)
    _count(report, kept, actions, made)
    worth = bool(kept.memories or kept.summary)
    queue.done(catalog, entry, State.EXTRACTED if worth else State.NOTHING, "" if worth else "nothing in it is worth keeping")
    return actions


def _failed(catalog: Catalog, entry: Entry, report: Report, error: str) -> None:
    queue.failed(catalog, entry, error)
    report.sessions_failed += 1
    report.errors.append({"session": entry.name, "error": error})


def _count(report: Report, kept: keep.Kept, actions: Sequence[Action], commit: str | None) -> None:
    added = keep.added_in(actions)
    report.sessions_extracted += 1
    report.decisions_added += added.count(Primitive.DECISION)
    report.learnings_added += added.count(Primitive.LEARNING)
    report.memories_updated += sum(not isinstance(a, Add | Skip) for a in actions)
    report.memories_unchanged += sum(isinstance(a, Skip) for a in actions)
    report.redactions += kept.redactions
    if commit:
        report.commits.append(commit)


def _window(ws: Workspace, options: Options) -> queue.Window:
    if options.session is not None:
        if not options.session:
            raise UsageError("--session is empty", hint="git lerim sessions lists those that can be named")
        return queue.Window(session=options.session, agents=options.agents, force=options.force)
    since = window_start(
        ws.now, since=options.since, window=ws.settings["syncWindow"] if options.window is None else options.window
    )
    try:
        until = int(moment(options.until).timestamp() * 1000) if options.until else _FOREVER
    except ValueError as error:
        raise UsageError(f"--until {options.until!r} makes no sense", hint=f"it takes {error}") from None
    if until <= since.timestamp() * 1000:
        raise UsageError("the window ends before it begins", hint="--since must be earlier than --until")
    return queue.Window(since=int(since.timestamp() * 1000), until=until, agents=options.agents, force=options.force)


def _look(ws: Workspace, window: queue.Window) -> Look:
    connected = ws.settings["agents"]
    names = connected if connected is not None else tuple(roster.AGENTS)
    return Look(
        places=ws.places,
        agents=tuple(name for name in names if not window.agents or name in window.agents),
        paths=dict(ws.settings.paths),
        since=window.since,
        scope=ws.scope,
        fingerprint=ws.territory.fingerprint(),
        redactor=lambda: ws.redactor,
        ignored=ws.settings["ignorePath"],
        patterns=(*ws.settings["redactPattern"], "", *ws.settings["redactAllow"]),
    )


def _report(ws: Workspace, options: Options, window: queue.Window) -> Report:
    def text(milliseconds: int) -> str | None:
        return keep.moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ") if 0 < milliseconds < _FOREVER else None

    end = text(window.until) or (None if options.session else ws.now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    return Report(run_id=ws.new_run("sync"), window_start=text(window.since), window_end=end, branch=ws.settings["branch"])


@contextmanager
def _copy_of_catalog(ws: Workspace) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
        for name in ("catalog.sqlite3", "cache"):
            source = ws.folder / name
            if source.is_dir():
                shutil.copytree(source, Path(folder) / name)
            elif source.exists():
                shutil.copy(source, Path(folder) / name)
        yield Path(folder)


def _leave(ws: Workspace, outcome: Outcome) -> None:
    """Leave what a run did where `logs` finds it."""
    report = outcome.report
    ws.log(
        f"sync {report.run_id}: {report.sessions_extracted} sessions, {report.decisions_added} decisions,"
        f" {report.learnings_added} learnings, {report.memories_updated} updated, {len(report.errors)} errors,"
        f" {report.duration_seconds} s"
    )
    if outcome.decided or report.errors:
        logs.leave(ws, report.run_id, report.as_dict(), [(entry.name, actions) for entry, actions in outcome.decided])
