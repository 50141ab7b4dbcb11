"""Refs whose value counts only if this clone set it, because a fetch may have overwritten them.

In a mirror, a fetch can overwrite any ref. The file `own-refs` beside the repository lists the
values that this clone has set. Without the file, no value counts.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git import damaged_refs, refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.private_files import OURS, read_text

NAME = "own-refs"
_SETTLING = 3.0  # seconds in which a writer packs its objects on a busy machine
_PAUSE = 0.02  # seconds between looks


def held(place: Place, objects: Objects, name: str) -> str | None:
    """Return the object id in a ref, or None if it is damaged or was not set by this clone."""
    found = objects.ref(name)
    return found if found and is_noted(place, name, found) and is_here(objects, found) else None


def kept(place: Place, objects: Objects, name: str, who: Identity) -> str | None:
    """Return the last readable value that this clone gave a ref.

    If a fetch replaced this value, or a crash damaged the ref, the ref is restored to it.
    """
    if found := held(place, objects, name) or _awaited(place, objects, name):
        return found
    found = objects.ref(name)
    last = next((value for value in noted(place, name) if is_here(objects, value)), None)
    with suppress(LerimError, OSError):  # on failure, a later command restores the ref
        if refs.is_broken(place.common_dir, name) or (found and not is_here(objects, found)):
            _mend(place, objects, name, last, who)
        elif last is not None:
            objects.move_ref(name, last, old=found, message="git-lerim: repair", who=who)
    return last


def _awaited(place: Place, objects: Objects, name: str) -> str | None:
    """Return what `held` returns, after waiting for a writer whose objects a prune has deleted.

    Such a writer is about to write them again (see `Objects.settle`); a repair in between would
    undo its work.
    """
    deadline = time.monotonic() + _SETTLING
    while (found := objects.ref(name)) and is_noted(place, name, found):
        if is_here(objects, found):
            return found
        if found in place.known or time.monotonic() > deadline:
            place.known[found] = "awaited"  # but once for each opening of a repository
            break
        time.sleep(_PAUSE)
    return None


def _mend(place: Place, objects: Objects, name: str, last: str | None, who: Identity) -> None:
    if last is not None or objects.ref(name) is None:  # else keep the unreadable id
        damaged_refs.reset(place, objects, name, last, who)


def readable(objects: Objects, value: str | None) -> str | None:
    """Return the object id `value`, or None if the object cannot be read."""
    return value if value is not None and is_here(objects, value) else None


def is_here(objects: Objects, value: str) -> bool:
    """Return whether a commit with its root tree, or a blob, is in this clone."""
    if objects.is_whole(value):
        return True
    with suppress(GitFailed):
        objects.blob(value)
        return True
    return False


def is_noted(place: Place, name: str, value: str) -> bool:
    """Return whether this clone has ever set a ref to a value."""
    return f"\n{name} {value}\n" in _notes(place)


def noted(place: Place, name: str) -> Iterator[str]:
    """Yield the values that this clone set a ref to, newest first."""
    earlier, found, rest = _notes(place).rpartition(f"\n{name} ")
    while found:
        yield rest.partition("\n")[0]
        earlier, found, rest = earlier.rpartition(f"\n{name} ")


def _notes(place: Place) -> str:
    """Return the recorded lines, each with a ref and a value, oldest first.

    The lines stay one string, because there can be thousands and each commit searches them several
    times.
    """
    with suppress(OSError):
        return f"\n{read_text(place.own_dir / NAME, OURS)}\n"
    return ""


def note(place: Place, name: str, value: str) -> None:
    """Record the value that this clone is about to give a ref, so that the value counts."""
    if value == next(noted(place, name), None):
        return
    with suppress(OSError):
        private_folder(place.own_dir)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(place.own_dir / NAME, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{name} {value}\n")


def put(  # noqa: PLR0913
    place: Place, objects: Objects, name: str, new: str, *, message: str, who: Identity
) -> None:
    """Record a value and set a ref to it, whatever the ref was before. Raises StoreMoved."""
    note(place, name, new)
    if refs.is_broken(place.common_dir, name):
        damaged_refs.reset(place, objects, name, None, who)
    objects.move_ref(name, new, old=objects.ref(name), message=message, who=who)
    objects.settle()


def cache(  # noqa: PLR0913
    place: Place, objects: Objects, name: str, new: str, *, message: str, who: Identity
) -> None:
    """Set a ref as `put` does, if possible; only for what a later command can work out again.

    A killed process may have left the ref locked: a command that only reads must not fail then.
    """
    with suppress(LerimError, OSError):
        put(place, objects, name, new, message=message, who=who)
