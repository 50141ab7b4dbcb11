"""Build the rows of `search --json` from the index alone.

This module imports little, so that `git lerim search` starts quickly.
"""

import json

from git_lerim.memories.decay import DAY, faded
from git_lerim.memories.slug import path_without_words
from git_lerim.recall.index.index_reader import KEY_BITS
from git_lerim.recall.local.verdicts import CachedVerdict, state_of
from git_lerim.recall.search.search import Hit

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from typing import Any


class Decay:
    """How confidence decreases with age: the period in days, and the lowest value."""

    __slots__ = ("floor", "period_days")

    def __init__(self, period_days: int, floor: float) -> None:
        """Initialize with the period and the floor."""
        self.period_days = period_days
        self.floor = floor


class FirstCommit:
    """When a memory was first committed, in seconds, and by whom; both None if it never was."""

    __slots__ = ("at", "author")

    def __init__(self, at: float | None, author: str | None) -> None:
        """Initialize with the time and the name."""
        self.at = at
        self.author = author


def code_of(verdict: CachedVerdict, anchors: "list[Any]") -> "dict[str, Any]":
    """Return the JSON about a memory's code: its anchors, whether it is stale, and since when."""
    states = verdict.anchors if len(verdict.anchors) == len(anchors) else ["unknown"] * len(anchors)
    return {
        "anchors": [
            anchor | {"state": state} for anchor, state in zip(anchors, states, strict=True)
        ],
        "stale": verdict.stale,
        "stale_since": verdict.since or None,
        "model_says": verdict.model_says or None,
    }


def name_of(hit: Hit) -> str:
    """Return a hit's name in the table of first commits: its id, or a summary's path."""
    return hit.path.removeprefix("archived/") if hit.primitive == "summary" else hit.id


def row(  # noqa: PLR0913 all that is known of a hit
    hit: Hit,
    verdict: CachedVerdict,
    held: FirstCommit,
    decay: Decay,
    now: float,
    *,
    pending: bool = False,
) -> "dict[str, Any]":
    """Return a hit as a row of `search --json`, with its verdict and its first commit.

    `decay` and `now`, in seconds, determine the effective confidence.
    """
    found: dict[str, Any] = json.loads(hit.row)
    found["body"] = hit.body
    code = code_of(verdict, found["anchors"])
    found["anchors"] = code["anchors"]
    del found["doubt"]  # told by what follows
    starts = [hit.key >> KEY_BITS, held.at or 0.0]
    if found["last_accessed"]:
        starts.append(_midnight(found["last_accessed"]))
    fresh = faded(hit.reckoned, max(starts), now, period_days=decay.period_days, floor=decay.floor)
    found |= {
        "path": path_without_words(hit.path, hit.title, hit.author),
        "effective_confidence": fresh,
        "author": hit.author or held.author,
        "shared": bool(hit.author),
        "stale": code["stale"],
        "stale_since": code["stale_since"],
        "model_says": code["model_says"],
        "branch": found.pop("branch"),
        "disputed": found.pop("disputed"),
        "called_stale": found.pop("called_stale"),
    }
    handoff = {"handoff": found.pop("handoff")} if "handoff" in found else {}
    score = {"score": round(hit.score, 5), "found_by": list(hit.found_by), "line": hit.line}
    return found | handoff | {"pending": pending} | score | {"state": state_of(hit.status, verdict)}


def _midnight(day: str) -> float:
    """Return the start of a day (UTC) in seconds."""
    from datetime import date  # noqa: PLC0415 few hits need it

    return (date.fromisoformat(day).toordinal() - date(1970, 1, 1).toordinal()) * DAY
