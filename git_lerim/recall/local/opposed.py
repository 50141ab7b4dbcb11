"""Read which memories contradict each other, according to the last maintenance run.

This module imports little, because hooks load it each time the user prompts an agent.
"""

import os
from typing import Any

from git_lerim.private_files import read_json

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_lerim.recall.brief.brief import Pick

NAME = "maintained.json"


def read(folder: str) -> dict[str, Any]:
    """Return the content of the file in which maintenance stores contradictions.

    It is empty if the file is unreadable.
    """
    try:
        found = read_json(os.path.join(folder, NAME))  # noqa: PTH118 pathlib costs more
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def rows(kept: dict[str, Any]) -> list[list[str]]:
    """Return the pairs of contradicting memories from the content that `read` returned.

    Each row has the id, day and title of both memories, the later one first.
    """
    found = kept.get("pairs")
    given = [
        list(map(str, row))
        for row in (found if isinstance(found, list) else [])
        if isinstance(row, list)
    ]
    return [row for row in given if len(row) == 6]


def by_id(folder: str) -> dict[str, set[str]]:
    """Map the id of each memory to the ids of those that contradict it."""
    found: dict[str, set[str]] = {}
    for row in rows(read(folder)):
        found.setdefault(row[0], set()).add(row[3])
        found.setdefault(row[3], set()).add(row[0])
    return found


def mark(picks: "Sequence[Pick]", folder: str) -> None:
    """Record on each memory picked for a brief which of the other picks contradict it."""
    pairs = by_id(folder)
    there = {pick.document.id for pick in picks} if pairs else set()
    for pick in picks if there else ():
        pick.opposed = sorted(pairs.get(pick.document.id, set()) & there)
