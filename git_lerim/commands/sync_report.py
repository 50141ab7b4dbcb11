"""Print the outcome of `git lerim sync`."""

from collections import Counter

from git_lerim.actions.doubted_commits import heading_for_reader
from git_lerim.actions.intake.extract import SessionResult
from git_lerim.actions.intake.session_commit import NAMED, PURGED
from git_lerim.actions.mistrust import decided_for_reader
from git_lerim.actions.models import model_spending
from git_lerim.actions.sessions import adopting_lines, mismatch_lines
from git_lerim.actions.sync.sync_outcome import Outcome, found_none
from git_lerim.commands.terminal import data, detail, is_quiet, say
from git_lerim.memories.memory import Status
from git_lerim.memories.similarity.taking_back import may_be_inactive
from git_lerim.sessions.entry import Entry
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_NAMED = 3  # folders


def tell(ws: Workspace, outcome: Outcome, *, dry: bool) -> None:
    """Print what a sync did for each session, or would do, and a summary."""
    report = outcome.report
    for entry, tokens in outcome.estimates:
        data(f"{_session_line(ws, entry, 60)}  about {tokens:,} tokens")
    for result in outcome.decided if dry or not is_quiet() else ():
        _tell_session(ws, result, dry=dry)
    for error in report.errors:
        named = f"{error['session']}: " if error["session"] else ""
        say(f"warning: {named}{error['error']}", is_error=True)
    for line in summary_lines(ws, outcome, dry=dry):
        say(line)
    detail(
        f"checked {counted(outcome.found.sources, 'file')}, read {outcome.found.read}"
        f" ({outcome.found.size / 1e6:.1f} MB)"
    )


def _session_line(ws: Workspace, entry: Entry, limit: int) -> str:
    return f"{entry.name}  {heading_for_reader(ws, entry.header)[:limit]}".rstrip()


def _tell_session(ws: Workspace, result: SessionResult, *, dry: bool) -> None:
    """Print what a sync does for one session."""
    decided = decided_for_reader(ws, result.actions)
    shown = [
        action
        for action in decided
        if dry or getattr(action, "is_news", True) or action.reason in NAMED
    ]
    heading = _session_line(ws, result.entry, 80)
    if shown:
        data(heading)
    for action in shown:
        if action.reason == PURGED:  # without the title: it may have been purged for that
            data(f"  {action.sign} {action.memory.id}  {action.reason}")
            continue
        aside = type(action).__name__ == "Add" and action.memory.status is not Status.ACTIVE
        state = f"  ({action.memory.status})" if aside else ""
        data(f"  {action.sign} {action.memory.id}  {action.memory.title}{state}")
        if dry or aside or type(action).__name__ != "Add":
            data(f"    {action.reason}")
    if result.dropped and not shown:
        detail(heading)
    for dropped in result.dropped:
        detail(f"  dropped: {dropped.text}\n    {result.entry.name}: {dropped.reason}")
    if not (result.actions or result.dropped):
        detail(f"{result.entry.name}: found no decision or lesson")


def summary_lines(ws: Workspace, outcome: Outcome, *, dry: bool) -> list[str]:
    """Return the lines of the summary at the end of a sync."""
    report = outcome.report
    did = f"{'would extract' if dry else 'extracted'} {_sessions(outcome)}: {_memories(outcome)}"
    # what a model would make of the sessions is not known
    lines = [] if _is_plan(outcome) else [f"{did} ({report.duration_seconds:.1f} s)"]
    lines += [*_archived(outcome), *_estimated(ws, outcome), *_upgraded(outcome)]
    if outcome.note:
        lines.append(outcome.note)
    if report.tokens_in:
        price = f", ${report.cost_usd:.4f}" if report.cost_usd is not None else ""
        lines.append(
            f"{ws.settings['model']}: {report.tokens_in:,} tokens in, {report.tokens_out:,}"
            f" out{price}"
        )
    lines += _queued(outcome)
    if report.redactions:
        redacted = "would redact" if dry else "redacted"
        lines.append(f"{redacted} {counted(report.redactions, 'secret')}")
    lines += [*found_none(outcome), *_where(ws, outcome, dry=dry), *_unscoped(ws, outcome, dry=dry)]
    return [*lines, *_advice(ws, outcome)]


