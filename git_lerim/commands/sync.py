"""`git lerim sync`: read new sessions and commit their memories."""

import contextlib
from collections.abc import Callable
from dataclasses import replace

import click

from git_lerim.actions.sessions import shell_quote
from git_lerim.actions.sync.run_sync import rehearse, sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.sync.sync_outcome import Asking, Outcome, cache_noop
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    DATE,
    Progress,
    Whole,
    can_ask,
    data,
    data_json,
    detail,
    is_quiet,
    json_option,
    no_model_option,
    propose_option,
    say,
    takes_no,
    verb,
    written_options,
    yes_option,
)
from git_lerim.errors import Declined
from git_lerim.memories.memory import Status
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_EXIT_PARTLY = 3
_NAMED = 3  # folders


@verb()
@click.option(
    "-i",
    "--interactive",
    is_flag=True,
    help="Ask about each new memory, as git add -p asks about hunks.",
)
@click.option(
    "--window",
    metavar="7d|24h|30m|30s|all",
    help="How far back the last activity may lie.  [lerim.syncWindow: 7d]",
)
@click.option("--since", metavar="DATE", help=f"Where the window begins; beats --window: {DATE}.")
@click.option(
    "--until", metavar="DATE", help="Where the window ends, with all of that day. As --since."
)
@click.option("--session", "--run-id", metavar="ID", help="One session, whatever the window.")
@click.option("--agent", metavar="A,B", help="Only these agents, separated by commas.")
@click.option(
    "--max-sessions",
    metavar="N",
    type=Whole(1),
    help="Extract at most so many, newest first; the rest stays queued.  [lerim.maxSessions: 50]",
)
@click.option(
    "--wait",
    type=Whole(0),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for another run.",
)
@click.option("--no-extract", is_flag=True, help="Read and queue only.")
@click.option("--force", is_flag=True, help="Extract again what was extracted before.")
@click.option("--dry-run", is_flag=True, help="Print what would be done; write nothing at all.")
@click.option(
    "--ignore-lock",
    is_flag=True,
    help="Do not wait for another run: both write, neither loses anything.",
)
@no_model_option
@propose_option
@written_options
@yes_option
@click.option(
    "--personal",
    is_flag=True,
    help="Sync the sessions that ran in no repository into your personal memory.",
)
@json_option
def command(
    *,
    interactive: bool,
    yes: bool,
    wait: int,
    ignore_lock: bool,
    dry_run: bool,
    personal: bool,
    as_json: bool,
    no_extract: bool,
    no_model: bool,
    agent: str | None,
    **asked: object,
) -> int:
    """Read what the agents left on disk; commit what was decided and learned, one commit a session.

    With -q it prints nothing but errors, and what --dry-run and --json ask for.
    """
    if interactive:
        takes_no("sync -i", dry_run=dry_run, no_extract=no_extract)
        if not yes:
            _require_terminal()
    ws = opened(personal=personal, fallback=True, making=not dry_run)
    more = {"extract": not no_extract, "whole_queue": interactive, "keep": yes}
    # click checked them
    options = Options(**asked, **more, model=not no_model, agents=ws.agents_named(agent or ""))  # type: ignore[arg-type]
    progress = Progress()
    asking = (
        _asking(ws, progress.close, interactive=interactive)
        if can_ask() and not yes
        else Asking(notice=say)
    )
    try:
        if dry_run:
            outcome = rehearse(ws, options, progress)
        else:
            with contextlib.nullcontext() if ignore_lock else ws.locked(wait):
                outcome = sync(ws, options, progress, asking)
    finally:
        progress.close()
    if as_json:
        data_json(outcome.report.as_dict())
    else:
        _tell(ws, outcome, dry=dry_run)
    if not dry_run and (ws.meaning is None if no_model else _embedded(ws)):
        summary = _summary(
            ws, replace(outcome, report=replace(outcome.report, duration_seconds=0.0)), dry=False
        )
        cache_noop(ws, options, outcome, "\n".join(f".{line}" for line in summary))
    if not dry_run and ws.settings["maintain"] == "auto":
        _maintain(ws)
    is_partly = outcome.report.sessions_failed or any(
        error["session"] for error in outcome.report.errors
    )
    return _EXIT_PARTLY if is_partly else 0


