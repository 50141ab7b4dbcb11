"""The git hooks: a background sync after a change, and the secret scan before a push."""

import contextlib
import os
import time
from collections.abc import Collection
from pathlib import Path

from git_lerim import agent_limits
from git_lerim.actions import logs
from git_lerim.actions.hooks import last_run, single_flight
from git_lerim.errors import LerimError
from git_lerim.git import fast_repo
from git_lerim.git.running import spawn_detached
from git_lerim.git.running.environment import POINTING
from git_lerim.git.running.process import git_line
from git_lerim.memories import naming
from git_lerim.private_files import OURS, read_text
from git_lerim.storage import layout
from git_lerim.workspace import Workspace

LIMIT = 600  # seconds that one run may take
_PATIENCE = 60.0  # seconds to wait for a sync started by hand
_STALE, _NOTICE = "hook-stale", "hook-notice"  # files; hooks/lerim reads the second one
_AGAIN, _STARTING = "hook-again", "hook-starting"  # files; hooks/lerim writes the second one


def drop_git_variables() -> None:
    """Unset a hook's GIT_* variables if the current folder implies the same repository.

    If they stayed set, they would mislead git in the processes that git-lerim starts.
    """
    found, pointed = fast_repo.find_repo(str(Path.cwd())), os.environ.get("GIT_DIR")
    if pointed is None or (found and os.path.realpath(found[1]) == os.path.realpath(pointed)):
        for name in POINTING:
            os.environ.pop(name, None)


def start(event: str) -> bool:
    """Start a sync in the background after a git event; return whether it was started.

    Nothing is started if the environment variable LERIM_HOOKS is 0.
    """
    if _is_off():
        return False
    pointed = {
        name: os.environ[name] for name in ("GIT_DIR", "GIT_WORK_TREE") if name in os.environ
    }
    return spawn_detached.start(["githook", "--quiet", "--now", event], Path.cwd(), pointed)


def _is_off() -> bool:
    return os.environ.get("LERIM_HOOKS") == "0"


def run(ws: Workspace, event: str) -> None:
    """Sync silently after the repository has changed; runs in the background process."""
    if _is_off():  # a model's program runs it, and its own sync would wait for this one
        return
    if agent_limits.forbids_work(ws.env, ws.settings):
        ws.log("hook: did nothing, because a variable names another branch or store, or hides text")
        return
    # a change that comes too late for this run requests another run
    single_flight.request(ws.folder, _AGAIN)
    _clear_starting(ws)
    single_flight.run(ws.folder, _AGAIN, "hook-running", lambda: _run(ws, event))


def scan(ws: Workspace, pushed: str) -> None:
    """Look for secrets in the part of the memory that a push sends.

    `pushed` is the input of a pre-push hook. Raises Unsafe if there is a secret, and LerimError.
    """
    from git_lerim.actions.sharing.secret_scan import refuse_secrets  # noqa: PLC0415 rarely needed

    branch = ws.settings["branch"]
    ours = (f"refs/heads/{branch}", f"refs/heads/{layout.proposals(branch)}")
    for fields in (line.split() for line in pushed.splitlines()):
        if len(fields) != 4 or not fields[1].strip("0"):
            continue
        if not (fields[2].startswith(ours) or _is_store(ws, fields[1])):
            continue
        known = ws.place.git("rev-parse", "--verify", "--quiet", f"{fields[3]}^{{commit}}")
        refuse_secrets(ws, fields[1], git_line(known, cwd=ws.place.git_dir))


def _is_store(ws: Workspace, pushed: str) -> bool:
    """Return whether a pushed object is a memory store, under whatever name it is pushed."""
    if (
        git_line(
            ws.place.git("rev-parse", "--verify", "--quiet", f"{pushed}:format"),
            cwd=ws.place.git_dir,
        )
        is None
    ):
        return False
    listed = ws.place.git("ls-tree", "-r", "-z", "--name-only", "--full-tree", pushed)
    paths = git_line(listed, cwd=ws.place.git_dir) or ""
    return any(map(naming.valid_path, paths.split("\0")))


def _clear_starting(ws: Workspace) -> None:
    """Remove this process's starting file, so that the next change starts a process of its own."""
    with contextlib.suppress(OSError):
        starting = ws.folder / _STARTING
        if read_text(starting).strip() == str(os.getpid()):
            starting.unlink()


def _run(ws: Workspace, event: str) -> None:
    began, at = time.monotonic(), time.time()
    last_run.save(ws, last_run.Ran(event=event, at=at, pid=os.getpid()))
    did = error = ""
    try:
        with single_flight.time_limit(LIMIT):
            did = _synced(ws)
    except LerimError as trouble:
        error = str(trouble)
    seconds = round(time.monotonic() - began, 3)
    last_run.save(
        ws, last_run.Ran(event=event, at=at, pid=os.getpid(), seconds=seconds, did=did, error=error)
    )
    if error:
        ws.log(f"hook {event}: {error}, {seconds} s")
    logs.truncate(ws)


def _synced(ws: Workspace) -> str:
    """Sync, and prepare the next agent's brief; return what was done."""
    from git_lerim.actions.code import freshness  # noqa: PLC0415 loaded only when the lock is held
    from git_lerim.actions.hooks.hook_work import prepare  # noqa: PLC0415
    from git_lerim.actions.maintain import daily  # noqa: PLC0415 loaded only when the lock is held
    from git_lerim.actions.sync.run_sync import sync  # noqa: PLC0415
    from git_lerim.actions.sync.sync_options import Options  # noqa: PLC0415

    with ws.locked(_PATIENCE):
        report = sync(ws, Options(background=True), lambda *_: None).report
    daily.run(ws)
    if ws.place.worktree is not None:
        prepare(ws)
    # computed now, so that the next command finds it cached
    stale = {id_ for id_, one in freshness.of_all(ws).items() if one.stale is True}
    _notice(ws, stale)
    marked = f", {len(stale)} stale" if stale else ""
    return f"{report.sessions_extracted} extracted, {report.sessions_queued} queued{marked}"


def _notice(ws: Workspace, stale: Collection[str]) -> None:
    """Save which memories are stale, and announce newly stale ones if a setting asks for it.

    The setting is `lerim.staleNotice`. The next commit's hook prints the announcement.
    """
    known = ws.folder / _STALE
    with contextlib.suppress(OSError):
        before = set(read_text(known, OURS).split()) if known.exists() else set()
        if set(stale) != before:
            known.write_text("\n".join(sorted(stale)), encoding="ascii")
        if ws.settings["staleNotice"] and (new := len(set(stale) - before)):
            (ws.folder / _NOTICE).write_text(f"{new}\n", encoding="ascii")
