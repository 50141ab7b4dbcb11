"""`git lerim install`: show the edits, ask, and write them; `uninstall` shares these steps."""

from collections.abc import Callable
from typing import Any

import click

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.hooks import hook_work, install
from git_lerim.actions.hooks.install import Chosen, Part
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    can_ask,
    confirm,
    data,
    data_json,
    is_quiet,
    json_option,
    say,
    verb,
    yes_option,
)
from git_lerim.errors import Declined, UsageError
from git_lerim.file_edits import FileEdit, diff

_PARTLY = 3
_Function = Callable[..., Any]
_EVERYTHING = "Install the git hooks here and the hooks of every agent found; ask once."


def options(function: _Function, *, everything: str = _EVERYTHING) -> _Function:
    """Add the command-line options that choose which hooks are installed, and where."""
    for option in reversed((
        click.option("--all", "everything", is_flag=True,
            help=everything),
        click.option("--hooks", is_flag=True, help="Git hooks of this repository."),
        click.option("--agent", metavar="A,B",
            help="Hooks of these agents (comma-separated)."),
        click.option("--instructions", is_flag=True,
            help="A paragraph in AGENTS.md or CLAUDE.md, for agents without hooks."),
        click.option("--user", is_flag=True, help="Use your user settings."),
        click.option("--project", is_flag=True,
            help="Use the repository's settings files, for the whole team."),
        click.option("--dry-run", is_flag=True, help="Show what would change; write nothing."),
    )):  # fmt: skip
        function = option(function)
    return function


@verb()
@options
@click.option("--no-mcp", is_flag=True, help="Do not add the MCP server to the agents' settings.")
@click.option("--no-skill", is_flag=True, help="Do not add the skill to the agents' skills.")
@yes_option
@json_option
def command(*, yes: bool, dry_run: bool, as_json: bool, everything: bool, **named: Any) -> int:
    """Install hooks in git and your agents, so that memory is synced and read automatically.

    Agents also get the MCP server (git lerim mcp) and the skill (git lerim skill).

    Without options, asks about the git hooks of this repository, then about each agent on this
    machine. Shows every changed line before writing and keeps a backup next to each file, except in
    a folder of hooks that the team shares. Safe to run again.
    """
    ws, choice = opened(fallback=True), chosen(**named)
    if not dry_run and not install.is_for_this_agent(ws, choice):
        refuse_agent(ws, "this installs for more than this agent alone (--agent with its own name)")
    parts = install.installation(ws, choice)
    code = carried_out(
        parts, "install", yes=yes, dry_run=dry_run, as_json=as_json, at_once=everything
    )
    if any(part.done for part in parts) and ws.has_memory():
        hook_work.prepare(ws)  # what agents read at their next start
    return code


def chosen(*, agent: str | None, user: bool, project: bool, **named: bool) -> Chosen:
    """Return which hooks the options choose, and where they go.

    Raises UsageError if both --user and --project are given.
    """
    if user and project:
        raise UsageError("use only one of --user and --project", hint="run it once for each")
    scope = "user" if user else "project" if project else ""
    names = tuple(name.strip() for name in (agent or "").split(",") if name.strip())
    return Chosen(agents=names, scope=scope, **named)


def carried_out(
    parts: list[Part], what: str, *, yes: bool, dry_run: bool, as_json: bool, at_once: bool
) -> int:
    """Show the edits, ask the user, and write the files; return the exit code.

    `what` is the verb for messages: install or uninstall.
    """
    waiting = [part for part in parts if part.edits and not part.error]
    shown = [] if as_json else parts
    if is_quiet() and not dry_run:  # nobody agrees to lines that were not shown
        shown = [part for part in shown if part in waiting and can_ask() and not yes]
    if at_once or yes or dry_run:
        for part in shown:
            _show(part, what)
    try:
        if at_once and waiting and not dry_run:
            confirm(f"{what} this?", yes=yes)
        for part in parts if not dry_run else ():
            if part in shown and not (at_once or yes):
                _show(part, what)
            if part in waiting and _agreed(part, what, yes=yes or at_once):
                install.carry_out(part)
    finally:
        if as_json:
            data_json([_json(part) for part in parts])
    return _tell(parts, what, dry_run=dry_run)


def _agreed(part: Part, what: str, *, yes: bool) -> bool:
    if yes:
        return True
    if not can_ask():
        confirm(f"{what} {part.title}?", yes=False)  # raises Declined, which says why
    try:
        confirm(f"{what} {part.title}?", yes=False)
    except Declined:
        return False
    return True


def _show(part: Part, what: str) -> None:
    data(part.title)
    for edit in part.edits:
        data(f"  {edit.path}{_becomes(edit)}: {edit.file.what}")
        for line in (
            diff(edit) if edit.new is not None and not edit.restores and edit.file.is_shown else ()
        ):
            data(f"    {line}")
    if not part.edits and not part.left and not part.error:
        data(
            "  nothing to change"
            if what == "uninstall"
            else "  already installed"
            if not part.notes
            else "  nothing to change"
        )


def _becomes(edit: FileEdit) -> str:
    renamed = edit.file.before and edit.old is not None and not edit.removing
    kept = edit.aside.name if edit.aside else edit.backup.name if renamed else ""
    said = (
        "new" if edit.old is None
        else f"restored from {edit.backup.name}" if edit.restores
        else "deleted" if edit.new is None
        else "your lines stay" if edit.removing and edit.file.before
        else ""
    )  # fmt: skip
    words = ", ".join(filter(None, (said, kept and f"backup: {kept}")))
    return f" ({words})" if words else ""


def _tell(parts: list[Part], what: str, *, dry_run: bool) -> int:
    for part in parts:
        if part.error:
            hint = f"; {part.hint}" if part.hint else ""
            say(f"warning: {part.title}: {part.error}{hint}", is_error=True)
        for left in part.left:
            say(f"warning: {part.title}: {left}", is_error=True)
        for note in (
            part.notes if what == "install" and (part.done or not part.edits or dry_run) else ()
        ):
            say(f"{part.name}: {note}")
    if not parts:
        say(
            "nothing installed here"
            if what == "uninstall"
            else "nothing to install: no agents found here; name one with --agent, or run this in a"
            " git repository to install git's hooks"
        )
    failed = [part for part in parts if part.error or part.left]
    if done := [part.name for part in parts if part.done]:
        say(f"{what}ed: {', '.join(done)}")
    return 0 if not failed else _PARTLY if done or len(failed) < len(parts) else 1


def _json(part: Part) -> dict[str, Any]:
    files = [
        {
            "path": str(edit.path),
            "what": edit.file.what,
            "action": "create" if edit.old is None else "delete" if edit.new is None else "change",
            "lines": diff(edit),
        }
        for edit in part.edits
    ]
    return {
        "name": part.name,
        "files": files,
        "notes": part.notes,
        "left": part.left,
        "error": part.error,
        "done": part.done,
    }
