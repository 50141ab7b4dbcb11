"""Push one branch to a remote, and nothing else.

No hook runs. Only after a purge is the push forced, and then with a lease.
"""

import re
from dataclasses import dataclass
from enum import Enum

from git_lerim.errors import BranchBlocked
from git_lerim.git import refs
from git_lerim.git.remote.name_conflicts import refuse_fetched_conflict, refuse_remote_conflict
from git_lerim.git.remote.network import network_error, run_network
from git_lerim.git.remote.remote_urls import fetch_url, push_urls, tracking_ref
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain, run_git

_PUSH = (
    "push",
    "--no-verify",
    "--porcelain",
    "--recurse-submodules=no",
    "--no-follow-tags",
    "--quiet",
)
_MOVED = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|"
    r"incorrect old value|reference already"
)
# somebody else is pushing, or the name conflicts with another branch
_UNLOCKED = re.compile(r"cannot lock ref|failed to update ref")
# messages of GitHub, GitLab, Gitea and Forgejo
_UNSIGNED = re.compile(
    r"must have (?:verified|valid) signatures|must be signed|unverified commit", re.IGNORECASE
)


class Answer(Enum):
    """The outcome of a push."""

    TAKEN = "taken"
    MOVED = "moved"  # somebody else pushed first
    REFUSED = "refused"  # by a rule or hook of the remote


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """The outcome of a push and the remote's message, safe to print."""

    answer: Answer
    said: str = ""


def push_branch(  # noqa: PLR0913 what, where to, and how
    place: Place,
    remote: str,
    branch: str,
    commit: str,
    *,
    alone: bool,
    instead_of: str | None = None,
) -> Pushed:
    """Push a commit to a remote's branch as a fast-forward. Raises GitFailed, BranchBlocked.

    `instead_of` (for a purge) is a commit to replace. `alone` disables all prompts.
    """
    home = fetch_url(place, remote)
    refuse_fetched_conflict(place, remote, branch)
    before = refs.read_ref(place.common_dir, tracking_ref(remote, branch))
    lease = [f"--force-with-lease=refs/heads/{branch}:{instead_of}"] if instead_of else []
    args = [
        *("-c", "push.gpgSign=false"),
        *("-c", f"remote.{remote}.mirror=false"),  # push a single branch even to a mirror
        *place.git(*_PUSH, *lease, "--end-of-options", remote, f"{commit}:refs/heads/{branch}"),
    ]
    done = run_network(args, place, alone=alone)
    is_there = not done.returncode and home in push_urls(place, remote)
    # git updates tracking refs by its refspecs, not by what was pushed where
    _note_fetched(place, remote, branch, commit if is_there else before)
    if not done.returncode:
        return Pushed(answer=Answer.TAKEN)
    report = done.stdout.decode("utf-8", "replace").split("\n")
    refused = next((line for line in report if line.startswith("!\t")), None)
    _refuse_tag(remote, branch, refused or "", done.stderr)
    if refused is None:
        raise network_error(args, done.stderr, f"cannot push to {plain(remote)}")
    if _UNLOCKED.search(refused):
        refuse_remote_conflict(place, remote, branch, alone=alone)
    if _MOVED.search(refused):
        return Pushed(answer=Answer.MOVED, said=plain(refused))
    return Pushed(
        answer=Answer.REFUSED, said=_reason(refused, done.stderr.decode("utf-8", "replace"))
    )


def _refuse_tag(remote: str, branch: str, refused: str, said: bytes) -> None:
    """Raise BranchBlocked if git took a tag for the branch, or could not tell them apart."""
    if f":refs/tags/refs/heads/{branch}\t" in refused or b"matches more than one" in said:
        raise BranchBlocked(
            f"{plain(remote)} has a tag named refs/heads/{branch}, so git cannot push the branch",
            hint="ask its owner to delete that tag",
        )


def _note_fetched(place: Place, remote: str, branch: str, commit: str | None) -> None:
    """Set a branch's tracking ref to a commit, or delete the ref if `commit` is None."""
    ref = tracking_ref(remote, branch)
    if refs.read_ref(place.common_dir, ref) != commit:
        run_git(
            place.git("update-ref", *([ref, commit] if commit else ["-d", ref])), cwd=place.git_dir
        )


def wants_signatures(said: str) -> bool:
    """Return whether a remote refused a push because a commit lacks a valid signature."""
    return bool(_UNSIGNED.search(said))


def _reason(refused: str, talk: str) -> str:
    said = [
        line.removeprefix("remote:").strip(" \t!*-=")
        for line in talk.split("\n")
        if line.startswith("remote:")
    ]
    summary = refused.rpartition("\t")[2]
    said += [line.removeprefix("error: ") for line in talk.split("\n") if "unpack failed" in line]
    return plain(" ".join(dict.fromkeys([summary, *(line for line in said if line)])))[:600]
