"""Tell whether git may be deleting fresh objects, as `git gc --prune=now` does."""

from pathlib import Path

from git_lerim.git.refs import may_prune, running_gc


def may_delete_fresh(common_dir: Path) -> bool:
    """Tell whether a gc or prune that is running may delete objects written a moment ago."""
    gc = running_gc(common_dir)
    return (gc is not None and may_prune(common_dir, gc)) or _is_prune_running()


def _is_prune_running() -> bool:
    """Tell whether any `git prune` runs, in whatever repository; without /proc nothing tells.

    Unlike gc, it leaves no file that says so.
    """
    for program in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = program.read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        name = words[0].rpartition(b"/")[2]
        if name == b"git-prune" or (name == b"git" and b"prune" in words):
            return True
    return False
