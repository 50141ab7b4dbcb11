"""Refuse a remote with a branch such as `lerim`, as git cannot add `lerim/memory` beside it."""

import os

from git_lerim.errors import BranchBlocked
from git_lerim.git import refs
from git_lerim.git.remote.network import run_network
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain

_RENAME = "choose another name for the memory: git config lerim.branch lerim-memory"
_HEADS = "refs/heads/"


def refuse_fetched_conflict(place: Place, remote: str, branch: str) -> None:
    """Raise BranchBlocked if a branch fetched earlier conflicts with this branch's name.

    For example, git cannot have tracking refs for both `lerim` and `lerim/memory`.
    """
    ref, top = tracking_ref(remote, branch), f"refs/remotes/{remote}/"
    found = [name for name in _above(branch) if refs.read_ref(place.common_dir, top + name)]
    if not found:
        found = [name.removeprefix(top) for name in refs.below(place.common_dir, ref)]
    if found:
        raise BranchBlocked(
            _sentence(f"{remote}, as last fetched,", found[0], branch),
            hint=f"if {plain(remote)} no longer has it: git fetch --prune; else {_RENAME}",
        )


def refuse_remote_conflict(place: Place, remote: str, branch: str, *, alone: bool) -> None:
    """Raise BranchBlocked if a branch of the remote conflicts with this branch's name.

    The remote is asked for its branches; with `alone`, git does not prompt.
    """
    asked = [_HEADS + name for name in (*_above(branch), f"{branch}/*")]
    args = place.git("ls-remote", "--refs", "--end-of-options", remote, *asked)
    told = os.fsdecode(run_network(args, place, alone=alone).stdout).split("\n")
    for name in (line.partition(f"\t{_HEADS}")[2] for line in told):
        # git also lists names that only end like those asked for
        if name in _above(branch) or name.startswith(f"{branch}/"):
            raise BranchBlocked(_sentence(remote, name, branch), hint=_RENAME)


def _above(branch: str) -> list[str]:
    parts = branch.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _sentence(remote: str, name: str, branch: str) -> str:
    return f"{plain(remote)} has a branch {plain(name)}, which leaves no room for {branch}"
