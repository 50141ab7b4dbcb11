"""Share the memory by itself, where `lerim.push` is `auto`: after a verb that changed it, by a
process that nobody waits for.

It goes only where a push was agreed to before, through all the gates of `push`. What goes wrong is
told by `git lerim status`, until a push goes well. One process does it at a time: who comes
meanwhile leaves word, and it goes round again.
"""

from typing import NoReturn

from git_lerim.actions.hooks import single_flight
from git_lerim.actions.sharing import push
from git_lerim.errors import Declined, LerimError
from git_lerim.git import refs, remote
from git_lerim.git.running import spawn_detached
from git_lerim.git.running.process import plain
from git_lerim.workspace import Workspace

LIMIT = 30  # seconds


def stands(ws: Workspace) -> str | None:
    """Return where the branch stands, by reading a file or two."""
    return refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")


def after(ws: Workspace, before: str | None, *, always: bool = False) -> bool:
    """Begin to push if the branch has moved since, or `always` if some of it is not pushed; tell
    whether that began.
    """
    tip = stands(ws)
    if tip is None or ws.in_tree or (tip == before and not always):
        return False
    agreed = refs.below(ws.place.common_dir, "refs/lerim/pushed").values()
    return bool(agreed) and (tip != before or tip not in agreed) and begin(ws)


def begin(ws: Workspace) -> bool:
    """Begin to push in the background, and return at once; tell whether that was possible."""
    own = ["--personal"] if ws.personal else []
    where = (
        {} if ws.personal else {"GIT_DIR": str(ws.place.git_dir)}
    )  # a relative one would be meant from where we stand
    return spawn_detached.start(
        ["push", "--background", "--quiet", *own], ws.place.worktree or ws.place.git_dir, where
    )


def run(ws: Workspace) -> None:
    """Push what is there, in the process that was started for it. Nothing is asked,
    nothing said.
    """
    single_flight.run(ws.folder, "push-again", "pushing", lambda: _push(ws))


def trouble(ws: Workspace) -> str:
    """Return why the last push in the background did not go well; empty if it did."""
    try:
        return plain(push.failed_file(ws).read_text("utf-8", "replace"))[:600]
    except OSError:
        return ""


def unagreed(ws: Workspace) -> str:
    """Return the remote to which nothing goes by itself, because no push there was agreed to yet;
    empty where one was.
    """
    name = ws.settings["remote"]
    try:
        return (
            ""
            if ws.in_tree or push.was_pushed(ws, remote.push_urls(ws.place, name))
            else plain(name)
        )
    except LerimError:  # there is no such remote, and nobody to share with
        return ""


def _push(ws: Workspace) -> None:
    name = ws.settings["remote"]
    try:
        with single_flight.limited(LIMIT):
            if push.was_pushed(ws, remote.push_urls(ws.place, name)):
                push.push(ws, name, _decline, alone=True)
    except Declined:
        return
    except LerimError as error:
        push.failed_file(ws).write_text(f"{plain(name)}: {error}", encoding="utf-8")


def _decline(question: str) -> NoReturn:
    raise Declined(question)