def _maintain(ws: Workspace) -> None:
    from git_lerim.actions.maintain import daily  # noqa: PLC0415 few have it so

    daily.start(ws)


def _require_terminal() -> None:
    """Raise Declined if there is no terminal to ask on."""
    if not can_ask():
        hint = (
            "git lerim sync -i --yes keeps everything; git lerim sync --dry-run shows what would be"
            " kept"
        )
        raise Declined("there is no terminal to ask on, and nothing was done", hint=hint)


def _asking(ws: Workspace, pause: Callable[[], None], *, interactive: bool) -> Asking:
    """Return the questions of `sync -i`; `pause` clears the progress line before each."""
    # hooks sync without a terminal
    from git_lerim.commands.triage import asker, keeper  # noqa: PLC0415

    return Asking(
        each=asker(ws, pause) if interactive else None, unchecked=keeper(pause), notice=say
    )


def _embedded(ws: Workspace) -> bool:
    """Embed new memories if an embedding model is set; return whether all have vectors."""
    if ws.meaning is None:
        return True
    from git_lerim.actions.search import embed_missing  # noqa: PLC0415 few have such a model

    progress = Progress()
    try:
        return embed_missing(ws, progress)
    finally:
        progress.close()


def _tell(ws: Workspace, outcome: Outcome, *, dry: bool) -> None:
    report = outcome.report
    for entry, tokens in outcome.estimates:
        data(f"{entry.name}  {entry.header.heading[:60]}".rstrip() + f"  about {tokens:,} tokens")
    for result in outcome.decided if dry or not is_quiet() else ():
        shown = [action for action in result.actions if dry or type(action).__name__ != "Skip"]
        if shown:
            data(f"{result.entry.name}  {result.entry.header.heading[:80]}".rstrip())
        for action in shown:
            aside = type(action).__name__ == "Add" and action.memory.status is not Status.ACTIVE
            state = f"  ({action.memory.status})" if aside else ""
            data(f"  {action.sign} {action.memory.id}  {action.memory.title}{state}")
            if dry or aside or type(action).__name__ != "Add":
                data(f"    {action.reason}")
        for dropped in result.dropped:
            detail(f"  dropped: {dropped.text}\n    {result.entry.name}: {dropped.reason}")
    for error in report.errors:
        say(f"warning: {error['session'] + ': ' if error['session'] else ''}{error['error']}")
    for line in _summary(ws, outcome, dry=dry):
        say(line)
    detail(
        f"looked at {counted(outcome.found.sources, 'file')}, read {outcome.found.read}"
        f" ({outcome.found.size / 1e6:.1f} MB)"
    )


def _summary(ws: Workspace, outcome: Outcome, *, dry: bool) -> list[str]:
    report, found = outcome.report, outcome.found
    scanned = counted(report.sessions_scanned, "session")
    added = (
        f"{counted(report.decisions_added, 'decision')} and"
        f" {counted(report.learnings_added, 'learning')} added"
    )
    first = (
        f"{'would extract' if dry else 'extracted'} {report.sessions_extracted} of {scanned} in the"
        f" window: {added}"
    )
    lines = [f"{first}, {report.memories_updated} changed ({report.duration_seconds:.1f} s)"]
    lines += [*_estimated(ws, outcome), *_upgraded(outcome)]
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
        lines.append(f"{counted(report.redactions, 'secret')} blanked before anything was written")
    if not found.sources:
        lines.append("no agent's sessions were found; git lerim connect shows where was looked")
    elif not report.sessions_scanned:
        lines.append("no session lies in the window; --window all takes every one")
    return [*lines, *_where(ws, outcome, dry=dry), *_unscoped(outcome, dry=dry)]


