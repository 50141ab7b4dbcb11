"""Run a sync: discover new sessions, extract queued ones, commit what is worth keeping."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from git_lerim import database
from git_lerim.actions import logs
from git_lerim.actions.intake.discover import Found, discover
from git_lerim.actions.intake.prefetch import Ahead
from git_lerim.actions.intake.unscoped import Unscoped, unscoped
from git_lerim.actions.models import model_in_background, model_spending
from git_lerim.actions.sessions import named
from git_lerim.actions.sync import noop_cache
from git_lerim.actions.sync.sync_options import FOREVER, Options, look_of, window_of
from git_lerim.actions.sync.sync_report import Report
from git_lerim.errors import UsageError
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.git import gitconfig
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog, Entry, State
from git_lerim.sessions.session import moment as moment_of
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.intake.extract import SessionResult
    from git_lerim.actions.intake.upgrade import AskKeep, Upgrade
    from git_lerim.actions.sync.triage import Ask

Progress: TypeAlias = Callable[[int, int, str], None]  # done, of how many, and what is being done


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The report of a run, and what else to tell a person."""

    report: Report
    found: Found
    upgrade: "Upgrade | None"  # of outdated sessions, if any
    decided: "list[SessionResult]"  # per session, what was done or would be
    waiting: int  # sessions in the window that are still queued
    by_triage: bool  # in triage the user decides about them one by one
    note: str  # why the requested session was not extracted, or ""
    unscoped: Unscoped  # sessions that match no repository
    window: queue.Window
    oldest: int  # milliseconds: the start of the window's oldest session
    # of a dry run with a model: estimated tokens per session
    estimates: "list[tuple[Entry, int]]"
    # uncommitted files in the work tree, if this run should have staged or committed them and
    # nothing
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The callbacks that ask the user, if somebody is there."""

    each: "Ask | None" = None  # about each new memory
    unchecked: "AskKeep | None" = None  # about memories that an upgrade cannot check
    # announces the first request to a model in this repository
    notice: Callable[[str], None] = lambda _: None


NOBODY = Asking()


def sync(ws: Workspace, options: Options, progress: Progress, asking: Asking = NOBODY) -> Outcome:
    """Run a sync; if interrupted, commits stay and the rest is still queued.

    With lerim.sync=ask, a run that does not ask about each memory only queues. The caller holds the
    lock.
    """
    if ws.settings["sync"] == "ask" and asking.each is None and not options.keep:
        options = replace(options, extract=False)
    options = model_in_background.limited(ws, options)
    if (ws.place.object_format, ws.place.ref_format) != ("sha1", "files"):
        ws.store.tip()  # raises if the repository is not supported
    try:
        with ws.catalog() as catalog:
            outcome = _run(ws, catalog, options, progress, asking)
    except UsageError:  # nothing has run
        raise
    except BaseException as error:
        ws.log(
            f"sync ended early: {type(error).__name__}; what was committed stays, the rest is still"
            " queued"
        )
        raise
    if options.extract and not ws.has_memory():
        ws.store.start()
    if ws.proposing and outcome.report.commits:
        from git_lerim.storage import open_store  # noqa: PLC0415 keep the other paths fast

        outcome.report.branch = open_store.reviewing(ws).own() or ws.store_name
    _leave(ws, outcome)
    return outcome


def rehearse(ws: Workspace, options: Options, progress: Progress) -> Outcome:
    """Do a dry run on a temporary copy of the catalog; nothing in the repository is written."""
    # a run that finds nothing new needs no store
    from git_lerim.storage import open_store  # noqa: PLC0415

    open_store.keep_nothing(ws)
    with _copy_of_catalog(ws) as folder, ws.catalog(folder) as catalog:
        return _run(ws, catalog, options, progress, NOBODY, dry=True)


def _run(  # noqa: PLR0913 the steps of a run need all of it
    ws: Workspace,
    catalog: Catalog,
    options: Options,
    progress: Progress,
    asking: Asking,
    *,
    dry: bool = False,
) -> Outcome:
    began = time.monotonic()
    window = window_of(ws, options)
    report = _report(ws, options, window)
    most = options.max_sessions or ws.settings["maxSessions"]
    by_model = options.model and options.extract and bool(ws.settings["model"])
    with Ahead(catalog, window, most) as ahead:
        found = _discovered(ws, catalog, options, progress, None if by_model else ahead)
        report.sessions_indexed = len(found.sessions)
        report.redactions += found.redactions
        report.errors += [{"session": "", "error": warning} for warning in found.warnings]
        meant = _meant(catalog, window)
        due = _due(catalog, options, window, meant)
        if by_model and options.background:
            due = model_in_background.ripe(ws, due, ended=options.session)
        chosen, old = due if meant else due[:most], _outdated(catalog, options, asking)
        note = _why_not(meant) if meant and options.extract and not chosen else ""
        estimated = _estimated(ws, catalog, chosen) if by_model and dry else []
        chosen = [] if by_model and dry else chosen
        results, upgrade = (
            _extracted(
                ws, catalog, report, ahead, chosen=chosen, outdated=old, asking=asking,
                progress=progress, dry=dry,
                by_model=by_model and not dry, background=options.background,
            )
            if chosen or old
            else ([], None)
        )  # fmt: skip
    report.sessions_scanned = 1 if meant else queue.count(catalog, window)
    report.sessions_skipped = max(
        0, report.sessions_scanned - report.sessions_extracted - report.sessions_failed
    )
    report.cost_usd = model_spending.cost(ws.settings, report.tokens_in, report.tokens_out)
    report.duration_seconds = round(time.monotonic() - began, 3)
    report.sessions_queued = len(queue.due(catalog, queue.Window()))
    done = {result.entry.name for result in results if result.complete} | {
        entry.name for entry, _ in estimated
    }
    return Outcome(
        report=report, found=found, decided=results,
        waiting=sum(entry.name not in done for entry in due), upgrade=upgrade,
        by_triage=asking.each is not None or (ws.settings["sync"] == "ask" and not options.keep),
        note=note, estimates=estimated,
        unscoped=unscoped(catalog, found.sessions), window=window,
        oldest=queue.oldest(catalog, window), left=_left(ws, report),
    )  # fmt: skip


def _estimated(
    ws: Workspace, catalog: Catalog, chosen: Sequence[Entry]
) -> "list[tuple[Entry, int]]":
    from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

    return model_work.estimates(ws, catalog, chosen)


def _discovered(
    ws: Workspace, catalog: Catalog, options: Options, progress: Progress, ahead: Ahead | None
) -> Found:
    """Discover the sessions of the window; of all times if outdated ones lack a transcript here."""
    window = window_of(ws, options)
    if any(
        not entry.kept and entry.reason != queue.GONE
        for entry in _outdated(catalog, options, NOBODY)
    ):
        window = replace(window, since=0)
    return discover(catalog, look_of(ws, window), progress, ahead if options.extract else None)


def _due(
    catalog: Catalog, options: Options, window: queue.Window, meant: Entry | None
) -> list[Entry]:
    if not options.extract:
        return []
    everything = options.whole_queue and options.window is None and options.since is None
    found = queue.due(catalog, replace(window, since=0) if everything else window)
    return [entry for entry in found if not meant or entry.name == meant.name]


def _outdated(catalog: Catalog, options: Options, asking: Asking) -> list[Entry]:
    """Return the sessions that older rules extracted.

    Those whose transcript is gone are included only until the user was asked about them.
    """
    if not options.extract or options.session is not None:
        return []
    found = queue.outdated(catalog, RULES_VERSION, options.agents)
    return [
        entry for entry in found if entry.kept or entry.reason != queue.GONE or asking.unchecked
    ]


def _extracted(  # noqa: PLR0913 as above
    ws: Workspace,
    catalog: Catalog,
    report: Report,
    ahead: Ahead,
    *,
    chosen: Sequence[Entry],
    outdated: Sequence[Entry],
    asking: Asking,
    progress: Progress,
    dry: bool,
    by_model: bool,
    background: bool,
) -> "tuple[list[SessionResult], Upgrade]":
    # most runs find nothing new, and need not load them
    from git_lerim.actions.intake import extract  # noqa: PLC0415

    # most runs find nothing new, and need not load them
    from git_lerim.actions.sync import extract_queue  # noqa: PLC0415

    asked = None
    if by_model:
        from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

        asked = model_work.of_run(
            ws, catalog, report.run_id, model_in_background.left_today(ws) if background else None
        )
        model_work.announce(ws, catalog, chosen, asking.notice)
    work = extract.Work(
        ws=ws, catalog=catalog, report=report, ahead=None if asked else ahead, model=asked
    )
    batch = extract_queue.Batch(
        chosen=chosen, outdated=outdated, ask=asking.each, ask_keep=asking.unchecked,
        progress=progress, dry=dry
    )  # fmt: skip
    try:
        return extract_queue.extract_all(work, batch)
    finally:
        if asked:
            _note_spent(
                ws, report, (asked.calls.tokens_in, asked.calls.tokens_out), background=background
            )


def _note_spent(
    ws: Workspace, report: Report, tokens: tuple[int, int], *, background: bool
) -> None:
    report.tokens_in, report.tokens_out = tokens
    model_spending.note(ws, "sync", ws.settings["model"], tokens)
    if background:
        model_in_background.note_spent(ws, sum(tokens))


def _left(ws: Workspace, report: Report) -> int:
    if not (ws.in_tree and ws.then) or report.commits or report.written:
        return 0
    # a run that finds nothing new needs no store
    from git_lerim.storage import open_store  # noqa: PLC0415

    tree = open_store.tree_of(ws)
    return tree.uncommitted() if tree else 0


def keep_unchanged(ws: Workspace, options: Options, outcome: Outcome, said: str) -> None:
    """Cache the output of a no-op sync for the next one to replay (see `noop_cache`)."""
    report, found = outcome.report, outcome.found
    plain = replace(
        Options(),
        window=options.window,
        agents=options.agents,
        max_sessions=options.max_sessions,
        model=options.model,
    )
    busy = (
        found.read
        or report.errors
        or outcome.decided
        or outcome.upgrade
        or outcome.waiting
        or ws.settings.refused
    )
    if (
        options != plain
        or busy
        or ws.personal
        or ws.in_tree
        or (files := gitconfig.files(ws.place)) is None
    ):
        return
    began = int(ws.now.timestamp() * 1000)
    span = began - outcome.window.since if outcome.window.since else -1
    told = replace(
        report, run_id="@run", window_start=report.window_start and "@since", window_end="@until"
    ).as_dict()
    noop_cache.keep(
        str(ws.place.common_dir),
        [
            *(
                noop_cache.question(options.window, ",".join(options.agents)),
                str(began),
                str(span),
                str(outcome.oldest),
            ),
            f"refs/heads/{ws.settings['branch']}",
        ],
        (list(found.variables), list(ws.territory.worktrees), files, found.stood),
        [said, json.dumps({**told, "duration_seconds": "@seconds"}, indent=2) + "\n"],
    )


def _meant(catalog: Catalog, window: queue.Window) -> Entry | None:
    """Return the one session that was asked for, if any. Raises UsageError."""
    if window.session is None:
        return None
    return named(
        [e for e in catalog.entries() if not window.agents or e.agent in window.agents],
        window.session,
    )


def _why_not(entry: Entry) -> str:
    """Return why the requested session is not extracted."""
    if entry.state is State.SKIPPED:
        return f"{entry.name} was left out by you: git lerim queue retry takes it back"
    if entry.state in {State.EXTRACTED, State.NOTHING}:
        return f"{entry.name} was extracted as it stands: --force does it again"
    return f"{entry.name} is {entry.state}: {entry.reason}"


def _report(ws: Workspace, options: Options, window: queue.Window) -> Report:
    def text(milliseconds: int) -> str | None:
        return (
            moment_of(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")
            if 0 < milliseconds < FOREVER
            else None
        )

    end = text(window.until) or (None if options.session else ws.now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    return Report(
        run_id=ws.new_run("sync"),
        window_start=text(window.since),
        window_end=end,
        branch=ws.store_name,
    )


@contextmanager
def _copy_of_catalog(ws: Workspace) -> Iterator[Path]:
    import tempfile  # noqa: PLC0415 slow to load

    with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
        for name in ("catalog.sqlite3", "cache/transcripts.sqlite3"):
            if (ws.folder / name).exists():
                database.copy(ws.folder / name, Path(folder) / name)
        yield Path(folder)


def _leave(ws: Workspace, outcome: Outcome) -> None:
    """Log the run and save its artifacts for `logs`."""
    report = outcome.report
    ws.log(
        f"sync {report.run_id}: {counted(report.sessions_extracted, 'session')},"
        f" {counted(report.decisions_added, 'decision')},"
        f" {counted(report.learnings_added, 'learning')}, {report.memories_updated} updated,"
        f" {counted(len(report.errors), 'error')}, {report.duration_seconds} s"
    )
    if outcome.decided or report.errors:
        logs.leave(ws, report.run_id, report.as_dict(), outcome.decided)
