"""Which memories cannot both hold, as maintenance found them last: kept in a file beside the index.

Imports almost nothing: a brief is made before an agent's every answer.
"""

import json
import os
from typing import Any

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_lerim.recall.brief.brief import Pick

NAME = "maintained.json"


def read(folder: str) -> dict[str, Any]:
    """Return what maintenance kept in the repository's own `lerim` folder; nothing where that
    cannot be read.
    """
    try:
        # pathlib costs more
        with open(os.path.join(folder, NAME), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def rows(kept: dict[str, Any]) -> list[list[str]]:
    """Return the pairs: of each memory id, day and title, the later one first."""
    found = kept.get("pairs")
    given = [
        list(map(str, row))
        for row in (found if isinstance(found, list) else [])
        if isinstance(row, list)
    ]
    return [row for row in given if len(row) == 6]


def by_id(folder: str) -> dict[str, set[str]]:
    """Return the ids of the memories that each opposes."""
    found: dict[str, set[str]] = {}
    for row in rows(read(folder)):
        found.setdefault(row[0], set()).add(row[3])
        found.setdefault(row[3], set()).add(row[0])
    return found


def mark(picks: "Sequence[Pick]", folder: str) -> None:
    """Note on each of some picks which others of them cannot hold beside it."""
    pairs = by_id(folder)
    there = {pick.document.id for pick in picks} if pairs else set()
    for pick in picks if there else ():
        pick.opposed = sorted(pairs.get(pick.document.id, set()) & there)
