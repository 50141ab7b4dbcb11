"""Refs that count only as this clone left them, whatever a mirror fetch puts in their place.

A file beside the repository lists the commits put into them here. Without it, their contents count
for nothing.
"""

import os
from contextlib import suppress

from git_lerim.errors import LerimError
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder

NAME = "own-refs"


def held(place: Place, objects: Objects, name: str) -> str | None:
    """Return the target of a ref, or None if this clone did not set it."""
    found = objects.ref(name)
    return found if found is not None and is_noted(place, name, found) else None


def kept(place: Place, objects: Objects, name: str, who: Identity) -> str | None:
    """Return the value that this clone last set a ref to, restoring it if a fetch replaced it."""
    found = objects.ref(name)
    if found is not None and is_noted(place, name, found):
        return found
    last = _last(place, name)
    if last is None or not objects.is_whole(last):
        return None
    with suppress(LerimError):  # a later command puts it back
        objects.move_ref(name, last, old=found, message="git-lerim: repair", who=who)
    return last


def is_noted(place: Place, name: str, value: str) -> bool:
    """Tell whether this clone has ever set a ref to a value."""
    return f"\n{name} {value}\n" in _notes(place)


def _last(place: Place, name: str) -> str | None:
    """Return the value that this clone last set a ref to."""
    _, found, rest = _notes(place).rpartition(f"\n{name} ")
    return rest.partition("\n")[0] if found else None


def _notes(place: Place) -> str:
    """Return the recorded lines, each with a ref and a value, oldest first.

    There can be thousands, and they are looked at several times for each commit.
    """
    with suppress(OSError):
        return f"\n{(place.own_dir / NAME).read_text('utf-8', 'replace')}\n"
    return ""


def note(place: Place, name: str, value: str) -> None:
    """Record the value that a ref is about to get; without a record, the value will not count."""
    if value == _last(place, name):
        return
    with suppress(OSError):
        private_folder(place.own_dir)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(place.own_dir / NAME, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{name} {value}\n")


def put(  # noqa: PLR0913
    place: Place, objects: Objects, name: str, new: str, *, message: str, who: Identity
) -> None:
    """Point a ref to a value computed here, whatever its old value. Raises StoreMoved."""
    note(place, name, new)
    objects.move_ref(name, new, old=objects.ref(name), message=message, who=who)
    objects.settle()
