"""Make the block of memories that an agent is given at the start."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.git import at_head, refs, repo, worktree
from git_lerim.git.process import run_git
from git_lerim.recall import brief as recall
from git_lerim.recall import fence
from git_lerim.tokens import at_most, counter
from git_lerim.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from git_lerim.recall.index import Index

as_json = recall.as_json


def brief(ws: Workspace, *, budget: int | None = None, prompt: str = "", at: str | None = None) -> recall.Brief:
    """Return what an agent is to know for a prompt and the files being worked on, within a budget of tokens.

    Without a budget, the one that the settings name. Nothing is counted as an access: an agent was told, nobody asked.
    """
    changed = () if ws.personal else worktree.touched(ws.place, ws.settings["remote"])
    with contextlib.closing(ws.index(at)) as index, _personal(ws) as own:
        picks = recall.candidates(index, changed=changed, prompt=prompt, personal=own, blobs=lambda paths: blobs(ws, paths))
    count = counter(ws.settings["model"]) or at_most
    return recall.compose(picks, budget or ws.settings["briefTokens"], fence.local_key(str(ws.folder)), count)


def blobs(ws: Workspace, paths: list[str]) -> dict[str, str | None]:
    """Return what stands at paths of HEAD; nothing where there is no HEAD."""
    asked = [path for path in paths if at_head.askable(path)]
    if ws.personal or not asked:
        return {}
    head = repo.head(ws.place)
    if head is None:
        return {}
    return at_head.blobs(run_git(ws.place.git(*at_head.asking_blobs(asked)), cwd=ws.place.git_dir, check=False), asked)


@contextlib.contextmanager
def _personal(ws: Workspace) -> "Iterator[Index | None]":
    """Open the index of the user's personal memory, if there is one: this makes none."""
    folder = Path(recall.personal_folder(ws.places.env, str(ws.places.home)))
    if ws.personal or refs.read_ref(folder, f"refs/heads/{ws.settings['branch']}") is None:
        yield None
        return
    with contextlib.closing(open_workspace(personal=True).index()) as index:
        yield index
