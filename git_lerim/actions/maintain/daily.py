"""Maintain in the background after a sync, at most daily, if `lerim.maintain` is `auto`."""

import contextlib
import time

from git_lerim.errors import Busy
from git_lerim.git.repo import private_folder
from git_lerim.git.running import spawn_detached
from git_lerim.workspace import Workspace

NAME = "maintained-at"  # its modification time is that of the last run
_DAY = 24 * 3600  # seconds


def is_due(ws: Workspace) -> bool:
    """Return whether automatic maintenance is enabled and the last run is a day or more ago."""
    if ws.settings["maintain"] != "auto" or not ws.has_memory():
        return False
    try:
        return not 0 <= time.time() - (ws.folder / NAME).stat().st_mtime < _DAY
    except OSError:
        return True


def start(ws: Workspace) -> bool:
    """Start maintenance in the background if it is due; return whether it was started."""
    own = ["--personal"] if ws.personal else []
    # absolute, because the process may start in another folder
    where = {} if ws.personal else {"GIT_DIR": str(ws.place.git_dir)}
    return is_due(ws) and spawn_detached.start(
        ["maintain", "--background", "--quiet", *own], ws.place.worktree or ws.place.git_dir, where
    )


def run(ws: Workspace) -> bool:
    """Maintain if it is due and nobody holds the lock; return whether it was done."""
    if not is_due(ws):
        return False
    from git_lerim.actions.maintain.maintain_options import Options  # noqa: PLC0415
    from git_lerim.actions.maintain.run_maintain import maintain  # noqa: PLC0415

    with contextlib.suppress(Busy), ws.locked(0):
        private_folder(ws.folder)
        # before the run, so that a failure is retried only tomorrow
        (ws.folder / NAME).touch(mode=0o600)
        maintain(ws, Options(model=False), lambda *_: None)
        return True
    return False
