"""Record which memories others' purges deleted here, until the user was told of them.

Any write can bring such a purge: an agent's, a hook's or a background sync's. The record, a file
beside the repository, contains no text of the memories: the branch's tip before has it.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from git_lerim.git.repo import Place, private_folder
from git_lerim.private_files import OURS, parse_json, read_text

NAME = "purged-here"  # lines in JSON: a tip, with what was purged then; a tip alone: was told

Authors = Mapping[str, str | None]  # by id; empty: the user; None: the memory was withheld


def note(place: Place, tip: str, purged: Authors) -> None:
    """Record that the branch is about to move from a tip to a history without these memories."""
    _append(place, [{"tip": tip, "purged": dict(purged)}])


def untold(place: Place) -> dict[str, Authors]:
    """Map earlier tips of the branch to what was purged then, oldest first."""
    found: dict[str, Authors] = {}
    with suppress(OSError, ValueError, AttributeError, TypeError, KeyError):
        for line in read_text(place.own_dir / NAME, OURS).splitlines():
            row = parse_json(line)
            purged = (row.get("purged") or {}).items()
            found[str(row["tip"])] = {id_: by if by is None else str(by) for id_, by in purged}
    return {tip: purged for tip, purged in found.items() if purged}


def note_told(place: Place, tips: Iterable[str]) -> None:
    """Record that the user was told of the purges after these tips."""
    _append(place, [{"tip": tip} for tip in tips])


def _append(place: Place, rows: Iterable[object]) -> None:
    with suppress(OSError):
        private_folder(place.own_dir)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(place.own_dir / NAME, flags, 0o600), "w", encoding="utf-8") as file:
            file.write("".join(f"{json.dumps(row)}\n" for row in rows))
