"""Ignore verdicts and edits that others wrote into a memory in the user's name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from git_lerim.git import own_refs
from git_lerim.git.commits.author_names import NOBODY, named
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.memories.confidence import OF_ORIGIN
from git_lerim.memories.feedback import Feedback
from git_lerim.memories.memory import Edited, Memory, Primitive, Status
from git_lerim.storage.base import Stored
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust import accepted, marks
from git_lerim.storage.trust.by_key import path_in
from git_lerim.storage.verdicts import is_by, recorded, without_forged


def credited(memory: Memory, author: str, mail: str, own: Iterable[Edited | None]) -> Memory:
    """Return a memory with a forged editor replaced.

    According to git, `author` made the last change. `mail` is the user's address, and `own` has the
    edits made in this clone. If the memory names the user as its editor, but the edit is not in
    `own`, `author` replaces the user. If it names anybody else but `author`, the name is removed,
    as that person may not have made the edit.
    """
    edited = memory.edited
    if edited is None or edited in own:
        return memory
    if is_by(edited.by, mail):
        return memory.having(edited=replace(edited, by=author))
    known = named(edited.by.partition(" <")[0]) == author
    return memory if known else memory.having(edited=replace(edited, by=NOBODY))


def plausible(memory: Memory) -> Memory:
    """Return somebody else's memory as git-lerim would have written it.

    Its confidence is at most what its origin allows. An active memory with a reason for suspicion
    becomes suspect.
    """
    most = OF_ORIGIN[memory.origin]
    if memory.primitive in {Primitive.DECISION, Primitive.LEARNING} and memory.confidence > most:
        memory = memory.having(confidence=most)
    is_suspect = memory.suspect is not None and memory.status is Status.ACTIVE
    return memory.having(status=Status.SUSPECT) if is_suspect else memory


def believed(
    place: Place, objects: Objects, path: str, rows: Sequence[Feedback], mail: str
) -> tuple[Feedback, ...]:
    """Return the feedback on a memory that others changed, without what they forged.

    See `verdicts.without_forged`.
    """
    kept = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    mine = next(_versions(objects, kept, path), None)
    is_own = (
        mine is not None
        and kept is not None
        and objects.entry_at(kept, f"{marks.SHARED}/{accepted.key_of(path)}") is None
    )
    given = (*(mine.memory.feedback if mine else ()), *recorded(place, accepted.key_of(path)))
    return without_forged(rows, mail, given, is_own=is_own)


def own_edits(place: Place, objects: Objects, path: str) -> Iterator[Edited | None]:
    """Yield the edits of a memory that were made or accepted in this clone."""
    kept = own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO)
    yield from (version.memory.edited for version in _versions(objects, kept, path))
    if kept:
        yield marks.edit_at(objects, kept, accepted.key_of(path))


def accepted_version(place: Place, objects: Objects, path: str) -> Iterator[Memory]:
    """Yield the version of a memory that was last written or accepted in this clone, if any."""
    yield from (each.memory for each in accepted_files(place, objects, path))


def accepted_files(place: Place, objects: Objects, path: str) -> Iterator[Stored]:
    """Yield the same version as `accepted_version`, with its path and blob."""
    yield from _versions(
        objects, own_refs.kept(place, objects, accepted.ACCEPTED, accepted.WHO), path
    )


def _versions(objects: Objects, commit: str | None, path: str) -> Iterator[Stored]:
    """Yield a memory's files in a commit, even if it is renamed or not yet archived there."""
    for each in dict.fromkeys(
        (path, path.removeprefix("archived/"), path_in(objects, commit, path))
    ):
        entry = objects.entry_at(commit, each) if commit else None
        if entry and isinstance(found := read_blob(objects, entry.id), Memory):
            yield Stored(memory=found, path=each, blob=entry.id)
