"""Translate errors about git's objects and refs into git-lerim's own errors."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from git_lerim.errors import BranchBlocked, GitFailed, LerimError, StoreMoved
from git_lerim.git.running.process import LOCKED, NO_WRITING, plain, read_only

_REFUSED = (*NO_WRITING, "insufficient permission")
_TAKEN = ("collides with existing", "Not a directory", "exists; cannot create")
_LOCK = re.compile(r"'([^']+\.lock)'(?: for writing|: File exists)")


@contextmanager
def read_errors(what: str, *trouble: type[Exception]) -> Iterator[None]:
    """Context manager: turn the errors listed as `trouble` into GitFailed, which names `what`."""
    try:
        yield
    except trouble as error:
        raise unreadable(what, str(error)) from error


def write_error(said: str) -> LerimError:
    """Return the error for a failed write, chosen by git's message.

    It is ReadOnly if nothing can be written, BranchBlocked if the name is taken, else StoreMoved.
    """
    said = plain(said)
    if any(words in said for words in _REFUSED):
        return read_only(said)
    if any(words in said for words in _TAKEN):
        return BranchBlocked(
            f"a branch is in the way: {said}", hint="rename it, or set lerim.branch to another name"
        )
    if held := _LOCK.search(said):
        # our own refs' stale locks are removed automatically
        hint = "" if "/refs/" in held[1] else LOCKED
        return StoreMoved(f"{held[1]} exists: another git process is writing", hint=hint)
    return StoreMoved(said)


def unreadable(what: str, said: str) -> GitFailed:
    """Return the error for an object that is missing or broken."""
    return GitFailed(f"object {what[:12]} cannot be read: {plain(said)}", hint="run git fsck")
