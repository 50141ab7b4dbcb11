"""Decide which memories apply on the current branch: main gets no lessons from abandoned work.

A memory is hidden only if all of this is certain: its commits (or, where known, the commits in
which its session left the code) are in this clone but not in HEAD's history, none of them arrived
as another commit (a rebase, a cherry-pick, a squash), its branch is not checked out, and its words
are not a person's.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from git_lerim.git.history.patches import patch_ids
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.memories.memory import Origin

MOST = 2000  # commits whose patch ids are compared: the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The commits and branches at which a memory was learned."""

    key: int
    id: str
    origin: str
    commits: tuple[str, ...]  # HEAD at the time
    # commits outside HEAD's history in which the session left the code, one after those
    changed: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Facts about the repository, and results of earlier runs."""

    history: Collection[str]  # of HEAD
    exists: Callable[[str], bool]  # whether a commit is in this clone
    landed: Mapping[str, str]  # memory id → a HEAD whose history had the same change
    away: Collection[str]  # ids of memories that were hidden before


def off_branch(memories: Iterable[Evidence], around: Around) -> list[Evidence]:
    """Return the memories that were learned on commits outside HEAD's history."""
    return [one for one in memories if _is_apart(one, around)]


def _is_apart(one: Evidence, around: Around) -> bool:
    commits = one.changed or one.commits
    if one.origin == Origin.HUMAN or not commits:
        return False
    if (
        any(commit in around.history for commit in commits)
        or around.landed.get(one.id) in around.history
    ):
        return False
    return all(map(around.exists, commits)) or one.id in around.away


def with_patches(
    place: Place, memories: Iterable[Evidence], known: dict[str, str]
) -> list[Evidence]:
    """Return the memories with the patch ids of their sessions' changes, instead of older ones.

    `known` maps commits to their patch ids, as a cache; new patch ids are added to it.
    """
    memories = list(memories)
    new = {commit for one in memories for commit in one.changed if commit not in known}
    known |= dict.fromkeys(new, "") | (patch_ids(place, sorted(new)) if new else {})
    return [
        replace(
            one,
            commits=one.changed,
            patches=tuple(filter(None, map(known.__getitem__, one.changed))),
        )
        if one.changed
        else one
        for one in memories
    ]


def history_of(place: Place, head: str) -> frozenset[str]:
    """Return a commit with all its ancestors."""
    return frozenset(run_git(place.git("rev-list", head), cwd=place.git_dir).decode().split())


def landed_elsewhere(
    place: Place, head: str, memories: Collection[Evidence], known: dict[str, str]
) -> set[str]:
    """Return the ids of memories whose change is in HEAD's history as another commit.

    `known` maps commits to their patch ids, as a cache; new patch ids are added to it.
    """
    wanted = {patch for one in memories for patch in one.patches}
    if not wanted:
        return set()
    apart_from = {commit for one in memories if one.patches for commit in one.commits}
    asked = "".join(
        f"{line}\n" for line in (head, *(f"^{commit}" for commit in sorted(apart_from)))
    ).encode()
    args = place.git(
        "rev-list", "--no-merges", f"--max-count={MOST}", "--ignore-missing", "--stdin"
    )
    commits = run_git(args, cwd=place.git_dir, input=asked, check=False).decode().split()
    new = [commit for commit in commits if commit not in known]
    known |= dict.fromkeys(new, "") | (patch_ids(place, new) if new else {})
    there = {known[commit] for commit in commits} & wanted
    return {one.id for one in memories if there.intersection(one.patches)}
