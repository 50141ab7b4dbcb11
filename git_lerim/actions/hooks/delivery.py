"""Check that the hooks work, by looking at what git would run and what ran last."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_lerim import file_edits
from git_lerim.actions.hooks import last_run
from git_lerim.actions.hooks.install import INSTRUCTIONS, target_of
from git_lerim.actions.listing import iso
from git_lerim.agents.hooked import HOOKED, hooked
from git_lerim.agents.hooks.programs import is_runnable, programs
from git_lerim.errors import LerimError
from git_lerim.git import hooks, refs
from git_lerim.git.running.process import plain
from git_lerim.recall.brief import delivered
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_SLOW = 60  # seconds that a hook may take after a commit
_COMMIT = re.compile(rb" (\d+) [+-]\d{4}\t(?:commit|merge|rebase \(finish\))\b")
_AGAIN = "to fix it: git lerim install --hooks"


def hook_status(ws: Workspace) -> dict[str, Any]:
    """Return what `status` shows about hooks: those installed, and what they did last."""
    last = None if ws.personal else last_run.last(ws)
    ran = last and {
        "event": last.event,
        "at": _shown(last.at),
        "seconds": last.seconds,
        "did": last.did,
        "error": last.error,
    }
    agents = _agents(ws)
    return {
        "git": not ws.personal and hooks.is_installed(ws.place),
        "last": ran,
        "agents": agents,
        "gone": _gone(ws, agents),
        "delivered": _delivered(ws),
    }


def _delivered(ws: Workspace) -> dict[str, dict[str, Any]]:
    """Map each agent to the time, event and size of the last delivery of memories to it."""
    found = delivered.last_deliveries(ws.folder)
    return {
        agent: {"at": one.at, "event": one.event, "tokens": one.tokens}
        for agent, one in found.items()
    }


def problems(ws: Workspace) -> Iterator[tuple[str, str]]:
    """Yield each problem of the installed git hooks, with what to do about it."""
    if ws.personal or not hooks.is_installed(ws.place):
        return
    yield from _not_run(ws)
    yield from _program(ws)
    yield from _last_run(ws)


def agent_problems(ws: Workspace) -> Iterator[tuple[str, str, str]]:
    """Yield the problems of the installed agents' hooks: agent, problem, and what to do."""
    for name in (agents := _agents(ws)):
        for scope in _scopes(ws, name):
            found = hooked(name).problems(target_of(ws, scope))
            yield from ((name, problem, "") for problem in found)
    for name, gone in _gone(ws, agents).items():
        runs = f"what git-lerim added to its settings runs {plain(gone)}"
        says = f"{runs}, which is gone or has lost its Python: {name} is given no memories"
        yield name, says, "to fix it: git lerim install"


def _gone(ws: Workspace, agents: list[str]) -> dict[str, str]:
    """Map agents to the program of git-lerim that their own settings run, if it cannot start.

    The files of a project name no program of this machine.
    """
    named = ((name, program) for name in agents for program in _programs(ws, name))
    return {name: str(program) for name, program in named if not is_runnable(program)}


def _programs(ws: Workspace, name: str) -> Iterator[Path]:
    for file in hooked(name).files(target_of(ws, "user")):
        with suppress(LerimError):  # an unparsable file; `install` reports it
            yield from programs(file)


def _not_run(ws: Workspace) -> Iterator[tuple[str, str]]:
    if missing := hooks.missing(ws.place):
        why = hooks.refusal(ws.place)
        yield f"git does not run git-lerim on {', '.join(missing)}", why or _AGAIN
    if os.environ.get("LERIM_HOOKS") == "0":
        yield "LERIM_HOOKS=0 turns the hooks off", "unset it"


def _program(ws: Workspace) -> Iterator[tuple[str, str]]:
    program = hooks.program(ws.place)
    if program is None:
        yield f"{ws.place.common_dir / 'hooks' / 'lerim'}, which the hooks run, is missing", _AGAIN
    elif not os.access(program, os.X_OK):
        other = shutil.which("git-lerim")
        instead = f"{other} is used instead" if other else "nothing runs"
        yield f"the Python that the hooks run, {plain(program)}, is gone: {instead}", _AGAIN
    elif file_edits.addition(hooks.script(ws.place, ws.settings["branch"], program)):
        yield "the hooks were written by another version, or for another lerim.branch", _AGAIN


def _last_run(ws: Workspace) -> Iterator[tuple[str, str]]:
    last = last_run.last(ws)
    if last and last.error:
        yield (
            f"the last run, after {last.event}, failed: {plain(last.error)}",
            "run git lerim sync for details",
        )
    elif last and last.seconds is None and not refs.is_running(last.pid):
        yield (
            f"the last run, after {last.event}, ended early",
            "run git lerim sync to see why",
        )
    since = max(last.at if last else 0, hooks.installed_at(ws.place) or 0)
    if missed := sum(since < moment < time.time() - _SLOW for moment in _commits(ws)):
        when = f"since {local_times(_shown(since))}" if last else "and none ever ran"
        yield (
            f"no hook ran after {counted(missed, 'commit')}, {when}",
            "programs that commit without git run no hooks; run git lerim sync",
        )


def _commits(ws: Workspace) -> list[int]:
    """Return the times of commits in this work tree, from HEAD's reflog."""
    try:
        with (ws.place.git_dir / "logs" / "HEAD").open("rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - (1 << 16)))
            return [int(found[1]) for line in log if (found := _COMMIT.search(line))]
    except OSError:
        return []


def _agents(ws: Workspace) -> list[str]:
    return [name for name in HOOKED if name != INSTRUCTIONS and _holds(ws, name)]


def _holds(ws: Workspace, name: str) -> bool:
    try:
        return any(
            file_edits.is_there(file)
            for scope in _scopes(ws, name)
            for file in hooked(name).files(target_of(ws, scope))
        )
    except LerimError:  # an unparsable file; `install` reports it
        return False


def _scopes(ws: Workspace, name: str) -> list[str]:
    return [
        scope
        for scope in hooked(name).SCOPES
        if scope == "user" or (not ws.personal and ws.place.worktree)
    ]


def _shown(seconds: float) -> str:
    return iso(datetime.fromtimestamp(seconds, UTC))
