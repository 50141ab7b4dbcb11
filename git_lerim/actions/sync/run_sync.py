"""Run a sync: discover new sessions, extract queued ones, commit what is worth keeping."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from git_lerim.actions.intake.discover import Discovery, discover
from git_lerim.actions.intake.prefetch import Ahead
from git_lerim.actions.intake.unscoped import report_unscoped
from git_lerim.actions.models import model_in_background, model_spending
from git_lerim.actions.sync.catalog_copy import copy_of_catalog
from git_lerim.actions.sync.sync_options import (
    FOREVER,
    Options,
    extracted_window,
    look_of,
    window_of,
)
from git_lerim.actions.sync.sync_outcome import NOBODY, Asking, Outcome, log_outcome
from git_lerim.actions.sync.sync_report import Report
from git_lerim.errors import LerimError, UnknownMemory, UsageError
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, State
from git_lerim.sessions.session import moment
from git_lerim.sessions.session_names import find_session
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.actions.intake.extract import SessionResult
    from git_lerim.actions.models.model_work import ModelWork
    from git_lerim.actions.sync.upgrade import Upgrade

Progress: TypeAlias = Callable[[int, int, str], None]  # takes number done, total number, and task


def sync(ws: Workspace, options: Options, progress: Progress, asking: Asking = NOBODY) -> Outcome:
    """Run a sync; if interrupted, keep its commits, and leave the other sessions queued.

    With lerim.sync=ask, a run that does not ask about each memory only queues sessions, unless
    `options.keep` is set. The caller must hold the lock.
    """
    if ws.settings["sync"] == "ask" and asking.each is None and not options.keep:
        options = replace(options, extract=False)
    options = model_in_background.limit_background(ws, options)
    if (ws.place.object_format, ws.place.ref_format) != ("sha1", "files"):
        ws.store.tip()  # raises if the repository is not supported
    try:
        with ws.catalog() as catalog:
            outcome = _Run(ws, catalog, options, progress, asking).run()
    except (UnknownMemory, UsageError):  # nothing has run
        raise
    except BaseException as error:
        why = str(error) if isinstance(error, LerimError) else type(error).__name__
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else why
        ws.log(f"sync ended early: {why}; finished commits are kept, and the rest stays queued")
        raise
    if options.extract and not ws.has_memory():
        ws.store.start()
    if ws.proposing and outcome.report.commits:
        from git_lerim.storage import open_store  # noqa: PLC0415 keep the other paths fast

        outcome.report.branch = open_store.reviewing(ws).own() or ws.store_name
    log_outcome(ws, outcome)
    return outcome


def rehearse(ws: Workspace, options: Options, progress: Progress) -> Outcome:
    """Do a dry run of a sync on a temporary copy of the catalog; the repository is unchanged."""
    # a run that finds nothing new needs no store
    from git_lerim.storage import open_store  # noqa: PLC0415

    open_store.keep_nothing(ws)
    with copy_of_catalog(ws) as folder, ws.catalog(folder) as catalog:
        return _Run(ws, catalog, options, progress, NOBODY, dry=True).run()


@dataclass(frozen=True)
class _Run:
    """One run of a sync, with the catalog, options and callbacks that its steps use."""

    ws: Workspace
    catalog: Catalog
    options: Options
    progress: Progress
    asking: Asking
    dry: bool = False

    @property
    def by_model(self) -> bool:
        """Return whether a model does the extraction."""
        return self.options.model and self.options.extract and bool(self.ws.settings["model"])

    def run(self) -> Outcome:
        """Discover and extract sessions, and return the outcome."""
        ws, catalog, options = self.ws, self.catalog, self.options
        began = time.monotonic()
        window = extracted_window(ws, options)
        report = _report(ws, options, window)
        most = options.max_sessions or ws.settings["maxSessions"]
        with Ahead(catalog, window, most) as ahead:
            found = self._discovered(report, None if self.by_model else ahead)
            requested = _requested(catalog, window)
            due = self._due(window, requested)
            chosen = due if requested else due[:most]
            note = _why_not(requested) if requested and options.extract and not chosen else ""
            estimates = self._estimated(chosen)
            if self.by_model and self.dry:
                chosen = []
            results, upgrade = self._extracted(report, ahead, chosen)
        report.sessions_scanned = 1 if requested else queue.count(catalog, window)
        report.duration_seconds = round(time.monotonic() - began, 3)
        self._sum_up(report)
        done = {result.entry.name for result in results if result.complete}
        done |= {entry.name for entry, _ in estimates}
        asks = ws.settings["sync"] == "ask" and not options.keep
        return Outcome(
            report=report,
            found=found,
            decided=results,
            waiting=sum(entry.name not in done for entry in due),
            older=queue.older(catalog, window),
            upgrade=upgrade,
            by_triage=self.asking.each is not None or asks,
            note=note,
            estimates=estimates,
            unscoped=report_unscoped(catalog, found.sessions, ws.territory.worktrees),
            foreign=queue.only_foreign(catalog),
            window=window,
            oldest=queue.oldest(catalog, window),
            left=_left(ws, report),
        )

    def _sum_up(self, report: Report) -> None:
        report.sessions_skipped = max(
            0, report.sessions_scanned - report.sessions_extracted - report.sessions_failed
        )
        report.sessions_queued = len(queue.due(self.catalog, queue.Window()))
        report.cost_usd = model_spending.cost(self.ws.settings, report.tokens_in, report.tokens_out)

    def _discovered(self, report: Report, ahead: Ahead | None) -> Discovery:
        """Discover the sessions in the time window.

        If one must be extracted again and has no cached transcript, discover all sessions.
        """
        window = window_of(self.ws, self.options)
        outdated = _outdated(self.catalog, self.options, NOBODY)
        if any(not entry.kept and entry.reason != queue.GONE for entry in outdated):
            window = replace(window, since=0)
        look = look_of(self.ws, window, keeping=not self.dry)
        found = discover(self.catalog, look, self.progress, ahead if self.options.extract else None)
        report.sessions_indexed = len(found.sessions)
        report.redactions += found.redactions
        report.errors += [{"session": "", "error": warning} for warning in found.warnings]
        if found.secrets and not self.dry:
            from git_lerim.actions.sync import late_secrets  # noqa: PLC0415 rarely needed

            report.commits += late_secrets.redact_stored(self.ws, report.run_id, found.secrets)
            if found.learned:
                late_secrets.delete_cached_output(self.ws)
        return found

    def _due(self, window: queue.Window, requested: Entry | None) -> list[Entry]:
        if not self.options.extract:
            return []
        found = queue.due(self.catalog, window)
        due = [entry for entry in found if not requested or entry.name == requested.name]
        if self.by_model and self.options.background:
            return model_in_background.ready_sessions(self.ws, due, ended=window.session)
        return due

    def _estimated(self, chosen: Sequence[Entry]) -> "list[tuple[Entry, int]]":
        if not (self.by_model and self.dry):
            return []
        from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

        return model_work.estimates(self.ws, self.catalog, chosen)

    def _extracted(
        self, report: Report, ahead: Ahead, chosen: Sequence[Entry]
    ) -> "tuple[list[SessionResult], Upgrade | None]":
        outdated = _outdated(self.catalog, self.options, self.asking)
        if not chosen and not outdated:
            return [], None
        # most runs find nothing new, and need not load them
        from git_lerim.actions.intake.session_extraction import Work  # noqa: PLC0415
        from git_lerim.actions.sync import extract_queue  # noqa: PLC0415

        asked = self._model_work(report, chosen)
        work = Work(
            ws=self.ws,
            catalog=self.catalog,
            report=report,
            ahead=None if asked else ahead,
            model=asked,
        )
        batch = extract_queue.Batch(
            chosen=chosen,
            outdated=outdated,
            ask=self.asking.each,
            ask_keep=self.asking.unchecked,
            progress=self.progress,
            dry=self.dry,
        )
        try:
            return extract_queue.extract_all(work, batch)
        finally:
            if asked:
                self._note_spent(report, (asked.calls.tokens_in, asked.calls.tokens_out))

    def _model_work(self, report: Report, chosen: Sequence[Entry]) -> "ModelWork | None":
        """Prepare and announce the model's work; return None if no model is to be asked."""
        if not self.by_model or self.dry:
            return None
        from git_lerim.actions.models import model_work  # noqa: PLC0415 only where a model is set

        left = model_in_background.left_today(self.ws) if self.options.background else None
        about = model_work.about_sessions(self.ws, self.catalog)
        asked = model_work.start_model_work(self.ws, about, report.run_id, left)
        if self.options.force:  # they may be extracted already, and are not in the queue then
            asked.left = "to ask again, use --force again"
        model_work.announce(self.ws, self.catalog, chosen, self.asking.notice)
        return asked

    def _note_spent(self, report: Report, tokens: tuple[int, int]) -> None:
        report.tokens_in, report.tokens_out = tokens
        model_spending.note(self.ws, "sync", self.ws.settings["model"], tokens)
        if self.options.background:
            model_in_background.note_spent(self.ws, sum(tokens))


