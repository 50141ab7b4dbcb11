"""Tell the user what a command committed, if its output fails or the memory moved meanwhile."""

from git_lerim.git import fast_repo, gitconfig, refs
from git_lerim.workspace import Workspace


def branch_tip(ws: Workspace) -> str | None:
    """Return the tip of the memory branch, read from git's ref files."""
    return refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")


def committed_since(ws: Workspace, before: str | None) -> str:
    """Return a sentence that says what was committed, or "" if the branch did not move."""
    tip, name = branch_tip(ws), ws.settings["branch"]
    if tip is None or tip == before:
        return ""
    return f"the change was committed to {name} nevertheless; to see it: git show {tip[:10]}"


def config_stamp(ws: Workspace) -> str:
    """Return a string that changes whenever the repository's configuration file changes."""
    return fast_repo.stamp(str(ws.place.common_dir / "config"))


def left_behind(ws: Workspace, before: str | None, config: str) -> str:
    """Return a warning if the memory moved to the work tree during a write to the branch, else "".

    `before` and `config` are what `branch_tip` and `config_stamp` returned when the command began.
    """
    if ws.in_tree or branch_tip(ws) == before or config_stamp(ws) == config:
        return ""
    now = [entry.value for entry in gitconfig.read(ws.place, ("lerim.store",))]
    if now[-1:] != ["tree"]:
        return ""
    return (
        "the memory moved to the work tree meanwhile, but this change was written to"
        f" {ws.settings['branch']}; to copy it into the work tree: git lerim init --tree"
    )
