"""Cache files, which are trusted only if the current user owns them, and replaced atomically.

This module imports little, because the fast paths use it.
"""

# ruff: noqa: PTH114, PTH118 importing pathlib would take longer

import os

from git_lerim import private_files
from git_lerim.git import fast_repo

KEY_FILE = "fence.key"  # beside the caches, written once


def is_own(path: str, found: os.stat_result) -> bool:
    """Return whether a file belongs to the current user and is not a link.

    Otherwise somebody else may have planted the file, as the fast paths do not let git check who
    owns the repository.
    """
    owner = getattr(os, "geteuid", lambda: found.st_uid)()
    return found.st_uid == owner and not os.path.islink(path)


def place(folder: str) -> str:
    """Return a string that ties a cache to its folder, or an empty one if `KEY_FILE` is missing.

    A copy of the folder, such as one unpacked from an archive, has another string.
    """
    found = fast_repo.stamp(os.path.join(folder, KEY_FILE))
    return "" if found == fast_repo.stamp_of(None) else found


def read_only(path: str) -> str:
    """Return the URI that opens a SQLite database for reading only."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode=ro"


def replace(path: str, text: str) -> None:
    """Write a file, replacing an old one; errors are ignored, because it is only a cache."""
    try:
        private_files.replace(path, text)
    except OSError:
        return
