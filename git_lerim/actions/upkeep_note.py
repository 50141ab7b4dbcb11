"""What the last run of `maintain` found: that nothing is due while nothing changes, and which pairs people have to decide about.

Kept beside the index; it can be deleted at any time. Imports little: most runs find nothing to do.
"""

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from git_lerim.git import refs
from git_lerim.git.repo import head, private_folder
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.memories.memory import Memory

NAME = "maintained.json"
_VERSION = 1  # of what is due by the rules here: another one looks again
_SETTINGS = ("decayPeriodDays", "confidenceFloor", "archiveThreshold", "gracePeriodDays", "staleGraceDays", "review", "trust")

_DEFAULT = ("main", "master")

Key = dict[str, object]
Pair = tuple[str, str]  # ids of two memories that cannot both hold, the later one first


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
        "proposals": _proposals(ws) if ws.proposing else {},
        "settings": [ws.settings[name] for name in _SETTINGS],
    }


def _proposals(ws: Workspace) -> dict[str, str]:
    from git_lerim.storage import layout  # noqa: PLC0415 few propose

    return dict(refs.below(ws.place.common_dir, f"refs/heads/{layout.proposals(ws.settings['branch'])}"))


def pairs(ws: Workspace, now: Key | None) -> list[Pair] | None:
    """Return the pairs that were found when nothing was due, if that still holds; else None."""
    kept = _read(ws)
    return _pairs(kept) if now is not None and kept.get("key") == json.loads(json.dumps(now)) else None


def known_pairs(ws: Workspace) -> list[Pair]:
    """Return the pairs that were found last, whatever has changed since."""
    return _pairs(_read(ws))


def opposed(ws: Workspace, found: Sequence[Pair]) -> "list[tuple[Memory, Memory]]":
    """Return the memories of pairs, as far as both are active still."""
    from git_lerim.memories.memory import Status  # noqa: PLC0415 few have such pairs
    from git_lerim.storage.finding import looked_up  # noqa: PLC0415 likewise

    there = looked_up(ws.store.snapshot(), {id_ for pair in found for id_ in pair}) if found else {}
    active = {id_: item.memory for id_, item in there.items() if item.memory.status is Status.ACTIVE}
    return [(active[later], active[earlier]) for later, earlier in found if later in active and earlier in active]


def keep(ws: Workspace, before: Key | None, tip: str | None, found: Sequence[Pair]) -> None:
    """Keep that nothing more is due, unless somebody else wrote meanwhile. `before`: the key when the run began."""
    now = key(ws)
    is_ours = now is not None and before is not None and (now["refs"] == before["refs"] or tip in _tips(now))
    value = {"key": now if is_ours else None, "pairs": [list(pair) for pair in found]}
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
    return [(str(row[0]), str(row[1])) for row in rows if isinstance(row, list) and len(row) == 2]
