"""What goes wrong with objects and refs, in our own words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from git_lerim.errors import BranchBlocked, GitFailed, LerimError, StoreMoved
from git_lerim.git.running.process import LOCKED, NO_WRITING, plain, read_only

_REFUSED = (*NO_WRITING, "insufficient permission")
_TAKEN = ("collides with existing", "Not a directory", "exists; cannot create")
_LOCK = re.compile(r"'([^']+\.lock)'(?: for writing|: File exists)")


@contextmanager
def reading(what: str, *trouble: type[Exception]) -> Iterator[None]:
    """Tell a missing or broken object in our own words."""
    try:
        yield
    except trouble as error:
        raise unreadable(what, str(error)) from error


def sort_trouble(said: str) -> LerimError:
    """Sort what went wrong in writing: nothing can be written here, the name is taken, or somebody
    was faster.
    """
    said = plain(said)
    if any(words in said for words in _REFUSED):
        return read_only(said)
    if any(words in said for words in _TAKEN):
        return BranchBlocked(
            f"a branch is in the way: {said}", hint="rename it, or choose a name with lerim.branch"
        )
    if held := _LOCK.search(said):
        hint = (
            "" if "/refs/" in held[1] else LOCKED
        )  # that of a ref of ours is taken away when it is old
        return StoreMoved(f"{held[1]} is there: another git is writing", hint=hint)
    return StoreMoved(said)


def unreadable(what: str, said: str) -> GitFailed:
    """Return the error for an object that is missing or broken."""
    return GitFailed(
        f"object {what[:12]} cannot be read: {plain(said)}", hint="git fsck tells more"
    )
