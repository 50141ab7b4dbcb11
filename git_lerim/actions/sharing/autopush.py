"""Push in the background after a command that changed the memory, if `lerim.push` is `auto`.

Only to a remote that the user agreed to, with all the checks of `push`. `git lerim status` shows
an error until a push succeeds. One process pushes at a time; a request meanwhile makes it push
once more.
"""

from typing import NoReturn

from git_lerim.actions.hooks import single_flight
from git_lerim.actions.sharing import push
from git_lerim.errors import Declined, LerimError
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import push_urls
from git_lerim.git.running import spawn_detached
from git_lerim.git.running.process import plain
from git_lerim.workspace import Workspace

LIMIT = 30  # seconds


def branch_tip(ws: Workspace) -> str | None:
    """Return the tip of the branch, by reading a file or two."""
    return refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")


def start_if_moved(ws: Workspace, before: str | None, *, always: bool = False) -> bool:
    """Start a push if the branch moved, or with `always` if it is unpushed; tell whether it did."""
    tip = branch_tip(ws)
    if tip is None or ws.in_tree or (tip == before and not always):
        return False
    agreed = refs.below(ws.place.common_dir, "refs/lerim/pushed").values()
    return bool(agreed) and (tip != before or tip not in agreed) and start(ws)


def start(ws: Workspace) -> bool:
    """Start a push in the background; tell whether that was possible."""
    own = ["--personal"] if ws.personal else []
    # absolute, because the process may start in another folder
    where = {} if ws.personal else {"GIT_DIR": str(ws.place.git_dir)}
    return spawn_detached.start(
        ["push", "--background", "--quiet", *own], ws.place.worktree or ws.place.git_dir, where
    )


def run(ws: Workspace) -> None:
    """Push silently, in the background process."""
    single_flight.run(ws.folder, "push-again", "pushing", lambda: _push(ws))


def last_error(ws: Workspace) -> str:
    """Return why the last background push failed, or "" if it succeeded."""
    try:
        return plain(push.failed_file(ws).read_text("utf-8", "replace"))[:600]
    except OSError:
        return ""


def missing_consent(ws: Workspace) -> str:
    """Return the remote that is not pushed to because the user has not agreed yet, or ""."""
    name = ws.settings["remote"]
    try:
        return "" if ws.in_tree or push.was_pushed(ws, push_urls(ws.place, name)) else plain(name)
    except LerimError:  # no such remote: nothing to agree to
        return ""


def _push(ws: Workspace) -> None:
    name = ws.settings["remote"]
    try:
        with single_flight.time_limit(LIMIT):
            if push.was_pushed(ws, push_urls(ws.place, name)):
                push.push(ws, name, _decline, alone=True)
    except Declined:
        return
    except LerimError as error:
        push.failed_file(ws).write_text(f"{plain(name)}: {error}", encoding="utf-8")


def _decline(question: str) -> NoReturn:
    raise Declined(question)
