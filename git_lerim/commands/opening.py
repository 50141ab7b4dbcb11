"""Open the workspace for a command, and print any warnings when the command ends."""

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import click

from git_lerim.actions.committed import branch_tip, committed_since, config_stamp, left_behind
from git_lerim.agent_limits import mark_home, refuse_ignored_home
from git_lerim.commands.terminal import COMMITTED, can_ask, confirm, say
from git_lerim.commands.written import THEN
from git_lerim.config import KEYS
from git_lerim.errors import Declined, NotARepository, UsageError
from git_lerim.workspace import Workspace, open_workspace

_SILENT = {"hook", "githook", "statusline", "mcp", "sync"}  # nobody reads what they say
_SHOWING = {"config", "doctor", "status"}  # they show which setting is invalid
_SYNCING = {"githook", "maintain", "sync"}  # they need valid settings before they begin
# the options that override settings which only some verbs need
_INSTEAD = {"syncWindow": {"window", "since", "session"}, "maxSessions": {"max_sessions"}}
# Verbs that store or send text: with a misspelt lerim.redactPattern, secrets would get through.
_WRITING = {"edit", "handoff", "import", "maintain", "push", "remember", "review", "sync"}
_WORD = r"[^\s\"]+"
# Verbs by which an agent writes, corrects or archives memories, as it can over MCP.
_OF_AGENTS = {"edit", "forget", "import", "remember"}
ALLOWED = (
    "apply these settings from this repository's own configuration? They can read more data, send"
    " data elsewhere or weaken a safeguard"
)


def opened(
    *, personal: bool = False, fallback: bool = False, making: bool = False, tree: bool = False
) -> Workspace:
    """Open the workspace for a command: the current repository or the personal store.

    `personal`, `fallback` and `making` are those of `open_workspace`. With `tree`, the
    store is about to move into the work tree. Raises UsageError if --propose, --stage or
    --commit cannot be used with this memory.
    """
    context = click.get_current_context(silent=True)
    ws = _open(context, personal=personal, fallback=fallback, making=making)
    if ws.personal and not personal:
        say("not in a repository: using your personal memory")
    _check_then(ws, tree=tree)
    if context is None:
        return ws
    if ws.personal and context.info_name in _OF_AGENTS:
        refuse_ignored_home(ws.home, os.environ)
    if context.params.get("at") is not None and not ws.has_memory():
        # only then, as it loads the agents
        from git_lerim.actions.setup import refuse_only_fetched  # noqa: PLC0415

        refuse_only_fetched(ws)
    if context.info_name in _SYNCING:
        _refuse_invalid(ws, context)
    if context.info_name not in {"allow", "config"} and _allowed_now(ws):
        return opened(personal=personal, fallback=fallback, making=making, tree=tree)
    if context.info_name in _WRITING and ws.settings.unknown:
        _warn_of_misspelt(ws)
    if context.info_name in _OF_AGENTS:
        ws = _for_agents(ws)
    if context.info_name not in _SILENT - {"sync"}:
        context.call_on_close(lambda: mark_home(ws.home, ws.env))
    _prepare_end(ws, context)
    return ws


def _refuse_invalid(ws: Workspace, context: click.Context) -> None:
    """Raise BadSetting for an invalid setting, unless an option of the command overrides it."""
    given = {option for option, value in context.params.items() if value is not None}
    unused = [name for name, options in _INSTEAD.items() if not given.isdisjoint(options)]
    overridden = [ws.settings.faults[name] for name in unused if name in ws.settings.faults]
    for error in ws.settings.invalid:
        if error not in overridden:
            raise error


def _open(
    context: click.Context | None, *, personal: bool, fallback: bool, making: bool
) -> Workspace:
    try:
        return open_workspace(
            personal=personal,
            fallback=fallback,
            making=making,
            then=context.meta.get(THEN, "") if context is not None else "",
            lenient=KEYS if context is not None and context.info_name in _SHOWING else (),
        )
    except NotARepository as error:
        if context is None or "personal" not in context.params:
            raise
        raise NotARepository(
            str(error), hint=f"{error.hint}; or use --personal for your personal memory"
        ) from error


def _for_agents(ws: Workspace) -> Workspace:
    """Return a workspace in which an agent's changes become proposals, if the settings say so."""
    from git_lerim.actions import authorship  # noqa: PLC0415 reading verbs do without it

    if not (authorship.by_agent(ws) and authorship.agents_propose(ws)):
        return ws
    return replace(ws, then="propose")


