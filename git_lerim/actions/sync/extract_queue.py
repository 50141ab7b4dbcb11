"""Extract the sessions of a sync: the queued ones, and those that older rules extracted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from git_lerim.actions.intake import extract
from git_lerim.actions.intake.extract import SessionResult
from git_lerim.actions.intake.session_extraction import Work, saved_extraction
from git_lerim.actions.sync import upgrade
from git_lerim.actions.sync.triage import Ask, Triage
from git_lerim.actions.sync.upgrade import AskKeep, Upgrade
from git_lerim.sessions.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The sessions that a sync is to extract, with callbacks for questions and progress."""

    chosen: Sequence[Entry]  # queued
    outdated: Sequence[Entry] = ()  # extracted by older rules, according to the catalog
    ask: Ask | None = None  # asks about each new memory
    ask_keep: AskKeep | None = None  # asks about memories that cannot be checked
    progress: Callable[[int, int, str], None]
    dry: bool = False


def extract_all(work: Work, batch: Batch) -> tuple[list[SessionResult], Upgrade]:
    """Extract and commit the sessions of a batch, in order of last activity.

    First, sessions that older rules extracted are read again: memories that the current rules no
    longer find in them are superseded.
    """
    done = Upgrade(again=[entry for entry in batch.outdated if entry.kept])
    old = [*batch.outdated]
    if not batch.dry:
        old = upgrade.outdated_sessions(work.ws, batch.chosen, batch.outdated)
        done = upgrade.upgrade(work, old, batch.ask_keep, batch.progress) if old else Upgrade()
    names = {entry.name for entry in old}
    chosen = [*done.again, *(entry for entry in batch.chosen if entry.name not in names)]
    results = [
        *done.results,
        *_each(work, batch, sorted(chosen, key=lambda e: (e.ended or 0, e.name))),
    ]
    extract.count_memories(work.report, chain.from_iterable(each.actions for each in results))
    return results, done


def _each(work: Work, batch: Batch, chosen: Sequence[Entry]) -> list[SessionResult]:
    triage = Triage(work.ws, work.report.run_id, batch.ask) if batch.ask else None
    usual = extract.rehearser if batch.dry else extract.committer
    commit = triage.commit if triage else usual(work.ws, work.report.run_id)
    results = []
    if work.ahead:
        work.ahead.follow(chosen)
    if work.model:
        work.model.follow(entry for entry in chosen if saved_extraction(work, entry) is None)
    for number, entry in enumerate(chosen, 1):
        if triage:
            work.catalog.flush()  # lets others write while the user thinks
            if triage.ended:
                break
        batch.progress(number, len(chosen), f"extracting {entry.name}")
        results.append(extract.extract(work, entry, commit))
        if triage:
            work.__dict__.pop("dropped", None)  # reload it for the next session
    work.catalog.flush()
    return results
