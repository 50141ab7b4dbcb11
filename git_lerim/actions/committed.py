"""Tell what a verb committed, for when its output cannot be written."""

from git_lerim.git import refs
from git_lerim.workspace import Workspace


def branch_tip(ws: Workspace) -> str | None:
    """Return the tip of the branch, by reading a file or two."""
    return refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")


def committed_since(ws: Workspace, before: str | None) -> str:
    """Return a sentence that names what the branch moved to, or "" if it did not move."""
    tip, name = branch_tip(ws), ws.settings["branch"]
    if tip is None or tip == before:
        return ""
    return f"{name} was committed nevertheless; to see it: git show {tip[:10]}"