def _sessions(outcome: Outcome) -> str:
    """Return how many sessions were extracted, and how many only in part, as `sync -i` allows."""
    report = outcome.report
    scanned = counted(report.sessions_scanned, "session")
    part = sum(bool(result.actual()) and not result.complete for result in outcome.decided)
    more = f" and part of {part} more" if part else ""
    return f"{report.sessions_extracted} of {scanned} in this period{more}"


def _memories(outcome: Outcome) -> str:
    """Return how many memories were added and how many changed.

    A memory that is new in this run does not count as changed.
    """
    report = outcome.report
    done = [action for result in outcome.decided for action in result.actual()]
    last = {action.memory.id: action.memory for action in done}
    new = {action.memory.id for action in done if type(action).__name__ == "Add"}
    again = {action.memory.id for action in done if type(action).__name__ == "Update"} & new
    updated = sum(last[id_].status is Status.ACTIVE for id_ in again)
    states = Counter(last[id_].status for id_ in new if not may_be_inactive(last[id_]))
    repeats, withheld = states[Status.SUPERSEDED], states[Status.SUSPECT]
    return (
        f"{counted(report.decisions_added, 'decision')} and"
        f" {counted(report.learnings_added, 'learning')} added"
        f"{f' ({updated} of them then updated)' if updated else ''}"
        f", {report.memories_updated} changed"
        f"{f', {repeats} more superseded by others' if repeats else ''}"
        f"{f', {withheld} more withheld from agents' if withheld else ''}"
    )


def _archived(outcome: Outcome) -> list[str]:
    """Return a line about archived memories that the sessions contain again.

    If the run wrote something, nothing is returned, unless the sync was forced.
    """
    count = len({id_ for result in outcome.decided for id_ in result.archived()})
    if not count or (outcome.report.written and not outcome.window.force):
        return []
    them, one = ("it", "it") if count == 1 else ("them", "one")
    left = f"left out {counted(count, 'archived memory')}: git lerim list --all lists {them}"
    return [f"{left}; git lerim restore ID brings {one} back"]


def _estimated(ws: Workspace, outcome: Outcome) -> list[str]:
    """Return a line about the tokens that a model would get, with the cost if prices are set."""
    if not outcome.estimates:
        return []
    sent = sum(tokens for _, tokens in outcome.estimates)
    price = model_spending.dollars(model_spending.sending_cost(ws.settings, sent))
    money = f", about {price} plus the answers" if price else ""
    scanned = counted(outcome.report.sessions_scanned, "session")
    asked = f"{sum(tokens > 0 for _, tokens in outcome.estimates)} of {scanned} in this period"
    model = ws.settings["model"]
    return [f"would send {asked} to {model}: about {sent:,} tokens{money}; nothing was sent"]


def _is_plan(outcome: Outcome) -> bool:
    """Return whether this is a dry run that only a model could carry out."""
    return bool(outcome.estimates) and not outcome.decided


def planned_json(ws: Workspace, outcome: Outcome) -> dict[str, object]:
    """Return what a dry run adds to `sync --json`: what a model would be sent, and its price."""
    sent = sum(tokens for _, tokens in outcome.estimates)
    requests = [
        {"session": entry.name, "tokens": tokens} for entry, tokens in outcome.estimates if tokens
    ]
    price = model_spending.sending_cost(ws.settings, sent) if outcome.estimates else None
    return {"requests": requests, "tokens": sent, "cost_usd": price}


def _upgraded(outcome: Outcome) -> list[str]:
    """Return lines about older memories that new rules superseded, or could not check."""
    done, lines = outcome.upgrade, []
    if done and done.commit:
        what = f"superseded {counted(done.superseded, 'memory')} that the new rules no longer find"
        lines.append(f"{what}; to bring them back: git lerim undo {done.commit[:12]}")
    elif done and done.superseded:
        lines.append(
            f"superseded {counted(done.superseded, 'memory')} that the new rules no longer find,"
            " in the work tree"
        )
    if done and done.unchecked:
        lines.append(
            f"kept {counted(done.unchecked, 'memory')} that the new rules could not check; git"
            " lerim status lists them"
        )
    return lines


