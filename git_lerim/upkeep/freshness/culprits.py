"""Find, with one git log, the commits that removed code which memories make claims about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from git_lerim.git.history import compare
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.upkeep.freshness.staleness import Lost

Change = tuple[str, str, str, str]  # commit, path, blob before, blob after


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The claimed words that are missing from the code of one anchor."""

    lost: tuple[Lost, ...]
    paths: tuple[str, str]  # of the anchor's file, now and before
    commit: str | None  # the commit at which nothing was lost yet
    blob: str | None  # the file there


def culprits(code: Snapshot, losses: Sequence[Loss]) -> list[str]:
    """Return, for each loss, the commit responsible for it; empty if none is found."""
    if not losses:
        return []
    oldest = compare.oldest_of(code.place, {loss.commit for loss in losses if loss.commit})
    changes = compare.changes_of(
        code.place,
        code.commit,
        oldest if oldest and code.descends_from(oldest) else None,
        {path for loss in losses for path in loss.paths},
    )
    by_path: dict[str, list[Change]] = {}
    for change in changes:
        by_path.setdefault(change[1], []).append(change)
    return [
        _culprit(
            code,
            loss,
            [change for path in dict.fromkeys(loss.paths) for change in by_path.get(path, ())],
        )
        for loss in losses
    ]


def _culprit(code: Snapshot, loss: Loss, changes: Sequence[Change]) -> str:
    """Return the commit that removed the lost words; empty if there is none.

    Lost words are assumed to stay lost, so a binary search finds the commit. If the anchor's commit
    is not in this history, the changes are checked one by one. Changes up to the anchor's version
    of the file are in the log only for older anchors.
    """
    changes = list(takewhile(lambda change: change[3] != loss.blob, changes))
    if not was_here(code, loss.commit):
        return next((one[0] for one in changes if _holds(code, loss.lost, one[2])), "")
    low, high = 0, len(changes) - 1
    while low < high:
        middle = (low + high) // 2
        if _holds(code, loss.lost, changes[middle][2]):
            high = middle
        else:
            low = middle + 1
    return changes[low][0] if changes else ""


def was_here(code: Snapshot, commit: str | None) -> bool:
    """Return whether an anchor's commit is in this history; True if the commit is unknown."""
    return commit is None or code.descends_from(commit)


def _holds(code: Snapshot, lost: Iterable[Lost], blob: str) -> bool:
    return (
        bool(blob.strip("0")) and code.has(blob) and all(one.holds(code.rows(blob)) for one in lost)
    )
