"""`git lerim sync`: read new sessions and commit their memories."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from git_lerim.actions.authorship import by_agent, refuse_agent
from git_lerim.actions.sync.run_sync import rehearse, sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.sync.sync_outcome import Asking, Outcome, cache_noop
from git_lerim.commands.opening import opened
from git_lerim.commands.sync_report import planned_json, summary_lines, tell
from git_lerim.commands.terminal import (
    DATE,
    PARTLY_DONE,
    Whole,
    can_ask,
    data_json,
    is_quiet,
    json_option,
    no_model_option,
    say,
    takes_no,
    verb,
    yes_option,
)
from git_lerim.commands.written import propose_option, written_options
from git_lerim.errors import Declined
from git_lerim.screen.progress import Progress
from git_lerim.workspace import Workspace


@verb()
@click.option(
    "-i",
    "--interactive",
    is_flag=True,
    help="Ask about each new memory, like git add -p.",
)
@click.option(
    "--window",
    metavar="7d|24h|30m|30s|all",
    help="Only sessions active in this period.  [lerim.syncWindow: 7d]",
)
@click.option(
    "--since", metavar="DATE", help=f"Only sessions active since DATE; overrides --window: {DATE}."
)
@click.option(
    "--until", metavar="DATE", help="Only sessions active until DATE, including that day."
)
@click.option("--session", "--run-id", metavar="ID", help="Only this session, however old.")
@click.option("--agent", metavar="A,B", help="Only these agents (comma-separated).")
@click.option(
    "--max-sessions",
    metavar="N",
    type=Whole(1),
    help="Extract at most N sessions, newest first; the rest stay queued.  [lerim.maxSessions: 50]",
)
@click.option(
    "--wait",
    type=Whole(0),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Wait this long for another run to finish.",
)
@click.option("--no-extract", is_flag=True, help="Only read and queue the sessions.")
@click.option("--force", is_flag=True, help="Extract sessions again even if already extracted.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option(
    "--ignore-lock",
    is_flag=True,
    help="Do not wait for another run; concurrent runs are safe.",
)
@no_model_option
@propose_option
@written_options
@yes_option
@click.option(
    "--personal",
    is_flag=True,
    help="Sync sessions that ran outside any repository into your personal memory.",
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
    **asked: Any,
) -> int:
    """Read new agent sessions from disk; commit the decisions and lessons, one commit per session.

    With -q, prints only errors and the output of --dry-run and --json.
    """
    if interactive:
        takes_no("sync -i", dry_run=dry_run, no_extract=asked["no_extract"])
        if not yes:
            _require_terminal()
    ws = opened(personal=personal, fallback=True, making=not dry_run)
    had_memory = ws.has_memory()
    options = _options(ws, **asked, whole_queue=interactive, keep=yes and not by_agent(ws))
    with contextlib.closing(Progress(quiet=is_quiet())) as progress:
        if dry_run:
            outcome = rehearse(ws, options, progress)
        else:
            asking = _asking(ws, progress.close, interactive=interactive, yes=yes)
            with contextlib.nullcontext() if ignore_lock else ws.locked(wait):
                outcome = sync(ws, options, progress, asking)
    if as_json:
        data_json(outcome.report.as_dict() | (planned_json(ws, outcome) if dry_run else {}))
    else:
        _tell_made(ws, had_memory=had_memory)
        tell(ws, outcome, dry=dry_run)
    if not dry_run:
        _follow_up(ws, options, outcome)
    is_partly = outcome.report.sessions_failed or any(
        error["session"] for error in outcome.report.errors
    )
    return PARTLY_DONE if is_partly else 0


def _tell_made(ws: Workspace, *, had_memory: bool) -> None:
    """Say so if the sync created the branch or folder that holds the memory."""
    if not had_memory and ws.has_memory():
        say(f"created the {'folder' if ws.in_tree else 'branch'} {ws.store_name} for the memory")


def _options(
    ws: Workspace, *, no_extract: bool, no_model: bool, agent: str | None, **others: Any
) -> Options:
    return Options(
        **others,
        extract=not no_extract,
        model=not no_model,
        agents=ws.agents_named(agent or ""),
    )


def _follow_up(ws: Workspace, options: Options, outcome: Outcome) -> None:
    """Embed new memories, cache what a repeated sync prints, and start the daily maintenance.

    A repeated sync is one for which nothing has changed since this one.
    """
    if _embedded(ws) if options.model else ws.meaning is None:
        report = replace(outcome.report, duration_seconds=0.0)
        summary = summary_lines(ws, replace(outcome, report=report), dry=False)
        cache_noop(ws, options, outcome, "\n".join(f".{line}" for line in summary))
    if ws.settings["maintain"] == "auto":
        from git_lerim.actions.maintain import daily  # noqa: PLC0415 rarely needed

        daily.start(ws)


def _require_terminal() -> None:
    """Raise Declined if there is no terminal for questions."""
    if not can_ask():
        hint = (
            "to keep everything: git lerim sync -i --yes; to preview it: git lerim sync --dry-run"
        )
        raise Declined("cannot ask without a terminal; nothing was done", hint=hint)


def _asking(ws: Workspace, pause: Callable[[], None], *, interactive: bool, yes: bool) -> Asking:
    """Return the callbacks that ask the user questions. Raises Declined for an agent's sync -i.

    Before a question, they call `pause`, which clears the progress line.
    """
    if interactive:
        refuse_agent(ws, "sync -i asks the user which memories to keep")
    if yes or not can_ask():
        return Asking(notice=say)
    # hooks sync without a terminal
    from git_lerim.commands.triage import asker, keeper  # noqa: PLC0415

    return Asking(
        each=asker(ws, pause) if interactive else None, unchecked=keeper(pause), notice=say
    )


def _embedded(ws: Workspace) -> bool:
    """Embed new memories if an embedding model is set; return whether all are embedded."""
    if ws.meaning is None:
        return True
    from git_lerim.actions.search import embed_missing  # noqa: PLC0415 few have such a model

    progress = Progress(quiet=is_quiet())
    try:
        return embed_missing(ws, progress)
    finally:
        progress.close()