def _queued(outcome: Outcome) -> list[str]:
    """Return lines about the sessions that are still queued, and how to extract them."""
    queued = outcome.report.sessions_queued
    if outcome.by_triage and queued:
        return [f"{counted(queued, 'session')} queued; to review their memories: git lerim sync -i"]
    lines = []
    again = min(outcome.report.sessions_failed, queued - outcome.waiting - outcome.older)
    if again > 0:
        stay = "was not extracted and stays" if again == 1 else "were not extracted and stay"
        lines.append(f"{counted(again, 'session')} {stay} queued for the next sync")
    if outcome.waiting and outcome.window.force:
        more = counted(outcome.waiting, "more session")
        lines.append(f"{more} in this period; to extract them again too, raise --max-sessions")
    elif outcome.waiting:
        more = counted(outcome.waiting, "more session")
        lines.append(f"{more} queued; run sync again, or raise --max-sessions")
    if outcome.older:
        older = counted(outcome.older, "queued session")
        verb, them = ("is", "it") if outcome.older == 1 else ("are", "them")
        lines.append(
            f"{older} {verb} older than this period; to extract {them}: git lerim sync --window all"
        )
    return lines


def _unscoped(ws: Workspace, outcome: Outcome, *, dry: bool) -> list[str]:
    """Return lines about sessions that match no repository, and how to adopt them.

    Sessions that were reported before are mentioned only if nothing was extracted. In a dry run
    that is the first to find such sessions, the lines do not mention `git lerim sessions`, which
    would not list them yet.
    """
    count, folders = outcome.unscoped.sessions, outcome.unscoped.folders
    mismatches = outcome.unscoped.mismatches
    found_some = outcome.report.sessions_extracted or outcome.window.session
    if not count or (found_some and not outcome.unscoped.is_news):
        return []
    does = "matches" if count == 1 else "match"
    see = (
        ""
        if dry and (folders or mismatches)
        else "; to see and adopt them: git lerim sessions --unscoped"
    )
    lines = [f"{counted(count, 'session')} {does} no known repository{see}"]
    if folders and ws.personal:
        lines.append(
            "to adopt the sessions of a folder, run in the repository they belong to: git config"
            " --add lerim.repositoryPath FOLDER"
        )
    elif folders:
        lines.append(
            "if this repository used to be in one of these folders, adopt its sessions by running:"
        )
        for folder in folders[:_NAMED]:
            lines += adopting_lines(folder, outcome.unscoped.names.get(folder))
        if len(folders) > _NAMED:
            lines.append(f"  and {len(folders) - _NAMED} more")
    for each in mismatches:
        lines += mismatch_lines(each)
    return lines


def _where(ws: Workspace, outcome: Outcome, *, dry: bool) -> list[str]:
    """Return a line about the commits or the new files, and how to see or commit them."""
    report, commits = outcome.report, len(outcome.report.commits)
    if dry:
        planned = sum(result.committed for result in outcome.decided)
        made = f"would make {counted(planned, 'commit')}{_in_brief(outcome, planned)}"
        return [made] if planned else []
    brief = _in_brief(outcome, commits)
    if ws.in_tree and commits:
        return [f"to see the {counted(commits, 'commit')}{brief}: git log -- {ws.store_name}"]
    if outcome.left:
        left = f"{counted(outcome.left, 'file')} of {ws.store_name} from earlier runs"
        use = f"use git add {ws.store_name}, git commit"
        return [f"wrote nothing new; not committed yet: {left} ({use})"]
    if ws.in_tree and report.written:
        then = (
            "to commit: git commit"
            if ws.then == "stage"
            else f"to stage it: git add {ws.store_name}"
        )
        return [f"new memories are in {ws.store_name}; to see them: git status; {then}"]
    if commits:
        verb, which = ("log", f"{commits} commits") if commits > 1 else ("show", "commit")
        return [f"git {verb} {report.branch} shows the {which}{brief}"]
    return []


def _in_brief(outcome: Outcome, commits: int) -> str:
    """Return a remark on how many commits of a run contain only a session's summary."""
    brief = sum(result.committed and not result.actual() for result in outcome.decided)
    if brief == commits:
        return f" with only {'a session summary' if commits == 1 else 'session summaries'}"
    return f", {brief} of them with only a session summary" if brief else ""


def _advice(ws: Workspace, outcome: Outcome) -> list[str]:
    """Return a line about how to extract more, if the rules have found nothing so far."""
    report = outcome.report
    if report.written or not report.sessions_extracted or ws.settings["model"]:
        return []
    if any(ws.store.snapshot().memories):
        return []
    return [
        (
            "the rules extract only explicit statements; to extract more, set a model (lerim.model"
            " in git help lerim), or let the agents write memories themselves (git lerim install)"
        )
    ]
