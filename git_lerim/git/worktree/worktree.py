"""Find the branch of a work tree and the files changed on it, without writing anything."""

import os
from contextlib import suppress
from pathlib import Path

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git import refs
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import git_line, run_git
from git_lerim.git.worktree.status_commands import PATIENCE, STATUS

# keeps the repository's configuration from running or omitting anything
_SOBER = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules=dirty",
)


def branch(place: Place) -> str | None:
    """Return the branch that is checked out, or None if HEAD is detached."""
    # with --short, git would look for a tag of the same name
    name = git_line(place.git("symbolic-ref", "--quiet", "HEAD"), cwd=place.git_dir)
    return name and name.removeprefix("refs/heads/")


def touched(place: Place, remote: str) -> tuple[str, ...]:
    """Return the files with uncommitted changes, then those that the branch has changed."""
    if place.worktree is None:
        return ()
    return tuple(dict.fromkeys((*uncommitted(place, place.worktree), *committed(place, remote))))


def uncommitted(place: Place, worktree: Path) -> list[str]:
    """Return the changed and untracked files, or none if git fails or takes too long."""
    args = [*disable_drivers(place), *place.git(*STATUS)]
    try:
        status = run_git(args, cwd=worktree, check=False, patience=PATIENCE)
    except GitFailed:
        return []
    return [entry[3:] for entry in _split(status)]


def committed(place: Place, remote: str) -> list[str]:
    """Return the files changed by the branch's commits since it forked.

    The default branch forked from its upstream, and any other branch from the default branch.
    """
    base = _base(place, remote)
    if base is None:
        return []
    return _split(
        run_git(
            place.git("diff", "--name-only", "-z", *_SOBER, base, "HEAD"),
            cwd=place.git_dir,
            check=False,
        )
    )


def _base(place: Place, remote: str) -> str | None:
    """Return the commit where the branch forked from the default branch, or from its own upstream.

    The upstream is used if this is the default branch, if no default branch is known, or if the two
    have no commit in common.
    """
    default = default_branch(place, remote)
    own = default is None or default.removeprefix(f"refs/remotes/{remote}/").removeprefix(
        "refs/heads/"
    ) == branch(place)
    for name in () if own or default is None else (default,):
        if base := git_line(place.git("merge-base", "HEAD", name), cwd=place.git_dir):
            return base
    theirs = upstream(place)
    return theirs and git_line(place.git("merge-base", "HEAD", theirs), cwd=place.git_dir)


def upstream(place: Place) -> str | None:
    """Return the ref of the branch's upstream; None if there is none, or if git would hang."""
    with suppress(LerimError):
        asked = place.git("rev-parse", "--symbolic-full-name", "@{upstream}")
        return git_line(asked, cwd=place.git_dir)
    return None


def default_branch(place: Place, remote: str) -> str | None:
    """Return the ref of the default branch, preferably that of the remote, or None."""
    known = refs.symbolic(place.common_dir, f"refs/remotes/{remote}/HEAD")
    configured = git_line(place.git("config", "init.defaultBranch"), cwd=place.git_dir)
    names = [known, *(f"refs/heads/{name}" for name in (configured, "main", "master") if name)]
    return next((name for name in names if name and refs.read_ref(place.common_dir, name)), None)


def _split(answer: bytes) -> list[str]:
    return [os.fsdecode(part) for part in answer.split(b"\0") if part]