def _outdated(catalog: Catalog, options: Options, asking: Asking) -> list[Entry]:
    """Return the sessions that an older version of the extraction rules extracted.

    A session whose transcript is known to be gone is included only if the user can be asked about
    its memories.
    """
    if not options.extract or options.session is not None:
        return []
    found = queue.outdated(catalog, RULES_VERSION, options.agents)
    return [
        entry for entry in found if entry.kept or entry.reason != queue.GONE or asking.unchecked
    ]


def _left(ws: Workspace, report: Report) -> int:
    if not (ws.in_tree and ws.then) or report.commits or report.written:
        return 0
    # a run that finds nothing new needs no store
    from git_lerim.storage import open_store  # noqa: PLC0415

    tree = open_store.tree_of(ws)
    return tree.uncommitted() if tree else 0


def _requested(catalog: Catalog, window: queue.Window) -> Entry | None:
    """Return the session that the options name, or None if they name none; raise UnknownMemory."""
    if window.session is None:
        return None
    return find_session(
        [e for e in catalog.entries() if not window.agents or e.agent in window.agents],
        window.session,
    )


def _why_not(entry: Entry) -> str:
    """Return a sentence that says why the requested session is not extracted."""
    if entry.reason == queue.PURGED:
        return (
            f"{entry.name} contains purged data, so it is not extracted; to queue it anyway: git"
            " lerim queue retry"
        )
    if entry.state is State.SKIPPED:
        return f"{entry.name} was skipped at your request; to queue it again: git lerim queue retry"
    if entry.state in {State.EXTRACTED, State.NOTHING}:
        return f"{entry.name} is extracted already; to extract it again, use --force"
    return f"{entry.name} is {entry.state}: {entry.reason}"


def _report(ws: Workspace, options: Options, window: queue.Window) -> Report:
    def text(milliseconds: int) -> str | None:
        return (
            moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")
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
