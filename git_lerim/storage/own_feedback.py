"""Ignore verdicts and edits that others wrote into a memory in the user's name."""

from collections.abc import Sequence
from dataclasses import replace

from git_lerim.git import own_refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.memories.feedback import RETRACTED, Feedback
from git_lerim.memories.memory import Memory
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust import accepted, marks


def credited(memory: Memory, author: str, mail: str) -> Memory:
    """Return a memory that others changed last; an edit in the user's name is credited to `author`.

    That is who changed it according to git; `mail` is the user's address.
    """
    if memory.edited is None or not _is_by(memory.edited.by, mail):
        return memory
    return memory.having(edited=replace(memory.edited, by=author))


def _is_by(person: str, mail: str) -> bool:
    return bool(mail) and person.rpartition("<")[2].rstrip(">") == mail


def believed(
    place: Place, objects: Objects, path: str, rows: Sequence[Feedback], mail: str
) -> tuple[Feedback, ...]:
    """Return the feedback of a memory that others changed, without rows forged in the user's name.

    Verdicts under the user's address, and retractions of what the user wrote, count only as
    recorded in this clone.
    """
    kept = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    entry = objects.entry_at(kept, path) if kept else None
    before = read_blob(objects, entry.id) if entry else None
    mine = before if isinstance(before, Memory) else None
    is_own = (
        mine is not None
        and kept is not None
        and objects.entry_at(kept, f"{marks.SHARED}/{accepted.key_of(path)}") is None
    )
    given = (
        {(row.author, row.by, row.verdict) for row in mine.feedback}
        if mine
        else set[tuple[str, str, str]]()
    )

    def is_forged(row: Feedback) -> bool:
        return (_is_by(row.author, mail) or (is_own and row.verdict == RETRACTED)) and (
            row.author,
            row.by,
            row.verdict,
        ) not in given

    return tuple(row for row in rows if not is_forged(row))
