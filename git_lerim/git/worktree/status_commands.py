"""The arguments of `git status` for hot paths, and a parser of its output.

This module imports almost nothing, and leaves it to its callers to run git.
"""

STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
)
PATIENCE = 15  # seconds: a pipe in place of a .gitignore in some folder would block git forever


def changed(answer: bytes) -> list[str]:
    """Return the paths in the output of `git status`."""
    return [entry[3:].decode("utf-8", "surrogateescape") for entry in answer.split(b"\0") if entry]


def is_text(path: str) -> bool:
    """Return whether a path is valid Unicode, which an index of memories needs.

    Git itself allows any bytes in a path.
    """
    return not any("\ud800" <= char <= "\udfff" for char in path)