def _check_then(ws: Workspace, *, tree: bool) -> None:
    """Raise UsageError if --propose, --stage or --commit is given but cannot be used here."""
    if ws.then == "propose" and not ws.proposing:
        hint = (
            "files in the work tree are reviewed together with the code"
            if ws.in_tree
            else "leave out --propose: nobody else reads your personal memory"
        )
        raise UsageError("--propose works only for a shared memory branch", hint=hint)
    if ws.then in {"stage", "commit"} and not (ws.in_tree or tree):
        hint = (
            "on a branch, every change is committed anyway; git lerim init --tree stores the"
            " memory in the work tree"
        )
        raise UsageError(f"--{ws.then} works only for a memory in the work tree", hint=hint)


def _prepare_end(ws: Workspace, context: click.Context) -> None:
    """Record the memory's state, to find out at the end of the command what has changed.

    Only then is it clear what to report, and whether to push automatically.
    """
    before, config = branch_tip(ws), config_stamp(ws)
    if context.info_name != "init":
        context.call_on_close(lambda: _warn_of(left_behind(ws, before, config)))
    context.meta[COMMITTED] = lambda: committed_since(ws, before)
    had = ws.has_memory()
    fetched = _fetched(ws, context) if had and context.info_name not in _SILENT else []
    context.call_on_close(
        lambda: _tell(ws, fetched if had else _missing(ws, context.info_name), context.info_name)
    )
    if ws.settings["push"] == "auto" and context.info_name != "push":
        _push_after(ws, context, before)


def _fetched(ws: Workspace, context: click.Context) -> list[str]:
    """Return lines about what `git fetch` has brought since the last report.

    A pull or init reports what it fetches itself, so this adds only what git alone merged before.
    After a pull, an init or a push, the remote's new state counts as reported.
    """
    # only needed if there is a memory
    from git_lerim.actions.sharing import fetched  # noqa: PLC0415

    dry = context.params.get("dry_run")
    if context.info_name in {"pull", "init"} and not dry:
        lines = fetched.report_moved(ws)
    else:
        lines = fetched.report_fetched(ws)
    if context.info_name in {"pull", "init", "push"} and not dry:
        context.call_on_close(lambda: fetched.mark_reported(ws))
    return lines


def _warn_of(sentence: str) -> None:
    if sentence:
        say(f"warning: {sentence}")


def _warn_of_misspelt(ws: Workspace) -> None:
    from git_lerim.actions.setting_faults import misspelt  # noqa: PLC0415 rarely needed

    for sentence in misspelt(ws.settings):
        say(f"warning: {sentence}")


def _allowed_now(ws: Workspace) -> bool:
    """Ask the user, once and on a terminal, to allow guarded settings.

    Returns whether the user has allowed them now.
    """
    asking = ws.settings.asking
    if not asking or not can_ask() or ws.consent.was_declined(asking):
        return False
    for line in setting_lines(asking):
        say(line)
    try:
        confirm(ALLOWED, yes=False)
    except Declined:
        ws.consent.decline(asking)
        return False
    from git_lerim.actions.allow import allow  # noqa: PLC0415 it is asked once

    allow(ws)
    return True


def setting_lines(asking: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each setting; a value is quoted unless it is a single word.

    Thus no value can look like another line.
    """
    return [
        f"{name} = {value if re.fullmatch(_WORD, value) else json.dumps(value)}"
        for name, value in asking
    ]


def _push_after(ws: Workspace, context: click.Context, before: str | None) -> None:
    """Push the command's changes in a background process when the command ends."""
    from git_lerim.actions.sharing import background_push  # noqa: PLC0415 rarely on

    context.call_on_close(
        lambda: background_push.start_if_moved(
            ws, before, always=context.info_name in {"sync", "githook"}
        )
    )


def _tell(ws: Workspace, offers: Iterable[str], verb: str | None) -> None:
    left_out = () if verb == "allow" else ws.settings.refused
    invalid = () if verb in _SHOWING | _SILENT else ws.settings.invalid
    faults = (f"{error}; {error.hint}" for error in invalid)
    for warning in dict.fromkeys((*left_out, *faults, *ws.warnings(), *offers)):
        say(f"warning: {warning}")
    if ws.then == "propose" and ws.settings["review"] != "proposal":
        from git_lerim.actions.sharing import review  # noqa: PLC0415 few use --propose

        if own := review.own_branch(ws):
            say(
                f"the change is waiting for review on {own}; to see it: git lerim review (git lerim"
                " list and git lerim search show it only with lerim.review=proposal)"
            )


def _missing(ws: Workspace, verb: str | None) -> Iterator[str]:
    """Yield a hint on where to find a memory, if this repository has none."""
    # imported here because it loads the agents, which few verbs need
    from git_lerim.actions.setup import deleted_branch_hint, unused_memory_hint  # noqa: PLC0415

    told = (
        deleted_branch_hint(ws) if verb not in {"doctor", "status"} else ""
    )  # doctor and status say more about it
    if not told and verb != "init" and not ws.has_memory():  # `init` says so itself
        told = unused_memory_hint(ws)
    if told:
        yield told
