"""Push in the background after a command that changed the memory, if `lerim.push` is `auto`.

The push goes only to a remote that the user agreed to, with all checks of `push`. If it fails, `git
lerim status` shows the error until a push succeeds. One process pushes at a time; a request during
a push causes another push.
"""

from typing import NoReturn

from git_lerim.actions.hooks import single_flight
from git_lerim.actions.sharing import push
from git_lerim.errors import Declined, LerimError
from git_lerim.git.remote.remote_urls import push_urls
from git_lerim.git.running.process import plain
from git_lerim.private_files import OURS, read_text
from git_lerim.workspace import Workspace

LIMIT = 30  # seconds


def run(ws: Workspace) -> None:
    """Push silently, in the background process."""
    single_flight.run(ws.folder, "push-again", "pushing", lambda: _push(ws))


def last_error(ws: Workspace) -> str:
    """Return why the last background push failed, or "" if it succeeded."""
    try:
        return plain(read_text(push.failed_file(ws), OURS))[:600]
    except OSError:
        return ""


def missing_consent(ws: Workspace) -> str:
    """Return the remote's name if the user has not agreed to push to it yet, or else ""."""
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
    except Declined as asked:
        text = f'{plain(name)} without your answer to "{asked}"'
        push.failed_file(ws).write_text(text, encoding="utf-8")
    except LerimError as error:
        push.failed_file(ws).write_text(f"{plain(name)}: {error}", encoding="utf-8")


def _decline(question: str) -> NoReturn:
    raise Declined(question.rpartition("\n")[2])
