"""Find the commits of a branch that were made in this clone, using its reflog."""

import os
import re
from collections.abc import Iterable, Iterator

from git_lerim.git import refs
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.private_files import LARGE, read_text

# commits of remotes that a purge here rewrote, by the names of the remote-tracking refs
THEIRS = "refs/lerim/theirs/"
NOT_OURS = ("--not", "--remotes", f"--glob={THEIRS}*")

# first words of the reflog messages of our moves that add nothing written here
_TOOK = ("take", "join", "keep", "repair", "follow", "renew", "reject")
# commits by the user's own git; a cherry-pick or a patch brings what others wrote
_BY_HAND = re.compile(r"(?:commit(?: \((?:initial|amend|merge)\))?|revert): ")


def own_by_reflog(place: Place, ref: str) -> dict[str, bool]:
    """Return the commits made here, from a branch's reflog, each with whether git-lerim made it.

    The value is False for a commit that the user made with git. The oldest commit comes first.
    """
    found: dict[str, bool] = {}
    for commit, said in _moves(place, ref):
        if said.startswith("git-lerim: "):
            if not said.removeprefix("git-lerim: ").startswith(_TOOK):
                found[commit] = True
        elif _BY_HAND.match(said):
            found.setdefault(commit, False)
    return found


def moved_by_git(place: Place, ref: str, since: str) -> bool:
    """Return whether git alone has moved a branch since it last pointed to a commit."""
    is_moved = False
    for commit, said in _moves(place, ref):
        is_moved = commit != since and (is_moved or not said.startswith("git-lerim: "))
    return is_moved


def _moves(place: Place, ref: str) -> Iterator[tuple[str, str]]:
    """Yield commit and message of each entry in a branch's reflog, oldest first."""
    if refs.in_table(place.common_dir):
        args = place.git(
            "log", "--walk-reflogs", "--no-show-signature", "--format=%H %gs", ref, "--"
        )
        lines: Iterable[str] = reversed(
            os.fsdecode(run_git(args, cwd=place.git_dir, check=False)).split("\n")
        )
        yield from (
            (commit, said) for commit, _, said in (line.partition(" ") for line in lines) if commit
        )
        return
    try:
        raw = read_text(place.common_dir / "logs" / ref, LARGE).split("\n")
    except OSError:
        return
    yield from (
        (head.split(" ")[1], said)
        for head, tab, said in (line.partition("\t") for line in raw)
        if tab
    )
