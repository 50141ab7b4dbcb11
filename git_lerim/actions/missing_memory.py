"""Say how to get a memory where there is none."""

from contextlib import suppress

from git_lerim.actions.setup import is_only_fetched
from git_lerim.errors import UsageError
from git_lerim.git.remote.remote_urls import fetch_url
from git_lerim.git.running.process import plain
from git_lerim.workspace import Workspace


def missing_memory(ws: Workspace) -> str:
    """Return that there is no memory here and how to get one, or "" if there is one."""
    if ws.has_memory() or is_only_fetched(ws):
        return ""
    return f"there is no memory here, so nothing was checked; {how_to_get(ws)}"


def how_to_get(ws: Workspace) -> str:
    """Return how to get a memory on a branch, or how to create it.

    A clone of a single branch, such as a shallow one, does not fetch the memory's branch.
    """
    if ws.personal:
        return "git lerim remember --personal creates it"
    if ws.in_tree:
        return "git lerim init --tree creates it"
    remote = ws.settings["remote"]
    if is_only_fetched(ws):
        return f"git lerim init creates it from {plain(remote)}/{ws.settings['branch']}"
    with suppress(UsageError):
        fetch_url(ws.place, remote)
        return f"git lerim pull gets it if {plain(remote)} has one, git lerim sync creates it"
    return "git lerim sync creates it"
