"""Find the commits that removed what memories claim, with a single log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from git_lerim.git.history import compare
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.upkeep.freshness.staleness import Lost

Change = tuple[str, str, str, str]  # commit, path, blob before, blob after


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What is lost of one anchor."""

    lost: tuple[Lost, ...]
    paths: tuple[str, str]  # of its file now and before
    commit: str | None  # at which it was not lost


def culprits(code: Snapshot, losses: Sequence[Loss]) -> list[str]:
    """Return the commit responsible for each loss; empty if none is found."""
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
            loss.lost,
            [change for path in dict.fromkeys(loss.paths) for change in by_path.get(path, ())],
        )
        for loss in losses
    ]


def _culprit(code: Snapshot, lost: Iterable[Lost], changes: Sequence[Change]) -> str:
    """Return the newest commit before which nothing was lost, by bisection.

    This assumes that what is lost stays lost.
    """
    low, high = 0, len(changes) - 1
    while low < high:
        middle = (low + high) // 2
        if _holds(code, lost, changes[middle][2]):
            high = middle
        else:
            low = middle + 1
    return changes[low][0] if changes else ""


def _holds(code: Snapshot, lost: Iterable[Lost], blob: str) -> bool:
    return (
        bool(blob.strip("0")) and code.has(blob) and all(one.holds(code.rows(blob)) for one in lost)
    )
