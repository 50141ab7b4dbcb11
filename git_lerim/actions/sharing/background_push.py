"""Start a push in a background process, after a command that changed the memory."""

from git_lerim.actions.committed import branch_tip
from git_lerim.git import refs
from git_lerim.git.running import spawn_detached
from git_lerim.workspace import Workspace


def start_if_moved(ws: Workspace, before: str | None, *, always: bool = False) -> bool:
    """Start a push in the background if the branch moved; return whether it was started.

    With `always`, start one also if the branch did not move but is unpushed. Nothing is started
    before the user has agreed to a push.
    """
    tip = branch_tip(ws)
    if tip is None or ws.in_tree or (tip == before and not always):
        return False
    agreed = refs.below(ws.place.common_dir, "refs/lerim/pushed").values()
    return bool(agreed) and (tip != before or tip not in agreed) and start(ws)


def start(ws: Workspace) -> bool:
    """Start a push in the background; return whether that was possible."""
    own = ["--personal"] if ws.personal else []
    # absolute, because the process may start in another folder
    where = {} if ws.personal else {"GIT_DIR": str(ws.place.git_dir)}
    return spawn_detached.start(
        ["push", "--background", "--quiet", *own], ws.place.worktree or ws.place.git_dir, where
    )
