"""Say what a verb committed, for the case that its output cannot be written."""

from git_lerim.git import refs
from git_lerim.workspace import Workspace


def branch_tip(ws: Workspace) -> str | None:
    """Return the tip of the memory branch, read from git's ref files."""
    return refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")


def committed_since(ws: Workspace, before: str | None) -> str:
    """Return a sentence naming the branch's new tip, or "" if the branch did not move."""
    tip, name = branch_tip(ws), ws.settings["branch"]
    if tip is None or tip == before:
        return ""
    return f"{name} was committed nevertheless; to see it: git show {tip[:10]}"
