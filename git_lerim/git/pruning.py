"""Find out whether git may be deleting new objects, as `git gc --prune=now` does."""

import os
from contextlib import suppress
from pathlib import Path

from git_lerim.git.refs import may_prune, running_gc

_READ = 4096  # bytes of a command line


def may_delete_fresh(common_dir: Path) -> bool:
    """Return whether a running gc or prune may delete objects written a moment ago."""
    gc = running_gc(common_dir)
    return (gc is not None and may_prune(common_dir, gc)) or _is_prune_running()


def _is_prune_running() -> bool:
    """Return whether a `git prune` is running in any repository; always False without /proc.

    Unlike gc, a prune leaves no file that shows that it is running.
    """
    with suppress(OSError), os.scandir("/proc") as found:
        return any(_prunes(entry.name) for entry in found if entry.name.isdecimal())
    return False


def _prunes(process: str) -> bool:
    """Return whether the process with this id is a `git prune`.

    Each commit checks every process, so pathlib would be too slow.
    """
    try:
        command = os.open(f"/proc/{process}/cmdline", os.O_RDONLY)
    except OSError:  # it has just ended
        return False
    try:
        words = os.read(command, _READ).split(b"\0")
    except OSError:
        return False
    finally:
        os.close(command)
    name = words[0].rpartition(b"/")[2]
    return name == b"git-prune" or (name == b"git" and b"prune" in words)
