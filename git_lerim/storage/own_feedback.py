"""Ignore verdicts and edits that others wrote into a memory in the user's name."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from git_lerim.git import own_refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.memories.feedback import RETRACTED, Feedback, Voice, added
from git_lerim.memories.memory import Memory
from git_lerim.private_files import LARGE, read_text
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust import accepted, marks

NAME = "verdicts"  # of the file beside the repository


def credited(memory: Memory, author: str, mail: str, own: Callable[[], Iterable[Memory]]) -> Memory:
    """Return a memory with a forged editor replaced by `author`, who changed it according to git.

    An edit that carries `mail`, the user's address, counts as forged unless it is in one of the
    versions that `own` returns, which were written in this clone.
    """
    if memory.edited is None or not _is_by(memory.edited.by, mail):
        return memory
    if any(version.edited == memory.edited for version in own()):
        return memory
    return memory.having(edited=replace(memory.edited, by=author))


def _is_by(person: str, mail: str) -> bool:
    return bool(mail) and person.rpartition("<")[2].rstrip(">") == mail


def believed(
    place: Place, objects: Objects, path: str, rows: Sequence[Feedback], mail: str
) -> tuple[Feedback, ...]:
    """Return the feedback on a memory that others changed, without what they forged.

    See `without_forged`.
    """
    kept = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    mine = _version_at(objects, kept, path)
    is_own = (
        mine is not None
        and kept is not None
        and objects.entry_at(kept, f"{marks.SHARED}/{accepted.key_of(path)}") is None
    )
    given = (*(mine.feedback if mine else ()), *recorded(place, accepted.key_of(path)))
    return without_forged(rows, mail, given, is_own=is_own)


def accepted_version(place: Place, objects: Objects, path: str) -> Iterator[Memory]:
    """Yield the version of a memory that was last written or accepted in this clone, if any."""
    kept = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    if (mine := _version_at(objects, kept, path)) is not None:
        yield mine


def _version_at(objects: Objects, commit: str | None, path: str) -> Memory | None:
    entry = objects.entry_at(commit, path) if commit else None
    found = read_blob(objects, entry.id) if entry else None
    return found if isinstance(found, Memory) else None


def without_forged(
    rows: Sequence[Feedback], mail: str, given: Iterable[Feedback], *, is_own: bool
) -> tuple[Feedback, ...]:
    """Return the feedback on a memory changed by others, without rows forged as the user's.

    A verdict with the user's address counts only if it was given in this clone. If the user wrote
    the memory (`is_own`), a retraction by anybody also counts only then.
    """
    known = {(row.author, row.by, row.verdict) for row in given}

    def is_forged(row: Feedback) -> bool:
        return (_is_by(row.author, mail) or (is_own and row.verdict == RETRACTED)) and (
            row.author,
            row.by,
            row.verdict,
        ) not in known

    return tuple(row for row in rows if not is_forged(row))


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
        for line in read_text(place.own_dir / NAME, LARGE).splitlines():
            with suppress(ValueError):
                of, author, by, verdict, day = map(str, json.loads(line))
                new = Feedback(author=author, by=Voice(by), verdict=verdict, day=day)
                rows = added(rows, new) if of == id_ else rows
    return rows
