"""Find the commits of the memory that were not undone, and what they wrote."""

import re
from collections.abc import Iterable, Iterator, Sequence

from git_lerim.errors import UsageError
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

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


def last_undo(ws: Workspace) -> str | None:
    """Return the short id of the last change to the memory if that was an undo; else None."""
    commits = list(ws.store.history())
    last = next(without_followers(commits, commits), None)
    return last.id[:SHORT] if last and ("Lerim-Op", "undo") in last.trailers else None


def run_of(commit: LoggedCommit) -> str:
    """Return the name of a commit's run, or its short id if it has no run."""
    run = dict(commit.trailers).get("Lerim-Run", "")
    return run if RUN.fullmatch(run) else commit.id[:SHORT]


def accepted_by(commit: LoggedCommit) -> list[str]:
    """Return the ids of a proposal's memories that a commit, perhaps a merge, accepted."""
    named = [value for key, value in commit.trailers if key in _NAMING]
    return named if "Lerim-Proposal" in dict(commit.trailers) else []


def added_by(commits: Iterable[LoggedCommit]) -> frozenset[str]:
    """Return the paths of the files that commits added, except the records of purges."""
    files = (file for commit in commits for file in commit.files if file.status == "A")
    return frozenset(file.path for file in files if not file.path.startswith(f"{layout.PURGED}/"))


def has_touched(commit: LoggedCommit) -> bool:
    """Return whether a commit wrote memories itself, or accepted them from a proposal."""
    if commit.is_merge and not accepted_by(commit):
        return False
    return bool(accepted_by(commit)) or any(naming.valid_path(file.path) for file in commit.files)


def span_name(chosen: Sequence[LoggedCommit], named: str) -> str:
    """Return the name of a run, or of its only commit, for a message."""
    return (
        f"{chosen[0].id[:SHORT]}, {chosen[0].subject}"
        if len(chosen) == 1
        else f"{named}, {counted(len(chosen), 'commit')}"
    )


def nothing_changed(commit: LoggedCommit) -> UsageError:
    """Return the error about a commit that changed no memory, with what to do instead."""
    short = commit.id[:SHORT]
    listed = f"git log --oneline {short}^..{short}"
    hint = f"undo each of the commits that it merged; to list them: {listed}"
    if ("Lerim-Op", "purge") in commit.trailers:
        hint = (
            "a purge cannot be undone; the old branch is kept in refs/lerim/purged/ until you"
            " delete that ref"
        )
    return UsageError(f"{short} changed no memory ({commit.subject})", hint=hint)
