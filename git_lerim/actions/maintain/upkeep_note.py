"""Record open contradictions, and that maintenance has nothing to do until something changes.

The file lies beside the index and can be deleted at any time. This module imports little, so that
the many runs that find nothing to do are fast.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from git_lerim import private_files
from git_lerim.git import refs
from git_lerim.git.repo import head
from git_lerim.recall.local import opposed
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.base import Snapshot

_VERSION = 6  # raise it when the rules change, so that the next run looks again
_SETTINGS = (
    "decayPeriodDays",
    "confidenceFloor",
    "archiveThreshold",
    "gracePeriodDays",
    "staleGraceDays",
    "review",
    "trust",
    "model",
)

_DEFAULT = ("main", "master")

Key = dict[str, object]


class NamedMemory(NamedTuple):
    """A memory to show to a person: its id, its day, and its title with its author's name."""

    id: str
    day: str  # YYYY-MM-DD
    title: str


Pair = tuple[NamedMemory, NamedMemory]  # contradicting memories, the later one first


def key(ws: Workspace) -> Key | None:
    """Return the state of the repository that decides which maintenance is due.

    Return None in tree mode, where a few file reads cannot determine that state.
    """
    if ws.in_tree:
        return None
    common, branch = ws.place.common_dir, ws.settings["branch"]
    names = [
        f"{folder}/{name}"
        for folder in ("refs/heads", f"refs/remotes/{ws.settings['remote']}")
        for name in (branch, *_DEFAULT)
    ]
    return {
        "version": _VERSION,
        "day": f"{ws.now:%Y-%m-%d}",
        "head": head(ws.place),
        "refs": [refs.read_ref(common, name) for name in names],
        "proposals": _proposals(ws) if ws.proposing else {},
        "settings": [ws.settings[name] for name in _SETTINGS],
    }


def _proposals(ws: Workspace) -> dict[str, str]:
    from git_lerim.storage import layout  # noqa: PLC0415 rarely needed

    return dict(
        refs.below(ws.place.common_dir, f"refs/heads/{layout.proposals(ws.settings['branch'])}")
    )


def pairs(ws: Workspace, now: Key | None) -> list[Pair] | None:
    """Return the contradicting pairs recorded last, or None if something has changed since."""
    kept = opposed.read(str(ws.folder))
    return (
        _pairs(kept) if now is not None and kept.get("key") == json.loads(json.dumps(now)) else None
    )


def known_pairs(ws: Workspace) -> list[Pair]:
    """Return the contradicting pairs that the last run found, even if they have changed since."""
    return _pairs(opposed.read(str(ws.folder)))


def open_pairs(ws: Workspace, snapshot: "Snapshot") -> list[Pair]:
    """Return the contradicting pairs of the last run whose memories are both still active."""
    from git_lerim.memories.memory import Status  # noqa: PLC0415 rarely needed
    from git_lerim.storage.branch.lazy_snapshot import look_up  # noqa: PLC0415

    known = known_pairs(ws)
    stored = look_up(snapshot, {each.id for pair in known for each in pair}) if known else {}
    active = {id_ for id_, item in stored.items() if item.memory.status is Status.ACTIVE}
    return [pair for pair in known if {each.id for each in pair} <= active]


def keep(ws: Workspace, before: Key | None, tip: str | None, found: Sequence[Pair]) -> None:
    """Record the contradicting pairs, and that nothing more is due.

    If somebody else wrote since the run began, more may be due, so only the pairs are recorded.
    `before` is the key from when the run began.
    """
    now = key(ws)
    is_ours = (
        now is not None
        and before is not None
        and (now["refs"] == before["refs"] or tip in _tips(now))
    )
    value = {
        "key": now if is_ours else None,
        "pairs": [[*later, *earlier] for later, earlier in found],
    }
    with suppress(OSError):  # the next run looks again
        private_files.replace(ws.folder / opposed.NAME, json.dumps(value))


def _tips(now: Key) -> list[object]:
    found, waiting = now["refs"], now["proposals"]
    assert isinstance(found, list)  # noqa: S101 as `key` made it
    assert isinstance(waiting, dict)  # noqa: S101 likewise
    return [*found[:1], *waiting.values()]


def _pairs(kept: dict[str, object]) -> list[Pair]:
    return [(NamedMemory(*row[:3]), NamedMemory(*row[3:])) for row in opposed.rows(kept)]
