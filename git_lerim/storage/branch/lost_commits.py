"""Detect a branch that somebody deleted, rewound or replaced, and find its lost commits."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from git_lerim.git import refs
from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.history import dates
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain, run_git
from git_lerim.storage import layout

_LOGGED = 50  # entries read from a reflog


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A former state of the branch that its present history does not contain."""

    ref: str  # the ref that has it, or the reflog of the branch
    commit: str
    at: datetime  # of its last commit
    commits: int  # number of commits that the branch lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The last time that a branch was moved, from its reflog."""

    at: datetime
    old: str
    message: str  # safe to print


def lost_states(place: Place, branch: str, tip: str | None) -> list[Lost]:
    """Return the former states in a branch's backup refs that the branch itself lacks.

    Runs no process if the backup refs point to the branch's tip.
    """
    name = layout.backup_ref(branch)
    kept = refs.below(place.common_dir, name.rpartition("/")[0])
    if all(held == tip for ref, held in kept.items() if ref == name or ref.startswith(f"{name}-")):
        return []
    missing = [f"--no-merged={tip}"] if tip else []
    form = "--format=%(objectname) %(committerdate:unix) %(refname)"
    output = run_git(
        place.git("for-each-ref", *missing, form, name, f"{name}-*"), cwd=place.git_dir, check=False
    )
    found = [line.split(" ", 2) for line in os.fsdecode(output).split("\n") if line]
    return [_lost(place, tip, ref, commit, seconds) for commit, seconds, ref in found]


def elsewhere(place: Place, branch: str, tip: str | None, known: list[Lost]) -> Iterator[Lost]:
    """Yield more former states of a branch, from its reflog and from remote-tracking refs.

    They are added to `known`, so that none is found twice.
    """
    commits = [
        commit
        for commit in refs.reflog(place.common_dir, f"refs/heads/{branch}")
        if _is_there(place, commit)
    ]
    places = [(f"the reflog of {branch}", commit) for commit in commits[:_LOGGED]]
    for ref in refs.tracking_refs(place.common_dir, branch):
        held = refs.read_ref(place.common_dir, ref)
        places += [(ref, held)] if held and _is_there(place, held) else []
    for ref, commit in places:
        if not any(
            is_ancestor(place, commit, have)
            for have in (tip, *(state.commit for state in known))
            if have
        ):
            known.append(lost_at(place, tip, ref, commit))
            yield known[-1]


def lost_at(place: Place, tip: str | None, ref: str, commit: str) -> Lost:
    """Return the state of a branch that a ref has, and how much of it `tip` lacks."""
    args = place.git("log", "-1", "--no-show-signature", "--format=%ct", commit)
    return _lost(place, tip, ref, commit, git_line(args, cwd=place.git_dir))


def last_move(place: Place, branch: str) -> Move | None:
    """Return the last entry of a branch's reflog, or None."""
    args = (
        "log",
        "-1",
        "--walk-reflogs",
        "--no-show-signature",
        "--date=unix",
        "--format=%gd%x00%gs",
        f"refs/heads/{branch}",
        "--",
    )
    output = git_line(place.git(*args), cwd=place.git_dir)
    if not output:
        return None
    where, _, message = output.partition("\0")
    seconds = where.rpartition("{")[2].rstrip("}")
    previous = git_line(
        place.git("rev-parse", "-q", "--verify", f"refs/heads/{branch}@{{1}}"), cwd=place.git_dir
    )
    return Move(
        at=_moment(seconds if seconds.isdigit() else None),
        old=previous or "",
        message=plain(message),
    )


def count_missing(place: Place, commit: str, tip: str | None) -> int:
    """Return the number of commits in the history of `commit` that the history of `tip` lacks."""
    counted = git_line(
        place.git("rev-list", "--count", commit, *([f"^{tip}"] if tip else [])), cwd=place.git_dir
    )
    return int(counted or 0)


def _lost(place: Place, tip: str | None, ref: str, commit: str, seconds: str | None) -> Lost:
    return Lost(
        ref=plain(ref),
        commit=commit,
        at=_moment(seconds),
        commits=count_missing(place, commit, tip),
    )


def _moment(seconds: str | None) -> datetime:
    return datetime.fromtimestamp(dates.of_commit(seconds), UTC)


def _is_there(place: Place, commit: str) -> bool:
    return (
        git_line(place.git("cat-file", "-e", f"{commit}^{{commit}}"), cwd=place.git_dir) is not None
    )
