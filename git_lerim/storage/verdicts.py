"""Record which verdicts were given in this clone, and ignore those that others forged."""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from git_lerim.git.repo import Place, private_folder
from git_lerim.memories.feedback import (
    RETRACTED,
    Feedback,
    Voice,
    added,
    called_wrong,
    disputed,
    unanswered,
)
from git_lerim.private_files import OURS, parse_json, read_text

NAME = "verdicts"  # of the file beside the repository


def without_forged(
    rows: Sequence[Feedback], mail: str, given: Iterable[Feedback], *, is_own: bool
) -> tuple[Feedback, ...]:
    """Return the feedback on a memory that others changed, without what they forged.

    A verdict with the user's address counts only if it was given in this clone. If the user wrote
    the memory (`is_own`), a retraction, whoever made it, also counts only if it was made in this
    clone.
    """
    known = {(row.author, row.by, row.verdict) for row in given}

    def is_forged(row: Feedback) -> bool:
        return (is_by(row.author, mail) or (is_own and row.verdict == RETRACTED)) and (
            row.author,
            row.by,
            row.verdict,
        ) not in known

    return tuple(row for row in rows if not is_forged(row))


def disputed_by_others(rows: Sequence[Feedback], mail: str) -> bool:
    """Return whether a memory is disputed, and the user with this address never called it wrong."""
    return disputed(rows) and not any(is_by(row.author, mail) for row in called_wrong(rows))


def wrong_to_others(rows: Sequence[Feedback], mail: str) -> list[Feedback]:
    """Return the verdicts by which others, but not the user with this address, call it wrong.

    Those that a person has answered since are left out.
    """
    if any(is_by(row.author, mail) for row in called_wrong(rows)):
        return []
    return called_wrong(unanswered(rows))


def is_by(person: str, mail: str) -> bool:
    """Return whether a person `Name <mail>` has this address; an empty one is nobody's."""
    return bool(mail) and person.rpartition("<")[2].rstrip(">") == mail


def record(place: Place, id_: str, row: Feedback) -> None:
    """Record that a verdict was given in this clone; otherwise it could later seem forged."""
    line = json.dumps([id_, row.author, row.by, row.verdict, row.day])
    with suppress(OSError):
        private_folder(place.own_dir)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(place.own_dir / NAME, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{line}\n")


def recorded(place: Place, id_: str) -> list[Feedback]:
    """Return the verdicts on a memory that were given in this clone and not taken back."""
    rows: list[Feedback] = []
    with suppress(OSError):
        for line in read_text(place.own_dir / NAME, OURS).splitlines():
            with suppress(ValueError, TypeError):
                of, author, by, verdict, day = map(str, parse_json(line))
                new = Feedback(author=author, by=Voice(by), verdict=verdict, day=day)
                rows = added(rows, new) if of == id_ else rows
    return rows
