"""The options of a sync, and the window and folders they select."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from git_lerim.actions.intake.discover import Look
from git_lerim.actions.intake.own_trees import own_trees
from git_lerim.actions.intake.template_files import TemplateFiles
from git_lerim.agents import roster
from git_lerim.errors import UsageError
from git_lerim.git.history import dates
from git_lerim.sessions import queue
from git_lerim.sessions.gate import clean_session
from git_lerim.setting_values import duration
from git_lerim.storage.trust.output_redaction import refuse_hiding
from git_lerim.workspace import Workspace

FOREVER = 1 << 62  # milliseconds: later than any session


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a sync."""

    window: str | None = None
    since: str | None = None
    until: str | None = None
    session: str | None = None
    agents: tuple[str, ...] = ()
    max_sessions: int | None = None
    extract: bool = True
    force: bool = False
    whole_queue: bool = False  # without a window, extract all that is queued
    model: bool = True  # use the model, if one is set
    background: bool = False  # started by a hook or a timer
    keep: bool = False  # extract even with lerim.sync=ask


def window_of(ws: Workspace, options: Options) -> queue.Window:
    """Return which sessions the options select: one session, or a window of time.

    Raises UsageError.
    """
    if options.session is not None:
        if not options.session:
            raise UsageError("--session is empty", hint="git lerim sessions lists the sessions")
        session = clean_session(options.session, ws.redactor)
        return queue.Window(session=session, agents=options.agents, force=options.force)
    window = options.window
    if window is None and options.since is None:
        window = ws.settings["syncWindow"]
    since = window_start(ws.now, since=options.since, window=window or "")
    until = FOREVER
    if options.until is not None:
        until = round(
            dates.parse_option("--until", options.until, whole=True, now=ws.now.timestamp()) * 1000
        )
    if until <= since.timestamp() * 1000:
        begins = "--window" if options.since is None else "--since"
        raise UsageError(
            "the window ends before it begins",
            hint=f"{begins} sets its start; --until must be later",
        )
    return queue.Window(
        since=int(since.timestamp() * 1000), until=until, agents=options.agents, force=options.force
    )


def window_start(now: datetime, *, since: str | None, window: str) -> datetime:
    """Return the time `since` or, without it, the time a `window` before now. Raises UsageError."""
    if since is not None:
        return datetime.fromtimestamp(
            dates.parse_option("--since", since, now=now.timestamp()), UTC
        )
    try:
        span = duration(window)
    except ValueError as error:
        raise UsageError(f"invalid --window {window!a}", hint=f"expected {error}") from None
    epoch = datetime.fromtimestamp(0, UTC)
    return epoch if span is None or span > now - epoch else now - span


def extracted_window(ws: Workspace, options: Options) -> queue.Window:
    """Return the window of the sessions to extract; for the whole queue, it has no start."""
    everything = options.whole_queue and options.window is None and options.since is None
    window = window_of(ws, options)
    return replace(window, since=0) if everything else window


def look_of(ws: Workspace, window: queue.Window, *, keeping: bool = False) -> Look:
    """Return where and how to search for the sessions of a window: agents, folders, filters.

    Raises Declined if what is read will be kept, but an agent's variables hide some of it.
    """
    if keeping and ws.settings.narrowed:
        refuse_hiding(ws.settings.narrowed)
    connected = ws.settings["agents"]
    names = connected if connected is not None else tuple(roster.AGENTS)
    return Look(
        places=ws.places,
        agents=tuple(name for name in names if not window.agents or name in window.agents),
        paths={agent: path.value for agent, path in ws.settings.paths.items()},
        own=own_trees(ws),
        since=window.since,
        scope=ws.scope,
        fingerprint=ws.territory.fingerprint(),
        redactor=lambda: ws.redactor,
        keeping=keeping,
        ignored=ws.settings["ignorePath"],
        patterns=(*ws.settings["redactPattern"], "", *ws.settings["redactAllow"]),
        templates=TemplateFiles(ws.place, ws.places),
    )