def _estimated(ws: Workspace, outcome: Outcome) -> list[str]:
    """Return a line about what the model would be sent, and its cost if prices are set."""
    if not outcome.estimates:
        return []
    sent = sum(tokens for _, tokens in outcome.estimates)
    price = ws.settings["priceIn"]
    money = f", about ${sent * price / 1e6:.2f} and its answers" if price is not None else ""
    asked = counted(sum(tokens > 0 for _, tokens in outcome.estimates), "session")
    return [
        (
            f"would send {asked} to {ws.settings['model']}: about {sent:,} tokens{money}; nothing was"  # noqa: E501
            " sent"
        )
    ]


def _upgraded(outcome: Outcome) -> list[str]:
    """Return lines about memories that the current rules would not extract or cannot check."""
    done, lines = outcome.upgrade, []
    if done and done.commit:
        what = (
            f"{counted(done.superseded, 'memory')} of older rules superseded, because the new ones"
            " do not give them"
        )
        lines.append(f"{what}: git lerim undo {done.commit[:12]} brings them back")
    elif done and done.superseded:
        lines.append(
            f"{counted(done.superseded, 'memory')} of older rules superseded in the files of the"
            " work tree"
        )
    if done and done.unchecked:
        lines.append(
            f"{counted(done.unchecked, 'memory')} of older rules kept unchecked: git lerim status"
            " names them"
        )
    return lines


def _queued(outcome: Outcome) -> list[str]:
    """Return a line about what is still queued, and which setting decides it."""
    queued = outcome.report.sessions_queued
    if outcome.by_triage and queued:
        return [f"{counted(queued, 'session')} queued: git lerim sync -i asks about their memories"]
    if outcome.waiting:
        return [
            (
                f"{counted(outcome.waiting, 'more session')} to extract: run sync again, or raise"
                " --max-sessions"
            )
        ]
    return []


def _unscoped(outcome: Outcome, *, dry: bool) -> list[str]:
    """Return lines about sessions that match no repository.

    After a dry run, `git lerim sessions` does not list them.
    """
    count, folders = outcome.unscoped.sessions, outcome.unscoped.folders
    if not count:
        return []
    does = "matches" if count == 1 else "match"
    lines = [
        (
            f"{counted(count, 'session')} {does} no known"
            f" repository{'' if dry else ': git lerim sessions --unscoped'}"
        )
    ]
    if folders:
        lines.append(
            "if this repository was ever at one of these folders, adopt the sessions from there"
            " with:"
        )
        lines += [
            f"  git config --add lerim.repositoryPath {shell_quote(folder)}"
            for folder in folders[:_NAMED]
        ]
        lines += [f"  and {len(folders) - _NAMED} more"] if len(folders) > _NAMED else []
        lines.append("  git lerim allow")
    return lines


def _where(ws: Workspace, outcome: Outcome, *, dry: bool) -> list[str]:
    """Return a line about the new files in the work tree, and how to commit them."""
    report, commits = outcome.report, len(outcome.report.commits)
    if ws.in_tree and commits:
        return [f"git log -- {ws.store_name} shows the {counted(commits, 'commit')}"]
    if outcome.left:
        left = f"{counted(outcome.left, 'file')} of {ws.store_name} from before"
        return [
            (
                f"nothing new was written; not committed yet: {left} (git add {ws.store_name}, git"
                " commit)"
            )
        ]
    if ws.in_tree and report.written and not dry:
        then = (
            "git commit commits it" if ws.then == "stage" else f"git add {ws.store_name} stages it"
        )
        return [f"what is new stands below {ws.store_name}: git status shows it, {then}"]
    if commits > 1:
        return [
            (
                f"git log {report.branch} shows the {commits}"
                f" commits{'' if report.written else ': the sessions in brief'}"
            )
        ]
    one = (
        f"git show {report.branch} shows the"
        f" commit{'' if report.written else ': the session in brief'}"
    )
    return [one] if commits else []
