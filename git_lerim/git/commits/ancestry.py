"""Find out whether a commit descends from another, even if the history has a gap."""

from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git, start_git


def is_ancestor(place: Place, ancestor: str, commit: str) -> bool:
    """Return whether `commit` is `ancestor` or descends from it, as far as history can be read.

    `git merge-base` can fail if any commit in the history is missing or corrupt, even one that is
    older than both. Then `ancestor` is looked for among the commits that git can list.
    """
    args = place.git("merge-base", "--is-ancestor", "--end-of-options", ancestor, commit)
    code = start_git(args, cwd=place.git_dir)().returncode
    if code in {0, 1}:
        return not code
    listed = run_git(
        place.git("rev-list", "--end-of-options", commit), cwd=place.git_dir, check=False
    )
    return ancestor.encode() in listed.split()
