"""Find the commits of the memory that were not undone."""

import re
from collections.abc import Iterable, Iterator, Sequence

from git_lerim.storage.history.past import LoggedCommit

RUN = re.compile(r"(?:sync|maintain|import)-[0-9]{8}T[0-9]{6}-[0-9a-f]+")
SHORT = 12  # characters of an abbreviated commit id
AFTER = "Lerim-After"  # trailer: the commit because of which others were superseded or activated
_NAMING = {"Lerim-Added", "Lerim-Changed", "Lerim-Archived"}


def in_force(commits: Sequence[LoggedCommit]) -> Iterator[LoggedCommit]:
    """Yield the commits, newest first, that neither undo another nor were undone."""
    undone: set[str] = set()
    for commit in commits:
        if not undone.isdisjoint({run_of(commit), commit.id[:SHORT]}):
            continue
        if ("Lerim-Op", "undo") in commit.trailers:
            undone.add(commit.subject.removeprefix("undo: ").partition(",")[0])
        else:
            yield commit


def with_followers(
    commits: Sequence[LoggedCommit], name: str, commit: LoggedCommit
) -> list[LoggedCommit]:
    """Return the commits of a run, or a single commit, with those that followed from them."""
    own = {c.id for c in commits if c is commit or ("Lerim-Run", name) in c.trailers}
    return [c for c in commits if c.id in own or dict(c.trailers).get(AFTER) in own]


def without_followers(
    commits: Iterable[LoggedCommit], everything: Iterable[LoggedCommit]
) -> Iterator[LoggedCommit]:
    """Yield the commits, except those that are undone with the commit that they follow from."""
    ids = {commit.id for commit in everything}
    yield from (each for each in commits if dict(each.trailers).get(AFTER) not in ids)


def run_of(commit: LoggedCommit) -> str:
    """Return the name of a commit's run, or its short id if it has no run."""
    run = dict(commit.trailers).get("Lerim-Run", "")
    return run if RUN.fullmatch(run) else commit.id[:SHORT]


def accepted_by(commit: LoggedCommit) -> list[str]:
    """Return the ids of a proposal's memories that a commit, perhaps a merge, accepted."""
    named = [value for key, value in commit.trailers if key in _NAMING]
    return named if "Lerim-Proposal" in dict(commit.trailers) else []
