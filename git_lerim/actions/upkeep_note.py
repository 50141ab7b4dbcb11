"""What the last run of `maintain` found: that nothing is due while nothing changes, and which pairs people have to decide about.

Kept beside the index; it can be deleted at any time.
"""

import json
import os
from collections.abc import Sequence

from git_lerim.git import refs
from git_lerim.git.repo import head, private_folder
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.finding import looked_up
from git_lerim.upkeep.contradictions import Pair
from git_lerim.workspace import Workspace

NAME = "maintained.json"
_VERSION = 1  # of what is due by the rules here: another one looks again
_SETTINGS = ("decayPeriodDays", "confidenceFloor", "archiveThreshold", "gracePeriodDays", "staleGraceDays", "review", "trust")

_DEFAULT = ("main", "master")

Key = dict[str, object]


def key(ws: Workspace) -> Key | None:
    """Return all that decides what is due, by reading a few files; None where that is not told so easily."""
    if ws.in_tree:
        return None
    common, branch = ws.place.common_dir, ws.settings["branch"]
    names = [
        f"{folder}/{name}" for folder in ("refs/heads", f"refs/remotes/{ws.settings['remote']}") for name in (branch, *_DEFAULT)
    ]
    return {
        "version": _VERSION,
        "day": f"{ws.now:%Y-%m-%d}",
        "head": head(ws.place),
        "refs": [refs.read_ref(common, name) for name in names],
        "proposals": dict(refs.below(common, f"refs/heads/{layout.proposals(branch)}")) if ws.proposing else {},
        "settings": [ws.settings[name] for name in _SETTINGS],
    }


def pairs(ws: Workspace, now: Key | None) -> list[Pair] | None:
    """Return the pairs that were found when nothing was due, if that still holds; else None."""
    kept = _read(ws)
    return _pairs(kept) if now is not None and kept.get("key") == json.loads(json.dumps(now)) else None


def known_pairs(ws: Workspace) -> list[Pair]:
    """Return the pairs that were found last, whatever has changed since."""
    return _pairs(_read(ws))


def opposed(ws: Workspace, found: Sequence[Pair]) -> list[tuple[Memory, Memory]]:
    """Return the memories of pairs, as far as both are active still."""
    there = looked_up(ws.store.snapshot(), {id_ for pair in found for id_ in (pair.later, pair.earlier)}) if found else {}
    active = {id_: item.memory for id_, item in there.items() if item.memory.status is Status.ACTIVE}
    return [(active[p.later], active[p.earlier]) for p in found if p.later in active and p.earlier in active]


def keep(ws: Workspace, before: Key | None, tip: str | None, found: Sequence[Pair]) -> None:
    """Keep that nothing more is due, unless somebody else wrote meanwhile. `before`: the key when the run began."""
    now = key(ws)
    is_ours = now is not None and before is not None and (now["refs"] == before["refs"] or tip in _tips(now))
    value = {"key": now if is_ours else None, "pairs": [[pair.later, pair.earlier] for pair in found]}
    private_folder(ws.folder)
    temporary = ws.folder / f"{NAME}.{os.getpid()}"
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(value, file)
        temporary.replace(ws.folder / NAME)
    except OSError:
        return  # the next run looks again


def _tips(now: Key) -> list[object]:
    found, waiting = now["refs"], now["proposals"]
    assert isinstance(found, list)  # noqa: S101 as `key` made it
    assert isinstance(waiting, dict)  # noqa: S101 likewise
    return [*found[:1], *waiting.values()]


def _read(ws: Workspace) -> dict[str, object]:
    try:
        found = json.loads((ws.folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _pairs(kept: dict[str, object]) -> list[Pair]:
    found = kept.get("pairs")
    rows = found if isinstance(found, list) else []
    return [Pair(later=str(row[0]), earlier=str(row[1])) for row in rows if isinstance(row, list) and len(row) == 2]
